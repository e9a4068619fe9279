//! Ratings: when they move, how far, and that a rebuild comes to the same numbers.

use std::time::Duration;

use serde_json::{Value, json};
use sprint_server::clock::Clock;
use sprint_server::journal::{AppendError, Journal, JournalOptions};
use sprint_server::rating::{Rating, rate};
use sprint_server::rebuild::{Purpose, RebuildError, Report, rebuild};
use sprint_server::store::{BoardKey, DealtBoard, List, RATINGS_DIFFER, RoundRecord, Span, Store, StoreOptions};
use sqlx::{Connection, PgConnection, SqliteConnection};
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::host::{Host, SMALL, solution};
use crate::process::program;
use crate::rows::{NOON_MS, append, player, race, room, show_rounds, store_rounds, store_unshown};

/// Nothing here takes so long.
const LONG: Duration = Duration::from_secs(120);
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

async fn people(store: &Store, count: usize) -> Vec<Uuid> {
    let mut people = Vec::new();
    for index in 0..count {
        people.push(player(store, &format!("P{index}"), false).await);
    }
    people
}

/// The same rounds every time: two to four of these players, ties and leavers among them, over many days.
fn season(players: &[Uuid], count: usize) -> Vec<RoundRecord> {
    let mut state = 1_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let rounds = (0..count as i64).map(|index| {
        let mut left = players.to_vec();
        let order: Vec<Uuid> = (0..2 + draw(3)).map(|_| left.swap_remove(draw(left.len()))).collect();
        let mut round = race(NOON_MS + index * 5 * HOUR_MS, &order);
        if draw(4) == 0 {
            round.seats[1].rank = 1;
        }
        if draw(5) == 0 {
            let last = round.seats.last_mut().unwrap();
            (last.finished, last.official_ms, last.score) = (false, None, 0);
        }
        round.preset = Some(["standard", "expert"][draw(2)].to_owned());
        round
    });
    rounds.collect()
}

/// All numbers of these players and rounds.
async fn numbers(store: &Store, players: &[Uuid], rounds: &[RoundRecord]) -> Vec<String> {
    let mut numbers = Vec::new();
    for player in players {
        numbers.push(format!("{:?}", store.ratings_of(*player).await.unwrap()));
    }
    for round in rounds {
        numbers.push(format!("{:?}", store.seat_ratings(round.round_id).await.unwrap()));
    }
    let week = Span::week_of(rounds.get(rounds.len() / 2).map_or(NOON_MS, |round| round.finished_at_ms));
    for board in [
        BoardKey::rating(None),
        BoardKey::points(Span::All, None),
        BoardKey::points(week, Some("standard")),
        BoardKey::fastest(Span::All, "standard"),
        BoardKey::fewest(week, "expert"),
    ] {
        for list in [List::People, List::Bots, List::Apart] {
            let mut rows = store.board_page(&board, list, None, 200).await.unwrap();
            // Not every database that is compared knows the names and rounds.
            rows.retain(|row| players.contains(&row.player_id));
            rows.iter_mut().for_each(|row| row.name.clear());
            numbers.push(format!("{} {list:?} {rows:?}", board.as_str()));
        }
    }
    numbers
}

/// The rating over all presets and its rounds; `None` without one.
async fn rating(store: &Store, player: Uuid) -> Option<(Rating, i64)> {
    let rows = store.ratings_of(player).await.unwrap();
    rows.iter().find(|row| row.series.is_empty()).map(|row| (row.rating(), row.rounds))
}

/// Rounds, players, and what differs of ratings.
fn told(report: &Report) -> (u64, u64, Option<u64>) {
    (report.rounds, report.players, report.differing)
}

on_both!(a_round_moves_ratings_in_the_transaction_of_its_last_event_and_once, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let (shown, new) = (room("SHOWN1"), room("AAAAAA"));
    store.create_room(&shown).await.unwrap();
    store.create_room(&new).await.unwrap();
    let people = people(&store, 2).await;
    let round = race(NOON_MS, &people);
    let board = DealtBoard { board: "a board".to_owned(), round_id: Uuid::now_v7() };
    let mut showing = append(shown.room_id, 1, 1, &["shown"]);
    showing.dealt = vec![board.clone()];
    journal.append(showing).await.unwrap();

    // What cannot be committed moves nothing.
    let mut refused = append(new.room_id, 1, 1, &["over"]);
    (refused.outcomes, refused.dealt) = (vec![round.clone()], vec![board]);
    assert_eq!(journal.append(refused).await, Err(AppendError::BoardTaken));
    assert_eq!(rating(&store, people[0]).await, None);
    assert_eq!(database.count("ladder").await, 0);

    // However many things end a round: the last finish, the timer, somebody leaving, a rebuilt room, its closing.
    for seq in 1..=5 {
        let mut ending = append(new.room_id, 1, seq, &["over"]);
        ending.outcomes = vec![round.clone()];
        journal.append(ending).await.unwrap();
        let expected = rate(&[(Rating::fresh(), 1), (Rating::fresh(), 2)]);
        for (player, expected) in people.iter().zip(expected) {
            assert_eq!(rating(&store, *player).await, Some((expected, 1)), "after event {seq}");
        }
    }
    assert_eq!(store.seat_ratings(round.round_id).await.unwrap().len(), 4, "two seats, over all presets and on one");
    assert_eq!(database.count("round_result WHERE number = 1").await, 1);
    assert_eq!(database.count("ladder WHERE rounds = 1 AND generation = 1").await, 1);
});

