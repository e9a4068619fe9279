//! A simulated player: makes a guest, sits down, plays carelessly and then to harmony, comes back after every cut,
//! sends again what has no answer, opens second tabs, gives up or leaves now and then.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use sprint_shared::board::Board;
use sprint_shared::deal::Draws;
use sprint_shared::event::Nonce;
use sprint_shared::play::Act;
use sprint_shared::protocol::view::{PhaseView, View};
use sprint_shared::protocol::{ClientMessage, EventKind, Role, ServerMessage};
use sprint_shared::solver::{Budget, Outcome, solve};
use tokio::time::{Instant, sleep, sleep_until};
use uuid::Uuid;

use super::ear::{Ear, act_of};
use super::line::{Heard, Line, post};
use super::tab;
use super::world::{World, name, now_ms};

/// Everything ever sent under a running number.
pub type Sent = BTreeMap<u32, Vec<Act>>;

/// Acts under way at most.
const UNDER_WAY: usize = 4;
/// How long an act may go without an answer before all are sent again.
const AGAIN: Duration = Duration::from_millis(300);

pub struct Player {
    world: Rc<World>,
    who: usize,
    draws: Draws,
    ear: Ear,
    token: String,
    code: String,
    racing: bool,
    /// No more acts in this round: finished, or given up.
    resting: bool,
    ready_said: bool,
    /// The series is over.
    done: bool,
    board: Option<Board>,
    /// From then on the player plays to harmony.
    earnest_ms: u64,
    gives_up: bool,
    leaves: bool,
    /// The last running number given to an act, and those without an answer.
    n: u32,
    pending: VecDeque<(u32, Option<u32>, Act)>,
    script: VecDeque<Act>,
    sent: Sent,
    /// Acts that were sent again and whose first outcome the server did not tell.
    forgotten: Vec<u32>,
    send_again: Option<Instant>,
}

/// Why a connection is over.
enum Over {
    Lost,
    /// The player has no seat any more and wants none.
    Away,
}

impl Player {
    pub async fn play(world: Rc<World>, who: usize) -> turmoil::Result {
        let mut draws = world.draws(10 + who as u64);
        let earnest_ms = 1_000 + draws.below(5_000);
        let (gives_up, leaves) = (draws.below(16) == 0, draws.below(24) == 0);
        sleep(Duration::from_millis(draws.below(300))).await;
        let (player, token) = make_guest(who, &mut draws).await;
        let code = find_room(&world, who, &token, &mut draws).await;
        world.standing.borrow_mut()[who].player = Some(player);
        let mut player = Player {
            ear: Ear::new(name(who)),
            world,
            who,
            draws,
            token,
            code,
            racing: false,
            resting: false,
            ready_said: false,
            done: false,
            board: None,
            earnest_ms,
            gives_up,
            leaves,
            n: 0,
            pending: VecDeque::new(),
            script: VecDeque::new(),
            sent: Sent::new(),
            forgotten: Vec::new(),
            send_again: None,
        };
        while !player.world.over.get() {
            if let Some(line) = player.connect().await
                && let Over::Away = player.serve(line).await
            {
                return Ok(());
            }
            player.world.standing.borrow_mut()[who].connected = false;
            sleep(Duration::from_millis(20 + player.draws.below(400))).await;
        }
        Ok(())
    }

    async fn connect(&mut self) -> Option<Line> {
        let last_seq = self.ear.last_seq().filter(|_| self.draws.below(4) > 0);
        if last_seq.is_some() {
            self.world.count(|totals| totals.resumes += 1);
        }
        Line::open(&self.code, &self.token, Role::Player, last_seq).await
    }

    /// Plays on a connection until it is over.
    async fn serve(&mut self, mut line: Line) -> Over {
        self.ear.begin();
        let mut thinks = Instant::now();
        while !self.world.over.get() {
            let heard = tokio::select! {
                biased;
                heard = line.hear() => Some(heard),
                () = sleep_until(thinks) => None,
            };
            match heard {
                Some(Heard::Message(text, message)) => {
                    let is_news = self.ear.hear(&self.world, &text, &message);
                    for say in self.hear(&message, is_news) {
                        line.say(&say).await;
                    }
                }
                Some(Heard::Ping) => {}
                Some(Heard::Ended(end)) => return self.ended(end),
                None => {
                    thinks = Instant::now() + Duration::from_millis(40 + self.draws.below(120));
                    for say in self.think() {
                        line.say(&say).await;
                    }
                    if self.ear.is_welcomed() && !self.world.healed.get() && self.draws.below(60) == 0 {
                        line = self.open_another_tab(line).await;
                    }
                }
            }
        }
        Over::Lost
    }

