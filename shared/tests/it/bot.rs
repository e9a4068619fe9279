//! Bots: what each strength does, and that a seat's own messages are enough to play by.

use sprint_shared::bot::{Call, Habit, Line, Mind, Strength};
use sprint_shared::deal::{Draws, Seed, deal};
use sprint_shared::event::{Event, Nonce};
use sprint_shared::options::{Placement, RoomOptions};
use sprint_shared::play::{House, Play};
use sprint_shared::preset::Preset;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::protocol::{ClientMessage, ServerMessage, wire};
use sprint_shared::race::{Command, Race, Viewer};
use sprint_shared::solver::Budget;
use sprint_shared::time::{Millis, Seat};

use crate::table::{COUNTDOWN_MS, Table, player, seat};

const HOUSE: House = House { placement: Placement::Strict, relaxed: false };

/// A board played out alone: the play at its end, and how long it took in milliseconds.
fn played_out(preset: Preset, seed: u64, habit: &Habit) -> (Play, u64, u32) {
    let dealt = deal(preset, &Seed::from(seed));
    let line = Line::of(&dealt.board, &Budget::default()).expect("dealt boards can be solved");
    let (mut play, mut draws, mut ms) = (Play::new(dealt.board), Draws::new(&Seed::from(seed)), 0);
    for _ in 0..2_000 {
        if play.is_harmony() {
            break;
        }
        let (act, pause_ms) = habit.next(&line, &play, &mut draws);
        ms += pause_ms;
        let deed = play.judge(&act, HOUSE).unwrap_or_else(|why| panic!("{act:?}: {why}"));
        play.apply(&deed);
    }
    (play, ms, dealt.optimum)
}

/// Mean seconds and mean placement errors of a strength on that many boards.
fn means(preset: Preset, strength: Strength, boards: u64) -> (f64, f64) {
    let habit = Habit::of(strength);
    let played = (0..boards).map(|seed| played_out(preset, seed, &habit));
    let (ms, errors) = played.fold((0, 0), |(ms, errors), (play, took, _)| (ms + took, errors + play.errors()));
    (ms as f64 / 1_000.0 / boards as f64, f64::from(errors) / boards as f64)
}

#[test]
fn a_stronger_bot_is_faster_and_cleaner() {
    let means: Vec<_> = Strength::ALL.into_iter().map(|strength| means(Preset::Standard, strength, 60)).collect();
    for (pair, strength) in means.windows(2).zip(1..) {
        assert!(pair[1].0 < pair[0].0 * 0.95, "{} is hardly faster than {strength}: {means:?}", strength + 1);
    }
    assert!(means[0].1 > means[4].1 && means[4].1 > means[9].1, "errors become fewer: {means:?}");
    assert!((58.0..88.0).contains(&means[2].0), "a casual player takes about 73 s: {means:?}");
    assert!((25.0..37.0).contains(&means[6].0), "an expert takes about 31 s: {means:?}");
}

#[test]
fn strength_ten_plays_the_optimum() {
    let habit = Habit::of(Strength::ALL[9]);
    for seed in 0..20 {
        let (play, _, optimum) = played_out(Preset::Standard, seed, &habit);
        assert!(play.is_harmony());
        assert_eq!((play.moves(), play.errors(), play.is_flawless()), (optimum, 0, true), "seed {seed}");
    }
}

#[test]
fn every_bot_comes_to_harmony_on_every_light_preset() {
    for preset in [Preset::Initiate, Preset::Apprentice, Preset::Standard, Preset::Expert] {
        for strength in Strength::ALL {
            for seed in 0..4 {
                let (play, ms, _) = played_out(preset, seed, &Habit::of(strength));
                assert!(play.is_harmony(), "{preset}, strength {strength}, seed {seed}");
                let limit_ms = u64::from(preset.spec().time_limit_s) * 1_000;
                assert!(ms < limit_ms, "{preset}, strength {strength}, seed {seed}: {ms} ms");
            }
        }
    }
}

#[test]
fn a_bot_that_slips_and_errs_much_comes_to_harmony_all_the_same() {
    let mut errors = 0;
    for seed in 0..20 {
        let two_handed_moves = seed % 2 == 0;
        let habit = Habit { pause_ms: 0, two_handed_moves, slips_per_10_000: 2_000, errors_per_10_000: 2_000 };
        let (play, ..) = played_out(Preset::Apprentice, seed, &habit);
        assert!(play.is_harmony(), "seed {seed}");
        errors += play.errors();
    }
    assert!(errors > 20, "{errors}");
}

#[test]
fn a_strength_is_one_to_ten() {
    for (number, is_one) in [(0, false), (1, true), (10, true), (11, false)] {
        assert_eq!(Strength::try_from(number).is_ok(), is_one, "{number}");
    }
    assert_eq!("7".parse::<Strength>().map(Strength::number), Ok(7));
    assert!("strong".parse::<Strength>().is_err());
}

/// A bot in a seat of a table: all that it knows is what its seat is sent.
struct Seated {
    mind: Mind,
    number: u8,
    habit: Habit,
    draws: Draws,
    heard: usize,
    act_at: Option<Millis>,
    acts: u32,
}

impl Seated {
    fn new(number: u8, strength: u8) -> Seated {
        let habit = Habit::of(strength.try_into().unwrap());
        let draws = Draws::new(&Seed::from(u64::from(number)));
        Seated { mind: Mind::default(), number, habit, draws, heard: 0, act_at: None, acts: 0 }
    }

