//! One honest round to tamper with: four racers, errors, undo, reset, a two-handed act, a giving up, an interruption.

use serde_json::{Value, json};
use sprint_shared::analysis::Analyst;
use sprint_shared::board::Board;
use sprint_shared::deal::{Seed, deal};
use sprint_shared::event::{Event, Nonce};
use sprint_shared::fairness::board_seed;
use sprint_shared::options::RoomOptions;
use sprint_shared::peg::PegId;
use sprint_shared::play::{Act, Deed};
use sprint_shared::preset::Preset;
use sprint_shared::protocol::wire::wire;
use sprint_shared::race::{Command, Race, Viewer};
use sprint_shared::rules::Transfer;
use sprint_shared::solver::Budget;
use sprint_shared::time::Millis;

use crate::table::{COUNTDOWN_MS, Table, seat, stored};

/// A racer's way to harmony on the dealt board.
fn shortest(board: &Board) -> Vec<Transfer> {
    let (mut analyst, mut at, mut line) = (Analyst::new(board, Budget::default()), board.clone(), Vec::new());
    while let Some(&next) = analyst.best(&at, line.len() as u32).first() {
        at.play_unchecked(next);
        line.push(next);
    }
    assert!(at.is_harmony());
    line
}

fn pegs(board: &Board) -> impl Iterator<Item = PegId> {
    (1..=board.pegs().len() as u32).map(|number| PegId::new(number).expect("a peg of the board"))
}

/// The first illegal transfer of a disk.
fn illegal(board: &Board) -> Transfer {
    let all = pegs(board).flat_map(|from| pegs(board).map(move |to| Transfer { from, to }));
    let mut loaded = all.filter(|t| t.from != t.to && !board.peg(t.from).is_empty());
    loaded.find(|t| board.check(*t, 0).is_err()).expect("some transfer is illegal")
}

/// The empty pegs, of which a dealt board has two.
pub fn empty(board: &Board) -> Vec<PegId> {
    pegs(board).filter(|&peg| board.peg(peg).is_empty()).collect()
}

struct Racing {
    table: Table,
}

impl Racing {
    /// An act a little later, and what it did.
    fn act(&mut self, number: u8, act: Act) -> Deed {
        self.table.pass(137);
        self.table.act(number, act).expect("an act of the story")
    }

    fn go(&mut self, number: u8, Transfer { from, to }: Transfer) -> Deed {
        self.act(number, Act::Move { from: from.number().into(), to: to.number().into() })
    }

    fn err(&mut self, number: u8, board: &Board) {
        assert!(matches!(self.go(number, illegal(board)), Deed::Erred { .. }));
    }
}

/// The round as the server would answer it, in JSON. Seat 1 wins, seat 2 finished with an error before, seat 3 is beaten,
/// seat 4 gave up.
pub fn round() -> Value {
    let nonces = [1, 2, 3, 4].map(|number| Some(Nonce([number; 16])));
    let dealt = deal(Preset::Initiate, &board_seed(&Seed([1; 32]), &nonces));
    let mut table = Table::open(RoomOptions { seats: 4, preset: Preset::Initiate, ..RoomOptions::default() });
    (table.board, table.optimum, table.one_way_ms) = (dealt.board.clone(), Some(dealt.optimum), [20, 0, 5, 40]);
    for number in 1..=4 {
        table.sit(number);
    }
    for number in 1..=4 {
        table.pass(10);
        table.tell(number, Command::Ready(true)).expect("ready");
    }
    table.pass(3);
    table.give_nonces();
    table.pass(COUNTDOWN_MS);
    let mut racing = Racing { table };
    play(&mut racing, &dealt.board);
    serde_json::to_value(stored(&racing.table)).expect("plain")
}

fn play(racing: &mut Racing, board: &Board) {
    let (line, free) = (shortest(board), empty(board));
    let (first, last) = line.split_at(line.len() / 2);
    let loaded = pegs(board).find(|&peg| !board.peg(peg).is_empty()).expect("a loaded peg");
    let over = |from, to| Transfer { from, to };
    racing.err(2, board);
    racing.go(1, first[0]);
    racing.go(2, line[0]);
    racing.go(4, over(loaded, free[0]));
    racing.go(3, over(loaded, free[0]));
    racing.go(3, over(free[0], free[1]));
    racing.act(3, Act::Undo);
    racing.act(3, Act::Reset);
    first[1..].iter().for_each(|&transfer| assert!(matches!(racing.go(1, transfer), Deed::Transferred { .. })));
    racing.table.crash(4_000);
    for number in 1..=4 {
        racing.table.pass(9);
        racing.table.tell(number, Command::Connect).expect("back");
    }
    racing.table.pass(COUNTDOWN_MS);
    line[1..].iter().for_each(|&transfer| assert!(matches!(racing.go(2, transfer), Deed::Transferred { .. })));
    racing.act(3, Act::Lift { peg: loaded.number().into() });
    assert_eq!(racing.act(3, Act::Lift { peg: 1 }), Deed::TwoHanded);
    racing.act(3, Act::Place { peg: free[0].number().into() });
    racing.act(3, Act::Undo);
    racing.err(3, board);
    racing.err(3, board);
    racing.table.pass(50);
    racing.table.tell(4, Command::GiveUp).expect("at work");
    last.iter().for_each(|&transfer| assert!(matches!(racing.go(1, transfer), Deed::Transferred { .. })));
    racing.table.pass(100);
}

/// How many events of the record come before the round's own.
pub fn prologue(round: &Value) -> usize {
    position(round, |event| event["type"] == "committed")
}

/// The first event of the record that is so.
pub fn position(round: &Value, is: impl Fn(&Value) -> bool) -> usize {
    round["record"].as_array().unwrap().iter().position(is).expect("an event of the story")
}

/// Makes everything beside the record what a careful forger would make it: the result, what is told, what is revealed.
/// Numbers by ones. All but the chain, which nobody can make who does not know what happened.
pub fn forge(round: &mut Value) {
    let events: Vec<Event> = serde_json::from_value(round["record"].clone()).unwrap();
    let (own, first_seq) = (prologue(round), round["events"][0]["event"]["seq"].as_u64().unwrap());
    let mut race = Race::open(&events[0]).unwrap();
    for (index, mut event) in events.into_iter().enumerate().skip(1) {
        if let Event::RoundOver { result, .. } = &mut event {
            *result = race.result(result.ended).unwrap();
            round["result"] = json!(result);
            round["record"][index]["result"] = json!(result);
        }
        race.evolve(&event);
        let Some(number) = index.checked_sub(own) else { continue };
        let mut told = json!(wire(&race, Millis(0), &event, Viewer::Spectator));
        told["seq"] = json!(first_seq + number as u64);
        round["events"][number]["event"] = told;
    }
    let mut reveal = json!(race.revealed().unwrap());
    reveal["chain"] = round["reveal"]["chain"].clone();
    let last = round["events"].as_array().unwrap().len() - 1;
    round["events"][last]["event"]["reveal"] = reveal.clone();
    round["reveal"] = reveal;
}

/// The round's seats are the test's.
pub fn is_of(event: &Value, kind: &str, number: u8) -> bool {
    event["type"] == kind && event["seat"] == json!(seat(number))
}