    /// Opens the room once more; the new connection is the one that counts.
    async fn open_another_tab(&mut self, older: Line) -> Line {
        let Some(newer) = self.connect().await else { return older };
        self.world.count(|totals| totals.takeovers += 1);
        tokio::task::spawn_local(tab::watch_on(self.world.clone(), self.who, older, self.ear.of_older_tab()));
        self.ear.begin();
        newer
    }

    fn ended(&mut self, end: Option<(u16, String)>) -> Over {
        self.world.tell(&name(self.who), &format!("ended {end:?}"));
        let is_away = match &end {
            // Left; or what was asked to leave had no seat any more.
            Some((1000, reason)) => reason == "left",
            Some((4403, _)) => self.leaves && self.ear.seat.is_some(),
            _ => false,
        };
        if is_away {
            self.done();
            let standing = &mut self.world.standing.borrow_mut()[self.who];
            (standing.left, standing.connected) = (true, false);
            return Over::Away;
        }
        Over::Lost
    }

    /// Takes a message in; returns what to answer.
    fn hear(&mut self, message: &ServerMessage, is_news: bool) -> Vec<ClientMessage> {
        match message {
            ServerMessage::Welcome { n, state, .. } => {
                self.welcomed();
                if let Some(state) = state {
                    self.see(state);
                }
                // Some are sent again although they were judged, as by a client that does not look at the number.
                let judged = self.pending.iter().filter(|act| act.0 <= *n && self.draws.below(2) == 0);
                let asked_again: Vec<_> = judged.map(|&(n, ply, act)| ClientMessage::of_act(n, ply, act)).collect();
                self.pending.retain(|act| act.0 > *n);
                if self.pending.front().is_some_and(|act| act.0 != n + 1) {
                    // The server has forgotten a refusal that cost nothing: what came behind it is void.
                    self.pending.clear();
                    self.script.clear();
                }
                self.n = self.pending.back().map_or(*n, |act| act.0);
                self.ready_said = false;
                let nonce = ClientMessage::Nonce { nonce: Nonce([self.who as u8; 16]) };
                [nonce].into_iter().chain(asked_again).chain(self.all_again()).collect()
            }
            ServerMessage::Snapshot { state, .. } | ServerMessage::Start { state, .. } => {
                self.see(state);
                Vec::new()
            }
            ServerMessage::Refused { n, code, .. } => {
                self.refused(*n, code);
                Vec::new()
            }
            ServerMessage::Event(event) => self.follow(&event.kind, is_news),
            ServerMessage::Emote { .. }
            | ServerMessage::Distance { .. }
            | ServerMessage::Watching { .. }
            | ServerMessage::Replaced {}
            | ServerMessage::Error { .. } => Vec::new(),
        }
    }

    fn welcomed(&mut self) {
        let mut standing = self.world.standing.borrow_mut();
        let standing = &mut standing[self.who];
        if standing.welcomes == 0 {
            self.world.seated.set(self.world.seated.get() + 1);
        }
        (standing.connected, standing.seat) = (true, self.ear.seat);
        standing.welcomes += 1;
        standing.welcomed_ms = now_ms();
    }

    fn see(&mut self, state: &View) {
        self.racing = state.phase == PhaseView::Racing;
        if let Some(board) = state.round.as_ref().and_then(|round| round.board.as_ref()) {
            self.board = Some(board.parse().expect("a shown board can be read"));
        }
        if matches!(state.phase, PhaseView::Over | PhaseView::Closed) {
            self.done();
        }
    }

    fn follow(&mut self, kind: &EventKind, is_news: bool) -> Vec<ClientMessage> {
        let act = act_of(kind);
        let is_started = self.racing || act.is_none() || !is_news;
        self.world.check(is_started, || format!("{}: no start before {kind:?}", name(self.who)));
        if let Some((seat, n)) = act
            && self.ear.seat == Some(seat)
        {
            self.pending.retain(|act| act.0 > n);
            self.send_again = self.pending.front().map(|_| Instant::now() + AGAIN);
        }
        match kind {
            EventKind::Committed { .. } => return vec![ClientMessage::Nonce { nonce: Nonce([self.who as u8; 16]) }],
            EventKind::Finished { seat, .. } | EventKind::GaveUp { seat } if self.ear.seat == Some(*seat) => {
                self.resting = true;
            }
            EventKind::RoundDropped { .. } | EventKind::Interrupted {} => self.ready_said = false,
            EventKind::Paused {} => self.racing = false,
            EventKind::RoundOver { .. } => {
                self.racing = false;
                self.pending.clear();
            }
            EventKind::SeriesOver { .. } => self.done(),
            _ => {}
        }
        Vec::new()
    }

