//! `sprint leaderboard`: the boards of quick match, of stages and of the Daily Spire as plain lines, from the top or around one's own place.
//!
//! Data goes to standard output, messages to standard error; exit 0, 1 (the server says no) or 2 (a bad call).

use std::process::ExitCode;

use clap::Args;
use sprint_shared::api::{Board, LeaderboardEntry, List, Period};
use sprint_shared::day::Day;
use sprint_shared::preset::Preset;

use crate::api::{Api, ApiError, Server, Which};
use crate::screen::{cut, known_token, named};
use crate::solve::{DOES_NOT_HOLD, bad_call};
use crate::text::{complain, say};

/// Shows a leaderboard: who is best, or where you stand.
#[derive(Args, Clone, Debug)]
pub struct LeaderboardArgs {
    /// What is compared: rating, sprint (points), fastest, fewest, stage or daily.
    #[arg(value_parser = named::<Board>, default_value = "rating")]
    pub board: Board,
    /// Rounds on this kind of board alone; fastest and fewest need one.
    #[arg(long)]
    pub preset: Option<Preset>,
    /// The stage of `stage`, 1 to 50.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=50))]
    pub stage: Option<u8>,
    /// The day of `daily`, YYYY-MM-DD; today if left out.
    #[arg(long, value_name = "DAY")]
    pub day: Option<Day>,
    /// Day, week or all, by UTC; a rating has no other than all.
    #[arg(long, value_parser = named::<Period>, default_value = "all")]
    pub period: Period,
    /// People, bots, or apart: flagged players and results that no hand seems to have made.
    #[arg(long, value_parser = named::<List>, default_value = "people")]
    pub list: List,
    /// Entries from the top, 1 to 200.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub limit: u32,
    /// Your place with its neighbours instead: NAME is what you play under on this machine.
    #[arg(long, value_name = "NAME", conflicts_with = "limit")]
    pub me: Option<String>,
    /// Who asks, by the name played under on this machine: today's `daily` is shown to who has had their try.
    #[arg(long, conflicts_with = "me")]
    pub name: Option<String>,
    /// Prints the server's answer as JSON.
    #[arg(long)]
    pub json: bool,
    /// The server, http://HOST:PORT.
    #[arg(long, value_name = "URL", env = "SPRINT_URL", default_value = "http://127.0.0.1:8080")]
    pub server: Server,
}

/// Runs `sprint leaderboard`.
pub async fn run(args: &LeaderboardArgs) -> ExitCode {
    if matches!(args.board, Board::Fastest | Board::Fewest) && args.preset.is_none() {
        return bad_call("--preset: times and moves compare on one kind of board only: give one");
    }
    if args.board == Board::Stage && args.stage.is_none() {
        return bad_call("--stage: a leaderboard is of one stage: give its number");
    }
    let token = match asker(args) {
        Ok(token) => token,
        Err(reason) => return bad_call(reason),
    };
    let (api, token) = match args.me {
        Some(_) => (Api::new(args.server.clone()), token),
        None => (Api::new(args.server.clone()).seen_by(token), None),
    };
    let LeaderboardArgs { board, preset, period, list, stage, day, .. } = *args;
    let which = Which { board, preset, period, list, stage, day };
    match show(&api, args, &which, token.as_deref()).await {
        Ok(lines) => {
            lines.iter().for_each(say);
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(error);
            ExitCode::from(DOES_NOT_HOLD)
        }
    }
}

/// The token of whoever asks, if anybody is named; the error says that nobody is known by that name here.
fn asker(args: &LeaderboardArgs) -> Result<Option<String>, String> {
    match (&args.me, &args.name) {
        (Some(name), _) => known_token(&args.server, "--me", name).map(Some),
        (None, Some(name)) => known_token(&args.server, "--name", name).map(Some),
        (None, None) => Ok(None),
    }
}

async fn show(api: &Api, args: &LeaderboardArgs, which: &Which, token: Option<&str>) -> Result<Vec<String>, ApiError> {
    let json = |answer: serde_json::Result<String>| vec![answer.expect("answers encode")];
    let (entries, own) = match token {
        Some(token) => {
            let place = api.own_place(token, which).await?;
            if args.json {
                return Ok(json(serde_json::to_string(&place)));
            }
            (place.entries, place.rank)
        }
        None => {
            let page = api.leaderboard(which, args.limit).await?;
            if args.json {
                return Ok(json(serde_json::to_string(&page)));
            }
            (page.entries, None)
        }
    };
    if entries.is_empty() {
        let nobody = if token.is_some() { "you do not stand on this board" } else { "nobody stands here yet" };
        return Ok(vec![nobody.to_owned()]);
    }
    let rows = entries.iter().map(|entry| row(args.board, entry, own == Some(entry.rank)));
    Ok(std::iter::once(head(args.board)).chain(rows).collect())
}