on_both!(ratings_follow_rank_by_rank_over_all_presets_and_on_each, |database| {
    let store = database.open().await;
    let people = people(&store, 3).await;
    let [a, b, c] = people[..] else { unreachable!("three") };
    let standard = race(NOON_MS, &[a, b, c]);
    let expert = RoundRecord { preset: Some("expert".to_owned()), ..race(NOON_MS + HOUR_MS, &[c, a]) };
    store_rounds(&store, &[standard, expert]).await;

    let fresh = Rating::fresh();
    let first = rate(&[(fresh, 1), (fresh, 2), (fresh, 3)]);
    let second = rate(&[(first[2], 1), (first[0], 2)]);
    let on_expert = rate(&[(fresh, 1), (fresh, 2)]);
    let rows = store.ratings_of(a).await.unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.series.as_str(), row.rating(), row.rounds)).collect();
    assert_eq!(rows, [("", second[1], 2), ("expert", on_expert[1], 1), ("standard", first[0], 1)]);
    assert_eq!(rating(&store, b).await, Some((first[1], 1)));
    assert_eq!(rating(&store, c).await, Some((second[0], 2)));
});

on_both!(guarded_blueprint_and_bot_rounds_move_nobody, |database| {
    let store = database.open().await;
    let people = people(&store, 2).await;
    let bot = player(&store, "Bot", true).await;
    let counting = race(NOON_MS, &people);
    let mut with_bot = race(NOON_MS, &[people[0], people[1], bot]);
    with_bot.seats[2].bot = true;
    let left_alone = [
        RoundRecord { matched: false, ..counting.clone() },
        RoundRecord { rated: false, ..counting.clone() },
        RoundRecord { preset: None, ..counting.clone() },
        RoundRecord { optimum: None, ..counting.clone() },
        RoundRecord { optimum: Some(0), ..counting.clone() },
        RoundRecord { placement: "guarded".to_owned(), ..counting.clone() },
        with_bot.clone(),
    ];
    let left_alone = left_alone.map(|round| RoundRecord { round_id: Uuid::now_v7(), ..round });
    store_rounds(&store, &left_alone).await;
    for person in &people {
        assert_eq!(rating(&store, *person).await, None, "people move by people alone");
    }
    let fresh = Rating::fresh();
    let last_of_three = rate(&[(fresh, 1), (fresh, 2), (fresh, 3)])[2];
    assert_eq!(rating(&store, bot).await, Some((last_of_three, 1)), "a bot has a ladder of its own");
    assert_eq!(database.count("pair_day").await, 0);
    store_rounds(&store, &[counting]).await;
    assert!(rating(&store, people[0]).await.is_some());
});

on_both!(a_bot_of_the_house_begins_by_its_strength, |database| {
    let store = database.open().await;
    let (strong, other) = (player(&store, "Automaton 9", true).await, player(&store, "Robot", true).await);
    database.execute("UPDATE player SET strength = 9 WHERE name = 'Automaton 9'").await;
    let mut round = race(NOON_MS, &[other, strong]);
    round.seats.iter_mut().for_each(|seat| seat.bot = true);
    store_rounds(&store, &[RoundRecord { rated: false, ..round }]).await;
    let expected = rate(&[(Rating::fresh(), 1), (Rating::house(9), 2)]);
    assert_eq!(rating(&store, other).await, Some((expected[0], 1)));
    assert_eq!(rating(&store, strong).await, Some((expected[1], 1)));
});

on_both!(five_rounds_a_day_between_two_count_and_the_sixth_does_not, |database| {
    let store = database.open().await;
    let people = people(&store, 3).await;
    let rounds: Vec<RoundRecord> = (0..6).map(|index| race(NOON_MS + index, &people[..2])).collect();
    store_rounds(&store, &rounds).await;
    assert_eq!(rating(&store, people[0]).await.unwrap().1, 5);
    assert_eq!(store.seat_ratings(rounds[5].round_id).await.unwrap(), []);
    // Nor does a race in which the two meet among others; others may go on.
    let three = race(NOON_MS + 10, &[people[2], people[1], people[0]]);
    store_rounds(&store, &[three, race(NOON_MS + 11, &people[1..])]).await;
    assert_eq!(rating(&store, people[0]).await.unwrap().1, 5);
    assert_eq!(rating(&store, people[2]).await.unwrap().1, 1);
});

