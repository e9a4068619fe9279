//! The terminal screens: `sprint play`, `sprint watch` and, in modules of their own, what is played alone, `sprint replay`
//! and `sprint hanoi`. One loop of keys, the room's news, and a clock that ticks.
//!
//! Drawing is in the modules below and knows neither sockets nor keys; an act is never held up by a picture.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use sprint_shared::play::Play;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{EventKind, Role};

use crate::api::{Api, Server};
use crate::session::{Ended, Link, Session, Update};
use crate::solve::{DOES_NOT_HOLD, bad_call};
use crate::text::complain;

pub(crate) mod alone;
mod analysis;
mod args;
mod ascii;
mod board;
mod distance;
mod draw;
mod emote;
mod entrance;
mod hanoi;
mod help;
mod hints;
mod keyboard;
mod keys;
mod lobby;
mod looks;
mod news;
mod palette;
mod pointer;
mod quick;
mod race;
mod replay;
mod results;
mod reviews;
mod rivals;
mod scene;
mod terminal;
mod theme;
mod tracker;

pub use alone::{ALMANAC_HINTS, Alone, Choice, Hint, Shelf, What, draw_almanac, stars};
pub use args::ScreenArgs;
pub(crate) use args::named;
pub use args::{PlayArgs, WatchArgs};
pub(crate) use draw::cut;
pub use draw::draw;
pub(crate) use entrance::{Who, forget_token, keep_token, known_token, refused};
pub(crate) use hanoi::hanoi;
pub use hanoi::{Tale, draw_hanoi};
pub use help::{Hint as KeyHint, fits_in_line, is_listed};
pub use keys::Intent;
pub use looks::Looks;
pub use palette::{Depth, Palette};
pub use pointer::touched;
pub use replay::{HINTS as REPLAY_HINTS, Place, ReplayArgs, Show, Staged, draw_replay, replay};
pub use scene::{Confirm, Scene, Ui};
pub use terminal::on_screen;
pub use theme::Theme;

use alone::{Guide, Wish};
use entrance::Entrance;
use keyboard::Input;
use keys::{Stage, intent};
use quick::WayOn;
pub(crate) use quick::enter_or_leave;
use reviews::Awaited;

/// Between two pictures of a running clock.
const TICK: Duration = Duration::from_millis(100);

/// Runs `sprint play`.
pub async fn play(args: PlayArgs) -> ExitCode {
    if let Err(reason) = args.check().and_then(|()| on_a_terminal()) {
        return bad_call(reason);
    }
    let (mut entrance, server) = (Entrance::new(&args), &args.screen.server);
    loop {
        let ended = match entrance.enter().await {
            Ok(session) => {
                match show(session, Ui { quick: args.quick, ..ui(&args.screen, server) }, &args.screen).await {
                    Ok(Done::Over | Done::Quit) => return ExitCode::SUCCESS,
                    Ok(Done::Again) => continue,
                    Err(ended) => ended,
                }
            }
            Err(ended) => ended,
        };
        match WayOn::after(&ended) {
            _ if ended.code.as_deref() == Some(quick::LEFT) => {
                complain(ended);
                return ExitCode::SUCCESS;
            }
            WayOn::LookOn if args.quick => eprintln!("Nobody else came to that race."),
            WayOn::Ask if args.quick => match quick::wants_another(&ended).await {
                Ok(true) => {}
                Ok(false) => return ExitCode::SUCCESS,
                Err(ended) => return failed(&ended.why),
            },
            _ => return failed(&ended.why),
        }
    }
}

/// Runs `sprint watch`.
pub async fn watch(args: WatchArgs) -> ExitCode {
    let (server, code) = match on_a_terminal().and_then(|()| args.place()) {
        Ok(place) => place,
        Err(reason) => return bad_call(reason),
    };
    match entrance::look_on(server.clone(), &code).await {
        Ok(session) => match show(session, ui(&args.screen, &server), &ScreenArgs { server, ..args.screen }).await {
            Ok(_) => ExitCode::SUCCESS,
            Err(ended) => failed(&ended.why),
        },
        Err(reason) => failed(&reason),
    }
}

/// Whether there is a terminal to draw on and to read keys from; the error says so.
pub(crate) fn on_a_terminal() -> Result<(), String> {
    let is_terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    is_terminal.then_some(()).ok_or_else(|| "this command draws on a terminal, and there is none".to_owned())
}

fn failed(reason: &str) -> ExitCode {
    complain(reason);
    ExitCode::from(DOES_NOT_HOLD)
}

fn ui(args: &ScreenArgs, server: &Server) -> Ui {
    Ui::new(args.theme(), server.http(""))
}

/// How a person has done with a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// For good.
    Over,
    /// With the wish for another quick match; alone, for the next board.
    Again,
    /// With the program, the seat kept.
    Quit,
}

async fn show(session: Session, mut ui: Ui, args: &ScreenArgs) -> Result<Done, Ended> {
    let api = Api::new(args.server.clone());
    let (review, guide) = (Awaited::new(api.clone()), Guide::new(api, None));
    on_screen(!args.looks.no_mouse, async |terminal| run(session, &mut ui, review, guide, terminal).await).await
}

/// What a person has left a room with.
fn left(ui: &Ui) -> Done {
    if ui.again { Done::Again } else { Done::Over }
}

fn ended(why: String) -> Ended {
    Ended { code: None, why }
}

fn undrawable(error: &std::io::Error) -> String {
    format!("the terminal cannot be drawn on: {error}")
}

fn unreadable(error: &std::io::Error) -> String {
    format!("the keyboard cannot be read: {error}")
}

