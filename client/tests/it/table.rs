//! A table to play at: the real room machine behind a socket, without a journal, limits or a second room's worries.
//!
//! It lets a test cut lines, swallow messages and refuse acts, which the real server does only when it must.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use sprint_client::api::{Api, Server};
use sprint_shared::api::{Match, MatchPage, MatchSummary, NewPlayer, NewPlayerCreated, Problem, RoomInfo, TimedEvent};
use sprint_shared::deal::{Seed, deal};
use sprint_shared::event::Event;
use sprint_shared::options::RoomOptions;
use sprint_shared::protocol::view::{PhaseView, View};
use sprint_shared::protocol::wire::wire;
use sprint_shared::protocol::{ClientMessage, EventKind, Role, SUBPROTOCOL, ServerMessage};
use sprint_shared::race::{Command, Race, Refusal, Viewer, Want, Whom};
use sprint_shared::solver::{Budget, Outcome, solve};
use sprint_shared::time::{Millis, Seat};
use tokio::sync::mpsc;
use tokio::time::Instant;
use uuid::Uuid;

/// A server with rooms, in this process.
#[derive(Clone)]
pub struct Table(Arc<Shared>);

struct Shared {
    began: Instant,
    address: std::sync::OnceLock<String>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    players: HashMap<String, (Uuid, String, bool)>,
    rooms: HashMap<String, Room>,
    matches: HashMap<Uuid, Match>,
    /// Refusals to come for the next acts instead of their judgement: for speed, no number used up.
    too_fast: u32,
    /// Acts to come that are judged without a word to anybody, and the line cut right after.
    cut_after_acts: Option<u32>,
}

struct Room {
    race: Race,
    events: Vec<Event>,
    stamps: Vec<Millis>,
    viewers: Vec<(u64, Viewer, mpsc::UnboundedSender<ServerMessage>)>,
    started: Option<Uuid>,
    prologue: Vec<Event>,
    changed: Arc<tokio::sync::Notify>,
}