on_both!(five_a_day_holds_for_bots_too_but_for_those_of_the_house, |database| {
    let store = database.open().await;
    let (one, other) = (player(&store, "Robot", true).await, player(&store, "Clank", true).await);
    let house = player(&store, "Automaton 9", true).await;
    database.execute("UPDATE player SET strength = 9 WHERE name = 'Automaton 9'").await;
    let between = |index: i64, order: &[Uuid]| {
        let mut round = race(NOON_MS + index, order);
        round.seats.iter_mut().for_each(|seat| seat.bot = true);
        round
    };
    let rounds: Vec<RoundRecord> = (0..6).map(|index| between(index, &[one, other])).collect();
    store_rounds(&store, &rounds).await;
    assert_eq!(rating(&store, one).await.unwrap().1, 5);
    assert_eq!(store.seat_ratings(rounds[5].round_id).await.unwrap(), []);
    let rounds: Vec<RoundRecord> = (10..16).map(|index| between(index, &[one, house])).collect();
    store_rounds(&store, &rounds).await;
    assert_eq!(rating(&store, one).await.unwrap().1, 11);
});

on_both!(how_many_rounds_of_two_count_in_a_day_is_a_setting_that_a_rebuild_is_told_too, |database| {
    let first = database.open().await;
    let people = people(&first, 2).await;
    first.close().await;
    let with = async |pair_rounds_max| {
        let options = StoreOptions { pair_rounds_max, exclusive: false, ..database.options() };
        Store::open(&database.url, options).await.unwrap()
    };
    let rounds: Vec<RoundRecord> = (0..8).map(|index| race(NOON_MS + index, &people)).collect();
    for (most, counted) in [(None, 8), (Some(2), 2), (Some(5), 5)] {
        let store = with(most).await;
        if most.is_none() {
            store_rounds(&store, &rounds).await;
        } else {
            rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
        }
        assert_eq!(rating(&store, people[0]).await.unwrap().1, counted, "{most:?}");
        for asked in [None, Some(2), Some(5)] {
            let check = rebuild(&with(asked).await, &Clock::start(), Purpose::Check).await.unwrap();
            assert_eq!(check.is_same(), asked == most, "counted {most:?}, checked {asked:?}: {check:?}");
        }
    }
});

on_both!(meetings_among_others_count_for_every_two, |database| {
    let store = database.open().await;
    let people = people(&store, 3).await;
    let rounds: Vec<RoundRecord> = (0..5).map(|index| race(NOON_MS + index, &people)).collect();
    store_rounds(&store, &rounds).await;
    let pairs = [[people[0], people[1]], [people[0], people[2]], [people[1], people[2]]];
    store_rounds(&store, &pairs.map(|pair| race(NOON_MS + 10, &pair))).await;
    for person in people {
        assert_eq!(rating(&store, person).await.unwrap().1, 5);
    }
});

on_both!(the_day_turns_over_at_midnight_utc, |database| {
    let store = database.open().await;
    let people = people(&store, 2).await;
    let midnight_ms = NOON_MS + 12 * HOUR_MS;
    let before: Vec<RoundRecord> = (1..=6).map(|index| race(midnight_ms - index, &people)).collect();
    store_rounds(&store, &before).await;
    assert_eq!(rating(&store, people[0]).await.unwrap().1, 5);
    store_rounds(&store, &[race(midnight_ms, &people)]).await;
    assert_eq!(rating(&store, people[0]).await.unwrap().1, 6);
});

