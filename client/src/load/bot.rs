//! A bot: one session that plays a round to its end at a human pace, through refusals, cuts and restarts.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use sprint_shared::bot::{Habit, Line};
use sprint_shared::deal::{Draws, Seed};
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{EventKind, Role, WireEvent};
use sprint_shared::result::RoundResult;
use tokio::time::Instant;
use uuid::Uuid;

use super::Run;
use super::audit::kind_name;
use super::ledger::Entry;
use super::room::Shared;
use super::tally::Tally;
use crate::connection::random_u32;
use crate::session::{Session, Update};
use crate::state::acts::PENDING_MAX;

/// A bot in its seat.
pub struct Bot {
    run: Arc<Run>,
    shared: Arc<Shared>,
    session: Session,
    player: Uuid,
    habit: Habit,
    /// The bot's own chance.
    draws: Draws,
    line: Option<Arc<Line>>,
    sent: VecDeque<(u32, Instant)>,
    ready_asked: bool,
    /// Being ready was refused for the moment: it is said again.
    say_again: bool,
    disturbance: Disturbance,
    tally: Tally,
}

impl Bot {
    /// Takes a seat.
    pub async fn sit(run: Arc<Run>, shared: Arc<Shared>, token: &str, player: Uuid) -> Result<Bot, String> {
        let joined = Session::join(run.api.server(), &shared.code, token, Role::Player).await;
        let session = joined.map_err(|ended| format!("a bot got no seat: {ended}"))?;
        let mut draws = Draws::new(&Seed::from(u64::from(random_u32()) << 32 | u64::from(random_u32())));
        let habit = Habit {
            pause_ms: (1_000.0 / run.rate) as u32,
            two_handed_moves: draws.below(3) > 0,
            slips_per_10_000: draws.below(3) * 200,
            errors_per_10_000: (run.errors * 10_000.0) as u64,
        };
        Ok(Bot {
            run,
            shared,
            session,
            player,
            habit,
            draws,
            line: None,
            sent: VecDeque::new(),
            ready_asked: false,
            say_again: false,
            disturbance: Disturbance::default(),
            tally: Tally::default(),
        })
    }

    /// Plays one round to its result.
    pub async fn play(mut self) -> (Tally, Result<RoundResult, String>) {
        let mut next_act = Instant::now();
        // The welcome may have told of everybody already: then nothing more is said until somebody is ready.
        self.get_ready();
        let outcome = loop {
            let acts = self.session.room.may_act() && self.session.acts.pending().len() < PENDING_MAX / 2;
            let update = tokio::select! {
                update = self.session.next() => update,
                () = tokio::time::sleep_until(next_act), if acts || self.say_again => {
                    if self.say_again {
                        (self.say_again, self.ready_asked) = (false, false);
                        self.get_ready();
                    } else if let Err(reason) = self.act().await {
                        break Err(reason);
                    }
                    next_act = Instant::now() + self.pause();
                    continue;
                }
            };
            let update = match update {
                Ok(update) => update,
                Err(ended) => break Err(ended.to_string()),
            };
            self.heed(&update);
            self.get_ready();
            if matches!(update, Update::Started | Update::Refused { n: None, .. }) {
                // Nobody has read the board yet, and nobody asks again at once.
                next_act = Instant::now() + self.pause();
            }
            if let Some(result) = self.session.room.round.as_ref().and_then(|r| r.result.clone()) {
                break Ok(result);
            }
        };
        self.session.leave();
        let leaving = async { while self.session.next().await.is_ok() {} };
        drop(tokio::time::timeout(Duration::from_secs(2), leaving).await);
        (self.tally, outcome)
    }

    /// Between two acts: the pace, give or take 40 %.
    fn pause(&mut self) -> Duration {
        Duration::from_millis(u64::from(self.habit.pause_ms) * (600 + self.draws.below(801)) / 1_000)
    }

    async fn act(&mut self) -> Result<(), String> {
        let Some(shown) = self.session.shown().filter(|play| !play.is_harmony()) else { return Ok(()) };
        let line = match &self.line {
            Some(line) => line.clone(),
            None => self.line.insert(self.shared.line(shown.start()).await?).clone(),
        };
        let act = self.habit.act(&line, &shown, &mut self.draws);
        match self.session.act(act) {
            Ok(n) => {
                let now = Instant::now();
                self.tally.acts += 1;
                self.sent.push_back((n, now));
                if let Some(seat) = self.session.room.seat {
                    self.shared.sent(seat, n, now);
                }
                Ok(())
            }
            Err(why) => Err(format!("a bot's own rules refuse {act:?}: {why}")),
        }
    }