    fn refused(&mut self, n: Option<u32>, code: &str) {
        let Some(n) = n else {
            // Asked again with the next thought.
            self.ready_said &= !matches!(code, "unavailable" | "busy" | "rate_limited");
            return;
        };
        match code {
            // Not judged: all are sent again in a moment.
            "out_of_order" | "rate_limited" | "unavailable" | "busy" | "not_seated" => {
                self.send_again = Some(Instant::now() + AGAIN);
            }
            _ => {
                if code == "already_judged" {
                    self.forgotten.push(n);
                }
                self.pending.retain(|act| act.0 > n);
            }
        }
    }

    fn done(&mut self) {
        (self.done, self.racing) = (true, false);
        let standing = &mut self.world.standing.borrow_mut()[self.who];
        standing.done = true;
        standing.sent.clone_from(&self.sent);
        standing.outcomes.clone_from(&self.ear.outcomes);
        standing.forgotten.clone_from(&self.forgotten);
    }

    fn all_again(&mut self) -> Vec<ClientMessage> {
        self.send_again = self.pending.front().map(|_| Instant::now() + AGAIN);
        self.pending.iter().map(|&(n, ply, act)| ClientMessage::of_act(n, ply, act)).collect()
    }

    /// What to say now.
    fn think(&mut self) -> Vec<ClientMessage> {
        if !self.ear.is_welcomed() || self.done {
            return Vec::new();
        }
        if !self.ready_said && self.world.seated.get() == self.world.players && !self.racing {
            self.ready_said = true;
            return vec![ClientMessage::Ready { ready: true }];
        }
        if !self.racing || self.resting {
            return Vec::new();
        }
        if self.send_again.is_some_and(|at| at <= Instant::now()) {
            return self.all_again();
        }
        let is_earnest = now_ms() >= self.earnest_ms;
        if is_earnest && self.leaves {
            return vec![ClientMessage::Leave {}];
        }
        if is_earnest && self.gives_up {
            return vec![ClientMessage::GiveUp {}];
        }
        if self.pending.len() >= UNDER_WAY {
            return Vec::new();
        }
        if self.script.is_empty() {
            if is_earnest && !self.pending.is_empty() {
                return Vec::new();
            }
            self.script = if is_earnest { self.line_to_harmony() } else { self.careless() };
        }
        let Some(act) = self.script.pop_front() else { return Vec::new() };
        self.n += 1;
        // Now and then a belief about the position, which may well be wrong.
        let ply = (!is_earnest && self.draws.below(6) == 0).then(|| self.draws.below(8) as u32);
        self.pending.push_back((self.n, ply, act));
        self.sent.entry(self.n).or_default().push(act);
        self.send_again.get_or_insert(Instant::now() + AGAIN);
        vec![ClientMessage::of_act(self.n, ply, act)]
    }

    fn line_to_harmony(&mut self) -> VecDeque<Act> {
        let Some(board) = &self.board else { return VecDeque::new() };
        let Outcome::Solved { line, .. } = solve(board, &Budget::default()) else { return VecDeque::new() };
        let moves = line.iter().map(|step| Act::Move { from: step.from.number().into(), to: step.to.number().into() });
        // A disk in the hand has to go first, wherever it comes to lie.
        [Act::Place { peg: 1 }, Act::Reset].into_iter().chain(moves).collect()
    }

    fn careless(&mut self) -> VecDeque<Act> {
        let (a, b) = (1 + self.draws.below(5) as u32, 1 + self.draws.below(5) as u32);
        let act = match self.draws.below(10) {
            0..=2 => Act::Lift { peg: a },
            3..=5 => Act::Place { peg: b },
            6..=7 => Act::Move { from: a, to: b },
            8 => Act::Undo,
            _ => Act::Reset,
        };
        [act].into()
    }
}

/// Makes a guest, however often that takes.
pub async fn make_guest(who: usize, draws: &mut Draws) -> (Uuid, String) {
    loop {
        let key = format!("guest-{}", draws.next_u64());
        let made = post("/api/v1/players", None, &key, &json!({ "name": name(who), "bot": true })).await;
        if let Some(made) = made {
            let text = |field: &str| made[field].as_str().expect("a guest has this field").to_owned();
            return (text("player_id").parse().expect("an id"), text("token"));
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// The first player makes the room; the others wait for it.
async fn find_room(world: &World, who: usize, token: &str, draws: &mut Draws) -> String {
    loop {
        if let Some((_, code)) = &*world.room.borrow() {
            return code.clone();
        }
        if who == 0 {
            let (key, options) = (format!("room-{}", draws.next_u64()), json!(world.options));
            if let Some(made) = post("/api/v1/rooms", Some(token), &key, &options).await {
                let text = |field: &str| made[field].as_str().expect("a room has this field").to_owned();
                let room_id = text("room_id").parse().expect("an id");
                world.room.replace(Some((room_id, text("code"))));
            }
        }
        sleep(Duration::from_millis(50)).await;
    }
}