on_both!(a_rebuild_gives_bit_equal_ratings, |database| {
    let store = database.open().await;
    let mut players = people(&store, 9).await;
    let mut rounds = season(&players, 80);
    let bot = player(&store, "Bot", true).await;
    let mut with_bot = race(NOON_MS + DAY_MS, &[players[0], bot]);
    (with_bot.rated, with_bot.seats[1].bot) = (false, true);
    rounds.push(with_bot);
    players.push(bot);
    store_rounds(&store, &rounds).await;
    let before = numbers(&store, &players, &rounds).await;
    let moved = before.iter().take(players.len() + rounds.len());
    assert!(moved.clone().all(|row| row.contains("mu")), "everybody has raced, and every round moved somebody");
    for board in ["rating/all/ People", "points/all/ People", "points/all/ Bots", "fastest/all/standard People"] {
        assert!(before.iter().any(|row| row.starts_with(board) && row.contains("round_id")), "{board}: {before:#?}");
    }

    let beside = database.open_beside().await;
    let report = rebuild(&beside, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (81, 10, Some(0)));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    for table in ["rating", "seat_rating", "pair_day", "board_entry"] {
        assert_eq!(database.count(&format!("{table} WHERE generation <> 2")).await, 0, "{table}");
    }
    assert_eq!(database.count("ladder WHERE generation = 2 AND building IS NULL AND rounds = 81").await, 1);

    // A check finds each number that is not as it should be, and changes nothing.
    let check = rebuild(&beside, &Clock::start(), Purpose::Check).await.unwrap();
    assert_eq!((told(&check), check.entries, check.what), (told(&report), Some(0), vec![]));
    database.execute("UPDATE rating SET sigma = sigma + 1 WHERE series = 'expert' AND rounds = 1").await;
    let touched = database.count("rating WHERE series = 'expert' AND rounds = 1").await as u64;
    database.execute("UPDATE seat_rating SET mu_after = mu_after + 1 WHERE mu_before = 25000000").await;
    let moved = database.count("seat_rating WHERE mu_before = 25000000").await as u64;
    let check = rebuild(&beside, &Clock::start(), Purpose::Check).await.unwrap();
    assert_eq!(check.differing, Some(touched + moved));
    assert_eq!(database.count("ladder WHERE generation = 2 AND building IS NULL").await, 1);
    assert_eq!(database.count("rating WHERE generation <> 2").await, 0);
    let mended = rebuild(&beside, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!(mended.differing, Some(touched + moved));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
});

on_both!(a_check_names_what_is_not_on_the_boards_as_the_rounds_say, |database| {
    let store = database.open().await;
    let players = people(&store, 6).await;
    let rounds = season(&players, 60);
    store_rounds(&store, &rounds[..50]).await;
    // Rounds under their delay stand on neither.
    store_unshown(&store, &rounds[50..]).await;
    let clock = Clock::start();
    let check = rebuild(&store, &clock, Purpose::Check).await.unwrap();
    assert_eq!((check.is_same(), check.entries, check.what.len()), (true, Some(0), 0));
    // A sum too high, a win too many in every rating's entry, an entry that is gone, one that follows from no round.
    let all = database.count("board_entry WHERE board = 'rating/all/'").await;
    assert!(all > 0, "ratings have settled");
    for sql in [
        "UPDATE board_entry SET place = place - 1000 WHERE board = 'points/all/' \
           AND place = (SELECT min(place) FROM board_entry WHERE board = 'points/all/')",
        "UPDATE board_entry SET wins = wins + 1 WHERE board = 'rating/all/'",
        "DELETE FROM board_entry WHERE board = 'fastest/all/expert' \
           AND place = (SELECT max(place) FROM board_entry WHERE board = 'fastest/all/expert')",
        "INSERT INTO board_entry SELECT generation, board, 1, player_id, place, reached_at_ms, round_id, rounds, wins \
           FROM board_entry WHERE board = 'fewest/all/standard'",
        "UPDATE rating SET sigma = sigma + 1 WHERE series = 'expert'",
    ] {
        database.execute(sql).await;
    }
    let bots = database.count("board_entry WHERE board = 'fewest/all/standard' AND list = 1").await as u64;
    let gone = database.count("rating WHERE series = 'expert'").await as u64
        - database.count("board_entry WHERE board = 'fastest/all/expert'").await as u64;
    let check = rebuild(&store, &clock, Purpose::Check).await.unwrap();
    let of = |what: &str, of: &str| {
        check.what.iter().find(|found| found.what == what && found.of == of).map(|found| found.rows)
    };
    assert!(!check.is_same());
    assert_eq!(of("ratings", "expert"), Some(database.count("rating WHERE series = 'expert'").await as u64));
    assert_eq!(of("entries", "points/all/"), Some(1));
    assert_eq!(of("entries", "rating/all/"), Some(all as u64), "{check:?}");
    assert_eq!((of("entries", "fastest/all/expert"), gone > 0), (Some(gone), true), "{check:?}");
    assert_eq!(of("entries", "fewest/all/standard"), Some(bots));
    for board in ["points/all/", "fastest/all/expert", "fewest/all/standard"] {
        assert!(of("counts", board) > Some(0), "ranks of {board} are added up wrong: {check:?}");
    }
    assert_eq!((of("counts", "rating/all/"), check.what.len()), (None, 8), "{check:?}");
    // Put in place, nothing of it is left.
    rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert!(rebuild(&store, &clock, Purpose::Check).await.unwrap().is_same());
});

on_both!(a_check_beside_a_running_journal_holds_no_later_round_against_the_boards, |database| {
    let store = database.open().await;
    let players = people(&store, 12).await;
    let rounds = season(&players, 90);
    store_rounds(&store, &rounds[..40]).await;
    let (beside, clock) = (database.open_beside().await, Clock::start());
    let racing = async {
        for round in &rounds[40..] {
            store_rounds(&store, std::slice::from_ref(round)).await;
        }
    };
    let checking = async {
        loop {
            let check = rebuild(&beside, &clock, Purpose::Check).await.unwrap();
            assert!(check.is_same(), "{check:?}");
            if check.rounds == 90 {
                return;
            }
        }
    };
    // How many come in between depends on the machine.
    let both = async { tokio::join!(racing, checking) };
    timeout(LONG, both).await.expect("a check comes to an end");
});

on_both!(a_rebuild_shows_no_round_before_its_time, |database| {
    let (store, clean) = (database.open().await, TestDatabase::sqlite());
    let never_rebuilt = clean.open().await;
    let players = people(&store, 5).await;
    let rounds = season(&players, 25);
    store_rounds(&store, &rounds[..14]).await;
    let shown = numbers(&store, &players, &[]).await;
    store_unshown(&store, &rounds[14..]).await;
    let (ratings, boards) = (players.len(), shown.len() - players.len());
    for _ in 0..2 {
        let report = rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
        assert_eq!((report.rounds, report.differing), (25, Some(0)));
        let now = numbers(&store, &players, &[]).await;
        assert_eq!(now[ratings..], shown[ratings..]);
        assert_ne!(now[..ratings], shown[..ratings], "ratings follow at once");
    }
    assert_eq!(database.count("ladder WHERE shown = 14 AND rounds = 25").await, 1);
    show_rounds(&store).await;
    store_rounds(&never_rebuilt, &rounds).await;
    let (now, expected) = (numbers(&store, &players, &rounds).await, numbers(&never_rebuilt, &players, &rounds).await);
    assert_eq!(now, expected);
    assert_ne!(now[ratings + rounds.len()..][..boards], shown[ratings..]);
});

on_both!(a_rebuild_beside_a_running_journal_loses_no_round, |database| {
    let store = database.open().await;
    let players = people(&store, 12).await;
    let rounds = season(&players, 150);
    store_rounds(&store, &rounds[..40]).await;
    let beside = database.open_beside().await;
    let clock = Clock::start();
    // The first rebuild is at work before anything more is stored; then again and again, until every round is.
    let racing = async {
        let mut between = 0;
        database.until_any("rating WHERE generation = 2").await;
        for round in &rounds[40..] {
            store_rounds(&store, std::slice::from_ref(round)).await;
            between += database.count("ladder WHERE building = 2").await;
        }
        between
    };
    let building = async {
        let mut reports = Vec::new();
        loop {
            let report = rebuild(&beside, &clock, Purpose::Replace).await.unwrap();
            assert_eq!(report.differing, Some(0), "{report:?}");
            reports.push(report.rounds);
            if report.rounds == 150 {
                return reports;
            }
        }
    };
    let both = async { tokio::join!(racing, building) };
    let (between, reports) = timeout(LONG, both).await.expect("a rebuild catches up with the journal");
    assert!(between > 0 && reports[0] > 40, "rounds were stored while the first was at work: {between}, {reports:?}");
    let check = rebuild(&beside, &clock, Purpose::Check).await.unwrap();
    assert_eq!(told(&check), (150, 12, Some(0)));
});

on_both!(a_rebuild_that_died_is_begun_anew, |database| {
    let store = database.open().await;
    let players = people(&store, 4).await;
    let rounds = season(&players, 10);
    store_rounds(&store, &rounds).await;
    let before = numbers(&store, &players, &rounds).await;
    let clock = Clock::start();
    let now_ms = clock.now().0 as i64;
    // It had come half way.
    database.execute(&format!("UPDATE ladder SET building = 2, building_at_ms = {}", now_ms - 30_000)).await;
    database
        .execute(
            "INSERT INTO rating (generation, series, player_id, mu, sigma, rounds, last_at_ms) \
             SELECT 2, series, player_id, 1, 1, 7, 1 FROM rating WHERE generation = 1",
        )
        .await;
    let busy = rebuild(&store, &clock, Purpose::Replace).await;
    assert!(matches!(busy, Err(RebuildError::Busy)), "{busy:?}");
    assert_eq!(numbers(&store, &players, &rounds).await, before);

    database.execute(&format!("UPDATE ladder SET building_at_ms = {}", now_ms - 61_000)).await;
    let report = rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (10, 4, Some(0)));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    assert_eq!(database.count("rating WHERE rounds = 7 AND mu = 1").await, 0);
});