    fn get_ready(&mut self) {
        let room = &self.session.room;
        let own = room.seat.and_then(|seat| room.sitter(seat));
        let all_here = room.seats.len() == usize::from(self.run.players) && room.seats.iter().all(|s| s.present);
        match own {
            Some(own) if room.phase == PhaseView::Lobby && all_here && !own.ready => {
                if !self.ready_asked {
                    self.ready_asked = true;
                    self.session.ready(true);
                }
            }
            _ => self.ready_asked = false,
        }
    }

    fn heed(&mut self, update: &Update) {
        match update {
            Update::Event(event) => self.heed_event(event),
            Update::Refused { n, code, .. } => self.refused(*n, code),
            Update::Lost { .. } | Update::Back => {
                self.disturbance.begins(Instant::now());
                self.ready_asked = false;
            }
            Update::Replaced | Update::Snapshot | Update::Started | Update::Emote { .. } | Update::Aside => {}
        }
    }

    fn heed_event(&mut self, event: &WireEvent) {
        if matches!(event.kind, EventKind::Paused {} | EventKind::Resumed { .. }) {
            self.disturbance.begins(Instant::now());
        }
        let Some((seat, n, _)) = event.kind.deed() else { return };
        let now = Instant::now();
        if self.session.room.seat != Some(seat) {
            self.tally.delivery.extend(self.shared.sent_at(seat, n).map(|at| now - at));
            return;
        }
        if let (Some(ledger), Some(round)) = (&self.run.ledger, &self.session.room.round) {
            let (room, kind) = (self.shared.code.clone(), kind_name(&event.kind));
            ledger.write(&Entry { room, round_id: round.id, player: self.player, seat, n, kind, seq: event.seq });
        }
        self.tally.acknowledged += 1;
        if let Some(sent) = self.settle(n, now) {
            self.disturbance.goes_on(sent);
        }
    }

    fn refused(&mut self, n: Option<u32>, code: &str) {
        let racing = self.session.room.phase == PhaseView::Racing;
        let decided = self.session.room.round.as_ref().is_some_and(|r| r.decided || r.result.is_some());
        let is_late = matches!(code, "not_racing" | "finished" | "time_up") && (!racing || decided);
        self.say_again |= n.is_none() && matches!(code, "unavailable" | "busy");
        let now = Instant::now();
        if let Some(n) = n {
            self.tally.refused += 1;
            self.settle(n, now);
        }
        if !(is_late || self.disturbance.explains(n, code)) {
            self.tally.unexplained(code);
        }
        if matches!(code, "unavailable" | "busy") {
            // Whatever is under way behind it comes out of order.
            self.disturbance.begins(now);
        }
    }

    /// Act `n` has its outcome; so have those before it. When it was sent.
    fn settle(&mut self, n: u32, now: Instant) -> Option<Instant> {
        while let Some((sent_n, at)) = self.sent.front().copied().filter(|(sent_n, _)| *sent_n <= n) {
            self.sent.pop_front();
            if sent_n == n {
                self.tally.own_ack.push(now - at);
                return Some(at);
            }
        }
        None
    }
}

/// When the line last broke, the server was interrupted, or it turned something away. What was under way then may be
/// refused for that; once an act from after it is acknowledged, everything from before has had its answer.
#[derive(Debug, Default)]
struct Disturbance(Option<Instant>);

impl Disturbance {
    fn begins(&mut self, now: Instant) {
        self.0 = Some(now);
    }

    /// An act that was sent at this instant is acknowledged.
    fn goes_on(&mut self, sent: Instant) {
        self.0 = self.0.filter(|since| sent <= *since);
    }

    /// Whether it explains that an act, or with `None` another request, was refused with this code.
    fn explains(&self, n: Option<u32>, code: &str) -> bool {
        let passes = ["unavailable", "busy", "paused", "not_started", "stale", "out_of_order", "already_judged"];
        self.0.is_some() && (n.is_none() || passes.contains(&code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbance_explains_refusals_until_play_has_gone_on_after_it() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut disturbance = Disturbance::default();
        assert!(!disturbance.explains(Some(1), "out_of_order"));
        disturbance.begins(at(10));
        assert!(disturbance.explains(Some(1), "out_of_order") && disturbance.explains(None, "not_now"));
        assert!(!disturbance.explains(Some(1), "illegal_placement"), "no outage makes an act illegal");
        disturbance.goes_on(at(9));
        assert!(disturbance.explains(Some(2), "stale"), "what is acknowledged was under way before");
        disturbance.goes_on(at(11));
        assert!(!disturbance.explains(Some(3), "stale") && !disturbance.explains(None, "not_now"));
    }
}
