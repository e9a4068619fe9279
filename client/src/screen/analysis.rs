//! A round's analysis as a table: each racer's figures, who led when.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sprint_shared::review::{Review, SeatReview};
use sprint_shared::time::Seat;

use super::Theme;
use super::draw::{clock, cut, fill, put};
use super::reviews::leaders;

/// Draws the analysis.
pub fn draw<'a>(buf: &mut Buffer, area: Rect, review: &Review, name: impl Fn(Seat) -> &'a str, theme: Theme) {
    let head = format!(
        "{:<16}{:>5}{:>8}{:>7}{:>7}{:>7}{:>4}{:>8}{:>9}{:>9}",
        "racer", "made", "optimal", "wasted", "undone", "resets", "err", "median", "longest", "lost"
    );
    put(buf, area, 0, 0, &head, theme.faint());
    for (y, seat) in (1..).zip(&review.seats) {
        put(buf, area, 0, y, &row(seat, name(seat.seat)), Style::new());
    }
    let y = review.seats.len() as u16 + 1;
    let led: Vec<String> =
        leaders(review).iter().map(|(ms, seat)| format!("{} from {}", cut(name(*seat), 16), clock(*ms))).collect();
    let led = if led.is_empty() { "nobody led alone".to_owned() } else { format!("led: {}", led.join(", ")) };
    put(buf, area, 0, y, &cut(&led, area.width.into()), Style::new());
    if !review.complete {
        put(
            buf,
            area,
            0,
            y + 1,
            "Where only bounds of a distance are known, nothing is counted as wasted.",
            theme.faint(),
        );
    }
}

fn row(seat: &SeatReview, name: &str) -> String {
    let seconds = |ms: u64| format!("{}.{:02} s", ms / 1_000, ms % 1_000 / 10);
    let pace = |ms: fn(&sprint_shared::review::Pace) -> u64| {
        seat.pace.as_ref().map_or("-".to_owned(), |pace| seconds(ms(pace)))
    };
    let lost = seat.lost_since_ms.map_or("never".to_owned(), clock);
    format!(
        "{}{:>5}{:>8}{:>7}{:>7}{:>7}{:>4}{:>8}{:>9}{lost:>9}",
        fill(&cut(name, 15), 16),
        seat.transfers,
        seat.optimal,
        seat.wasted,
        seat.undone,
        seat.resets,
        seat.errors,
        pace(|pace| pace.median_ms),
        pace(|pace| pace.longest_ms),
    )
}