/// A racer of a hand-made race, and what an independent computation makes of its rating.
#[derive(serde::Deserialize)]
struct Computed {
    mu: i64,
    sigma: i64,
    rank: i64,
    mu_after: String,
    sigma_after: String,
    stored: [i64; 2],
}

/// The file was computed apart from this program, in decimals of 50 digits, from the sums of Weng and Lin's paper (their
/// algorithm 4, with γ = 1 and c² = 2 Σ(σ² + β²) / n, and σ² + τ² for each σ² before): exponentials and roots are Python's
/// `decimal`, no code is shared. No value there is nearer than 0.009 of a millionth to where rounding turns, so that the
/// stored millionths must come out exactly.
#[test]
fn hand_made_races_move_ratings_as_an_independent_computation_says() {
    #[derive(serde::Deserialize)]
    struct Race {
        case: String,
        racers: Vec<Computed>,
    }
    let races: Vec<Race> = serde_json::from_str(include_str!("../data/ratings-1.json")).unwrap();
    let seats: Vec<usize> = races.iter().map(|race| race.racers.len()).collect();
    assert!((2..=4).all(|of| seats.iter().filter(|seats| **seats == of).count() >= 3), "{seats:?}");
    for Race { case, racers } in races {
        let before: Vec<_> = racers.iter().map(|r| (Rating { mu: r.mu, sigma: r.sigma }, r.rank)).collect();
        for (after, expected) in rate(&before).into_iter().zip(&racers) {
            assert_eq!([after.mu, after.sigma], expected.stored, "{case}");
            let exact = [&expected.mu_after, &expected.sigma_after].map(|text| text.parse::<f64>().unwrap() * 1e6);
            for (stored, exact) in expected.stored.into_iter().zip(exact) {
                assert!((stored as f64 - exact).abs() <= 0.5, "{case}: half a millionth, not more");
            }
        }
    }
}