    fn at(&self, race: &Race) -> Seat {
        race.seat_of(player(self.number)).expect("it is seated")
    }

    /// The welcome of a connection that knows nothing.
    fn welcome(&mut self, table: &Table) {
        let at = self.at(&table.race);
        let state = Some(Box::new(table.race.view(table.now, Viewer::Seat(at))));
        let (seq, n) = (table.race.seq(), table.race.n(at));
        self.heard = table.log.len();
        let call = self.mind.hear(&ServerMessage::Welcome { seq, seat: Some(at), n, state });
        self.heed(call, table.now);
    }

    /// Hears all events since the last time, as the seat is sent them.
    fn listen(&mut self, table: &Table) {
        let at = self.at(&table.race);
        // Each event is shown with the state right after it.
        let mut race = Race::open(&table.log[0]).expect("the opening opens");
        for (index, event) in table.log.iter().enumerate().skip(1) {
            race.evolve(event);
            if index >= self.heard {
                let message = ServerMessage::Event(wire::wire(&race, table.now, event, Viewer::Seat(at)));
                let call = self.mind.hear(&message);
                self.heed(call, table.now);
            }
        }
        self.heard = table.log.len();
    }

    fn start(&mut self, table: &Table) {
        let state = Box::new(table.race.view(table.now, Viewer::Seat(self.at(&table.race))));
        let call = self.mind.hear(&ServerMessage::Start { seq: table.race.seq(), state });
        assert!(matches!(call, Call::Begin { .. }));
        self.heed(call, table.now);
    }

    fn heed(&mut self, call: Call, now: Millis) {
        assert_ne!(call, Call::Everything, "seat {} misses nothing", self.number);
        if matches!(call, Call::Begin { .. } | Call::Judged) {
            self.act_at = Some(now.after(u64::from(self.habit.pause_ms)));
        }
    }

    /// What the seat says by itself, done at once.
    fn speak(&mut self, table: &mut Table) {
        while let Some(message) = self.mind.says(Nonce([self.number; 16])) {
            let command = match message {
                ClientMessage::Ready { ready } => Command::Ready(ready),
                ClientMessage::Nonce { nonce } => Command::Nonce(nonce),
                // The round that was to be seen is over.
                ClientMessage::Rematch {} => return,
                other => panic!("nothing else is said here: {other:?}"),
            };
            table.tell(self.number, command).expect("what a bot says is allowed");
            self.listen(table);
        }
    }

    fn act(&mut self, table: &mut Table, line: &Line) {
        self.act_at = None;
        let Some(play) = self.mind.at_work() else { return };
        let (act, _) = self.habit.next(line, play, &mut self.draws);
        assert_eq!(self.mind.message(act), ClientMessage::of_act(self.mind.n() + 1, None, act));
        self.acts += 1;
        table.act(self.number, act).expect("a bot's acts are allowed");
        self.listen(table);
        assert_eq!(self.mind.n(), table.race.n(seat(self.number)));
    }
}

/// Two bots race on a table until the result; after so many acts the process dies.
fn raced(options: RoomOptions, crash_after: Option<u32>) -> Table {
    let dealt = deal(Preset::Initiate, &Seed::from(11));
    let line = Line::of(&dealt.board, &Budget::default()).expect("dealt boards can be solved");
    let mut table = Table::open(options);
    (table.board, table.optimum) = (dealt.board, Some(dealt.optimum));
    let mut bots = [Seated::new(1, 9), Seated::new(2, 2)];
    for bot in &mut bots {
        table.sit(bot.number);
        bot.welcome(&table);
    }
    let mut crash_after = crash_after;
    for _ in 0..2_000 {
        for bot in &mut bots {
            bot.listen(&table);
            bot.speak(&mut table);
        }
        bots.iter_mut().for_each(|bot| bot.listen(&table));
        if table.log.iter().any(|event| matches!(event, Event::RoundOver { .. })) {
            return table;
        }
        if table.phase() == PhaseView::Countdown {
            table.pass(COUNTDOWN_MS);
            bots.iter_mut().for_each(|bot| bot.start(&table));
        }
        if crash_after.is_some_and(|acts| bots.iter().map(|bot| bot.acts).sum::<u32>() >= acts) {
            crash_after = None;
            table.crash(5_000);
            for (bot, strength) in bots.iter_mut().zip([9, 2]) {
                table.tell(bot.number, Command::Connect).expect("it comes back");
                *bot = Seated::new(bot.number, strength);
                bot.welcome(&table);
            }
            continue;
        }
        let Some(bot) = bots.iter_mut().filter(|bot| bot.act_at.is_some()).min_by_key(|bot| bot.act_at) else {
            table.pass(100);
            continue;
        };
        let at = bot.act_at.unwrap();
        table.pass(at.since(table.now));
        bot.listen(&table);
        bot.act(&mut table, &line);
    }
    panic!("the race comes to no end in {:?}", table.phase());
}

#[test]
fn bots_race_by_what_their_seats_hear() {
    for rated in [false, true] {
        let table = raced(RoomOptions { rated, preset: Preset::Initiate, ..RoomOptions::default() }, None);
        assert_eq!(table.ranks(), [(1, 1), (2, 2)], "the stronger one wins");
    }
}

#[test]
fn bots_go_on_after_a_crash_at_any_act() {
    for acts in 0..12 {
        let table = raced(RoomOptions { preset: Preset::Initiate, ..RoomOptions::default() }, Some(acts));
        assert_eq!(table.ranks(), [(1, 1), (2, 2)], "crashed after {acts} acts");
    }
}
