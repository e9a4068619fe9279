//! The large board: pegs side by side, disks with rims, letters and sizes, the held disk above its source.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use sprint_shared::board::Board;
use sprint_shared::disk::{Disk, Spectrum};
use sprint_shared::options::Placement;
use sprint_shared::peg::PegId;
use sprint_shared::play::Play;
use sprint_shared::rules::Transfer;

use super::alone::Hint;
use super::draw::{centre, put};
use super::help::is_in;
use super::scene::{Scene, Ui};
use super::theme;

/// The hand, seven places, the base, the numbers.
pub const HEIGHT: u16 = 10;
const PLACES: u16 = 7;
/// Wider pegs than this only drift apart.
const PEG_WIDTH_MAX: u16 = 14;

/// A peg's width, and where the first one begins.
fn columns(area: Rect, pegs: u16) -> (u16, u16) {
    let width = (area.width / pegs).min(PEG_WIDTH_MAX);
    (width, (area.width - width * pegs) / 2)
}

/// The peg, from 1, whose column a place is in: from the hand down to the number.
pub fn peg_at(area: Rect, pegs: u16, at: (u16, u16)) -> Option<u32> {
    let (width, left) = columns(area, pegs);
    let board = Rect { x: area.x + left, width: width * pegs, height: HEIGHT, ..area };
    is_in(board, at).then(|| u32::from((at.0 - board.x) / width) + 1)
}

/// Draws a play's board.
pub fn draw(buf: &mut Buffer, area: Rect, play: &Play, scene: &Scene, ui: &Ui) {
    let board = play.board();
    let pegs = board.pegs().len() as u16;
    let (width, left) = columns(area, pegs);
    let largest = board.disks().iter().map(Disk::size).max().unwrap_or(1);
    for peg in board.pegs().ids() {
        let column = Rect { x: area.x + left + width * peg.index() as u16, width, ..area };
        self::peg(buf, column, play, peg, largest, ui);
        let (number, hint) = (number(play, peg, scene), hinted(play, peg, ui));
        let style = match hint {
            Some(_) => ui.theme.alarm(),
            None if play.held() == Some(peg) => ui.theme.strong(),
            None => ui.theme.brass(),
        };
        let number = hint.map_or_else(|| number.clone(), |sign| format!("{sign}{number}"));
        centre(buf, column, HEIGHT - 1, &number, style);
    }
}

fn peg(buf: &mut Buffer, area: Rect, play: &Play, peg: PegId, largest: u8, ui: &Ui) {
    let board = play.board();
    let mut disks = board.peg(peg).disks();
    if let (true, Some((&held, below))) = (play.held() == Some(peg), disks.split_last()) {
        let text = theme::disk(held, disk_width(held, area.width, largest));
        centre(buf, area, 0, &text, ui.theme.jewel(held.spectrum()));
        disks = below;
    }
    let room = u16::from(board.room(peg, play.transfers())).max(disks.len() as u16);
    for place in 0..PLACES {
        let y = PLACES - place;
        match disks.get(usize::from(place)) {
            Some(&disk) => {
                let text = theme::disk(disk, disk_width(disk, area.width, largest));
                centre(buf, area, y, &text, ui.theme.jewel(disk.spectrum()));
            }
            None if place < room => centre(buf, area, y, ui.theme.peg(), ui.theme.faint()),
            None => {}
        }
    }
    put(buf, area, 0, PLACES + 1, &ui.theme.base(area.width - 1), ui.theme.faint());
}

/// From 4 characters for the smallest size to the peg's width, less a gap, for the largest.
fn disk_width(disk: Disk, peg_width: u16, largest: u8) -> usize {
    let most = usize::from(peg_width.saturating_sub(1)).max(4);
    let steps = usize::from(largest.saturating_sub(1)).max(1);
    4 + (most - 4) * usize::from(disk.size() - 1) / steps
}

/// The peg's number with what is special about it: `4#` sealed, `4:2` room for two, `4=R` the home of Ruby, `[4]` a
/// legal target in a guarded room.
fn number(play: &Play, peg: PegId, scene: &Scene) -> String {
    let (board, made) = (play.board(), play.transfers());
    let mut text = peg.to_string();
    if let Some(held) = play.held().filter(|_| scene.room.options.placement == Placement::Guarded)
        && let Ok(disk) = board.can_lift(held, made)
        && board.can_place(disk, held, peg, made).is_ok()
    {
        text = format!("[{text}]");
    }
    if board.is_sealed(peg, made) {
        text.push('#');
    }
    if board.room(peg, made) < 7 {
        text.push_str(&format!(":{}", board.room(peg, made)));
    }
    if let Some(spectrum) = home_of(board, peg) {
        text.push_str(&format!("={}", spectrum.letter()));
    }
    text
}

/// `^` where the hint takes a disk from and `v` where it takes it, for as long as the board stands so.
fn hinted(play: &Play, peg: PegId, ui: &Ui) -> Option<char> {
    let Hint { ply, transfer: Transfer { from, to } } = ui.alone.as_ref()?.hint?;
    let follows = play.ply() == ply && play.held().is_none() || play.ply() == ply + 1 && play.held() == Some(from);
    match peg {
        peg if follows && peg == from => Some('^'),
        peg if follows && peg == to => Some('v'),
        _ => None,
    }
}

fn home_of(board: &Board, peg: PegId) -> Option<Spectrum> {
    Spectrum::ALL.into_iter().find(|&s| board.home(s) == Some(peg))
}
