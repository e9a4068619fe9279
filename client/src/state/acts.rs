//! Acts under way: numbered, shown before they are confirmed, taken back where the server judges otherwise.
//!
//! Every act has the seat's running number `n`. An act stays here until the server has judged it; what is here is
//! shown on top of the confirmed play, and is sent again with the same `n` after a reconnect.

use std::collections::VecDeque;

use sprint_shared::play::{Act, ActRefused, House, Play};

/// The acts of one seat that the server has not judged yet.
#[derive(Clone, Debug, Default)]
pub struct Acts {
    last: u32,
    pending: VecDeque<Pending>,
}

/// One act under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Its running number.
    pub n: u32,
    /// The accepted acts that it builds on.
    pub ply: u32,
    /// The act.
    pub act: Act,
    /// Whether it is on its way.
    pub sent: bool,
}

/// Acts under way at most; a further one waits for the server. Below the server's allowance for a burst.
pub const PENDING_MAX: usize = 16;

/// Why an act is not even sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// The rules refuse it, at no cost.
    #[error(transparent)]
    Refused(#[from] ActRefused),
    /// No race is on, or this seat is done.
    #[error("not now: no race is on for this seat")]
    NotNow,
    /// Too many acts wait for the server.
    #[error("wait: the server has not answered the last {PENDING_MAX} acts")]
    Waiting,
}

impl Acts {
    /// The play as it will stand once everything under way is judged as expected. Acts that build on something else
    /// are void and change nothing.
    pub fn shown(&self, confirmed: &Play, house: House) -> Play {
        let mut play = confirmed.clone();
        for pending in self.pending.iter().filter(|_| !confirmed.is_harmony()) {
            if pending.ply == play.ply()
                && let Ok(deed) = play.judge(&pending.act, house)
            {
                play.apply(&deed);
            }
        }
        play
    }

    /// Numbers an act and puts it under way, unless the rules refuse it on the play that is shown. Its effect, where
    /// it has a cost, is the server's to judge.
    pub fn push(&mut self, act: Act, confirmed: &Play, house: House) -> Result<Pending, NotSent> {
        if self.pending.len() >= PENDING_MAX {
            return Err(NotSent::Waiting);
        }
        let shown = self.shown(confirmed, house);
        if shown.is_harmony() {
            return Err(NotSent::NotNow);
        }
        match shown.judge(&act, house) {
            // A transfer from before a snapshot can be undone, but which one only the server knows.
            Err(ActRefused::NothingToUndo) if shown.transfers() > 0 => {}
            Err(refused) => return Err(refused.into()),
            Ok(_) => {}
        }
        self.last += 1;
        let pending = Pending { n: self.last, ply: shown.ply(), act, sent: false };
        self.pending.push_back(pending);
        Ok(pending)
    }

