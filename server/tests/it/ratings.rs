//! Ratings: when they move, and how far.

use serde_json::json;
use sprint_server::clock::Clock;
use sprint_server::journal::{AppendError, Journal, JournalOptions};
use sprint_server::rating::{Rating, rate};
use sprint_server::rebuild::{Purpose, rebuild};
use sprint_server::store::{DealtBoard, RoundRecord, Store, StoreOptions};
use sqlx::{Connection, PgConnection, SqliteConnection};
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::host::{Host, SMALL, solution};
use crate::rows::{NOON_MS, append, player, race, room, store_rounds};
use crate::season::{people, rating};

const HOUR_MS: i64 = 3_600_000;

on_both!(a_round_moves_ratings_in_the_transaction_of_its_last_event_and_once, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let (shown, new) = (room("SHOWN1"), room("AAAAAA"));
    store.create_room(&shown).await.unwrap();
    store.create_room(&new).await.unwrap();
    let people = people(&store, 2).await;
    let round = race(NOON_MS, &people);
    let board = DealtBoard { board: "a board".to_owned(), round_id: Uuid::now_v7(), again: false };
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
