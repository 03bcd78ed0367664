//! Faults: a panic in a thread of a launch becomes an error, and prints nothing.
//!
//! The panic hook of the process prints a panic before `catch_unwind` can catch it. While launches run, an own hook is
//! therefore installed in front of it. The own hook records the panics of launch threads and forwards all others. The
//! end of the last launch removes it. A panic of another thread during the exchange of the hooks is printed by the hook
//! of the standard library.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The panic of a thread of a launch.
pub(super) struct Fault {
    pub(super) message: String,
    /// `None` if another hook was installed during the launch.
    pub(super) location: Option<Location>,
}

/// A source location.
pub(super) struct Location {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// The activity of the current host thread.
enum Activity {
    Other,
    /// The host thread runs threads of a launch. The location is that of the panic, if one occurred.
    Launch(Option<Location>),
}

thread_local! {
    static ACTIVITY: RefCell<Activity> = const { RefCell::new(Activity::Other) };
}

/// Runs threads of a launch, and returns a panic as a fault. Nothing is printed while a [`Silence`] is alive.
pub(super) fn catch(threads: impl FnOnce()) -> Result<(), Fault> {
    let before = ACTIVITY.replace(Activity::Launch(None));
    // Unwind safety: threads can leave only array elements half written, and the documentation of the error says so.
    let result = catch_unwind(AssertUnwindSafe(threads));
    let after = ACTIVITY.replace(before);
    result.map_err(|panic| Fault {
        message: message_of(panic.as_ref()),
        location: match after {
            Activity::Launch(location) => location,
            Activity::Other => None,
        },
    })
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    if let Some(message) = panic.downcast_ref::<&str>() {
        (*message).to_owned()
    } else if let Some(message) = panic.downcast_ref::<String>() {
        message.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send>;

/// The installed hook.
struct Installed {
    /// The hook of the process. The installed hook holds the other reference.
    previous: Arc<Hook>,
    /// The address of the installed hook.
    address: usize,
}

static SILENCES: Mutex<(usize, Option<Installed>)> = Mutex::new((0, None));

/// While one is alive, panics in [`catch`] are not printed.
pub(super) struct Silence(());

impl Silence {
    pub(super) fn new() -> Silence {
        let mut silences = silences();
        let (count, installed) = &mut *silences;
        *count += 1;
        // With `panic = "abort"` the printed message is all that remains, so nothing is silenced. A panicking thread
        // must not change the hook, because the standard library would panic again.
        if cfg!(panic = "unwind") && installed.is_none() && !std::thread::panicking() {
            *installed = Some(Installed::new());
        }
        Silence(())
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        let mut silences = silences();
        let (count, installed) = &mut *silences;
        *count -= 1;
        if *count == 0
            && !std::thread::panicking()
            && let Some(installed) = installed.take()
        {
            installed.remove();
        }
    }
}

fn silences() -> MutexGuard<'static, (usize, Option<Installed>)> {
    SILENCES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Installed {
    fn new() -> Installed {
        let previous = Arc::new(take_hook());
        let next = Arc::clone(&previous);
        let hook: Hook = Box::new(move |info| {
            let is_ours = ACTIVITY.try_with(|activity| match &mut *activity.borrow_mut() {
                Activity::Other => false,
                Activity::Launch(location) => {
                    *location = info.location().map(|location| Location {
                        file: location.file().to_owned(),
                        line: location.line(),
                        column: location.column(),
                    });
                    true
                }
            });
            // A thread that is being destroyed has no thread-local activity any more.
            if !is_ours.unwrap_or(false) {
                next(info);
            }
        });
        let address = address_of(&hook);
        set_hook(hook);
        Installed { previous, address }
    }

    /// Restores the hook of the process, unless another hook has been installed meanwhile.
    fn remove(self) {
        let current = take_hook();
        // If the own hook has been dropped, a new one may have its address. The reference count tells them apart.
        if Arc::strong_count(&self.previous) == 2 && address_of(&current) == self.address {
            drop(current);
            if let Ok(previous) = Arc::try_unwrap(self.previous) {
                set_hook(previous);
            }
        } else {
            set_hook(current);
        }
    }
}

fn address_of(hook: &Hook) -> usize {
    (&raw const **hook).cast::<()>().addr()
}
