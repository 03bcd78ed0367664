//! A sandbox for compilers that read answers, and for programs that run them.
//!
//! A process in the sandbox reads only the files that it needs, writes only into one folder, has no network and no
//! capabilities, cannot signal or trace others, cannot leave its process group, and has limits for CPU time, memory and
//! the size of files. Landlock restricts files, a filter of system calls (seccomp) the rest. When the first process of
//! the group ends, all others are killed. Where the kernel has no Landlock, bubblewrap takes its place.

use super::landlock::Rules;
use crate::cli::SandboxChoice;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal, kill_process_group, pidfd_open, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The file descriptor of the request in a sandboxed program.
const REQUEST: RawFd = 3;

/// The longest message of a process that is kept.
const MESSAGE: usize = 1 << 16;

/// The folders that compilers and programs read. Those that a system lacks are left out.
const SYSTEM: [&str; 7] = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/dev/null"];

/// How processes are kept apart from the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isolation {
    /// Landlock and a filter of system calls.
    Landlock,
    /// Namespaces by bubblewrap. The filter of the host program is installed there, too.
    Bubblewrap,
    /// Limits alone. Only for answers that one trusts.
    None,
}

impl From<SandboxChoice> for Isolation {
    fn from(choice: SandboxChoice) -> Isolation {
        match choice {
            SandboxChoice::Landlock => Isolation::Landlock,
            SandboxChoice::Bubblewrap => Isolation::Bubblewrap,
            SandboxChoice::None => Isolation::None,
        }
    }
}

/// The sandbox.
pub(crate) struct Sandbox {
    isolation: Isolation,
    filter: BpfProgram,
}

/// The limits of a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The CPU time, in seconds.
    pub(super) seconds: u64,
    /// The address space, in bytes.
    pub(super) memory: u64,
    /// The size of a file that is written, in bytes.
    pub(super) file: u64,
}

/// How a process ended.
pub(super) struct Ended {
    status: ExitStatus,
    /// The start of what it wrote to standard error.
    pub(super) message: String,
    /// Whether it ran longer than its CPU time explains, and was killed.
    hung: bool,
}

impl Ended {
    /// Whether it ended with status 0.
    pub(super) fn is_success(&self) -> bool {
        self.status.success()
    }

    /// A few words about how it ended, if it did not end by itself.
    pub(super) fn killed(&self) -> Option<String> {
        if self.hung {
            return Some("it did not end".to_owned());
        }
        Some(match self.status.signal()? {
            libc::SIGXCPU | libc::SIGKILL => "it used more CPU time or memory than it may".to_owned(),
            libc::SIGXFSZ => "it wrote a larger file than it may".to_owned(),
            libc::SIGSYS => "it made a system call that it may not make".to_owned(),
            libc::SIGSEGV | libc::SIGBUS => {
                "it accessed memory outside of its arrays, or wrote to one that it only reads".to_owned()
            }
            libc::SIGFPE => "it divided an integer by zero".to_owned(),
            libc::SIGILL | libc::SIGTRAP => "it reached code that must not be reached".to_owned(),
            signal => format!("signal {signal} ended it"),
        })
    }
}

impl Sandbox {
    /// The strongest sandbox of this system, or the one that is asked for.
    ///
    /// # Errors
    /// The system has none.
    pub(crate) fn open(asked: Option<Isolation>) -> Result<Sandbox, String> {
        let has_landlock = || Rules::new().is_some();
        let has_bubblewrap = || {
            Command::new("bwrap").args(["--ro-bind", "/", "/", "true"]).output().is_ok_and(|run| run.status.success())
        };
        let isolation = match asked {
            Some(Isolation::None) => Isolation::None,
            Some(Isolation::Landlock) if has_landlock() => Isolation::Landlock,
            Some(Isolation::Bubblewrap) if has_bubblewrap() => Isolation::Bubblewrap,
            None if has_landlock() => Isolation::Landlock,
            None if has_bubblewrap() => Isolation::Bubblewrap,
            _ => {
                return Err("there is no sandbox for the answers: this kernel has no Landlock, and bubblewrap is not \
                            installed or may not run; `--sandbox none` runs them with your rights"
                    .to_owned());
            }
        };
        Ok(Sandbox { isolation, filter: filter()? })
    }