fn closed() -> Ended {
    Ended { code: Some("closed".to_owned()), why: "the room is closed".to_owned() }
}

async fn run(
    mut session: Session,
    ui: &mut Ui,
    mut review: Awaited,
    mut guide: Guide,
    terminal: &mut DefaultTerminal,
) -> Result<Done, Ended> {
    let mut keys = keyboard::open().await;
    let mut tick = tokio::time::interval(TICK);
    loop {
        review.follow(&session);
        let shown = session.shown();
        let drawn = terminal.draw(|frame| draw(frame, &scene_of(&session, shown.as_ref()), ui));
        drawn.map_err(|error| ended(undrawable(&error)))?;
        let before = ui.alone.as_ref().and(session.room.own()).and_then(|own| own.play.clone());
        tokio::select! {
            update = session.next() => match update {
                Ok(update) => {
                    news::heed(ui, &session.room, &update);
                    if let Some(wish) = heed_alone(ui, &session, before.as_ref(), &update) {
                        guide.ask(&session.room.code, wish);
                    }
                }
                Err(_) if ui.leaving => return Ok(left(ui)),
                // What the server gave as the reason says more.
                Err(Ended { code: None, .. }) if session.room.phase == PhaseView::Closed => return Err(closed()),
                Err(ended) => return Err(ended),
            },
            input = keys.on_screen() => {
                let scene = scene_of(&session, shown.as_ref());
                let intent = match input {
                    Some(Ok(Input::Key(key))) => intent(key, &Stage::of(&scene, ui), ui),
                    Some(Ok(Input::Mouse(mouse))) => {
                        touched(mouse, terminal.get_frame().area(), &scene, ui)
                    }
                    Some(Ok(Input::Other)) => Intent::Nothing,
                    Some(Err(why)) => return Err(ended(why)),
                    None => return Ok(Done::Quit),
                };
                if let Intent::Ask(wish) = intent {
                    ask(wish, &session, ui, &mut guide);
                } else if let Some(done) = carry_out(intent, &mut session, ui) {
                    return Ok(done);
                }
            }
            found = review.next() => ui.review = Some(found),
            answer = guide.next() => {
                let said = ui.alone.as_mut().and_then(|alone| alone.told(&session, answer, Instant::now()));
                said.into_iter().for_each(|said| ui.say(said));
            }
            _ = tick.tick() => alone::play_on(&mut session, ui, Instant::now()),
        }
    }
}

/// Asks the server for the way, if it may be asked.
fn ask(wish: Wish, session: &Session, ui: &mut Ui, guide: &mut Guide) {
    match alone::may_ask(session, ui) {
        Ok(()) => {
            guide.ask(&session.room.code, wish);
            ui.notice = None;
            ui.alone.iter_mut().for_each(|alone| alone.asked = Some(wish));
        }
        Err(why) => ui.say(why),
    }
}

/// What a picture of this moment is made of.
fn scene_of<'a>(session: &'a Session, shown: Option<&'a Play>) -> Scene<'a> {
    let (pending, link, role) = (session.acts.pending().len(), session.link, session.role());
    Scene { room: &session.room, shown, pending, link, role, now: Instant::now() }
}

/// Does what a key asks for; how the person has done with the room, if so.
fn carry_out(intent: Intent, session: &mut Session, ui: &mut Ui) -> Option<Done> {
    match intent {
        Intent::Nothing | Intent::Ask(_) => {}
        Intent::Stop => {
            ui.alone.iter_mut().for_each(|alone| alone.showing = None);
            ui.say("stopped: it is your move".to_owned());
        }
        Intent::Act(act) => match session.act(act) {
            Ok(_) => ui.notice = None,
            Err(why) => ui.say(why.to_string()),
        },
        Intent::Ready => {
            let own = session.room.seat.and_then(|seat| session.room.sitter(seat));
            session.ready(!own.is_some_and(|s| s.ready));
        }
        Intent::Rematch => session.rematch(),
        Intent::GiveUp => session.give_up(),
        Intent::NextSeat => ui.focus += 1,
        Intent::OverTime => ui.over_time = !ui.over_time,
        Intent::Start => session.start(),
        Intent::Kick(seat) => session.kick(seat),
        Intent::HandOver(seat) => session.hand_over(seat),
        Intent::Close => session.close(),
        Intent::Emote(emote) => session.emote(emote),
        Intent::Mute => {
            ui.muted = !ui.muted;
            ui.say(if ui.muted { "the others' emotes are muted" } else { "the others' emotes are shown" }.to_owned());
        }
        Intent::Leave | Intent::Again => {
            ui.again = intent == Intent::Again;
            if let (true, Some(Err(why))) = (ui.again, ui.alone.as_ref().map(|alone| alone.has_next(&session.room))) {
                ui.say(why);
                return None;
            }
            // The server answers a leave by closing the line; without a line there is nobody to tell.
            ui.leaving = true;
            session.leave();
            let nobody = session.role() == Role::Spectator || session.link != Link::Online;
            return nobody.then(|| left(ui));
        }
        Intent::Quit => return Some(Done::Quit),
    }
    None
}

/// What an update means for who plays alone; what the server is to be asked because of it.
fn heed_alone(ui: &mut Ui, session: &Session, before: Option<&Play>, update: &Update) -> Option<Wish> {
    let alone = ui.alone.as_mut()?;
    alone.heed(&session.room, before, update);
    let is_over = matches!(update, Update::Event(event) if matches!(event.kind, EventKind::RoundOver { .. }));
    (is_over && alone::is_tried(&session.room)).then_some(Wish::Daily)
}
