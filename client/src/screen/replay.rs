//! `sprint replay`: a stored round played again in a terminal, from a server or from a file.
//!
//! It decides nothing: what it shows are the round's own events, held to the rules before anything is drawn.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};
use ratatui::DefaultTerminal;
use ratatui::layout::Rect;
use sprint_shared::api::Match;
use sprint_shared::review::{Effort, Review, review};
use sprint_shared::solver::{Budget, Cancel};
use tokio::task::JoinHandle;

use super::args::ScreenArgs;
use super::help::{HELP, Hint, clicked, pressed};
use super::keyboard::{self, Input};
use super::reviews::from_server;
use super::{TICK, Theme, ended, failed, on_a_terminal, on_screen, undrawable};
use crate::api::Api;
use crate::session::Ended;
use crate::solve::bad_call;
use crate::verify::of_file;

mod picture;
mod place;
mod playback;
mod staged;

pub use picture::draw as draw_replay;
pub use place::Place;
pub use staged::Staged;

use playback::Playback;

/// Plays a stored round again in this terminal.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// A round's id on the server, its address (of the page, too: `?t=12.3` begins there), or a file with a round as
    /// `GET /api/v1/matches/ID` answers it.
    #[arg(value_name = "ID, FILE or URL")]
    pub round: String,
    /// Who asks, by the name played under on this machine: rounds of today's Daily Spire are shown to who has had their try.
    #[arg(long)]
    pub name: Option<String>,
    /// Begins at this instant, in seconds from T0.
    #[arg(long, value_name = "SECONDS")]
    pub at: Option<f64>,
    /// Server and looks.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// What a picture of a replay is made of.
pub struct Show {
    /// The round.
    pub staged: Staged,
    /// Its clock.
    pub playback: Playback,
    /// The chosen racer, by place in the list of them.
    pub focus: usize,
    /// Whether the table of the analysis is shown instead of the distances.
    pub analysis: bool,
    /// The last thing said.
    pub notice: Option<String>,
    /// Looks.
    pub theme: Theme,
    /// The overlay that lists the keys is shown.
    pub help: bool,
}

const fn hint(codes: &'static [KeyCode], label: &'static str, short: &'static str, long: &'static str) -> Hint {
    Hint { codes, label, short, long }
}

/// The keys of a replay.
pub const HINTS: &[Hint] = &[
    hint(&[KeyCode::Char(' ')], "Space", "play", "play, or pause"),
    hint(&[KeyCode::Left, KeyCode::Right], "arrows", "step", "to the act before, to the next one"),
    hint(&[KeyCode::Char('n')], "n", "next mistake", "to the next mistake, and to whose it is"),
    hint(&[KeyCode::Char('p')], "p", "", "to the mistake before"),
    hint(&[KeyCode::Char(','), KeyCode::Char('.')], ", .", "", "a second back or on"),
    hint(&[KeyCode::PageUp, KeyCode::PageDown], "PgUp PgDn", "", "ten seconds back or on"),
    hint(&[KeyCode::Home, KeyCode::End], "Home End", "", "to T0, to the last act"),
    hint(&[KeyCode::Char('+'), KeyCode::Char('='), KeyCode::Char('-')], "+ -", "", "faster, slower"),
    hint(&[KeyCode::Tab], "Tab", "racer", "the next racer"),
    hint(&[KeyCode::Char('a')], "a", "table", "the analysis as a table, or distances again"),
    hint(&[KeyCode::Char('q'), KeyCode::Esc], "q", "leave", "leave; so does Esc"),
    hint(&[], "Ctrl-C", "", "leave"),
    HELP,
];

impl Show {
    /// A round that stands at an instant.
    pub fn new(staged: Staged, ms: u64, theme: Theme) -> Show {
        let playback = Playback::new(staged.length(), ms);
        Show { staged, playback, focus: 0, analysis: false, notice: None, theme, help: false }
    }

