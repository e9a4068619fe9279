//! `sprint daily`: the one rated try of a day and practice after it, the text to share, and the proof of a day that is over.

use std::process::ExitCode;

use clap::Args;
use sprint_shared::api::{Daily, DailyResult, OwnDaily, PastDaily};
use sprint_shared::board::Board;
use sprint_shared::daily::Revealed;
use sprint_shared::day::Day;
use sprint_shared::preset::Preset;

use super::ended;
use crate::api::Api;
use crate::screen::alone::{Alone, What, join, sit};
use crate::screen::{ScreenArgs, Who, enter_or_leave, known_token, on_a_terminal, on_screen, refused, stars};
use crate::session::Ended;
use crate::solve::{DOES_NOT_HOLD, bad_call};
use crate::text::{complain, say};

/// The Daily Spire in this terminal: one board a UTC day for everybody, and one rated try.
#[derive(Args, Clone, Debug)]
pub struct DailyArgs {
    /// Practice on today's board, once the rated try is over: as often as wanted, and nothing counts.
    #[arg(long)]
    pub practice: bool,
    /// Prints what today's try came to as a text to share, and ends. Needs --name.
    #[arg(long, conflicts_with = "practice")]
    pub share: bool,
    /// Prints a day that is over: what was promised, what was secret, its board; and proves that they belong together.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with_all = ["practice", "share", "name"])]
    pub day: Option<Day>,
    /// Your name. Results and streaks are kept with it; a day has one try for each player.
    #[arg(long)]
    pub name: Option<String>,
    /// Server and looks.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Runs `sprint daily`.
pub async fn daily(args: DailyArgs) -> ExitCode {
    if let Some(day) = args.day {
        return proven(&Api::new(args.screen.server.clone()), day).await;
    }
    if args.share {
        let Some(name) = &args.name else { return bad_call("--share: say whose result with --name NAME") };
        if let Err(reason) = known_token(&args.screen.server, "--name", name) {
            return bad_call(reason);
        }
    } else if let Err(reason) = on_a_terminal() {
        return bad_call(reason);
    }
    let mut who = Who::new(&args.screen.server, args.name.as_deref());
    let played =
        if args.share { shared(&who, args.screen.looks.unicode()).await } else { played(&mut who, &args).await };
    ended(played)
}

async fn told(who: &mut Who) -> Result<(Daily, OwnDaily), Ended> {
    with_own(who.proven(async |api, token| api.daily(token).await.map_err(refused)).await?)
}

fn with_own(daily: Daily) -> Result<(Daily, OwnDaily), Ended> {
    let own = daily.own.clone();
    let own = own.ok_or_else(|| Ended { code: None, why: "the server does not say how you stand today".to_owned() })?;
    Ok((daily, own))
}

/// Only reads: nobody is made for it, and whoever is kept under the name stays.
async fn shared(who: &Who, unicode: bool) -> Result<(), Ended> {
    let token = who.token().unwrap_or_default();
    let (daily, own) = with_own(who.api().daily(token).await.map_err(refused)?)?;
    if own.result.is_none() {
        let why = format!("there is nothing to share yet: your rated try of {} is not over", daily.today.day);
        return Err(Ended { code: None, why });
    }
    share(who, &daily, &own, unicode);
    Ok(())
}

/// Prints what the rated try came to, if it is over.
fn share(who: &Who, Daily { today, .. }: &Daily, own: &OwnDaily, unicode: bool) {
    if let Some(result) = &own.result {
        let server = who.api().server().http("");
        share_text(today.day, today.preset, result, own.streak, &server, unicode).iter().for_each(say);
    }
}

async fn played(who: &mut Who, args: &DailyArgs) -> Result<(), Ended> {
    let (daily, own) = told(who).await?;
    let theme = args.screen.theme();
    if own.result.is_some() && !args.practice {
        share(who, &daily, &own, theme.unicode);
        eprintln!("Your rated try of today is over: sprint daily --practice plays its board again.");
        return Ok(());
    }
    if own.result.is_none() && !args.practice && !begins(&daily, &own, who.name()).await? {
        return Ok(());
    }
    let practice = args.practice;
    let room = who.proven(async |api, token| api.begin_daily(token, practice).await.map_err(refused)).await?;
    let session = join(who, &room.code).await?;
    let alone = Alone::new(What::Daily { today: daily.today, own }, theme.unicode);
    let sat =
        on_screen(!args.screen.looks.no_mouse, async |terminal| sit(terminal, who, session, alone, theme).await).await;
    if !practice {
        let (daily, own) = told(who).await?;
        share(who, &daily, &own, theme.unicode);
        if own.code.is_some() {
            eprintln!("Your try goes on, its clock runs: sprint daily comes back to it, within ten minutes.");
        }
    }
    sat.map(drop)
}

/// Says what is at stake, and waits for the wish to begin; a try that is on goes on.
async fn begins(daily: &Daily, own: &OwnDaily, name: Option<&str>) -> Result<bool, Ended> {
    let today = &daily.today;
    if own.code.is_some() {
        eprintln!("Your rated try of {} is on: it goes on.", today.day);
        return Ok(true);
    }
    let what = format!("Daily Spire {}, on an {} board. Streak: {}.", today.day, today.preset, own.streak);
    let what = if today.preset.name().starts_with(['i', 'a', 'e']) { what } else { what.replace("on an", "on a") };
    let guest = match name {
        Some(_) => "It counts for the leaderboard and your streak however it ends.",
        None => "You are a guest: with --name NAME the result and the streak would be kept.",
    };
    let stake = "There is one rated try a day, and its clock runs on once it has begun.";
    enter_or_leave(&[&what, guest, stake, "Press Enter to begin, q to leave it for now."]).await
}

/// A result as a text to share, and the page's address below it: how it went, and nothing of the way.
pub fn share_text(
    day: Day,
    preset: Preset,
    result: &DailyResult,
    streak: u32,
    server: &str,
    unicode: bool,
) -> [String; 2] {
    let counted = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut parts = vec![format!("Daily Spire {day}")];
    if result.finished {
        let crown = if result.crown { " and the crown" } else { "" };
        parts.push(format!("{preset} {}{crown}", stars(result.stars, unicode)));
        parts.push(format!("{} (best {})", counted(result.moves, "move"), result.optimum));
        parts.extend(result.official_ms.map(|ms| format!("{}:{:02}", ms / 60_000, ms / 1_000 % 60)));
        parts.extend(result.flawless.then(|| "flawless".to_owned()));
        parts.extend((result.errors > 0).then(|| counted(result.errors, "error")));
    } else {
        parts.extend([preset.to_string(), "not restored".to_owned()]);
    }
    parts.extend((streak > 1).then(|| format!("streak {streak}")));
    [parts.join(if unicode { " · " } else { " - " }), format!("{server}/daily/{day}")]
}

/// Prints a day that is over and proves it.
async fn proven(api: &Api, day: Day) -> ExitCode {
    let past = match api.past_daily(day).await {
        Ok(past) => past,
        Err(error) => {
            complain(error);
            return ExitCode::from(DOES_NOT_HOLD);
        }
    };
    let PastDaily { promise, server_seed, redeals, board, optimum, par, .. } = &past;
    say(format_args!("day {}, {}", promise.day, promise.preset));
    say(format_args!("commitment {}", promise.commitment));
    say(format_args!("seed {server_seed}, redeals {redeals}"));
    say(format_args!("board {board}"));
    say(format_args!("best {optimum}, par {par}"));
    match proof(day, &past) {
        Ok(()) => {
            say("proven: the commitment is the hash of the seed, and the seed deals this board");
            ExitCode::SUCCESS
        }
        Err(why) => {
            say(format_args!("NOT proven: {why}"));
            ExitCode::from(DOES_NOT_HOLD)
        }
    }
}

/// Whether what is told of a day follows from what was promised; the error says what does not.
fn proof(day: Day, past: &PastDaily) -> Result<(), String> {
    if past.promise.day != day {
        return Err(format!("the answer is of {}, not of {day}", past.promise.day));
    }
    let deal = Revealed::from(past).proven()?;
    let board: Board = past.board.parse().map_err(|error| format!("the board cannot be read: {error}"))?;
    if board != deal.board {
        return Err(format!("the seed deals another board: {}", deal.board));
    }
    if past.optimum != deal.optimum {
        return Err(format!("the board's optimum is {}, not {}", deal.optimum, past.optimum));
    }
    let par = sprint_shared::score::par(deal.optimum);
    if past.par == par { Ok(()) } else { Err(format!("par is {par}, not {}", past.par)) }
}

#[cfg(test)]
mod tests {
    use sprint_shared::api::DailyPromise;
    use sprint_shared::daily::{board_seed, commitment};
    use sprint_shared::deal::{DEAL_VERSION, Seed, deal};
    use sprint_shared::score::par;
    use uuid::Uuid;

