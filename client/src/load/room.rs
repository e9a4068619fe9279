//! One room of a run: opened, filled with bots and spectators, played, read back and proven.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sprint_shared::api::NewPlayerCreated;
use sprint_shared::board::Board;
use sprint_shared::bot::Line;
use sprint_shared::result::RoundResult;
use sprint_shared::solver::Budget;
use sprint_shared::time::Seat;
use tokio::sync::{OnceCell, mpsc};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

use super::Run;
use super::bot::Bot;
use super::gauge::Gauge;
use super::tally::{Tally, Viewed};
use crate::api::ApiError;
use crate::verify;

/// What the clients of one room share: in this process, not over the wire.
pub struct Shared {
    /// The room's code.
    pub code: String,
    line: OnceCell<Arc<Line>>,
    sent: Mutex<HashMap<(Seat, u32), Instant>>,
}

/// How long a request may be tried again while the server is away.
const PATIENCE: Duration = Duration::from_secs(60);

/// Plays a room. The error names it and says why it has no proven result.
pub async fn play(run: Arc<Run>, number: u32, patience: Duration) -> (Tally, Result<(), String>) {
    let mut tally = Tally::default();
    let played = tokio::time::timeout(patience, played(&run, &mut tally)).await;
    let outcome = played.unwrap_or_else(|_| Err(format!("not over after {} s", patience.as_secs())));
    (tally, outcome.map_err(|reason| format!("room {number}: {reason}")))
}

async fn played(run: &Arc<Run>, tally: &mut Tally) -> Result<(), String> {
    let mut playing = JoinSet::new();
    let (watching, _silent, code) = {
        let _open = run.door.acquire().await.expect("the door is never closed");
        let Opened { guests, watching, silent, shared } = open(run).await?;
        run.server.iter().for_each(Gauge::begin);
        let (seated, mut all_seated) = mpsc::channel::<()>(1);
        for guest in guests {
            let (run, shared, seated) = (run.clone(), shared.clone(), seated.clone());
            // Whoever sits plays at once: a line that breaks while others still look for their seats comes back.
            playing.spawn(async move {
                let bot = Bot::sit(run, shared, &guest.token, guest.player_id).await;
                drop(seated);
                match bot {
                    Ok(bot) => bot.play().await,
                    Err(reason) => (Tally::default(), Err(reason)),
                }
            });
        }
        drop(seated);
        all_seated.recv().await;
        (watching, silent, shared.code.clone())
    };
    let mut heard: Vec<Result<RoundResult, String>> = Vec::new();
    while let Some(played) = playing.join_next().await {
        let (bot, outcome) = played.expect("a bot does not panic");
        tally.add(bot);
        heard.push(outcome);
    }
    for viewer in watching {
        tally.viewed.add(viewer.await.expect("a viewer does not panic"));
    }
    let heard: Vec<RoundResult> =
        heard.into_iter().collect::<Result<_, _>>().map_err(|reason| format!("{code}: {reason}"))?;
    let result = heard.first().ok_or("nobody played")?;
    if heard.iter().any(|other| other != result) {
        return Err(format!("{code}: the bots were told different results"));
    }
    let stored = run.api.patiently(PATIENCE, || run.api.round(result.round_id)).await;
    let stored = stored.map_err(|error| format!("{code}: the result cannot be read back: {error}"))?;
    if stored.result != *result {
        return Err(format!("{code}: the stored result is not the one that the bots were told"));
    }
    verify::check_record(&stored).map_err(|difference| format!("{code}: {difference}"))
}

/// A room that is open, and who is to play in it.
struct Opened {
    guests: Vec<NewPlayerCreated>,
    watching: Vec<JoinHandle<Viewed>>,
    silent: JoinSet<()>,
    shared: Arc<Shared>,
}

async fn open(run: &Arc<Run>) -> Result<Opened, String> {
    let failed = |error: ApiError| format!("it could not be opened: {error}");
    let mut guests = Vec::new();
    for _ in 0..run.players {
        // Without names: a load runs again and again on one database, and a name is given once.
        guests.push(run.api.patiently(PATIENCE, || run.api.guest(None, false)).await.map_err(failed)?);
    }
    let host = &guests[0].token;
    let room = run.api.patiently(PATIENCE, || run.api.create_room(host, &run.options)).await.map_err(failed)?;
    let shared = Arc::new(Shared { code: room.code.clone(), line: OnceCell::new(), sent: Mutex::new(HashMap::new()) });
    let (mut watching, mut silent) = (Vec::new(), JoinSet::new());
    if run.audience.reading + run.audience.silent > 0 {
        let guest = run.api.patiently(PATIENCE, || run.api.guest(None, true)).await.map_err(failed)?;
        let address = run.api.server().ws(&format!("/ws/v1/rooms/{}", room.code));
        let (here, mut all_here) = mpsc::channel::<()>(1);
        silent = run.crowd.bring_silent(run.audience.silent, &address, &guest.token, &here);
        for _ in 0..run.audience.reading {
            watching.push(run.crowd.bring(address.clone(), guest.token.clone(), shared.clone(), here.clone()));
        }
        drop(here);
        all_here.recv().await;
    }
    Ok(Opened { guests, watching, silent, shared })
}

impl Shared {
    /// The line of play of the room's board, solved by whoever asks first.
    pub async fn line(&self, start: &Board) -> Result<Arc<Line>, String> {
        let solving = || async {
            let start = start.clone();
            let solved = tokio::task::spawn_blocking(move || Line::of(&start, &Budget::default())).await;
            solved.expect("the solver does not panic").map(Arc::new).ok_or("the board cannot be solved".to_owned())
        };
        self.line.get_or_try_init(solving).await.cloned()
    }

    /// An act was put under way.
    pub fn sent(&self, seat: Seat, n: u32, at: Instant) {
        self.sent.lock().expect("nobody panics with it").entry((seat, n)).or_insert(at);
    }

    /// When an act was put under way.
    pub fn sent_at(&self, seat: Seat, n: u32) -> Option<Instant> {
        self.sent.lock().expect("nobody panics with it").get(&(seat, n)).copied()
    }
}
