//! Landlock: rules of the Linux kernel by which a process gives up access to files, to TCP, and to other processes.
//!
//! The three system calls and their structures are those of `linux/landlock.h`, which the kernel keeps compatible. They
//! are called here directly: the crate `landlock` would add a second version of `syn` to the build.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Rights on files, by their bits.
const EXECUTE: u64 = 1 << 0;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;

/// The number of rights on files that each version of the interface has.
const FILE_RIGHTS: [u32; 6] = [13, 14, 15, 15, 16, 16];

/// The first versions with rules for TCP, and for signals and abstract sockets.
const WITH_NET: usize = 4;
const WITH_SCOPES: usize = 6;

/// `struct landlock_ruleset_attr`.
#[repr(C)]
struct RulesetAttr {
    handled_access_fs: u64,
    handled_access_net: u64,
    scoped: u64,
}

/// `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct PathBeneathAttr {
    allowed_access: u64,
    parent_fd: i32,
}

const CREATE_RULESET_VERSION: libc::c_ulong = 1;
const RULE_PATH_BENEATH: libc::c_ulong = 1;

/// Rules under which nothing is allowed but what is added. Everything that the kernel can restrict is restricted.
pub(super) struct Rules {
    descriptor: OwnedFd,
    /// The rights on files that the kernel knows.
    all: u64,
}

impl Rules {
    /// Rules that allow nothing. `None` if the kernel has no Landlock.
    pub(super) fn new() -> Option<Rules> {
        // SAFETY: with this flag the call takes no structure, and returns the version.
        let version = unsafe {
            libc::syscall(
                libc::SYS_landlock_create_ruleset,
                std::ptr::null::<RulesetAttr>(),
                0_usize,
                CREATE_RULESET_VERSION,
            )
        };
        // A kernel without Landlock returns an error.
        let version = usize::try_from(version).ok().filter(|version| *version > 0)?;
        let all = (1 << FILE_RIGHTS[version.min(FILE_RIGHTS.len()) - 1]) - 1;
        let rights = |first: usize| if version >= first { 0b11 } else { 0 };
        let attr =
            RulesetAttr { handled_access_fs: all, handled_access_net: rights(WITH_NET), scoped: rights(WITH_SCOPES) };
        // SAFETY: the structure is of the size that is passed. An older kernel takes a larger one if the rest is 0.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_landlock_create_ruleset,
                &raw const attr,
                size_of::<RulesetAttr>(),
                0 as libc::c_ulong,
            )
        };
        let descriptor = RawFd::try_from(descriptor).ok().filter(|descriptor| *descriptor >= 0)?;
        // SAFETY: the call has just opened the descriptor, for this process alone.
        Some(Rules { descriptor: unsafe { OwnedFd::from_raw_fd(descriptor) }, all })
    }

    /// Allows to read and execute the file, or all below the folder. A path that is not there is left out.
    pub(super) fn allow_reads(&self, path: &Path) -> io::Result<()> {
        let folder = if path.is_dir() { READ_DIR } else { 0 };
        match self.allow(path, EXECUTE | READ_FILE | folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            allowed => allowed,
        }
    }

    /// Allows everything below the folder but to execute.
    pub(super) fn allow_writes(&self, folder: &Path) -> io::Result<()> {
        self.allow(folder, self.all & !EXECUTE)
    }

    fn allow(&self, path: &Path, rights: u64) -> io::Result<()> {
        let file = OpenOptions::new().read(true).custom_flags(libc::O_PATH | libc::O_CLOEXEC).open(path)?;
        let attr = PathBeneathAttr { allowed_access: rights, parent_fd: file.as_raw_fd() };
        // SAFETY: the structure is that of this kind of rule, and both descriptors are open.
        let added = unsafe {
            libc::syscall(
                libc::SYS_landlock_add_rule,
                self.descriptor.as_raw_fd(),
                RULE_PATH_BENEATH,
                &raw const attr,
                0 as libc::c_ulong,
            )
        };
        if added == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Puts the calling process, and all that it starts, under the rules. It makes one system call and allocates nothing,
    /// so it may be called between `fork` and `exec`. The process must have given up new privileges.
    pub(super) fn restrict(&self) -> io::Result<()> {
        // SAFETY: the call takes the descriptor of a ruleset, and flags.
        let restricted =
            unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.descriptor.as_raw_fd(), 0 as libc::c_ulong) };
        if restricted == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::skip;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_under_rules_reaches_what_they_allow_and_nothing_else() {
        let Some(rules) = Rules::new() else { return skip("the kernel has no Landlock") };
        let [open, closed, read] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        std::fs::write(read.path().join("file"), "x").unwrap();
        std::fs::write(closed.path().join("file"), "x").unwrap();
        for folder in ["/usr", "/lib", "/lib64", "/bin", "/no/such/folder"] {
            rules.allow_reads(Path::new(folder)).unwrap();
        }
        rules.allow_reads(read.path()).unwrap();
        rules.allow_writes(open.path()).unwrap();
        assert!(rules.allow_writes(Path::new("/no/such/folder")).is_err());
        let rules = std::sync::Arc::new(rules);
        let succeeds = |script: &str| {
            let rules = std::sync::Arc::clone(&rules);
            let mut command = Command::new("/bin/sh");
            command.args(["-c", script, "sh"]).args([open.path(), closed.path(), read.path()]);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            // SAFETY: the closure makes system calls only.
            unsafe {
                command.pre_exec(move || {
                    libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
                    rules.restrict()
                })
            };
            command.status().unwrap().success()
        };
        for allowed in
            ["true", "ls $3", "read x < $3/file || true", "echo x > $1/new && mkdir $1/sub && mv $1/new $1/sub"]
        {
            assert!(succeeds(allowed), "{allowed}");
        }
        for refused in [
            "ls $2",
            "echo < $2/file",
            "echo x > $2/new",
            "mkdir $2/sub",
            "rm $2/file",
            "echo x > $3/file",
            "rm $3/file",
            "mkdir $3/sub",
            "ln -s a $3/link",
            "mkfifo $3/fifo",
            "mv $3/file $1",
            "truncate -s 0 $3/file",
            "cp /bin/true $1/copy && $1/copy",
            "ls /etc",
            "ls /proc",
            "ls /",
        ] {
            assert!(!succeeds(refused), "{refused}");
        }
    }
}
