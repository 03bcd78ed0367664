//! The end of a kernel with sums over the launch: the threads of a workgroup add up their parts.

use super::arguments::WORKGROUP;
use super::memory::{Memory, plus};
use super::sums::Sum;
use super::text::Text;
use super::types::{is_native, part_suffix};
use super::writer::Writer;
use crate::ir::{AtomicOp, Type};

/// The parts of a workgroup's sum are a square.
const ROWS: u32 = WORKGROUP.isqrt();

impl Writer<'_, '_> {
    /// Adds the sums of the threads of a workgroup to the elements. All threads of the workgroup come here, as the barriers
    /// require. `thread` is the number of the thread in the workgroup.
    pub(super) fn close_sums(&mut self, sums: &[Sum], thread: &str) {
        for Sum { array, at, local } in sums {
            let param = self.kernel.param(*array);
            let (name, memory) = self.shared.array(self.array(*array));
            let (name, at) = (name.to_owned(), *at as usize * memory.size());
            let add = self.workgroup_add(&name, memory, param.elem());
            let call = format!("{add}({at}u, {}, {thread});", self.names.local(*local));
            if !param.is_optional() {
                self.lines.line(call);
                continue;
            }
            // The array is present in all threads, or in none.
            let test = self.presence(*array, "!=");
            self.lines.open(format!("if ({})", test.text));
            self.lines.line(call);
            self.lines.close();
        }
    }

    /// The function that adds the sums of the threads of a workgroup to a value of type `ty` in an array.
    fn workgroup_add(&mut self, name: &str, memory: Memory, ty: Type) -> String {
        let tag = self.shared.prelude.ty(ty);
        let function = match ty == memory.elem {
            true => format!("workgroup_add_{name}"),
            false => format!("workgroup_add_{name}_{}", ty.name()),
        };
        if !is_native(ty) {
            let (add, stride) = (self.workgroup_add(name, memory, ty.part()), memory.stride(ty));
            let parts = (0..usize::from(ty.parts())).map(|number| {
                let at = plus(Text::primary("at"), number * stride);
                format!("    {add}({}, value{}, thread);\n", at.text, part_suffix(ty, number))
            });
            let parts: String = parts.collect();
            return self.access(
                function.clone(),
                format!("fn {function}(at: u32, value: {tag}, thread: u32) {{\n{parts}}}\n"),
            );
        }
        let update = self.part_function(AtomicOp::Add, name, memory, ty);
        let parts = format!("parts_of_{}", ty.name());
        let parts = self.access(parts.clone(), format!("var<workgroup> {parts}: array<{tag}, {WORKGROUP}>;\n"));
        self.shared.prelude.calls("workgroupBarrier");
        let is_zero = match ty.is_scalar() {
            true => format!("sum == {tag}()"),
            false => {
                self.shared.prelude.calls("all");
                format!("all(sum == {tag}())")
            }
        };
        let text = format!(
            "\
// Adds what the threads of a workgroup have, by one atomic operation: {ROWS} threads add up a column each, and one of them adds
// up the columns. All threads of the workgroup come here.
fn {function}(at: u32, value: {tag}, thread: u32) {{
    {parts}[thread] = value;
    workgroupBarrier();
    if (thread < {ROWS}u) {{
        var sum = value;
        for (var other = thread + {ROWS}u; other < {WORKGROUP}u; other += {ROWS}u) {{ sum += {parts}[other]; }}
        {parts}[thread] = sum;
    }}
    workgroupBarrier();
    if (thread == 0u) {{
        var sum = {parts}[0];
        for (var other = 1u; other < {ROWS}u; other++) {{ sum += {parts}[other]; }}
        if (!({is_zero})) {{ {update}(at, sum); }}
    }}
    // The next sum is put in the same place.
    workgroupBarrier();
}}
"
        );
        self.access(function, text)
    }
}
