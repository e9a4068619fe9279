//! The picture of the classic tower: the pegs, how far it is, why the last move was made, and the story.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Paragraph, Widget, Wrap};
use sprint_shared::classic::{DISKS_MAX, Peg, Position, Round, Tower, span};
use sprint_shared::disk::Spectrum;

use super::Tale;
use super::hand::Hand;
use crate::screen::draw::{centre, cut, is_too_small, line, put};
use crate::screen::help::{self, is_in};
use crate::screen::theme;

/// Below the pegs: how far it is, the move with its reason, the story, the message, the keys.
const BELOW: u16 = 8;
/// The title, the lifted disk, the base, the pegs' numbers.
const ABOVE: u16 = 4;

/// Draws a picture.
pub fn draw(frame: &mut Frame, tale: &Tale) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    if is_too_small(buf, area, tale.theme) {
        return;
    }
    title(buf, area, tale);
    let table = table(area);
    let places = table.height - 3;
    if tale.shares {
        shares(buf, table, tale);
    } else {
        pegs(buf, table, places, tale);
    }
    let below = Rect { y: table.y + table.height, height: 3, ..area };
    match &tale.hand {
        Some(hand) => by_hand(buf, below, tale, hand),
        None => played(buf, below, tale),
    }
    let story = Rect { y: below.y + 3, height: 3, ..area };
    flow(buf, story, &told(tale.tower), tale.theme.brass());
    let notice = match &tale.typed {
        Some(typed) => format!("after which move? 0 to {}: {typed}_", tale.tower.moves()),
        None => tale.notice.clone().unwrap_or_default(),
    };
    put(buf, line(area, area.height - 2), 0, 0, &cut(&notice, area.width.into()), tale.theme.strong());
    help::draw_line(buf, area, tale.hints(), tale.theme);
    if tale.help {
        let mouse = match tale.hand {
            Some(_) => "a click lifts and places, a drag does both",
            None => "a click on the line below the pegs goes there",
        };
        help::draw(buf, area, tale.hints(), &[mouse], tale.theme);
    }
    tale.theme.finish(buf);
}

/// Where the pegs stand: the lifted disk, the places, the base, the pegs' numbers.
fn table(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height - ABOVE - BELOW + 3, ..area }
}

/// The peg whose column a place is in.
pub fn peg_at(area: Rect, at: (u16, u16)) -> Option<Peg> {
    let table = table(area);
    let column = usize::from((at.0 - table.x) / (table.width / 3)).min(2);
    is_in(table, at).then(|| Peg::ALL[column])
}

/// The number of moves made at a place on the line below the pegs.
pub fn move_at(area: Rect, tale: &Tale, at: (u16, u16)) -> Option<u64> {
    let (table, made) = (table(area), progress(area, tale));
    let below = Rect { y: table.y + table.height, height: 1, width: made.0, ..area };
    let part = u128::from(at.0.saturating_sub(below.x));
    let (moves, last) = (u128::from(tale.tower.moves()), u128::from(made.0.max(2) - 1));
    is_in(below, at).then(|| ((part * moves + last / 2) / last) as u64)
}

/// The width of the line below the pegs, and the words behind it.
fn progress(area: Rect, tale: &Tale) -> (u16, String) {
    let text = format!(" {} of {}", tale.playback.made(), tale.tower.moves());
    (area.width - text.len() as u16, text)
}

fn title(buf: &mut Buffer, area: Rect, tale: &Tale) {
    let tower = tale.tower;
    let disks = if tower.disks() == 1 { "1 disk".to_owned() } else { format!("{} disks", tower.disks()) };
    let text = format!("THE CLASSIC TOWER  {disks} from {} to {}", tower.source(), tower.target());
    put(buf, area, 0, 0, &text, tale.theme.brass());
    let state = match &tale.hand {
        Some(_) => "by hand".to_owned(),
        None => {
            let state = if tale.playback.is_playing() { "playing" } else { "paused" };
            format!("{state}  {} a second  {}", tale.playback.speed(), tale.method)
        }
    };
    put(buf, area, area.width.saturating_sub(state.len() as u16), 0, &state, tale.theme.strong());
}

