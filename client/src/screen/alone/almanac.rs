//! The almanac of Campaign Master on 80 by 24: the stages by chapter, the chosen one's board and idea beside them.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::{DefaultTerminal, Frame};
use sprint_shared::api::{Progress, StageInfo, StageRecord};
use sprint_shared::board::Board;
use sprint_shared::disk::Spectrum;
use sprint_shared::play::Play;

use super::picture::{features, flow, record as record_told};
use super::stars;
use crate::screen::draw::{body, clock_ms, cut, is_too_small, line, put};
use crate::screen::help::{self, HELP, Hint, clicked, is_in, pressed};
use crate::screen::keyboard::{self, Input};
use crate::screen::rivals::small_board;
use crate::screen::{Theme, ended, undrawable};
use crate::session::Ended;

/// The list's width, a rule and a gap included.
const LIST: u16 = 48;
/// What a board of nine pegs takes below its heights: the numbers, and what is special about a peg.
const DIAGRAM: u16 = 9;
/// The keys are waited for; a terminal that changes its size is drawn anew that often.
const TICK: Duration = Duration::from_millis(250);

/// The almanac as somebody looks through it.
pub struct Shelf {
    /// The stages in order.
    pub stages: Vec<StageInfo>,
    /// How far the player has come.
    pub progress: Progress,
    /// The chosen stage, by place in the list.
    pub chosen: usize,
    /// The number that is being typed.
    typed: String,
    /// The last thing said.
    pub notice: Option<String>,
    /// Looks.
    pub theme: Theme,
    /// Signs that ASCII has not.
    pub unicode: bool,
    /// The overlay that lists the keys is shown.
    pub help: bool,
}

/// The keys of the almanac.
pub const HINTS: [Hint; 6] = [
    Hint {
        codes: &[
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Char('k'),
            KeyCode::Char('j'),
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Home,
            KeyCode::End,
        ],
        label: "arrows, PgUp, PgDn",
        short: "choose",
        long: "choose a stage; so do k, j, Home and End",
    },
    Hint {
        codes: &[
            KeyCode::Char('0'),
            KeyCode::Char('1'),
            KeyCode::Char('2'),
            KeyCode::Char('3'),
            KeyCode::Char('4'),
            KeyCode::Char('5'),
            KeyCode::Char('6'),
            KeyCode::Char('7'),
            KeyCode::Char('8'),
            KeyCode::Char('9'),
        ],
        label: "0-9",
        short: "its number",
        long: "type a stage's number",
    },
    Hint { codes: &[KeyCode::Enter], label: "Enter", short: "begin", long: "begin the chosen stage" },
    Hint { codes: &[KeyCode::Char('q'), KeyCode::Esc], label: "q", short: "leave", long: "leave; so does Esc" },
    Hint { codes: &[], label: "Ctrl-C", short: "", long: "leave" },
    HELP,
];

/// What a key in the almanac asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Nothing but another picture.
    Nothing,
    /// A session on this stage.
    Begin(u8),
    /// The end.
    Quit,
}

impl Shelf {
    /// Opened at the last stage that is open.
    pub fn new(stages: Vec<StageInfo>, progress: Progress, theme: Theme, unicode: bool) -> Shelf {
        let (typed, notice) = (String::new(), None);
        let mut shelf = Shelf { stages, progress, chosen: 0, typed, notice, theme, unicode, help: false };
        shelf.choose(shelf.progress.open);
        shelf
    }

    /// Chooses a stage by its number; there may be none of that.
    pub fn choose(&mut self, stage: u8) {
        self.chosen = self.stages.iter().position(|known| known.stage == stage).unwrap_or(self.chosen);
    }

