//! Faults: the panic of a thread of a launch becomes an error, and nothing is printed.
//!
//! The panic hook of the process reports a panic before anything can catch it. So while launches run, a hook stands before
//! it: that takes the panics of their threads, and hands on those of all others. With the last launch it is gone. A panic
//! elsewhere that meets the moment of the exchange is reported by the hook of the standard library.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a thread of a launch has panicked with.
pub(super) struct Fault {
    pub(super) message: String,
    /// Unknown if somebody replaced the hook during the launch.
    pub(super) location: Option<Location>,
}

/// A place in a source.
pub(super) struct Location {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// What the current thread of the host does.
enum Activity {
    Other,
    /// It runs threads of a launch; where one has panicked.
    Launch(Option<Location>),
}

thread_local! {
    static ACTIVITY: RefCell<Activity> = const { RefCell::new(Activity::Other) };
}

/// Runs threads of a launch; a panic ends them. Nothing is printed while a [`Silence`] lives.
pub(super) fn catch(threads: impl FnOnce()) -> Result<(), Fault> {
    let before = ACTIVITY.replace(Activity::Launch(None));
    // What the threads can leave half done are the elements of arrays, and the error says so.
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

/// The hook that stands before that of the process.
struct Installed {
    /// That of the process; ours holds it too.
    previous: Arc<Hook>,
    /// The address of ours.
    address: usize,
}

static SILENCES: Mutex<(usize, Option<Installed>)> = Mutex::new((0, None));

/// As long as it lives, panics in [`catch`] are not reported.
pub(super) struct Silence(());

impl Silence {
    pub(super) fn new() -> Silence {
        let mut silences = silences();
        let (count, installed) = &mut *silences;
        *count += 1;
        // Where a panic ends the process, its report is all that is left. A thread that panics cannot change the hook.
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
            // A thread that ends has no activity any more.
            if !is_ours.unwrap_or(false) {
                next(info);
            }
        });
        let address = address_of(&hook);
        set_hook(hook);
        Installed { previous, address }
    }

    /// Puts the hook of the process back, unless somebody has set another one meanwhile.
    fn remove(self) {
        let current = take_hook();
        // Where ours has been dropped, its address may be another hook's.
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