/// SQL that lets a statement of each row of a generation of ratings come to nothing, and SQL that takes it back.
fn refusing(database: &TestDatabase, statement: &str, row: &str) -> [String; 2] {
    let before = format!("CREATE TRIGGER no BEFORE {statement} ON rating");
    match database.directory {
        Some(_) => [format!("{before} WHEN {row} BEGIN SELECT RAISE(ABORT, 'no'); END"), "DROP TRIGGER no".to_owned()],
        None => [
            format!(
                "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$; \
                 {before} FOR EACH ROW WHEN ({row}) EXECUTE FUNCTION no()"
            ),
            "DROP TRIGGER no ON rating; DROP FUNCTION no".to_owned(),
        ],
    }
}

on_both!(a_rebuild_that_fails_keeps_nobody_else_waiting, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let players = people(&store, 4).await;
    let rounds = season(&players, 10);
    store_rounds(&store, &rounds).await;
    let before = numbers(&store, &players, &rounds).await;
    let [refuse, allow] = refusing(&database, "INSERT", "NEW.generation > 1 AND NEW.rounds > 2");
    database.execute(&refuse).await;
    let failed = rebuild(&store, &clock, Purpose::Replace).await;
    assert!(matches!(failed, Err(RebuildError::Store(_))), "{failed:?}");
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    database.execute(&allow).await;
    let report = rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (10, 4, Some(0)));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    assert_eq!(database.count("rating WHERE generation <> 3").await, 0, "what was left of the first is gone");
});

on_both!(what_fails_once_the_new_numbers_count_does_not_take_them_back, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let players = people(&store, 4).await;
    store_rounds(&store, &season(&players, 10)).await;
    let [refuse, allow] = refusing(&database, "DELETE", "OLD.generation = 1");
    database.execute(&refuse).await;
    let report = rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (10, 4, Some(0)));
    assert_eq!(database.count("ladder WHERE generation = 2 AND building IS NULL").await, 1);
    assert!(database.count("rating WHERE generation = 1").await > 0);
    database.execute(&allow).await;
    rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(database.count("rating WHERE generation < 3").await, 0, "the next one removes them");
});

#[tokio::test]
async fn comparing_ratings_begins_with_the_rounds_since() {
    let file = TestDatabase::sqlite();
    file.open().await;
    let mut sqlite = SqliteConnection::connect(&file.url).await.unwrap();
    let plan = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {RATINGS_DIFFER}"));
    let query = sqlx::query_as(plan).bind(1_i64).bind(2_i64).bind("").bind(9_i64);
    let steps: Vec<(i64, i64, i64, String)> = query.fetch_all(&mut sqlite).await.unwrap();
    let steps: Vec<String> = steps.into_iter().map(|step| step.3).collect();
    let rounds = steps.iter().position(|step| step.contains("INDEX round_number (number>?)"));
    let moves = steps.iter().position(|step| step.starts_with("SEARCH s") && step.contains("round_id=?"));
    assert!(rounds.is_some() && rounds < moves, "{steps:#?}");
}

