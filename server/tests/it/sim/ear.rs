//! What every client checks of everything it hears: events by ones or everything anew, nothing before it is durable,
//! nothing that was told told otherwise.

use std::collections::BTreeMap;

use sprint_shared::protocol::{EventKind, ServerMessage};
use sprint_shared::time::Seat;

use super::world::World;

/// One client's hearing, over all its connections.
#[derive(Clone)]
pub struct Ear {
    name: String,
    /// The last event that was heard or was in a snapshot.
    seq: Option<u32>,
    welcomed: bool,
    /// The own seat, for a player.
    pub seat: Option<Seat>,
    /// The first outcome heard of each own act: its event's number and its text.
    pub outcomes: BTreeMap<u32, (u32, String)>,
}

impl Ear {
    pub fn new(name: String) -> Ear {
        Ear { name, seq: None, welcomed: false, seat: None, outcomes: BTreeMap::new() }
    }

    /// What a hello may say.
    pub fn last_seq(&self) -> Option<u32> {
        self.seq
    }

    /// A new connection: a welcome comes first.
    pub fn begin(&mut self) {
        self.welcomed = false;
    }

    /// The hearing of this client's connection once a newer one has taken its seat.
    pub fn of_older_tab(&self) -> Ear {
        Ear { name: format!("{}'s older tab", self.name), ..self.clone() }
    }

    /// It only watches from here on, perhaps some seconds behind: everything comes anew.
    pub fn watches(&mut self) {
        (self.seq, self.seat) = (None, None);
    }

    pub fn is_welcomed(&self) -> bool {
        self.welcomed
    }

    /// False for an event that was told again.
    pub fn hear(&mut self, world: &World, text: &str, message: &ServerMessage) -> bool {
        let before = self.seq;
        world.tell(&self.name, text);
        match message {
            ServerMessage::Welcome { seq, seat, state, .. } => {
                world.check(!self.welcomed, || format!("{}: welcomed twice: {text}", self.name));
                world.check(state.is_some() || self.seq.is_some(), || format!("{}: welcomed to nothing", self.name));
                world.check(self.seq <= Some(*seq), || format!("{}: {:?} was heard, now {text}", self.name, self.seq));
                (self.welcomed, self.seat) = (true, *seat);
                if state.is_some() {
                    self.seq = Some(*seq);
                }
                self.check_durable(world, *seq);
            }
            ServerMessage::Snapshot { seq, .. } | ServerMessage::Start { seq, .. } => {
                world.check(self.welcomed, || format!("{}: before the welcome: {text}", self.name));
                world.check(self.seq <= Some(*seq), || format!("{}: {:?} was heard, now {text}", self.name, self.seq));
                self.seq = Some(*seq);
                self.check_durable(world, *seq);
            }
            ServerMessage::Event(event) => self.hear_event(world, text, event.seq, &event.kind),
            ServerMessage::Refused { .. }
            | ServerMessage::Emote { .. }
            | ServerMessage::Distance { .. }
            | ServerMessage::Watching { .. }
            | ServerMessage::Replaced {}
            | ServerMessage::Error { .. } => {}
        }
        !matches!(message, ServerMessage::Event(event) if Some(event.seq) <= before)
    }

    fn hear_event(&mut self, world: &World, text: &str, seq: u32, kind: &EventKind) {
        if let EventKind::RoundOver { result, .. } = kind {
            world.check_result(result);
        }
        let n = act_of(kind).filter(|(seat, _)| self.seat == Some(*seat)).map(|(_, n)| n);
        let before = n.and_then(|n| self.outcomes.get(&n));
        if let Some((_, first)) = before {
            world.check(first == text, || format!("{}: an act came out twice: {first}, then {text}", self.name));
        }
        if self.seq.is_some_and(|last| seq <= last) {
            // The only thing that is ever told again is the outcome of an act that was sent again.
            world.check(n.is_some(), || format!("{}: told twice: {text}", self.name));
        } else {
            let next = self.seq.map(|last| last + 1);
            world.check(next == Some(seq), || format!("{}: a gap, {next:?} expected: {text}", self.name));
            self.seq = Some(seq);
        }
        if let Some(n) = n {
            self.outcomes.entry(n).or_insert_with(|| (seq, text.to_owned()));
        }
        self.check_durable(world, seq);
    }

    fn check_durable(&self, world: &World, seq: u32) {
        let durable = world.last_seq();
        world.check(i64::from(seq) <= durable, || format!("{}: shown {seq}, durable is {durable}", self.name));
    }
}

/// Whose act came out, and its running number.
pub fn act_of(kind: &EventKind) -> Option<(Seat, u32)> {
    match *kind {
        EventKind::Lifted { seat, n, .. }
        | EventKind::Transferred { seat, n, .. }
        | EventKind::Erred { seat, n, .. }
        | EventKind::Returned { seat, n, .. }
        | EventKind::PutBack { seat, n, .. }
        | EventKind::TwoHanded { seat, n, .. }
        | EventKind::Undone { seat, n, .. }
        | EventKind::Reset { seat, n, .. } => Some((seat, n)),
        _ => None,
    }
}
