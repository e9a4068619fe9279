//! `sprint campaign`, `sprint tutorial`, `sprint shuffle`, `sprint daily`: what one player plays alone, board after board.
//!
//! Data goes to standard output, messages to standard error; exit 0, 1 (the server says no, or a day's proof does not hold)
//! or 2 (a bad call). Must never decide what a session came to: that is the server's word.

use std::process::ExitCode;

use clap::Args;
use ratatui::DefaultTerminal;
use sprint_shared::api::{Campaign, NewShuffle, Progress, RoomInfo, Tutorial};
use sprint_shared::deal::Seed;
use sprint_shared::preset::Preset;

use crate::screen::alone::{Alone, Left, Shelf, What, choose, join, sit, try_again};
use crate::screen::{Done, ScreenArgs, Who, known_token, on_a_terminal, on_screen, refused};
use crate::session::{Ended, Session};
use crate::solve::{DOES_NOT_HOLD, bad_call};
use crate::text::{complain, say};

mod daily;
mod list;

pub use daily::{DailyArgs, daily, share_text};

/// Campaign Master in this terminal: fifty stages, each of which opens when the one before it is solved.
#[derive(Args, Clone, Debug)]
pub struct CampaignArgs {
    /// Begins this stage at once; without it the almanac is shown, to choose from.
    #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(1..=50))]
    pub stage: Option<u8>,
    /// Prints the almanac as a table, with how far --name has come, and ends.
    #[arg(long, conflicts_with = "stage")]
    pub list: bool,
    /// With --list: prints one JSON object.
    #[arg(long, requires = "list")]
    pub json: bool,
    /// Your name. Stars and records are kept with it; without it you are a guest for as long as the program runs.
    #[arg(long)]
    pub name: Option<String>,
    /// Server and looks.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// The tutorial in this terminal: the laws and the techniques by doing.
#[derive(Args, Clone, Debug)]
pub struct TutorialArgs {
    /// Begins with this lesson; without it with the first that is not done yet.
    #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub lesson: Option<u8>,
    /// Your name. What is done is kept with it.
    #[arg(long)]
    pub name: Option<String>,
    /// Server and looks.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Infinite Shuffle in this terminal: board after board, no timer, undo, hints and the way for the asking.
#[derive(Args, Clone, Debug)]
pub struct ShuffleArgs {
    /// The kind of board: initiate to marathon; without it the level follows you.
    #[arg(long)]
    pub preset: Option<Preset>,
    /// The seed of the first board, 64 hex digits or a number below 2^64; without it one is drawn.
    #[arg(long, value_name = "SEED")]
    pub seed: Option<Seed>,
    /// Your name. An adaptive level goes on where it was.
    #[arg(long)]
    pub name: Option<String>,
    /// Server and looks.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Runs `sprint campaign`.
pub async fn campaign(args: CampaignArgs) -> ExitCode {
    if args.list {
        return listed(&args).await;
    }
    if let Err(reason) = on_a_terminal() {
        return bad_call(reason);
    }
    let mut who = Who::new(&args.screen.server, args.name.as_deref());
    ended(campaigned(&mut who, &args).await)
}

async fn listed(args: &CampaignArgs) -> ExitCode {
    let who = Who::new(&args.screen.server, args.name.as_deref());
    if let Some(name) = &args.name
        && let Err(reason) = known_token(&args.screen.server, "--name", name)
    {
        return bad_call(reason);
    }
    let told = async {
        let Campaign { stages } = who.api().campaign().await.map_err(refused)?;
        let progress = match who.token() {
            Some(token) => Some(who.api().progress(token).await.map_err(refused)?),
            None => None,
        };
        Ok::<_, Ended>((stages, progress))
    };
    match told.await {
        Ok((stages, progress)) if args.json => say(list::as_json(&stages, progress.as_ref())),
        Ok((stages, progress)) => {
            list::lines(&stages, progress.as_ref(), args.screen.looks.unicode()).iter().for_each(say)
        }
        Err(why) => return ended(Err(why)),
    }
    ExitCode::SUCCESS
}

/// Whoever it was has come that far. It is asked before anything is drawn: a guest is made by it, too.
async fn progress(who: &mut Who) -> Result<Progress, Ended> {
    who.proven(async |api, token| api.progress(token).await.map_err(refused)).await
}

async fn campaigned(who: &mut Who, args: &CampaignArgs) -> Result<(), Ended> {
    let Campaign { stages } = who.api().campaign().await.map_err(refused)?;
    let known = progress(who).await?;
    let theme = args.screen.theme();
    let mut shelf = Shelf::new(stages, known, theme, theme.unicode);
    if who.name().is_none() {
        shelf.notice = Some("You are a guest: with --name NAME your stars and records are kept.".to_owned());
    }
    let first = match args.stage {
        Some(stage) => Some(begun(who, stage).await.map(|session| (stage, session))?),
        None => None,
    };
    on_screen(!args.screen.looks.no_mouse, async |terminal| look_through(terminal, who, &mut shelf, first).await).await
}

/// The almanac, and stages out of it, until the person has enough.
async fn look_through(
    terminal: &mut DefaultTerminal,
    who: &mut Who,
    shelf: &mut Shelf,
    mut next: Option<(u8, Session)>,
) -> Result<(), Ended> {
    loop {
        let (stage, session) = match next.take() {
            Some(next) => next,
            None => {
                let Some(stage) = choose(terminal, shelf).await? else { return Ok(()) };
                match begun(who, stage).await {
                    Ok(session) => (stage, session),
                    Err(why) => {
                        shelf.notice = Some(why.why);
                        continue;
                    }
                }
            }
        };
        shelf.choose(stage);
        let done = on_stage(terminal, who, shelf, session).await;
        match progress(who).await {
            Ok(progress) => shelf.progress = progress,
            // What was solved is stored: the next look shows it.
            Err(why) => shelf.notice = Some(why.why),
        }
        match done {
            Ok(Done::Quit) => return Ok(()),
            Ok(Done::Over) => {}
            Ok(Done::Again) => match begun(who, stage + 1).await {
                Ok(session) => next = Some((stage + 1, session)),
                Err(why) => shelf.notice = Some(why.why),
            },
            Err(why) => shelf.notice = Some(why.why),
        }
    }
}

/// A session on the stage that is chosen.
async fn on_stage(terminal: &mut DefaultTerminal, who: &Who, shelf: &Shelf, session: Session) -> Result<Done, Ended> {
    let stage = shelf.stages[shelf.chosen].clone();
    let record = shelf.progress.stages.iter().find(|record| record.stage == stage.stage).cloned();
    let (open, stages) = (shelf.progress.open, shelf.stages.len() as u8);
    let alone = Alone::new(What::Stage { stage, record, open, stages }, shelf.unicode);
    sit(terminal, who, session, alone, shelf.theme).await.map(|left| left.done)
}

async fn begun(who: &mut Who, stage: u8) -> Result<Session, Ended> {
    let room = who.proven(async |api, token| api.begin_stage(token, stage).await.map_err(refused)).await?;
    join(who, &room.code).await
}

/// Runs `sprint tutorial`.
pub async fn tutorial(args: TutorialArgs) -> ExitCode {
    if let Err(reason) = on_a_terminal() {
        return bad_call(reason);
    }
    let mut who = Who::new(&args.screen.server, args.name.as_deref());
    ended(taught(&mut who, &args).await)
}

async fn taught(who: &mut Who, args: &TutorialArgs) -> Result<(), Ended> {
    let Tutorial { lessons } = who.api().tutorial().await.map_err(refused)?;
    let done = progress(who).await?.lessons;
    let numbers = || lessons.iter().map(|lesson| lesson.lesson);
    let chosen = args.lesson.or_else(|| numbers().find(|lesson| !done.contains(lesson))).or_else(|| numbers().next());
    let (mut number, theme) = (chosen.unwrap_or(1), args.screen.theme());
    let mut session = Some(lesson(who, number).await?);
    on_screen(!args.screen.looks.no_mouse, async |terminal| {
        loop {
            let session = match session.take() {
                Some(session) => session,
                None => loop {
                    match lesson(who, number).await {
                        Ok(session) => break session,
                        Err(why) if try_again(terminal, theme, &why).await? => {}
                        Err(_) => return Ok(()),
                    }
                },
            };
            let Some(told) = lessons.iter().find(|lesson| lesson.lesson == number) else { return Ok(()) };
            let what = What::Lesson { lesson: told.clone(), done: 0, lessons: lessons.len() as u8 };
            match sit(terminal, who, session, Alone::new(what, theme.unicode), theme).await?.done {
                Done::Again => number += 1,
                Done::Over | Done::Quit => return Ok(()),
            }
        }
    })
    .await
}

async fn lesson(who: &mut Who, lesson: u8) -> Result<Session, Ended> {
    let room = who.proven(async |api, token| api.begin_lesson(token, lesson).await.map_err(refused)).await?;
    join(who, &room.code).await
}

/// Runs `sprint shuffle`.
pub async fn shuffle(args: ShuffleArgs) -> ExitCode {
    if let Err(reason) = on_a_terminal() {
        return bad_call(reason);
    }
    let mut who = Who::new(&args.screen.server, args.name.as_deref());
    ended(shuffled(&mut who, &args).await)
}

async fn shuffled(who: &mut Who, args: &ShuffleArgs) -> Result<(), Ended> {
    let (theme, preset) = (args.screen.theme(), args.preset);
    let first = NewShuffle { preset, seed: args.seed.map(|seed| seed.to_string()), helped: false };
    let mut session = Some(dealt(who, &first).await?);
    let mut helped = false;
    on_screen(!args.screen.looks.no_mouse, async |terminal| {
        loop {
            let session = match session.take() {
                Some(session) => session,
                // Without a seed the next one follows from the last.
                None => loop {
                    match dealt(who, &NewShuffle { preset, seed: None, helped }).await {
                        Ok(session) => break session,
                        Err(why) if try_again(terminal, theme, &why).await? => {}
                        Err(_) => return Ok(()),
                    }
                },
            };
            let what = What::Shuffle { adaptive: preset.is_none() };
            let Left { done, helped: was_helped } =
                sit(terminal, who, session, Alone::new(what, theme.unicode), theme).await?;
            helped = was_helped;
            if done != Done::Again {
                return Ok(());
            }
        }
    })
    .await
}

async fn dealt(who: &mut Who, next: &NewShuffle) -> Result<Session, Ended> {
    let room: RoomInfo = who.proven(async |api, token| api.shuffle(token, next).await.map_err(refused)).await?;
    join(who, &room.code).await
}

/// What a command that was played comes to.
fn ended(played: Result<(), Ended>) -> ExitCode {
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            complain(why);
            ExitCode::from(DOES_NOT_HOLD)
        }
    }
}