    use super::*;

    fn result() -> DailyResult {
        DailyResult {
            round_id: Uuid::nil(),
            finished: true,
            moves: 9,
            errors: 0,
            optimum: 8,
            stars: 3,
            crown: false,
            flawless: true,
            score: 1_875,
            official_ms: Some(42_999),
        }
    }

    fn day() -> Day {
        "2026-11-30".parse().expect("a day")
    }

    fn text(result: DailyResult, streak: u32, unicode: bool) -> String {
        share_text(day(), Preset::Initiate, &result, streak, "https://spire.example", unicode).join("\n")
    }

    #[test]
    fn a_result_to_share_tells_how_it_went_and_where_the_board_is_to_be_had() {
        assert_eq!(
            text(result(), 4, true),
            "Daily Spire 2026-11-30 · initiate ★★★ · 9 moves (best 8) · 0:42 · flawless · streak 4\n\
             https://spire.example/daily/2026-11-30"
        );
        let crowned = DailyResult { moves: 8, crown: true, flawless: false, ..result() };
        let first = "Daily Spire 2026-11-30 · initiate ★★★ and the crown · 8 moves (best 8) · 0:42\n";
        assert!(text(crowned, 1, true).starts_with(first), "a first day is no streak");
        let slow =
            DailyResult { moves: 14, stars: 1, flawless: false, errors: 1, official_ms: Some(125_000), ..result() };
        let told = "Daily Spire 2026-11-30 - initiate *.. - 14 moves (best 8) - 2:05 - 1 error - streak 4\n";
        assert!(text(slow, 4, false).starts_with(told), "in ASCII");
        let lost =
            DailyResult { finished: false, stars: 0, moves: 31, errors: 2, official_ms: None, score: 0, ..result() };
        assert!(text(lost, 0, true).starts_with("Daily Spire 2026-11-30 · initiate · not restored\n"));
    }

