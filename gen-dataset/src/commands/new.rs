//! `new`: writes a crate for datasets of the user's own kernels.

use super::term;
use crate::cli::NewArgs;
use crate::error::Error;
use std::fs;
use std::path::Path;

/// The template files, with the gaps `{name}`, `{crate}` and `{weft}`.
const FILES: [(&str, &str); 3] = [
    ("Cargo.toml", include_str!("../../template/Cargo.toml.in")),
    ("src/main.rs", include_str!("../../template/src/main.rs.in")),
    ("src/kernels.rs", include_str!("../../template/src/kernels.rs")),
];

/// The checkout that this program was built from.
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The names of crates that a crate with kernels depends on.
const TAKEN: [&str; 10] =
    ["alloc", "core", "gen_dataset", "kernel_ir", "kernel_macros", "kernel_rt", "kernels", "proc_macro", "std", "test"];

/// Writes the crate.
pub(crate) fn new(args: &NewArgs) -> Result<(), Error> {
    let name = args.dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !is_crate_name(name) {
        return Err(Error::Config(format!(
            "`{name}` cannot be the name of a crate; begin with a letter, and use only lower-case letters, digits, `-` and `_`"
        )));
    }
    let module = name.replace('-', "_");
    if TAKEN.contains(&&*module) {
        return Err(Error::Config(format!(
            "`{name}` is the name of a dependency of the new crate; choose another name"
        )));
    }
    if args.dir.exists() {
        return Err(Error::Config(format!("`{}` already exists; choose another name", args.dir.display())));
    }
    let weft = checkout(args.weft.as_deref())?;
    for (file, text) in FILES {
        let path = args.dir.join(file);
        let folder = path.parent().unwrap_or(&args.dir);
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let text = text.replace("{name}", name).replace("{crate}", &module).replace("{weft}", &weft);
        fs::write(&path, text).map_err(Error::io("write", &path))?;
    }
    let dir = args.dir.display();
    term::print(&format!(
        "wrote `{dir}`: its kernels are in src/kernels.rs\n\n  cd {dir}\n  cargo run --release -- list --module {module}\n  \
         cargo run --release -- --module {module} --output dataset\n"
    ))
}

/// Whether the name is valid for a crate in cargo, and for a module in Rust.
fn is_crate_name(name: &str) -> bool {
    let is_part = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || "-_".contains(sign);
    name.starts_with(|sign: char| sign.is_ascii_lowercase())
        && name.chars().all(is_part)
        && syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_ok()
}

/// The path of the checkout, escaped for a TOML string.
///
/// # Errors
/// There is no checkout.
fn checkout(weft: Option<&Path>) -> Result<String, Error> {
    let given = weft.unwrap_or(CHECKOUT.as_ref());
    let found = given.canonicalize().ok().filter(|path| path.join("gen-dataset/Cargo.toml").is_file());
    match found {
        Some(path) => Ok(path.display().to_string().replace('\\', "/").replace('"', "\\\"")),
        None => {
            let what = if weft.is_some() {
                "there is no checkout of Weft"
            } else {
                "the checkout that this program was built from no longer exists"
            };
            Err(Error::Config(format!("{what} at `{}`; give the path of one with `--weft DIR`", given.display())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn made(dir: PathBuf, weft: Option<&str>) -> Result<(), Error> {
        new(&NewArgs { dir, weft: weft.map(PathBuf::from) })
    }

    #[test]
    fn the_crate_names_itself_and_the_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("my-kernels");
        made(dir.clone(), None).unwrap();
        let manifest = fs::read_to_string(dir.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("name = \"my-kernels\"\n") && !manifest.contains("{weft}"), "{manifest}");
        let path = manifest.split_once("kernel-rt = { path = \"").unwrap().1.split_once('"').unwrap().0;
        assert!(Path::new(path).join("Cargo.toml").is_file(), "{path}");
        assert!(fs::read_to_string(dir.join("src/main.rs")).unwrap().contains("--module my_kernels`"));
        let text = made(dir.clone(), None).unwrap_err().to_string();
        assert_eq!(text, format!("`{}` already exists; choose another name", dir.display()));
    }

    #[test]
    fn names_that_are_none_and_a_checkout_that_is_none_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["Mine", "9lives", "fn", "a b", "ä"] {
            let text = made(folder.path().join(name), None).unwrap_err().to_string();
            assert!(text.starts_with(&format!("`{name}` cannot be the name of a crate")), "{text}");
        }
        let text = made(folder.path().join("kernel-rt"), None).unwrap_err().to_string();
        assert_eq!(text, "`kernel-rt` is the name of a dependency of the new crate; choose another name");
        let text = made(folder.path().join("mine"), Some("nowhere")).unwrap_err().to_string();
        assert_eq!(text, "there is no checkout of Weft at `nowhere`; give the path of one with `--weft DIR`");
        assert!(!folder.path().join("mine").exists());
    }
}