    /// The means of the sandbox, in a word.
    pub(crate) fn name(&self) -> &'static str {
        match self.isolation {
            Isolation::Landlock => "Landlock",
            Isolation::Bubblewrap => "bubblewrap",
            Isolation::None => "none",
        }
    }

    /// Runs `program` in `folder`, the only folder that it may write to. `reads` are further files that it may read.
    /// `request` becomes its file descriptor 3. All its processes are dead when this returns.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn run(
        &self,
        program: &Path,
        arguments: &[&str],
        folder: &Path,
        reads: &[PathBuf],
        request: Option<&File>,
        limits: Limits,
    ) -> Result<Ended, String> {
        let cannot = |what: &str, error: &dyn std::fmt::Display| format!("{}: {what}: {error}", program.display());
        let log = folder.join("log");
        let errors = File::create(&log).map_err(|error| cannot("no log", &error))?;
        let mut command = match self.isolation {
            Isolation::Bubblewrap => bubblewrap(program, folder, reads),
            Isolation::Landlock | Isolation::None => Command::new(program),
        };
        command.args(arguments).current_dir(folder).env_clear().env("PATH", "/usr/bin:/bin").env("TMPDIR", folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).process_group(0);
        let rules = match self.isolation {
            Isolation::Landlock => Some(rules(reads, folder)?),
            Isolation::Bubblewrap | Isolation::None => None,
        };
        // Bubblewrap itself makes namespaces, which the filter forbids. They take the place of its rules.
        let filter = (self.isolation == Isolation::Landlock).then(|| self.filter.clone());
        let request = request.map(AsRawFd::as_raw_fd);
        // SAFETY: between `fork` and `exec`, `confine` makes system calls only. It allocates nothing and takes no lock:
        // rules and filter are made before.
        unsafe { command.pre_exec(move || confine(rules.as_ref(), filter.as_ref(), request, limits)) };
        let mut child = command.spawn().map_err(|error| cannot("it does not start", &error))?;
        let pid = Pid::from_child(&child);
        // Only a process that waits for something can take so much longer than its CPU time, whatever else the machine
        // does.
        let longest = Timespec { tv_sec: 30 + 30 * i64::try_from(limits.seconds).unwrap_or(60), tv_nsec: 0 };
        let hung = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(descriptor) => {
                let mut ends = [PollFd::new(&descriptor, PollFlags::IN)];
                loop {
                    match poll(&mut ends, Some(&longest)) {
                        Err(rustix::io::Errno::INTR) => {}
                        ended => break matches!(ended, Ok(0)),
                    }
                }
            }
            Err(_) => false,
        };
        // The first process is not reaped yet, so no other process can have its number.
        let _ = kill_process_group(pid, Signal::KILL);
        let status = child.wait().map_err(|error| cannot("its status is lost", &error))?;
        let message = fs::read(&log).unwrap_or_default();
        let message = String::from_utf8_lossy(&message[..message.len().min(MESSAGE)]).into_owned();
        Ok(Ended { status, message, hung })
    }

    /// The filter for a program that makes no system calls but those of a running kernel's host, as bytes that the
    /// kernel takes.
    ///
    /// # Errors
    /// There is no filter for this processor.
    pub(super) fn inner_filter(&self) -> Result<Vec<u8>, String> {
        if self.isolation == Isolation::None {
            return Ok(Vec::new());
        }
        let calls = [
            libc::SYS_pread64,
            libc::SYS_pwrite64,
            libc::SYS_write,
            libc::SYS_mmap,
            libc::SYS_munmap,
            libc::SYS_mprotect,
            libc::SYS_madvise,
            libc::SYS_mremap,
            libc::SYS_brk,
            libc::SYS_rt_sigprocmask,
            libc::SYS_exit_group,
            // What `stdio` asks of a file before it writes.
            libc::SYS_newfstatat,
            libc::SYS_fstat,
        ];
        let rules = calls.into_iter().map(|call| (call, Vec::new())).collect();
        let program = compile(rules, SeccompAction::KillProcess, SeccompAction::Allow)?;
        let bytes = |rule: &seccompiler::sock_filter| {
            let [code_low, code_high] = rule.code.to_le_bytes();
            let [a, b, c, d] = rule.k.to_le_bytes();
            [code_low, code_high, rule.jt, rule.jf, a, b, c, d]
        };
        Ok(program.iter().flat_map(bytes).collect())
    }
}

