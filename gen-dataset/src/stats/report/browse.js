"use strict";
const samples = JSON.parse(document.getElementById("samples").textContent);
const [query, family, tier, names, found] = ["query", "family", "tier", "names", "found"].map((id) => document.getElementById(id));
const plain = (html) => { const box = document.createElement("pre"); box.innerHTML = html; return box.textContent; };
// What is searched: everything that is shown. It is made once, when somebody searches.
const words = (sample) => (sample.words ??= [sample.name, sample.family, sample.id, ...sample.facts.map((fact) => fact.join(" ")), ...sample.panes.map((pane) => plain(pane.html))].join("\n").toLowerCase());
let shown = [];
let current = null;

function option(select, value) {
  select.append(new Option(value, value));
}

function filter() {
  const wanted = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = samples.filter((sample) => (!family.value || sample.family === family.value) && (!tier.value || String(sample.tier) === tier.value) && wanted.every((word) => words(sample).includes(word)));
  found.textContent = `${shown.length} of ${samples.length} samples`;
  names.replaceChildren(...shown.map((sample) => {
    const button = document.createElement("button");
    button.textContent = `${sample.family} · ${sample.name}`;
    button.onclick = () => show(sample);
    button.setAttribute("aria-current", sample === current);
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
  if (shown.length) show(shown.includes(current) ? current : shown[0]);
}

function mark(pre) {
  const wanted = query.value.split(/\s+/).filter((word) => word.length > 1);
  if (!wanted.length) return;
  const pattern = new RegExp(wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    // From the end, because a mark cuts the node where it begins.
    for (const match of [...node.data.matchAll(pattern)].reverse()) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      range.surroundContents(document.createElement("mark"));
    }
  }
}

// Above the kernel there may be many helpers.
function scrollToKernel(pre, name) {
  const text = pre.textContent;
  const start = Math.max(...["fn ", "def ", "void "].flatMap((head) => [`${head}${name}(`, `${head}${name}_backward(`]).map((head) => text.indexOf(head)));
  const lines = text.slice(0, Math.max(start, 0)).split("\n").length - 1;
  const style = getComputedStyle(pre);
  // With the padding, so that no line is cut at the top.
  pre.scrollTop = lines > 3 ? parseFloat(style.paddingTop) + (lines - 3) * parseFloat(style.lineHeight) : 0;
}

function show(sample) {
  current = sample;
  document.getElementById("title").textContent = sample.name;
  document.getElementById("facts").replaceChildren(...sample.facts.map(([name, value]) => {
    const box = document.createElement("div");
    const [term, text] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = `${name} `;
    text.textContent = value;
    box.append(term, text);
    return box;
  }));
  for (const direction of ["forward", "backward"]) {
    const panes = sample.panes.filter((pane) => pane.direction === direction).map((pane) => {
      const box = document.createElement("div");
      const [title, text] = [document.createElement("h3"), document.createElement("pre")];
      box.className = "pane";
      title.textContent = pane.title;
      // The generator has escaped it.
      text.innerHTML = pane.html;
      mark(text);
      box.append(title, text);
      return box;
    });
    const place = document.getElementById(direction);
    place.hidden = !panes.length;
    place.style.display = panes.length ? "" : "none";
    place.replaceChildren(...panes);
    place.querySelectorAll("pre").forEach((pre) => scrollToKernel(pre, sample.name));
  }
  [...names.querySelectorAll("button")].forEach((button, place) => button.setAttribute("aria-current", shown[place] === sample));
  names.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  history.replaceState(null, "", `#${sample.id}`);
}

[...new Set(samples.map((sample) => sample.family))].forEach((name) => option(family, name));
[...new Set(samples.map((sample) => sample.tier))].sort().forEach((name) => option(tier, name));
[query, family, tier].forEach((control) => control.addEventListener("input", filter));
document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = step && shown[shown.indexOf(current) + step];
  if (!next || event.target.tagName === "SELECT") return;
  event.preventDefault();
  show(next);
});
current = samples.find((sample) => `#${sample.id}` === location.hash) ?? null;
filter();
