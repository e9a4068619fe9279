//! Where galleries run: on threads of their own, which the system serves after those of the rooms.
//!
//! Must never be where a room or a racer's socket runs: however many watch, those who race come first.

use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

/// How much later than others the system serves a thread, on the scale of `nice`. Said absolutely: a thread begins with the
/// priority of the one that made it.
const NICE: i32 = 5;

/// Threads for galleries. Clones are the same.
#[derive(Clone)]
pub struct Threads(Arc<Kind>);

enum Kind {
    Own(Option<Runtime>),
    Here,
    #[cfg(feature = "simulation")]
    OnTheSpot,
}

impl Threads {
    /// Threads of their own, half as many as there are cores, at a lower priority where the system allows it.
    pub fn own() -> io::Result<Threads> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let runtime = Builder::new_multi_thread()
            .worker_threads(cores.div_ceil(2))
            .thread_name("gallery")
            .on_thread_start(step_back)
            .enable_all()
            .build()?;
        Ok(Threads(Arc::new(Kind::Own(Some(runtime)))))
    }

    /// The caller's threads, for tests of rooms alone.
    pub fn here() -> Threads {
        Threads(Arc::new(Kind::Here))
    }

    /// The caller's thread even for long work: for simulations, where nothing may depend on threads.
    #[cfg(feature = "simulation")]
    pub fn on_the_spot() -> Threads {
        Threads(Arc::new(Kind::OnTheSpot))
    }

    /// Runs a task.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        match &*self.0 {
            Kind::Own(Some(runtime)) => drop(runtime.spawn(task)),
            _ => drop(tokio::spawn(task)),
        }
    }

    /// Does work that takes its time. `None` if it panicked.
    pub(super) async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        match &*self.0 {
            Kind::Own(Some(runtime)) => runtime.spawn_blocking(work).await.ok(),
            #[cfg(feature = "simulation")]
            Kind::OnTheSpot => Some(work()),
            _ => tokio::task::spawn_blocking(work).await.ok(),
        }
    }
}

impl Drop for Kind {
    fn drop(&mut self) {
        // The last one to let go may be a task, which must not wait for the threads that it runs on.
        if let Kind::Own(runtime) = self
            && let Some(runtime) = runtime.take()
        {
            runtime.shutdown_background();
        }
    }
}

/// Lowers the priority of the calling thread: on Linux `nice` is a thread's own.
#[cfg(target_os = "linux")]
fn step_back() {
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!(%error, "a thread for those who watch keeps the priority of the others");
    }
}

/// Elsewhere `nice` is the whole process's: nothing is lowered.
#[cfg(not(target_os = "linux"))]
fn step_back() {
    tracing::info!(NICE, "threads for those who watch keep the priority of the others on this system");
}