/// Confines the calling process, which is about to become another program.
fn confine(
    rules: Option<&Rules>,
    filter: Option<&BpfProgram>,
    request: Option<RawFd>,
    limits: Limits,
) -> io::Result<()> {
    let both = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    // The soft limit of CPU time ends the process by a signal that says why.
    setrlimit(Resource::Cpu, Rlimit { current: Some(limits.seconds), maximum: Some(limits.seconds + 1) })?;
    setrlimit(Resource::As, both(limits.memory))?;
    setrlimit(Resource::Fsize, both(limits.file))?;
    setrlimit(Resource::Core, both(0))?;
    setrlimit(Resource::Nofile, both(64))?;
    // SAFETY: these calls take numbers, and a pointer to two structures of the layout that `capset(2)` describes.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return Err(io::Error::last_os_error());
        }
        if rules.is_some() {
            const VERSION_3: u32 = 0x2008_0522;
            let header: [u32; 2] = [VERSION_3, 0];
            let none: [u32; 6] = [0; 6];
            if libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
    }
    if let Some(rules) = rules {
        rules.restrict()?;
    }
    if let Some(request) = request {
        // After the rules, whose own descriptor may have that number.
        // SAFETY: the descriptor is open, because its owner is borrowed until the program has ended.
        let given = unsafe {
            match request {
                // It stays what it is, but is open in the program.
                REQUEST => libc::fcntl(REQUEST, libc::F_SETFD, 0),
                _ => libc::dup2(request, REQUEST),
            }
        };
        if given < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    match filter {
        Some(filter) => seccompiler::apply_filter(filter).map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied)),
        None => Ok(()),
    }
}

/// The rules of Landlock: `reads` and the system may be read, and `folder` written to.
fn rules(reads: &[PathBuf], folder: &Path) -> Result<Rules, String> {
    let wrong = |error: io::Error| format!("no sandbox: {error}");
    let rules = Rules::new().ok_or("no sandbox: the kernel has no Landlock")?;
    let system = SYSTEM.iter().map(Path::new);
    for path in system.chain(reads.iter().map(PathBuf::as_path)) {
        rules.allow_reads(path).map_err(wrong)?;
    }
    rules.allow_writes(folder).map_err(wrong)?;
    Ok(rules)
}

/// A command that runs `program` in namespaces of its own.
fn bubblewrap(program: &Path, folder: &Path, reads: &[PathBuf]) -> Command {
    let mut command = Command::new("bwrap");
    command.args(["--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--dev", "/dev"]);
    let system = SYSTEM.iter().map(Path::new).filter(|path| !path.starts_with("/dev"));
    for path in system.chain(reads.iter().map(PathBuf::as_path)) {
        command.arg("--ro-bind-try").args([path, path]);
    }
    command.arg("--bind").args([folder, folder]).arg("--chdir").arg(folder).arg("--").arg(program);
    command
}

/// The filter for compilers and hosts: what reaches beyond the process fails.
fn filter() -> Result<BpfProgram, String> {
    let denied = [
        // Networks and other processes.
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_pidfd_send_signal,
        libc::SYS_pidfd_getfd,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_process_madvise,
        // A process that leaves its group would live on.
        libc::SYS_setsid,
        libc::SYS_setpgid,
        // Memory and messages that outlive the process.
        libc::SYS_shmget,
        libc::SYS_shmat,
        libc::SYS_msgget,
        libc::SYS_semget,
        libc::SYS_mq_open,
        // What Landlock does not restrict.
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_utimensat,
        libc::SYS_mknodat,
        // The rights of the process, and the system itself.
        libc::SYS_setrlimit,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_open_tree,
        libc::SYS_move_mount,
        libc::SYS_fsopen,
        libc::SYS_open_by_handle_at,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_io_uring_setup,
        libc::SYS_userfaultfd,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_kexec_load,
        libc::SYS_reboot,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_sethostname,
        libc::SYS_setdomainname,
        libc::SYS_acct,
        libc::SYS_quotactl,
        libc::SYS_personality,
        libc::SYS_sched_setaffinity,
        libc::SYS_setpriority,
    ];
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = denied.into_iter().map(|call| (call, Vec::new())).collect();
    let wrong = |error: seccompiler::BackendError| format!("no filter of system calls: {error}");
    // A new limit is the third argument.
    let sets = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0).map_err(wrong)?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![sets]).map_err(wrong)?]);
    // New namespaces, by the flags of `clone`.
    let namespaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let makes = |flag: i32| {
        let flag = flag as u64;
        let has = SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag)?;
        SeccompRule::new(vec![has])
    };
    rules.insert(libc::SYS_clone, namespaces.into_iter().map(makes).collect::<Result<_, _>>().map_err(wrong)?);
    // The flags of `clone3` lie in memory, which a filter cannot read. Without it the C library takes `clone`.
    rules.insert(libc::SYS_clone3, Vec::new());
    compile(rules, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32))
}

fn compile(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<BpfProgram, String> {
    let wrong = |error: seccompiler::BackendError| format!("no filter of system calls: {error}");
    let processor = std::env::consts::ARCH.try_into().map_err(wrong)?;
    SeccompFilter::new(rules, otherwise, matched, processor).and_then(TryInto::try_into).map_err(wrong)
}
