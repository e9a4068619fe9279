//! Failures on order: tests and chaos runs make a given commit fail in a given way.
//!
//! Must never act unless something was ordered.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::store::Failure;

/// What goes wrong with one attempt to commit.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The disk fails (EIO): fatal.
    Io,
    /// The disk is full (ENOSPC): fatal.
    Full,
    /// The database is busy: surely not committed.
    Busy,
    /// The attempt takes this much longer.
    Stall(Duration),
    /// The attempt waits until the gate opens.
    Hold(Gate),
    /// The commit never reaches the database, and nobody can tell.
    LostRequest,
    /// The commit takes effect, and its answer is lost.
    LostReply,
}

/// Holds a commit back until it is opened.
#[derive(Clone, Debug)]
pub struct Gate {
    arrived: Arc<Semaphore>,
    opened: Arc<Semaphore>,
}

/// The orders, by the number of the attempt, counted from 1. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    plan: Arc<Mutex<Plan>>,
}

#[derive(Debug, Default)]
struct Plan {
    attempts: u64,
    orders: BTreeMap<u64, Fault>,
}

impl Faults {
    /// Orders `fault` for the attempt with this number, counted from 1 since the journal started.
    pub fn at(&self, attempt: u64, fault: Fault) {
        self.lock().orders.insert(attempt, fault);
    }

    /// Orders `fault` for the next attempt.
    pub fn next(&self, fault: Fault) {
        let mut plan = self.lock();
        let attempt = plan.attempts + 1;
        plan.orders.insert(attempt, fault);
    }

    /// Attempts so far.
    pub fn attempts(&self) -> u64 {
        self.lock().attempts
    }

    /// Carries out what is ordered for this attempt; true if its answer is to be lost after the commit.
    pub(super) async fn strike(&self) -> Result<bool, Failure> {
        let fault = {
            let mut plan = self.lock();
            plan.attempts += 1;
            let attempt = plan.attempts;
            plan.orders.remove(&attempt)
        };
        match fault {
            None => Ok(false),
            Some(Fault::Io) => Err(Failure::Fatal("injected: input/output error".to_owned())),
            Some(Fault::Full) => Err(Failure::Fatal("injected: no space left on device".to_owned())),
            Some(Fault::Busy) => Err(Failure::NotCommitted("injected: busy".to_owned())),
            Some(Fault::LostRequest) => Err(Failure::Unknown("injected: the request was lost".to_owned())),
            Some(Fault::LostReply) => Ok(true),
            Some(Fault::Stall(pause)) => {
                tokio::time::sleep(pause).await;
                Ok(false)
            }
            Some(Fault::Hold(gate)) => {
                gate.pass().await;
                Ok(false)
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FromStr for Faults {
    type Err = String;

    /// Reads orders such as `busy@3,stall:1500@10,eio@20`: kind, for a stall its milliseconds, and the attempt.
    fn from_str(text: &str) -> Result<Faults, String> {
        let faults = Faults::default();
        for order in text.split(',').map(str::trim).filter(|order| !order.is_empty()) {
            let wrong = || format!("fault `{order}` is not understood: write KIND@ATTEMPT, for example busy@3");
            let (kind, attempt) = order.split_once('@').ok_or_else(wrong)?;
            let attempt: u64 = attempt.parse().ok().filter(|attempt| *attempt > 0).ok_or_else(wrong)?;
            let fault = match kind.split_once(':') {
                Some(("stall", pause_ms)) => {
                    Fault::Stall(Duration::from_millis(pause_ms.parse().map_err(|_| wrong())?))
                }
                None => match kind {
                    "eio" => Fault::Io,
                    "enospc" => Fault::Full,
                    "busy" => Fault::Busy,
                    "lost-request" => Fault::LostRequest,
                    "lost-reply" => Fault::LostReply,
                    _ => {
                        return Err(format!(
                            "fault kind `{kind}` is none of eio, enospc, busy, stall:MS, lost-request, lost-reply"
                        ));
                    }
                },
                Some(_) => return Err(wrong()),
            };
            faults.at(attempt, fault);
        }
        Ok(faults)
    }
}

impl Default for Gate {
    fn default() -> Self {
        Gate { arrived: Arc::new(Semaphore::new(0)), opened: Arc::new(Semaphore::new(0)) }
    }
}

impl Gate {
    /// Returns once a commit waits at the gate.
    pub async fn reached(&self) {
        self.arrived.acquire().await.expect("the gate is never closed for good").forget();
    }

    /// Lets the waiting commit, or the one to come, pass.
    pub fn open(&self) {
        self.opened.add_permits(1);
    }

    async fn pass(&self) {
        self.arrived.add_permits(1);
        self.opened.acquire().await.expect("the gate is never closed for good").forget();
    }
}