    /// Does what a key asks for.
    pub fn press(&mut self, key: KeyEvent) -> Choice {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Choice::Quit } else { Choice::Nothing };
        }
        self.notice = None;
        if std::mem::take(&mut self.help) {
            return Choice::Nothing;
        }
        if let KeyCode::Char(digit @ '0'..='9') = key.code {
            self.type_on(digit);
            return Choice::Nothing;
        }
        self.typed.clear();
        let last = self.stages.len().saturating_sub(1);
        self.chosen = match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.chosen.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.chosen + 1,
            KeyCode::PageUp => self.chosen.saturating_sub(10),
            KeyCode::PageDown => self.chosen + 10,
            KeyCode::Home => 0,
            KeyCode::End => last,
            KeyCode::Enter => return self.begin(),
            KeyCode::Char('q') | KeyCode::Esc => return Choice::Quit,
            KeyCode::Char('?') => {
                self.help = true;
                self.chosen
            }
            _ => self.chosen,
        }
        .min(last);
        Choice::Nothing
    }

    /// Does what the mouse asks for on a screen of that size: a click chooses a stage, one on the chosen stage begins it.
    pub fn touch(&mut self, mouse: MouseEvent, area: Rect) -> Choice {
        let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
        match mouse.kind {
            MouseEventKind::ScrollUp => return self.press(key(KeyCode::Up)),
            MouseEventKind::ScrollDown => return self.press(key(KeyCode::Down)),
            _ => {}
        }
        let Some(at) = pressed(mouse) else { return Choice::Nothing };
        if self.help {
            return self.press(key(KeyCode::Null));
        }
        if let Some(key) = clicked(mouse, area, &HINTS) {
            return self.press(key);
        }
        let list = Rect { width: LIST, ..body(area) };
        let rows = rows(&self.stages);
        // The first line is the head.
        let row = at.1.checked_sub(list.y + 1).filter(|_| is_in(list, at));
        let row = row.and_then(|y| rows.get(top(&rows, self.chosen, list) + usize::from(y)));
        match row {
            Some(Row::Stage(at)) if *at == self.chosen => self.press(key(KeyCode::Enter)),
            Some(Row::Stage(at)) => {
                self.chosen = *at;
                (self.notice, self.typed) = (None, String::new());
                Choice::Nothing
            }
            _ => Choice::Nothing,
        }
    }

    /// A digit more, or the first one of another number where there is no such stage.
    fn type_on(&mut self, digit: char) {
        self.typed.push(digit);
        let is_stage =
            |typed: &str| typed.parse::<u8>().is_ok_and(|number| self.stages.iter().any(|s| s.stage == number));
        if !is_stage(&self.typed) {
            self.typed = digit.to_string();
        }
        if let Ok(number) = self.typed.parse() {
            self.choose(number);
        }
    }

    fn begin(&mut self) -> Choice {
        let Some(stage) = self.stages.get(self.chosen).map(|stage| stage.stage) else { return Choice::Nothing };
        if stage > self.progress.open {
            self.notice = Some(format!("stage {stage} opens once stage {} is solved", stage - 1));
            return Choice::Nothing;
        }
        Choice::Begin(stage)
    }

    fn record(&self, stage: u8) -> Option<&StageRecord> {
        self.progress.stages.iter().find(|record| record.stage == stage)
    }
}

/// Shows the almanac until a stage is chosen; `None` if the person is done with it.
pub(crate) async fn choose(terminal: &mut DefaultTerminal, shelf: &mut Shelf) -> Result<Option<u8>, Ended> {
    let mut keys = keyboard::open().await;
    let mut tick = tokio::time::interval(TICK);
    loop {
        terminal.draw(|frame| draw(frame, shelf)).map_err(|error| ended(undrawable(&error)))?;
        tokio::select! {
            input = keys.on_screen() => {
                let choice = match input {
                    Some(Ok(Input::Key(key))) => shelf.press(key),
                    Some(Ok(Input::Mouse(mouse))) => shelf.touch(mouse, terminal.get_frame().area()),
                    Some(Ok(Input::Other)) => Choice::Nothing,
                    Some(Err(why)) => return Err(ended(why)),
                    None => return Ok(None),
                };
                match choice {
                    Choice::Nothing => {}
                    Choice::Begin(stage) => return Ok(Some(stage)),
                    Choice::Quit => return Ok(None),
                }
            }
            _ = tick.tick() => {}
        }
    }
}

/// Draws the almanac.
pub fn draw(frame: &mut Frame, shelf: &Shelf) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    if is_too_small(buf, area, shelf.theme) {
        return;
    }
    let solved = shelf.progress.stages.iter().filter(|record| record.solved > 0).count();
    let won: u32 = shelf.progress.stages.iter().map(|record| u32::from(record.stars)).sum();
    let crowns = shelf.progress.stages.iter().filter(|record| record.crown).count();
    let crowned = if crowns == 1 { "1 crown".to_owned() } else { format!("{crowns} crowns") };
    let so_far = format!("{solved} of {} solved, {won} stars, {crowned}", shelf.stages.len());
    put(buf, area, 0, 0, "CAMPAIGN MASTER  the almanac", shelf.theme.brass());
    put(buf, area, area.width.saturating_sub(so_far.len() as u16), 0, &so_far, shelf.theme.strong());
    let body = body(area);
    list(buf, Rect { width: LIST, ..body }, shelf);
    if let Some(stage) = shelf.stages.get(shelf.chosen) {
        let beside = Rect { x: body.x + LIST, width: body.width - LIST, ..body };
        chosen(buf, beside, stage, shelf);
    }
    let notice = shelf.notice.as_deref().unwrap_or_default();
    put(buf, line(area, area.height - 2), 0, 0, &cut(notice, area.width.into()), shelf.theme.strong());
    help::draw_line(buf, area, &HINTS, shelf.theme);
    if shelf.help {
        let mouse = ["a click chooses a stage, another begins it"];
        help::draw(buf, area, &HINTS, &mouse, shelf.theme);
    }
    shelf.theme.finish(buf);
}

/// A line of the list.
enum Row<'a> {
    Chapter(&'a str),
    Stage(usize),
}

fn rows(stages: &[StageInfo]) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for (at, stage) in stages.iter().enumerate() {
        if at == 0 || stages[at - 1].chapter != stage.chapter {
            rows.push(Row::Chapter(&stage.chapter));
        }
        rows.push(Row::Stage(at));
    }
    rows
}