on_both!(two_nodes_count_one_after_the_other, |database| {
    let (one, other) = (database.open().await, database.open_beside().await);
    let players = people(&one, 8).await;
    // The same two people on both nodes, six times each on one day, and others who meet but once.
    let races = |from: i64| {
        let pairs = (0..6).map(move |index| [NOON_MS + from + 10 * index, 0, 1]);
        let rest = (0..6).map(move |index| [NOON_MS + from + 10 * index + 1, 2 + from, 4 + index % 4]);
        pairs.zip(rest).flat_map(|(pair, rest)| [pair, rest])
    };
    let rounds = |from: i64| -> Vec<RoundRecord> {
        let of = |[at_ms, a, b]: [i64; 3]| race(at_ms, &[players[a as usize], players[b as usize]]);
        races(from).map(of).collect()
    };
    let (first, second) = (rounds(0), rounds(1));
    tokio::join!(store_rounds(&one, &first), store_rounds(&other, &second));
    assert_eq!(database.count("round_result WHERE number BETWEEN 1 AND 24").await, 24);
    assert_eq!(database.count("ladder WHERE rounds = 24").await, 1);
    let (ada, ben) = (rating(&one, players[0]).await.unwrap(), rating(&other, players[1]).await.unwrap());
    assert_eq!((ada.1, ben.1), (5, 5), "five a day, whichever node stores them");
    assert_eq!(database.count("pair_day WHERE rounds = 5").await, 1);
    let check = rebuild(&other, &Clock::start(), Purpose::Check).await.unwrap();
    assert_eq!((check.rounds, check.differing), (24, Some(0)));
});

on_both!(a_banned_bot_has_had_its_part_in_a_race_of_people, |database| {
    let store = database.open().await;
    let people = people(&store, 2).await;
    let bot = player(&store, "Bot", true).await;
    database.execute("UPDATE player SET standing = 2 WHERE name = 'Bot'").await;
    let mut round = race(NOON_MS, &[people[0], people[1], bot]);
    round.seats[2].bot = true;
    store_rounds(&store, &[round]).await;
    assert_eq!((rating(&store, people[0]).await, rating(&store, bot).await), (None, None));
});

on_both!(removing_a_cheat_gives_what_would_have_been_without_him, |database| {
    let store = database.open().await;
    let players = people(&store, 6).await;
    let cheat = players[2];
    let rounds = season(&players, 60);
    store_rounds(&store, &rounds).await;
    database.execute("UPDATE player SET standing = 2 WHERE name = 'P2'").await;
    let report = rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    assert!(report.differing > Some(0));
    assert_eq!(rating(&store, cheat).await, None);

    // Another database, which never had his seats; the numbers are the same on both kinds.
    let other = TestDatabase::sqlite();
    let without = other.open().await;
    let mut never: Vec<RoundRecord> = rounds.clone();
    for round in &mut never {
        round.seats.retain(|seat| seat.player_id != cheat);
        let ranks: Vec<i64> = round.seats.iter().map(|seat| seat.rank).collect();
        round
            .seats
            .iter_mut()
            .for_each(|seat| seat.rank = 1 + ranks.iter().filter(|rank| **rank < seat.rank).count() as i64);
    }
    assert!(never.iter().any(|round| round.seats.len() == 1), "he was alone with somebody");
    store_rounds(&without, &never).await;
    let others: Vec<Uuid> = players.iter().copied().filter(|player| *player != cheat).collect();
    assert_eq!(numbers(&store, &others, &rounds).await, numbers(&without, &others, &rounds).await);

    // Let in again, everything is as it was.
    database.execute("UPDATE player SET standing = 0").await;
    rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    let third = TestDatabase::sqlite();
    let with = third.open().await;
    store_rounds(&with, &rounds).await;
    assert_eq!(numbers(&store, &players, &rounds).await, numbers(&with, &players, &rounds).await);
});

on_both!(a_removed_players_rounds_go_on_to_count_for_the_others, |database| {
    let store = database.open().await;
    let people = people(&store, 2).await;
    store_rounds(&store, &[race(NOON_MS, &people)]).await;
    database.execute("UPDATE player SET standing = 3 WHERE name = 'P1'").await;
    let report = rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!(told(&report), (1, 2, Some(0)));
});

