//! The result: ranking, times raw and official, score, what it takes to race again.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::result::{Ended, RoundResult, SeatResult};
use sprint_shared::review::Review;
use uuid::Uuid;

use super::alone::What;
use super::draw::{clock_ms, cut, fill, put};
use super::reviews::{last_change, waste};
use super::scene::{Scene, Ui};

/// Draws the result of the round, and of the series once it is over.
pub fn draw(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let (room, plain) = (scene.room, Style::new());
    let Some(result) = scene.round().and_then(|r| r.result.as_ref()) else { return };
    let review = ui.review.as_ref().filter(|(id, _)| *id == result.round_id).map(|(_, review)| review);
    put(buf, area, 2, 1, &headline(result), ui.theme.brass());
    let head = format!(
        "{:<6}{:<17}{:>9}{:>9}{:>8}{:>7}{:>5}{:>7}  {}",
        "rank", "player", "official", "raw", "credit", "moves", "err", "score", "stars"
    );
    put(buf, area, 2, 3, &head, ui.theme.faint());
    let mut y = 4;
    for seat in &result.seats {
        let style = if room.seat == Some(seat.seat) { ui.theme.strong() } else { plain };
        put(buf, area, 2, y, &row(seat), style);
        put(buf, area, 8, y + 1, &remarks(seat, review), ui.theme.faint());
        y += 2;
    }
    let par = result.par.map_or_else(|| "-".to_owned(), |par| par.to_string());
    let optimum = result.optimum.map_or_else(|| "-".to_owned(), |optimum| optimum.to_string());
    let marked = if result.interrupted { "; the server was interrupted, so it is marked" } else { "" };
    put(buf, area, 2, y, &format!("par {par}, optimum {optimum}{marked}"), plain);
    let name = |seat| result.seats.iter().find(|s| s.seat == seat).map_or("(left)", |s| s.name.as_str());
    if let Some(lead) = review.and_then(|review| last_change(review, name)) {
        put(buf, area, 2, y + 1, &lead, plain);
    }
    y += 2;
    if let Some(ranking) = &room.ranking {
        let masters: Vec<&str> = ranking.iter().filter(|r| r.rank == 1).map(|r| r.name.as_str()).collect();
        if let [master] = masters.as_slice() {
            put(buf, area, 2, y, &format!("{master} is Master Technomancer"), ui.theme.brass());
        } else {
            put(buf, area, 2, y, "the series is shared", ui.theme.brass());
        }
        y += 1;
    }
    let is_raced_once = room.phase == PhaseView::Over && room.options.rated;
    let ask = match room.phase {
        _ if is_raced_once => "A quick match is raced once.",
        PhaseView::Over => "Rematch?",
        PhaseView::Break => "The next round begins when all are ready, or by itself.",
        _ => "The room is closed.",
    };
    let votes: Vec<String> = room
        .seats
        .iter()
        .filter(|s| !s.left && !is_raced_once && room.phase != PhaseView::Closed)
        .map(|s| format!("{} {}", if s.ready { "[x]" } else { "[ ]" }, cut(&s.name, 14)))
        .collect();
    put(buf, area, 2, y, &format!("{ask}  {}", votes.join("  ")), plain);
    proof(buf, Rect { x: area.x + 2, width: area.width - 2, ..area }, result.round_id, ui);
}

/// On the last two lines, what proves a round.
pub fn proof(buf: &mut Buffer, area: Rect, round: Uuid, ui: &Ui) {
    // While the day is on its rounds are shown to who has had their try.
    let is_daily = ui.alone.as_ref().is_some_and(|alone| matches!(alone.what, What::Daily { .. }));
    let who = if is_daily { " --name NAME" } else { "" };
    let told = format!("Prove this result and its board with sprint verify{who}:");
    put(buf, area, 0, area.height - 2, &told, ui.theme.faint());
    let address = format!("{}/api/v1/matches/{round}", ui.server);
    put(buf, area, 0, area.height - 1, &address, ui.theme.faint());
}

fn headline(result: &RoundResult) -> String {
    let why = match result.ended {
        Ended::FirstDecided => "first place is decided",
        Ended::NobodyAtWork => "nobody is at work any more",
        Ended::TimeUp => "the time is up",
    };
    let winners: Vec<&str> =
        result.seats.iter().filter(|s| s.rank == 1 && s.finish.is_some()).map(|s| s.name.as_str()).collect();
    match winners.as_slice() {
        [] => format!("Round {}: no harmony, {why}", result.round),
        [winner] => format!("Round {}: Spire Restored! {winner} is first", result.round),
        several => format!("Round {}: Spire Restored! {} share the first place", result.round, several.join(" and ")),
    }
}

fn row(seat: &SeatResult) -> String {
    let (official, raw, credit) = match seat.finish {
        Some(finish) => (clock_ms(finish.official_ms), clock_ms(finish.raw_ms), format!("{} ms", finish.credit_ms)),
        None => ("-".to_owned(), "-".to_owned(), "-".to_owned()),
    };
    let stars: String = std::iter::repeat_n('*', seat.stars.into()).collect();
    format!(
        "{:<6}{}{official:>9}{raw:>9}{credit:>8}{:>7}{:>5}{:>7}  {stars}",
        seat.rank,
        fill(&cut(&seat.name, 16), 17),
        seat.moves,
        seat.errors,
        seat.score,
    )
}

fn remarks(seat: &SeatResult, review: Option<&Review>) -> String {
    let mut remarks = Vec::new();
    if seat.finish.is_none() {
        remarks.push(format!("{} settled", seat.settled));
    }
    let facts = [
        (seat.crown, "crown: the optimum"),
        (seat.finish.is_some() && seat.flawless, "flawless"),
        (seat.finish.is_some() && seat.errors > 0, "with errors"),
        (seat.gave_up, "gave up"),
        (seat.absent, "absent"),
        (seat.bot, "bot"),
    ];
    remarks.extend(facts.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text.to_owned()));
    let figures = review.and_then(|review| review.seats.iter().find(|figures| figures.seat == seat.seat));
    remarks.extend(figures.map(waste));
    remarks.join(", ")
}