impl Table {
    /// Opens the table on a free port.
    pub async fn open() -> Table {
        let shared = Shared { began: Instant::now(), address: Default::default(), inner: Default::default() };
        let table = Table(Arc::new(shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        table.0.address.set(address).expect("set once");
        let router = Router::new()
            .route("/api/v1/players", post(new_player))
            .route("/api/v1/rooms", post(new_room))
            .route("/api/v1/rooms/{code}", get(room))
            .route("/api/v1/daily/{day}", get(crate::alone::past_daily))
            .route("/api/v1/matches", get(rounds))
            .route("/api/v1/matches/{id}", get(round))
            .route("/ws/v1/rooms/{code}", any(upgrade))
            .with_state(table.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        table
    }

    pub fn server(&self) -> Server {
        self.0.address.get().expect("opened").parse().expect("an address")
    }

    pub fn api(&self) -> Api {
        Api::new(self.server())
    }

    /// Refuses the next acts for speed.
    pub fn refuse_for_speed(&self, acts: u32) {
        self.0.inner.lock().expect("no panic").too_fast = acts;
    }

    /// Judges so many acts more, then cuts the sender's line before it hears of the last one.
    pub fn cut_after_acts(&self, acts: u32) {
        self.0.inner.lock().expect("no panic").cut_after_acts = Some(acts);
    }

    /// Forgets what it stores of one act of some round, as a broken server would.
    pub fn forget_an_act(&self) {
        let mut inner = self.0.inner.lock().expect("no panic");
        let stored = inner.matches.values_mut().next().expect("a round that is over");
        let acted = |e: &TimedEvent| matches!(e.event.kind, EventKind::Transferred { .. });
        let at = stored.events.iter().position(acted).expect("an act");
        stored.events.remove(at);
    }

    /// Forgets a whole round.
    pub fn forget_a_round(&self) {
        let mut inner = self.0.inner.lock().expect("no panic");
        let id = *inner.matches.keys().next().expect("a round that is over");
        inner.matches.remove(&id);
    }

    /// A round that is over shows the player of its first seat a move too good from now on; its id.
    pub fn flatter_somebody(&self) -> Uuid {
        let mut inner = self.0.inner.lock().expect("no panic");
        let round = inner.matches.values_mut().next().expect("a round that is over");
        let seat = round.result.seats.iter_mut().find(|seat| seat.seat == Seat::ALL[0]).expect("a racer");
        seat.moves -= 1;
        round.round_id
    }

    /// One round that is over.
    pub fn a_round(&self) -> Match {
        self.0.inner.lock().expect("no panic").matches.values().next().expect("a round that is over").clone()
    }

    /// The room's events so far.
    pub fn events(&self, code: &str) -> Vec<Event> {
        self.0.inner.lock().expect("no panic").rooms[code].events.clone()
    }

    /// The room as those who watch see it now.
    pub fn view(&self, code: &str) -> View {
        self.with_room(code, |room, now| room.race.view(now, Viewer::Spectator)).expect("a room")
    }

    fn now(&self) -> Millis {
        Millis(1_000_000 + self.0.began.elapsed().as_millis() as u64)
    }

    fn with_room<T>(&self, code: &str, act: impl FnOnce(&mut Room, Millis) -> T) -> Option<T> {
        let now = self.now();
        let mut inner = self.0.inner.lock().expect("no panic");
        let room = inner.rooms.get_mut(code)?;
        let done = act(room, now);
        room.changed.notify_one();
        let over = room.finished_match();
        if let Some(over) = over {
            inner.matches.entry(over.round_id).or_insert(over);
        }
        Some(done)
    }

    /// What time brings to a room, for as long as it is open.
    async fn keep_time(self, code: String, changed: Arc<tokio::sync::Notify>) {
        loop {
            let deadline = self.with_room_quietly(&code, |room| room.next_deadline());
            let ahead = deadline.map(|at| Duration::from_millis(at.since(self.now())));
            tokio::select! {
                () = changed.notified() => continue,
                () = tokio::time::sleep(ahead.unwrap_or(Duration::from_secs(3600))) => {}
            }
            self.with_room(&code, Room::tick);
        }
    }

    fn with_room_quietly<T>(&self, code: &str, look: impl FnOnce(&Room) -> Option<T>) -> Option<T> {
        look(self.0.inner.lock().expect("no panic").rooms.get(code)?)
    }
}

impl Room {
    fn next_deadline(&self) -> Option<Millis> {
        let start = self.race.shown_at().filter(|_| self.started != self.round_id());
        [self.race.next_deadline(), start].into_iter().flatten().min()
    }

    fn round_id(&self) -> Option<Uuid> {
        self.race.view(Millis(0), Viewer::Spectator).round.map(|r| r.round_id)
    }

    fn tick(&mut self, now: Millis) {
        let due = self.race.due(now);
        self.step(now, due);
        if self.race.shown_at().is_some_and(|at| now >= at) && self.started != self.round_id() {
            self.started = self.round_id();
            let seq = self.race.seq();
            let race = &self.race;
            for (_, viewer, out) in &self.viewers {
                drop(out.send(ServerMessage::Start { seq, state: Box::new(race.view(now, *viewer)) }));
            }
        }
    }

    fn step(&mut self, now: Millis, events: Vec<Event>) {
        let (kept, stamps, viewers) = (&mut self.events, &mut self.stamps, &self.viewers);
        self.race.step(now, events, |race, event| {
            for (_, viewer, out) in viewers {
                drop(out.send(ServerMessage::Event(wire(race, now, &event, *viewer))));
            }
            kept.push(event);
            stamps.push(now);
        });
        match self.race.want(now) {
            Some(Want::Commit) => {
                self.prologue = self.race.prologue(now);
                let mut seed = [0; 32];
                getrandom::fill(&mut seed).expect("random");
                let events = self.race.commit(now, Uuid::new_v4(), Seed(seed));
                self.step(now, events);
            }
            Some(Want::Deal { round_id, seed }) => {
                let (board, optimum) = match &self.race.options().blueprint {
                    Some(text) => {
                        let board = text.parse().expect("checked");
                        let Outcome::Solved { optimum, .. } = solve(&board, &Budget::default()) else {
                            panic!("a test's board can be solved")
                        };
                        (board, optimum)
                    }
                    None => {
                        let seed = self.race.options().solo.map_or(seed, |_| crate::alone::day_seed());
                        let dealt = deal(self.race.options().preset, &seed);
                        (dealt.board, dealt.optimum)
                    }
                };
                let events = self.race.deal(now, round_id, board, Some(optimum), [5; 4]);
                self.step(now, events);
            }
            None => {}
        }
    }

    fn finished_match(&self) -> Option<Match> {
        let over = |e: &Event| matches!(e, Event::RoundOver { .. });
        let begun = |e: &Event| matches!(e, Event::Committed { .. });
        let (from, to) = (self.events.iter().rposition(begun)?, self.events.iter().rposition(over)?);
        let Event::RoundOver { at, result } = self.events.get(to).filter(|_| to > from)? else { return None };
        let record: Vec<Event> = self.prologue.iter().chain(&self.events[from..=to]).cloned().collect();
        let told = sprint_shared::replay::told(&record, from as u32 + 1, &self.stamps[from..=to]);
        let told = told.expect("what happened is possible");
        Some(Match {
            format: sprint_shared::replay::file::REPLAY_FORMAT,
            round_id: result.round_id,
            room_id: self.race.room(),
            finished_at_ms: at.0 as i64,
            options: self.race.options().clone(),
            result: result.clone(),
            reveal: told.race.revealed()?,
            events: told.events,
            record: record.iter().map(|e| serde_json::to_value(e).expect("plain")).collect(),
        })
    }

    fn info(&self, now: Millis) -> RoomInfo {
        let view = self.race.view(now, Viewer::Spectator);
        RoomInfo {
            room_id: self.race.room(),
            code: view.code,
            options: view.options,
            phase: view.phase,
            players: view.seats.into_iter().map(|s| s.name).collect(),
            joinable: self.race.is_joinable(),
        }
    }
}

async fn new_player(State(table): State<Table>, Json(new): Json<NewPlayer>) -> Json<NewPlayerCreated> {
    let (player_id, token) = (Uuid::new_v4(), Uuid::new_v4().simple().to_string());
    let name = new.name.unwrap_or_else(|| "Brass Comet".to_owned());
    let mut inner = table.0.inner.lock().expect("no panic");
    inner.players.insert(token.clone(), (player_id, name.clone(), new.bot));
    Json(NewPlayerCreated { player_id, name, token })
}

async fn new_room(State(table): State<Table>, headers: HeaderMap, Json(options): Json<RoomOptions>) -> Json<RoomInfo> {
    assert!(headers.contains_key("authorization") && headers.contains_key("idempotency-key"));
    let now = table.now();
    let code = Uuid::new_v4().simple().to_string()[..12].to_uppercase();
    let options = options.checked().expect("a test's options are good");
    let opened = Event::RoomOpened {
        at: now,
        room: Uuid::new_v4(),
        code: code.clone(),
        options,
        countdown_ms: 50,
        idle_ms: 600_000,
    };
    let race = Race::open(&opened).expect("an opening");
    let changed = Arc::new(tokio::sync::Notify::new());
    let room = Room {
        race,
        events: vec![opened],
        stamps: vec![now],
        viewers: Vec::new(),
        started: None,
        prologue: Vec::new(),
        changed: changed.clone(),
    };
    let info = room.info(now);
    table.0.inner.lock().expect("no panic").rooms.insert(code.clone(), room);
    tokio::spawn(table.clone().keep_time(code, changed));
    Json(info)
}

async fn room(State(table): State<Table>, Path(code): Path<String>) -> Result<Json<RoomInfo>, StatusCode> {
    table.with_room(&code, |room, now| Json(room.info(now))).ok_or(StatusCode::NOT_FOUND)
}

async fn round(State(table): State<Table>, Path(id): Path<Uuid>) -> Result<Json<Match>, (StatusCode, Json<Problem>)> {
    let problem = || Problem {
        status: 404,
        code: "not_found".to_owned(),
        title: "not found".to_owned(),
        detail: "no round that is over has this id".to_owned(),
    };
    table
        .0
        .inner
        .lock()
        .expect("no panic")
        .matches
        .get(&id)
        .cloned()
        .map(Json)
        .ok_or_else(|| (StatusCode::NOT_FOUND, Json(problem())))
}

async fn rounds(State(table): State<Table>, Query(of): Query<HashMap<String, String>>) -> Json<MatchPage> {
    let inner = table.0.inner.lock().expect("no panic");
    let player = of.get("player").map(|id| id.parse::<Uuid>().expect("an id"));
    let with = |m: &&Match| player.is_none_or(|player| m.result.seats.iter().any(|s| s.player == player));
    let summary = |m: &Match| MatchSummary {
        round_id: m.round_id,
        finished_at_ms: m.finished_at_ms,
        preset: m.options.blueprint.is_none().then_some(m.options.preset),
        result: m.result.clone(),
    };
    Json(MatchPage { rounds: inner.matches.values().filter(with).map(summary).collect(), next: None })
}

async fn upgrade(
    State(table): State<Table>,
    Path(code): Path<String>,
    upgrade: WebSocketUpgrade,
) -> axum::response::Response {
    upgrade.protocols([SUBPROTOCOL]).on_upgrade(move |socket| serve(table, code, socket))
}

async fn serve(table: Table, code: String, mut socket: WebSocket) {
    let (out, mut messages) = mpsc::unbounded_channel();
    let id = u64::from_le_bytes(Uuid::new_v4().as_bytes()[..8].try_into().expect("eight"));
    let mut out = Some(out);
    let mut player = None;
    loop {
        tokio::select! {
            biased;
            message = messages.recv() => {
                let Some(message) = message else { break };
                let text = serde_json::to_string(&message).expect("plain");
                if socket.send(Message::text(text)).await.is_err() { break }
            }
            received = socket.recv() => {
                let Some(Ok(Message::Text(text))) = received else { break };
                let message: ClientMessage = serde_json::from_str(&text).expect("a client keeps to the protocol");
                if let ClientMessage::Hello { token, role, last_seq } = message {
                    player = table.hello(&code, id, &token, role, last_seq, out.take().expect("one hello"));
                } else if let Some(player) = player {
                    table.receive(&code, player, id, message);
                }
            }
        }
    }
    if let Some(player) = player {
        table.with_room(&code, |room, now| {
            room.viewers.retain(|(other, ..)| *other != id);
            let Some(seat) = room.race.seat_of(player) else { return };
            if !room.viewers.iter().any(|(_, viewer, _)| *viewer == Viewer::Seat(seat)) {
                let events = room.race.decide(now, seat, &Command::Disconnect).unwrap_or_default();
                room.step(now, events);
            }
        });
    }
}

impl Table {
    fn hello(
        &self,
        code: &str,
        id: u64,
        token: &str,
        role: Role,
        last_seq: Option<u32>,
        out: mpsc::UnboundedSender<ServerMessage>,
    ) -> Option<Uuid> {
        let who = self.0.inner.lock().expect("no panic").players.get(token).cloned();
        let Some((player, name, bot)) = who else {
            let message = "no player has this token".to_owned();
            drop(out.send(ServerMessage::Error { code: "unauthorized".to_owned(), message }));
            return None;
        };
        self.with_room(code, |room, now| {
            if role == Role::Player {
                match room.race.sit(now, player, &name, bot) {
                    Ok(events) => room.step(now, events),
                    Err(refusal) => drop(out.send(refused(None, None, &refusal))),
                }
            }
            let seat = room.race.seat_of(player).filter(|_| role == Role::Player);
            if let Some(seat) = seat {
                let events = room.race.decide(now, seat, &Command::Connect).unwrap_or_default();
                room.step(now, events);
            }
            let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
            let (seq, n) = (room.race.seq(), seat.map_or(0, |s| room.race.n(s)));
            let state = last_seq.is_none().then(|| Box::new(room.race.view(now, viewer)));
            drop(out.send(ServerMessage::Welcome { seq, seat, n, state }));
            if let Some(last_seq) = last_seq {
                let rebuilt = sprint_shared::replay::rebuild(&room.events, |race, event| {
                    if race.seq() > last_seq {
                        drop(out.send(ServerMessage::Event(wire(race, now, event, viewer))));
                    }
                });
                rebuilt.expect("what happened is possible");
            }
            room.viewers.push((id, viewer, out));
            Some(player)
        })
        .flatten()
    }

    fn receive(&self, code: &str, player: Uuid, id: u64, message: ClientMessage) {
        let (mut too_fast, mut cut) = (false, false);
        if message.act().is_some() {
            let mut inner = self.0.inner.lock().expect("no panic");
            too_fast = inner.too_fast > 0;
            inner.too_fast = inner.too_fast.saturating_sub(1);
            if let Some(left) = &mut inner.cut_after_acts {
                *left -= 1;
                cut = *left == 0;
            }
            if cut {
                inner.cut_after_acts = None;
            }
        }
        self.with_room(code, |room, now| {
            let Some(seat) = room.race.seat_of(player) else { return };
            if cut {
                room.viewers.retain(|(other, ..)| *other != id);
            }
            let command = match &message {
                ClientMessage::Ready { ready } => Command::Ready(*ready),
                ClientMessage::Nonce { nonce } => Command::Nonce(*nonce),
                ClientMessage::GiveUp {} => Command::GiveUp,
                ClientMessage::Leave {} => Command::Leave,
                ClientMessage::Rematch {} => Command::Rematch,
                ClientMessage::Kick { seat, player } => Command::Kick(Whom { seat: *seat, player: *player }),
                ClientMessage::HandOver { seat, player } => Command::HandOver(Whom { seat: *seat, player: *player }),
                acted => {
                    let (n, ply, act) = acted.act().expect("every other message is an act");
                    Command::Act { n, ply, act }
                }
            };
            let n = message.act().map(|(n, ..)| n);
            let out = room.viewers.iter().find(|(other, ..)| *other == id).map(|(_, _, out)| out.clone());
            let say = |message| {
                if let Some(out) = &out {
                    drop(out.send(message));
                }
            };
            if too_fast {
                let (code, message) = ("rate_limited".to_owned(), "too fast".to_owned());
                return say(ServerMessage::Refused { n, next: None, code, message });
            }
            match room.race.decide(now, seat, &command) {
                Ok(events) => room.step(now, events),
                Err(refusal) => {
                    let next = (!refusal.is_judged()).then(|| room.race.n(seat) + 1);
                    if let Some(n) = n.filter(|_| refusal.is_judged()) {
                        room.race.refused(seat, n);
                    }
                    say(refused(n, next.filter(|_| n.is_some()), &refusal));
                }
            }
        });
    }
}

fn refused(n: Option<u32>, next: Option<u32>, refusal: &Refusal) -> ServerMessage {
    ServerMessage::Refused { n, next, code: refusal.code().to_owned(), message: refusal.to_string() }
}

/// Whether a room is in a phase.
pub fn is(phase: PhaseView) -> impl Fn(&sprint_client::state::Folded) -> bool {
    move |room| room.phase == phase
}