#[tokio::test]
async fn everybody_sees_a_profile_and_racers_what_their_round_did_at_once() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let code = host.room(&ada, json!({ "blueprint": SMALL, "spectator_delay_s": 60 })).await;
    let (mut one, mut other) = (host.seat(&code, &ada).await, host.seat(&code, &ben).await);
    let (start, _) = tokio::join!(one.reach_start(), other.reach_start());
    for transfer in solution(start["state"]["round"]["board"].as_str().unwrap()) {
        one.play(transfer).await;
    }
    let result = one.until("round_over").await["result"].clone();
    let (round_id, first) = (result["round_id"].as_str().unwrap(), result["seats"][0]["player"].as_str().unwrap());
    let profile = host.get(&format!("/api/v1/players/{first}")).await;
    let fresh = json!({ "preset": null, "rating": 1500, "uncertainty": 500, "provisional": true, "rounds": 0 });
    assert_eq!(profile, json!({ "player_id": first, "name": "Ada", "bot": false, "ratings": [fresh] }));
    let nobody = host.request("GET", &format!("/api/v1/players/{round_id}"), &[], "").await;
    assert_eq!((nobody.status, nobody.json()["code"].clone()), (404, json!("not_found")));

    let mut database = SqliteConnection::connect(&host.database()).await.unwrap();
    let (round, player) = (Uuid::parse_str(round_id).unwrap(), Uuid::parse_str(first).unwrap());
    sqlx::query("INSERT INTO seat_rating VALUES (1, $1, 'spire', 1, $2, 25000000, 8333333, 30000000, 4000000, 1)")
        .bind(round)
        .bind(player)
        .execute(&mut database)
        .await
        .unwrap();
    let path = format!("/api/v1/matches/{round_id}/ratings");
    let spectator = host.guest("Eve").await;
    for headers in [vec![], vec![("authorization", spectator.bearer())]] {
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(host.request("GET", &path, &headers, "").await.status, 404, "its delay is not over");
    }
    let bearer = ada.bearer();
    let seen = host.request("GET", &path, &[("authorization", bearer.as_str())], "").await;
    let seat = json!({
        "seat": 1, "player_id": first, "preset": "spire", "rating_before": 1500, "uncertainty_before": 500,
        "rating_after": 1800, "uncertainty_after": 240,
    });
    assert_eq!(seen.json(), json!({ "round_id": round_id, "seats": [seat] }));
    let wrong = host.request("GET", &path, &[("authorization", "Bearer nonsense")], "").await;
    assert_eq!(wrong.status, 401);
}

#[tokio::test]
async fn a_host_rebuilds_and_checks_ratings_from_the_command_line_beside_the_server() {
    let database = TestDatabase::sqlite();
    let store = database.open().await;
    let people = people(&store, 5).await;
    store_rounds(&store, &season(&people, 12)).await;
    let run = |args: &[&str]| program(&[args, &["--database", database.url.as_str()]].concat());
    let rebuilt = run(&["ratings", "rebuild"]);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(text(&rebuilt.stdout), "rounds 12 players 5 differing 0\n", "{}", text(&rebuilt.stderr));
    assert_eq!(rebuilt.status.code(), Some(0));
    database.execute("UPDATE rating SET mu = 0 WHERE series = ''").await;
    let checked = run(&["ratings", "check", "--json"]);
    let report: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let what = json!([{ "what": "ratings", "of": "all presets", "rows": 5 }]);
    let expected = json!({ "rounds": 12, "players": 5, "differing": 5, "entries": 0, "what": what });
    assert_eq!((report, checked.status.code()), (expected, Some(1)));
    database.execute("UPDATE board_entry SET wins = 9 WHERE board = 'points/all/'").await;
    let checked = run(&["ratings", "check"]);
    let lines = "rounds 12 players 5 differing 5 entries 5\nratings\tall presets\t5\nentries\tpoints/all/\t5\n";
    assert_eq!((text(&checked.stdout).as_str(), checked.status.code()), (lines, Some(1)));
    let fewer = run(&["ratings", "check", "--pair-rounds", "1"]);
    assert!(text(&fewer.stdout).contains("\nmovements\t"), "{}", text(&fewer.stdout));
    let rebuilt = run(&["ratings", "rebuild"]);
    assert_eq!((text(&rebuilt.stdout).as_str(), rebuilt.status.code()), ("rounds 12 players 5 differing 5\n", Some(0)));
}

#[tokio::test]
async fn deleting_a_player_waits_for_the_ladder_before_it_locks_an_entry() {
    let database = TestDatabase::postgres().await;
    let store = database.open().await;
    let people = people(&store, 2).await;
    store_rounds(&store, &[race(NOON_MS, &people)]).await;
    let mut counting = PgConnection::connect(&database.url).await.unwrap();
    let mut look = PgConnection::connect(&database.url).await.unwrap();
    for which in ["delete", "erased"] {
        sqlx::raw_sql("BEGIN; UPDATE ladder SET rounds = rounds + 1").execute(&mut counting).await.unwrap();
        let (store, player) = (store.clone(), people[0]);
        let mut deletion = tokio::spawn(async move {
            if which == "delete" {
                store.delete_player(player, NOON_MS).await.unwrap();
            } else {
                store.set_erased(player, player).await.unwrap();
            }
        });
        let waits = async {
            let sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                 AND datname = current_database()";
            while sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut look).await.unwrap() == 0 {}
        };
        tokio::select! {
            _ = &mut deletion => panic!("{which} went by the ladder"),
            () = waits => {}
        }
        // As the round does that holds the ladder.
        sqlx::query("SELECT place FROM board_entry FOR UPDATE NOWAIT").execute(&mut counting).await.unwrap();
        sqlx::raw_sql("COMMIT").execute(&mut counting).await.unwrap();
        deletion.await.unwrap();
    }
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM board_entry WHERE player_id = $1")
        .bind(people[0])
        .fetch_one(&mut look)
        .await
        .unwrap();
    assert_eq!(left, 0);
}