/// The first line that is shown, so that the chosen stage is about the middle.
fn top(rows: &[Row], chosen: usize, area: Rect) -> usize {
    let height = usize::from(area.height - 1);
    let at = rows.iter().position(|row| matches!(row, Row::Stage(at) if *at == chosen)).unwrap_or(0);
    at.saturating_sub(height / 2).min(rows.len().saturating_sub(height))
}

fn list(buf: &mut Buffer, area: Rect, shelf: &Shelf) {
    let crown = if shelf.unicode { "♛" } else { "C" };
    put(
        buf,
        area,
        0,
        0,
        &format!("     {:<23} {:<4}{crown} {:>6} {:>4}", "stage", "won", "moves", "par"),
        shelf.theme.faint(),
    );
    let rows = rows(&shelf.stages);
    let top = top(&rows, shelf.chosen, area);
    for (y, row) in (1..).zip(rows.iter().skip(top).take(usize::from(area.height - 1))) {
        match row {
            Row::Chapter(name) => put(buf, area, 0, y, name, shelf.theme.brass()),
            Row::Stage(at) => {
                let stage = &shelf.stages[*at];
                let style = match () {
                    () if *at == shelf.chosen => shelf.theme.strong(),
                    () if stage.stage > shelf.progress.open => shelf.theme.faint(),
                    () => Style::new(),
                };
                let mark = if *at == shelf.chosen { '>' } else { ' ' };
                put(buf, area, 0, y, &format!("{mark}{}", row_of(stage, shelf)), style);
            }
        }
    }
}

/// Number, name, stars, crown, the fewest moves of the optimum, par; or that it is locked.
fn row_of(stage: &StageInfo, shelf: &Shelf) -> String {
    let named = format!("{:>3} {:<23} ", stage.stage, cut(&stage.name, 23));
    let record = shelf.record(stage.stage).filter(|record| record.solved > 0);
    let (won, crown, moves) = match record {
        None if stage.stage > shelf.progress.open => ("lock".to_owned(), ' ', format!("-/{}", stage.optimum)),
        None => (stars(0, shelf.unicode), ' ', format!("-/{}", stage.optimum)),
        Some(record) => {
            let moves = record.moves.map_or_else(|| "-".to_owned(), |moves| moves.to_string());
            let crown = if shelf.unicode { '♛' } else { 'C' };
            let crown = if record.crown { crown } else { ' ' };
            (stars(record.stars, shelf.unicode), crown, format!("{moves}/{}", stage.optimum))
        }
    };
    format!("{named}{won:<4}{crown} {moves:>6} {:>4}", stage.par)
}

/// The chosen stage: name, idea, board, what it is made of, the player's record.
fn chosen(buf: &mut Buffer, area: Rect, stage: &StageInfo, shelf: &Shelf) {
    let theme = shelf.theme;
    for y in 0..area.height {
        put(buf, area, 0, y, theme.wall(), theme.faint());
    }
    let area = Rect { x: area.x + 2, width: area.width - 2, ..area };
    put(buf, area, 0, 0, &format!("{} {}", stage.stage, stage.name), theme.strong());
    let below = |y: u16, height: u16| Rect { y: area.y + y, height, ..area };
    flow(buf, below(1, 4), &stage.idea, theme.brass());
    if let Ok(board) = stage.board.parse() {
        diagram(buf, below(5, DIAGRAM), board, theme);
    }
    let mut y = 5 + DIAGRAM + 1;
    y += flow(buf, below(y, 2), &features(stage), theme.faint());
    put(buf, area, 0, y, &format!("best {}, par {}", stage.optimum, stage.par), Style::new());
    let known = shelf.record(stage.stage);
    let Some(record) = known.filter(|record| record.solved > 0) else {
        let is_locked = stage.stage > shelf.progress.open;
        let state = if is_locked { "locked".to_owned() } else { record_told(known, stage.optimum, shelf.unicode) };
        put(buf, area, 0, y + 1, &state, theme.strong());
        return;
    };
    let moves = record.moves.map_or_else(|| "-".to_owned(), |moves| moves.to_string());
    let time = record.official_ms.map_or_else(|| "-".to_owned(), clock_ms);
    put(buf, area, 0, y + 1, &format!("you: {moves} moves, {time}"), theme.strong());
    let tries = format!("score {}, solved {} of {}", record.score, record.solved, record.tries);
    put(buf, area, 0, y + 2, &tries, Style::new());
}

/// A board in small, with seals and homes below the pegs' numbers.
fn diagram(buf: &mut Buffer, area: Rect, board: Board, theme: Theme) {
    for peg in board.pegs().ids() {
        let home = Spectrum::ALL.into_iter().find(|&spectrum| board.home(spectrum) == Some(peg));
        let sign = match home {
            _ if board.is_sealed(peg, 0) => "#".to_owned(),
            Some(home) => format!("={}", home.letter()),
            None => String::new(),
        };
        put(buf, area, peg.index() as u16 * 3, DIAGRAM - 1, &sign, theme.faint());
    }
    small_board(buf, area, &Play::new(board), theme);
}