fn head(board: Board) -> String {
    let (value, detail) = match board {
        Board::Rating => ("rating", "won"),
        Board::Sprint => ("points", "won"),
        Board::Fastest => ("time", "moves"),
        Board::Fewest => ("moves/best", "time"),
        Board::Stage | Board::Daily => ("score", "time"),
    };
    format!("{:>7} {:<20} {value:>12} {detail:>9} {}", "rank", "player", "round")
}

/// One entry on 87 columns, the round's id last, and behind it what marks a score; the own one is marked in front.
fn row(board: Board, entry: &LeaderboardEntry, own: bool) -> String {
    let moves = match (entry.moves, entry.optimum) {
        (Some(moves), Some(optimum)) => format!("{moves}/{optimum}"),
        _ => "-".to_owned(),
    };
    let won = format!("{}/{}", entry.wins, entry.rounds);
    let time = || entry.official_ms.map_or_else(|| "-".to_owned(), |ms| clock(ms as i64));
    let (value, detail) = match board {
        Board::Rating => (format!("{} ± {}", entry.value, entry.uncertainty.unwrap_or_default()), won),
        Board::Sprint => (entry.value.to_string(), won),
        Board::Fastest => (clock(entry.value), moves),
        Board::Fewest => (ratio(entry), time()),
        Board::Stage | Board::Daily => (entry.value.to_string(), time()),
    };
    let mark = if own { '>' } else { ' ' };
    let name = cut(&entry.name, 20);
    let marks = marks(board, entry);
    format!("{mark}{:>6} {name:<20} {value:>12} {detail:>9} {}{marks}", entry.rank, entry.round_id)
}

/// What is to be known of a score that was reached alone, after the round's id.
fn marks(board: Board, entry: &LeaderboardEntry) -> String {
    if !matches!(board, Board::Stage | Board::Daily) {
        return String::new();
    }
    let errors = match entry.errors.unwrap_or_default() {
        0 => String::new(),
        1 => " 1 error".to_owned(),
        errors => format!(" {errors} errors"),
    };
    let interrupted = if entry.interrupted { " interrupted" } else { "" };
    format!("{errors}{interrupted}")
}

/// `1:05.342`: minutes, seconds, milliseconds.
fn clock(ms: i64) -> String {
    format!("{}:{:02}.{:03}", ms / 60_000, ms / 1_000 % 60, ms % 1_000)
}

/// Moves for each that had to be made.
fn ratio(entry: &LeaderboardEntry) -> String {
    match (entry.moves, entry.optimum) {
        (Some(moves), Some(optimum)) if optimum > 0 => format!("{:.3}", f64::from(moves) / f64::from(optimum)),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn entry() -> LeaderboardEntry {
        LeaderboardEntry {
            rank: 812,
            player_id: Uuid::nil(),
            name: "Sapphire Astrolabe 90210".to_owned(),
            bot: false,
            value: 0,
            uncertainty: Some(88),
            rounds: 61,
            wins: 30,
            moves: Some(25),
            optimum: Some(24),
            official_ms: Some(65_342),
            errors: Some(0),
            interrupted: false,
            round_id: Uuid::nil(),
        }
    }

    #[test]
    fn an_entry_is_one_line_of_rank_name_value_detail_and_round() {
        let nil = Uuid::nil();
        for (board, value, line) in [
            (Board::Rating, 1_612, "    812 Sapphire Astrolabe ~    1612 ± 88     30/61"),
            (Board::Sprint, 90_210, "    812 Sapphire Astrolabe ~        90210     30/61"),
            (Board::Fastest, 65_342, "    812 Sapphire Astrolabe ~     1:05.342     25/24"),
            (Board::Fewest, 1_041_666, "    812 Sapphire Astrolabe ~        1.042  1:05.342"),
        ] {
            assert_eq!(row(board, &LeaderboardEntry { value, ..entry() }, false), format!("{line} {nil}"));
        }
        assert!(row(Board::Rating, &entry(), true).starts_with(">   812 "), "the own one is marked");
    }

    #[test]
    fn a_score_that_was_reached_alone_is_marked_with_errors_and_an_interruption() {
        let marked = LeaderboardEntry { errors: Some(2), interrupted: true, ..entry() };
        assert!(row(Board::Stage, &marked, false).ends_with(" 2 errors interrupted"));
        assert!(row(Board::Daily, &LeaderboardEntry { errors: Some(1), ..entry() }, false).ends_with(" 1 error"));
        let nil = Uuid::nil().to_string();
        assert!(
            row(Board::Stage, &entry(), false).ends_with(&nil) && row(Board::Fastest, &marked, false).ends_with(&nil)
        );
    }

    #[test]
    fn heads_stand_over_their_columns() {
        let all = [Board::Rating, Board::Sprint, Board::Fastest, Board::Fewest, Board::Stage, Board::Daily];
        for board in all {
            let (head, row) = (head(board), row(board, &entry(), false));
            let ends = |line: &str| line.rsplit_once(' ').map(|(before, _)| before.chars().count());
            assert_eq!(ends(&head), ends(&row), "{head}\n{row}");
        }
    }
}