    fn past() -> PastDaily {
        let (server_seed, preset) = (Seed::from(7), Preset::Initiate);
        let dealt = deal(preset, &board_seed(&server_seed, 0));
        let commitment = commitment(DEAL_VERSION, day(), preset, &server_seed);
        PastDaily {
            promise: DailyPromise { day: day(), preset, commitment, committed_at_ms: 0, ends_at_ms: day().ends_ms() },
            deal_version: DEAL_VERSION,
            server_seed,
            redeals: 0,
            board: dealt.board.to_string(),
            optimum: dealt.optimum,
            par: par(dealt.optimum),
        }
    }

    #[test]
    fn a_day_is_proven_by_its_seed_and_nothing_else_passes_for_it() {
        assert_eq!(proof(day(), &past()), Ok(()));
        assert!(proof(day().next(), &past()).is_err(), "another day");
        for (named, other) in [
            ("commitment", PastDaily { server_seed: Seed::from(8), ..past() }),
            ("another board", PastDaily { board: "R1R2/-/- 7".to_owned(), ..past() }),
            ("another board", PastDaily { redeals: 1, ..past() }),
            ("optimum", PastDaily { optimum: past().optimum + 1, ..past() }),
            ("par", PastDaily { par: past().par + 1, ..past() }),
            ("cannot be read", PastDaily { board: "nonsense".to_owned(), ..past() }),
        ] {
            let why = proof(day(), &other).expect_err(named);
            assert!(why.contains(named), "{named}: {why}");
        }
    }
}