fn pegs(buf: &mut Buffer, area: Rect, places: u16, tale: &Tale) {
    let position = tale.position();
    let width = area.width / 3;
    let held = tale.hand.as_ref().and_then(Hand::held);
    for peg in Peg::ALL {
        let column = Rect { x: area.x + width * peg.index() as u16, width, ..area };
        let lifted = position.top(peg).filter(|_| held == Some(peg));
        if let Some(disk) = lifted {
            centre(buf, column, 0, &plate(disk, width, tale.tower), jewel(disk, tale));
        }
        let rows = rows(&position, peg, lifted, usize::from(places));
        for place in 0..places {
            let y = places - place;
            match rows.get(usize::from(place)) {
                Some(Row::Disk(disk)) => centre(buf, column, y, &plate(*disk, width, tale.tower), jewel(*disk, tale)),
                Some(Row::Run(large, small)) => {
                    centre(buf, column, y, &run(*large, *small, width, tale.tower), tale.theme.brass())
                }
                Some(Row::More(count)) => centre(buf, column, y, &format!("and {count} below"), tale.theme.faint()),
                None => centre(buf, column, y, tale.theme.peg(), tale.theme.faint()),
            }
        }
        put(buf, column, 0, places + 1, &tale.theme.base(width - 1), tale.theme.faint());
        let number = named(peg, &position, tale);
        let style = if held == Some(peg) { tale.theme.strong() } else { tale.theme.brass() };
        centre(buf, column, places + 2, &number, style);
    }
}

/// The peg's number, what it is, and how many disks are on it.
fn named(peg: Peg, position: &Position, tale: &Tale) -> String {
    let what = match peg {
        peg if peg == tale.tower.source() => " from",
        peg if peg == tale.tower.target() => " to",
        _ => "",
    };
    match position.on(peg).count() {
        0 => format!("{peg}{what}, empty"),
        1 => format!("{peg}{what}, 1 disk"),
        count => format!("{peg}{what}, {count} disks"),
    }
}

/// What one line of a peg shows.
enum Row {
    Disk(u8),
    /// Neighbours in size, the largest and the smallest.
    Run(u8, u8),
    /// So many disks that there is no line for.
    More(usize),
}

/// A peg from the bottom up: a line a disk where there is room for the tower, else a line for disks that follow one another.
fn rows(position: &Position, peg: Peg, lifted: Option<u8>, places: usize) -> Vec<Row> {
    let on: Vec<u8> = position.on(peg).filter(|&disk| Some(disk) != lifted).collect();
    if usize::from(position.disks()) <= places {
        return on.into_iter().map(Row::Disk).collect();
    }
    let runs: Vec<&[u8]> = on.chunk_by(|above, below| above - below == 1).collect();
    let hidden = if runs.len() > places { runs.len() - places + 1 } else { 0 };
    let below = runs[..hidden].iter().map(|run| run.len()).sum();
    let shown = runs[hidden..].iter().map(|run| match run {
        [disk] => Row::Disk(*disk),
        run => Row::Run(run[0], run[run.len() - 1]),
    });
    (hidden > 0).then_some(Row::More(below)).into_iter().chain(shown).collect()
}

/// From 3 characters for disk 1 to the column's width, less a gap, for the largest.
fn disk_width(disk: u8, column: u16, tower: Tower) -> usize {
    let steps = usize::from(column.saturating_sub(4) / 2);
    let largest = usize::from(tower.disks().max(2) - 1);
    // An odd width has a middle, like the column.
    3 + 2 * (steps * usize::from(disk - 1) / largest)
}

fn plate(disk: u8, column: u16, tower: Tower) -> String {
    theme::plate(spectrum(disk), &disk.to_string(), disk_width(disk, column, tower))
}

fn run(large: u8, small: u8, column: u16, tower: Tower) -> String {
    let label = format!(" {large} to {small} ");
    let width = disk_width(large, column, tower).max(label.len() + 2);
    format!("[{label:=^0$}]", width - 2)
}

/// Odd disks and even ones tell apart, as two of the four methods do.
fn spectrum(disk: u8) -> Spectrum {
    if disk.is_multiple_of(2) { Spectrum::Sapphire } else { Spectrum::Amber }
}