    /// Does what a key asks for; true if the program ends.
    pub fn press(&mut self, key: KeyEvent, now: Instant) -> bool {
        let ms = self.playback.ms();
        self.notice = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return key.code == KeyCode::Char('c');
        }
        if std::mem::take(&mut self.help) {
            return false;
        }
        match key.code {
            KeyCode::Char('?') => self.help = true,
            KeyCode::Char('q') | KeyCode::Esc => return true,
            KeyCode::Char(' ') => self.playback.toggle(now),
            KeyCode::Right => self.playback.seek(self.staged.step_from(ms, true)),
            KeyCode::Left => self.playback.seek(self.staged.step_from(ms, false)),
            KeyCode::Char('n') => self.jump(true),
            KeyCode::Char('p') => self.jump(false),
            KeyCode::Char('.') => self.playback.seek(ms + 1_000),
            KeyCode::Char(',') => self.playback.seek(ms.saturating_sub(1_000)),
            KeyCode::PageDown => self.playback.seek(ms + 10_000),
            KeyCode::PageUp => self.playback.seek(ms.saturating_sub(10_000)),
            KeyCode::Home => self.playback.seek(0),
            KeyCode::End => self.playback.seek(u64::MAX),
            KeyCode::Char('+' | '=') => self.playback.shift(true),
            KeyCode::Char('-') => self.playback.shift(false),
            KeyCode::Tab => self.focus += 1,
            KeyCode::Char('a') => self.turn(),
            _ => {}
        }
        false
    }

    /// Does what the mouse asks for on a screen of that size: a click chooses a racer or an instant; true if the program ends.
    pub fn touch(&mut self, mouse: MouseEvent, area: Rect, now: Instant) -> bool {
        let Some(at) = pressed(mouse) else { return false };
        if self.help {
            return self.press(KeyEvent::new(KeyCode::Null, KeyModifiers::NONE), now);
        }
        if let Some(key) = clicked(mouse, area, HINTS) {
            return self.press(key, now);
        }
        if let Some(racer) = picture::racer_at(area, self, at) {
            self.focus = racer;
        } else if let Some(ms) = picture::instant_at(area, self, at) {
            self.playback.seek(ms);
        }
        false
    }

    fn jump(&mut self, forwards: bool) {
        let Some(ms) = self.staged.mistake_from(self.playback.ms(), forwards) else {
            let which = if forwards { "later" } else { "earlier" };
            let why = if self.staged.review.is_some() { format!("no {which} mistake") } else { self.no_analysis() };
            self.notice = Some(why);
            return;
        };
        self.playback.seek(ms);
        // Whose mistake it is, is told of the chosen racer.
        let seat = self.staged.mistakes().find(|mark| mark.clock_ms == ms).map(|mark| mark.seat);
        let racers = self.staged.at(0);
        self.focus = racers.iter().position(|racer| Some(racer.seat) == seat).unwrap_or(self.focus);
    }

    fn turn(&mut self) {
        self.analysis = !self.analysis && self.staged.review.is_some();
        if self.staged.review.is_none() {
            self.notice = Some(self.no_analysis());
        }
    }

    fn no_analysis(&self) -> String {
        "the analysis of this round is not here (yet)".to_owned()
    }
}

/// Runs `sprint replay`.
pub async fn replay(args: ReplayArgs) -> ExitCode {
    let placed = on_a_terminal().and_then(|()| {
        let place = Place::of(&args.round, &args.screen.server)?;
        let api = place.api(args.name.as_deref())?;
        Ok((place, api))
    });
    let (place, api) = match placed {
        Ok(placed) => placed,
        Err(reason) => return bad_call(reason),
    };
    let at_ms = args.at.map(|seconds| (seconds.max(0.0) * 1_000.0) as u64).or(place.at_ms()).unwrap_or(0);
    let shown = match fetch(&place, api.as_ref()).await.and_then(Staged::of) {
        Ok(staged) => show(Show::new(staged, at_ms, args.screen.theme()), api, !args.screen.looks.no_mouse).await,
        Err(reason) => Err(format!("{}: {reason}", args.round)),
    };
    shown.map_or_else(|reason| failed(&reason), |()| ExitCode::SUCCESS)
}

async fn fetch(place: &Place, api: Option<&Api>) -> Result<Match, String> {
    match (place, api) {
        (Place::Server { id, .. }, Some(api)) => api.round(*id).await.map_err(|error| error.to_string()),
        (Place::Server { .. }, None) => Err("no server is named".to_owned()),
        (Place::File(path), _) => of_file(path),
    }
}

async fn show(mut show: Show, api: Option<Api>, mouse: bool) -> Result<(), String> {
    let cancel = Cancel::default();
    let reckoned = review_of(&show.staged.round, api, &cancel);
    let shown = on_screen(mouse, async |terminal| run(&mut show, reckoned, terminal).await).await;
    cancel.cancel();
    shown.map_err(|ended| ended.why)
}

async fn run(
    show: &mut Show,
    mut reckoned: JoinHandle<Option<Review>>,
    terminal: &mut DefaultTerminal,
) -> Result<(), Ended> {
    let mut keys = keyboard::open().await;
    let mut tick = tokio::time::interval(TICK);
    let mut is_awaited = true;
    loop {
        show.playback.advance(Instant::now());
        terminal.draw(|frame| draw_replay(frame, show)).map_err(|error| ended(undrawable(&error)))?;
        tokio::select! {
            review = &mut reckoned, if is_awaited => {
                show.staged.review = review.ok().flatten();
                is_awaited = false;
            }
            input = keys.on_screen() => {
                let now = Instant::now();
                show.playback.advance(now);
                let is_over = match input {
                    Some(Ok(Input::Key(key))) => show.press(key, now),
                    Some(Ok(Input::Mouse(mouse))) => show.touch(mouse, terminal.get_frame().area(), now),
                    Some(Ok(Input::Other)) => false,
                    Some(Err(why)) => return Err(ended(why)),
                    None => true,
                };
                if is_over {
                    return Ok(());
                }
            }
            _ = tick.tick() => {}
        }
    }
}

/// The round's analysis while its picture is drawn already: the server's where the round is on one and it has it
/// within its time, else reckoned here.
fn review_of(round: &Match, api: Option<Api>, cancel: &Cancel) -> JoinHandle<Option<Review>> {
    let (round, cancel) = (round.clone(), cancel.clone());
    tokio::spawn(async move {
        if let Some(api) = api
            && let Some(review) = from_server(&api, round.round_id).await
        {
            return Some(review);
        }
        let effort = Effort::default();
        let effort = Effort { budget: Budget { cancel, ..effort.budget }, ..effort };
        tokio::task::spawn_blocking(move || review(&round, &effort).ok()).await.ok().flatten()
    })
}
