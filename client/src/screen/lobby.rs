//! The lobby: how others get here, what will be played, who is ready.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sprint_shared::options::{Contest, Opponents, Placement, RoomOptions};
use sprint_shared::protocol::Emote;

use super::draw::{cut, fill, put};
use super::emote::words;
use super::scene::{Scene, Ui};

/// The line above the first seat's.
const SEATS: u16 = 11;

/// The number of the seat whose line a place is on.
pub fn seat_at(area: Rect, (_, y): (u16, u16)) -> Option<u8> {
    let number = y.checked_sub(area.y + SEATS)?;
    u8::try_from(number).ok().filter(|number| (1..=4).contains(number))
}

/// Draws the lobby.
pub fn draw(buf: &mut Buffer, area: Rect, scene: &Scene, ui: &Ui) {
    let (room, plain) = (scene.room, Style::new());
    put(buf, area, 2, 1, "Invite the others:", ui.theme.brass());
    put(buf, area, 4, 2, &format!("browser   {}/r/{}", ui.server, room.code), plain);
    put(buf, area, 4, 3, &format!("terminal  sprint play --server {} --room {}", ui.server, room.code), plain);
    put(buf, area, 2, 5, "The race:", ui.theme.brass());
    for (y, text) in (6..).zip(terms(&room.options)) {
        put(buf, area, 4, y, &text, plain);
    }
    let seats = SEATS;
    put(buf, area, 2, seats, "Seats:", ui.theme.brass());
    for number in 1..=room.options.seats {
        let y = seats + u16::from(number);
        let Some(sitter) = room.seats.iter().find(|s| s.seat.number() == number) else {
            put(buf, area, 4, y, &format!("{number}  (free)"), ui.theme.faint());
            continue;
        };
        let mark = if sitter.ready { "[x] ready" } else { "[ ]" };
        let mut notes = Vec::new();
        notes.extend((room.seat == Some(sitter.seat)).then_some("you"));
        notes.extend((room.host == Some(sitter.seat)).then_some("host"));
        notes.extend(sitter.bot.then_some("bot"));
        notes.extend((!sitter.present).then_some("not connected"));
        let style = if room.seat == Some(sitter.seat) { ui.theme.strong() } else { plain };
        let text = format!("{number}  {} {mark:<10} {}", fill(&sitter.name, 22), notes.join(", "));
        put(buf, area, 4, y, &text, style);
    }
    let here = room.seats.iter().filter(|s| !s.left).count();
    let waiting = match here {
        0 | 1 => "A race needs two: waiting for somebody to come in.",
        _ => "The race begins as soon as everybody here is ready.",
    };
    put(buf, area, 2, seats + 6, waiting, plain);
    for (y, line) in (seats + 7..).zip(emotes(ui.muted)) {
        put(buf, area, 2, y, &line, ui.theme.faint());
    }
}

/// The keys that show something, in two lines.
fn emotes(muted: bool) -> [String; 2] {
    let key = |(number, emote): (usize, &Emote)| format!("F{} {}", number + 1, words(*emote));
    let keys: Vec<String> = Emote::ALL.iter().enumerate().map(key).collect();
    let mute = if muted { "m unmute the others" } else { "m mute the others" };
    [keys[..5].join("  "), format!("{}  {mute}", keys[5..].join("  "))]
}

fn terms(options: &RoomOptions) -> Vec<String> {
    let board = match &options.blueprint {
        Some(board) => format!("blueprint {}", cut(board, 60)),
        None => {
            let spec = options.preset.spec();
            let (least, most) = (spec.optimum.start(), spec.optimum.end());
            format!(
                "{}: {} spectra of {} on {} pegs, solved in {least} to {most} moves at best",
                options.preset, spec.spectra, spec.sizes, spec.pegs
            )
        }
    };
    let contest = match options.contest {
        Contest::Fastest => "the first clean finish wins",
        Contest::Fewest => "fewest moves win, then time",
    };
    let placement = match options.placement {
        Placement::Strict => "strict: an illegal placement is an error for good",
        Placement::Guarded => "guarded: an illegal placement costs nothing",
    };
    let opponents = match options.opponents {
        Opponents::Boards => "you see each other's boards",
        Opponents::Progress => "you see each other's progress",
    };
    let limit = options.time_limit_s();
    vec![
        board,
        format!("{contest}; best of {}; {}:{:02} a round", options.rounds, limit / 60, limit % 60),
        placement.to_owned(),
        format!("{opponents}; {}", if options.rated { "rated" } else { "unrated" }),
    ]
}