fn jewel(disk: u8, tale: &Tale) -> Style {
    tale.theme.jewel(spectrum(disk))
}

/// How far it is, and why the last move was made.
fn played(buf: &mut Buffer, area: Rect, tale: &Tale) {
    let (made, moves) = (tale.playback.made(), tale.tower.moves());
    let (bar, text) = progress(area, tale);
    let at = (u128::from(made) * u128::from(bar - 1) / u128::from(moves.max(1))) as u16;
    put(buf, area, 0, 0, &tale.theme.rule(bar), tale.theme.faint());
    put(buf, area, 0, 0, &"=".repeat(at.into()), tale.theme.brass());
    put(buf, area, at, 0, "O", tale.theme.strong());
    put(buf, area, bar, 0, &text, tale.theme.strong());
    let why = match (tale.tower.move_at(made.into()), tale.method.reason(tale.tower, made.into())) {
        (Ok(step), Ok(reason)) => {
            put(
                buf,
                area,
                0,
                1,
                &format!("Disk {} from peg {} to peg {}.", step.disk, step.from, step.to),
                Style::new(),
            );
            reason
        }
        _ if moves == 0 => "No disks, no moves: the tower stands on every peg at once.".to_owned(),
        _ => "Nothing has moved yet.".to_owned(),
    };
    put(buf, area, 0, 2, &why, Style::new());
}

fn by_hand(buf: &mut Buffer, area: Rect, tale: &Tale, hand: &Hand) {
    let left = hand.position().moves_left(tale.tower.target());
    let text = format!("moves {}   left at best {left}", hand.made());
    put(buf, area, 0, 0, &text, tale.theme.strong());
    let hint = match (hand.hint(), hand.held()) {
        (Some(step), _) => format!("Hint: disk {} from peg {} to peg {}.", step.disk, step.from, step.to),
        (None, Some(peg)) => format!("In the hand: the top disk of peg {peg}."),
        (None, None) => String::new(),
    };
    put(buf, area, 0, 1, &hint, Style::new());
}

/// Each disk's share of the moves: five columns of numbers that grow shorter.
fn shares(buf: &mut Buffer, area: Rect, tale: &Tale) {
    let tower = tale.tower;
    let ways =
        |disk: u8| (disk <= tower.disks()).then(|| tower.round_of(disk)).map(|Round([a, b, c])| format!("{a}-{b}-{c}"));
    let head = match (ways(1), ways(2)) {
        (Some(odd), Some(even)) => format!("moves of each disk: odd disks go round {odd}, even ones {even}"),
        (Some(odd), None) => format!("moves of the disk, which goes {odd}"),
        _ => "no disks, no moves".to_owned(),
    };
    put(buf, area, 0, 0, &head, tale.theme.strong());
    let disks: Vec<u8> = (1..=tower.disks()).collect();
    let mut x = 0;
    for column in disks.chunks(usize::from(area.height - 1)) {
        let digits = column.first().map_or(0, |&disk| tower.moves_of(disk).to_string().len());
        for (y, &disk) in (1..).zip(column) {
            put(buf, area, x, y, &format!("{disk:>2} "), tale.theme.faint());
            put(buf, area, x + 3, y, &format!("{:>digits$}", tower.moves_of(disk)), jewel(disk, tale));
        }
        x += digits as u16 + 5;
    }
}

/// The story of 1883 in our words, with the figures that follow from it.
fn told(tower: Tower) -> String {
    let golden = Tower::new(DISKS_MAX.into(), tower.source(), tower.target()).expect("the tower of the story");
    let own = if tower == golden { String::new() } else { format!(" This tower: {}.", span(tower.moves())) };
    format!(
        "Édouard Lucas, as N. Claus de Siam, told in 1883 of a temple with 64 golden disks: once all are moved, \
         the world ends. One move a second: {}.{own}",
        span(golden.moves())
    )
}

/// Text over several lines.
fn flow(buf: &mut Buffer, area: Rect, text: &str, style: Style) {
    Paragraph::new(text).style(style).wrap(Wrap { trim: true }).render(area, buf);
}