    /// The acts under way, in order.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = &Pending> {
        self.pending.iter()
    }

    /// The next act that is not on its way, which is marked as sent.
    pub fn send_next(&mut self) -> Option<Pending> {
        let next = self.pending.iter_mut().find(|p| !p.sent)?;
        next.sent = true;
        Some(*next)
    }

    /// Whether some act is not on its way.
    pub fn has_unsent(&self) -> bool {
        self.pending.iter().any(|p| !p.sent)
    }

    /// The server judged act `n`, with whatever outcome.
    pub fn judged(&mut self, n: u32) {
        self.pending.retain(|p| p.n > n);
        self.last = self.last.max(n);
    }

    /// The server did not judge act `n` and expects `next`: everything from there on is to be sent again.
    pub fn expected(&mut self, next: u32) {
        self.judged(next.saturating_sub(1));
        self.renumber(next);
    }

    /// Act `n` never came to the server's room, nor can those after it be judged: they are to be sent again.
    pub fn unsent(&mut self, n: u32) {
        self.pending.iter_mut().filter(|p| p.n >= n).for_each(|p| p.sent = false);
    }

    /// A hello was answered: the server has judged everything up to `n`, and nothing else is on its way.
    pub fn welcomed(&mut self, n: u32) {
        self.pending.retain(|p| p.n > n);
        self.renumber(n + 1);
    }

    /// Forgets everything under way; the numbers go on.
    pub fn clear(&mut self) {
        // What was never sent, always the last of them, used no number up.
        self.last -= self.pending.iter().filter(|p| !p.sent).count() as u32;
        self.pending.clear();
    }

    /// Refusals without effect are not kept over a crash of the server, so its counter may be behind ours. Numbers
    /// after it are free: no act with an effect has them.
    fn renumber(&mut self, first: u32) {
        for (pending, n) in self.pending.iter_mut().zip(first..) {
            pending.n = n;
            pending.sent = false;
        }
        self.last = first + self.pending.len() as u32 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sprint_shared::options::Placement;

    const HOUSE: House = House { placement: Placement::Strict, relaxed: false };

    fn play() -> Play {
        Play::new("R2R1/S2/S1/-/A1A2 3".parse().expect("a board"))
    }

    fn numbers(acts: &Acts) -> Vec<(u32, u32, bool)> {
        acts.pending().map(|p| (p.n, p.ply, p.sent)).collect()
    }

    #[test]
    fn several_acts_are_shown_before_any_of_them_is_confirmed() {
        let (mut acts, mut confirmed) = (Acts::default(), play());
        for act in [Act::Lift { peg: 3 }, Act::Place { peg: 2 }, Act::Undo] {
            acts.push(act, &confirmed, HOUSE).expect("a possible act");
        }
        assert_eq!(numbers(&acts), [(1, 0, false), (2, 1, false), (3, 2, false)]);
        let shown = acts.shown(&confirmed, HOUSE);
        assert_eq!((shown.board(), shown.ply()), (confirmed.board(), 3));
        let deed = confirmed.judge(&Act::Lift { peg: 3 }, HOUSE).expect("a lift");
        confirmed.apply(&deed);
        acts.judged(1);
        assert_eq!(acts.shown(&confirmed, HOUSE), shown);
    }

    #[test]
    fn acts_that_build_on_a_refused_one_are_void() {
        let (mut acts, confirmed) = (Acts::default(), play());
        acts.push(Act::Move { from: 1, to: 4 }, &confirmed, HOUSE).expect("a transfer");
        acts.push(Act::Move { from: 3, to: 2 }, &confirmed, HOUSE).expect("a transfer");
        acts.judged(1);
        assert_eq!(acts.shown(&confirmed, HOUSE), confirmed);
    }

    #[test]
    fn an_act_that_costs_something_is_sent_and_one_that_does_not_is_refused_here() {
        let (mut acts, confirmed) = (Acts::default(), play());
        assert_eq!(
            acts.push(Act::Lift { peg: 9 }, &confirmed, HOUSE).map_err(|e| e.to_string()).err().as_deref(),
            Some("there is no peg 9: this board has pegs 1 to 5")
        );
        acts.push(Act::Move { from: 1, to: 3 }, &confirmed, HOUSE).expect("a placement error is the server's to judge");
        assert_eq!(acts.shown(&confirmed, HOUSE).errors(), 1);
    }

    #[test]
    fn a_refusal_that_used_no_number_up_makes_everything_from_there_on_due_again() {
        let (mut acts, confirmed) = (Acts::default(), play());
        for act in [Act::Lift { peg: 3 }, Act::Place { peg: 2 }, Act::Undo] {
            acts.push(act, &confirmed, HOUSE).expect("a possible act");
            acts.send_next();
        }
        acts.expected(2);
        assert_eq!(numbers(&acts), [(2, 1, false), (3, 2, false)]);
    }

    #[test]
    fn a_server_that_forgot_refusals_in_a_crash_gets_the_numbers_that_it_expects() {
        let (mut acts, confirmed) = (Acts::default(), play());
        acts.judged(6);
        for act in [Act::Lift { peg: 3 }, Act::Place { peg: 2 }] {
            acts.push(act, &confirmed, HOUSE).expect("a possible act");
            acts.send_next();
        }
        acts.welcomed(4);
        assert_eq!(numbers(&acts), [(5, 0, false), (6, 1, false)]);
        assert_eq!(acts.push(Act::Undo, &confirmed, HOUSE).map(|p| p.n), Ok(7));
        acts.welcomed(7);
        assert_eq!(acts.pending().len(), 0);
    }

    #[test]
    fn what_was_never_sent_uses_no_number_up() {
        let (mut acts, confirmed) = (Acts::default(), play());
        acts.push(Act::Lift { peg: 3 }, &confirmed, HOUSE).expect("a lift");
        acts.send_next();
        acts.push(Act::Place { peg: 2 }, &confirmed, HOUSE).expect("a place");
        acts.clear();
        assert_eq!(acts.push(Act::Lift { peg: 1 }, &confirmed, HOUSE).map(|p| p.n), Ok(2));
    }
}
