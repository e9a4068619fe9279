//! The leaderboards, on both databases.

use serde_json::json;
use sprint_server::clock::Clock;
use sprint_server::rating::{Rating, rate};
use sprint_server::rebuild::{Purpose, rebuild};
use sprint_server::store::{BoardAfter, BoardKey, BoardRow, List, RoundRecord, SeatRecord, Span, Store, StoreOptions};
use uuid::Uuid;

use crate::database::on_both;
use crate::host::Host;
use crate::rows::{NOON_MS, player, race, round, seat, store_rounds, store_unshown};
use crate::season::people;

const DAY_MS: i64 = 86_400_000;

/// A rated round of quick match with these seats, and a nameless stranger behind them who does not finish.
fn counted(finished_at_ms: i64, mut seats: Vec<SeatRecord>) -> RoundRecord {
    let stranger = SeatRecord { finished: false, official_ms: None, ..seat(3, Uuid::now_v7(), 0, 3, 0) };
    seats.push(stranger);
    RoundRecord { matched: true, rated: true, ..round(finished_at_ms, 1, seats) }
}

/// The named of a board.
async fn rows(store: &Store, board: &BoardKey, list: List) -> Vec<BoardRow> {
    let rows = store.board_page(board, list, None, 200).await.unwrap();
    rows.into_iter().filter(|row| !row.name.is_empty()).collect()
}

async fn points(store: &Store, span: Span, preset: Option<&str>) -> Vec<(String, i64)> {
    let rows = rows(store, &BoardKey::points(span, preset), List::People).await;
    rows.into_iter().map(|row| (row.name, -row.place)).collect()
}

fn named(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    rows.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

on_both!(points_are_summed_by_day_week_and_for_ever_and_by_preset, |database| {
    let store = database.open().await;
    let (ada, bob) = (player(&store, "Ada", false).await, player(&store, "Bob", false).await);
    let bot = player(&store, "Bot", true).await;
    let expert =
        RoundRecord { preset: Some("expert".to_owned()), ..counted(NOON_MS, vec![seat(0, bob, 40_000, 22, 700)]) };
    let blueprint = RoundRecord { preset: None, ..counted(NOON_MS, vec![seat(0, bob, 40_000, 22, 5000)]) };
    let by_hand = RoundRecord { matched: false, ..counted(NOON_MS, vec![seat(0, bob, 40_000, 22, 5000)]) };
    let mut with_bot = counted(NOON_MS, vec![seat(0, ada, 40_000, 22, 3000), seat(1, bot, 1, 20, 9)]);
    with_bot.seats[1].bot = true;
    store_rounds(
        &store,
        &[
            counted(NOON_MS - 4 * DAY_MS, vec![seat(0, ada, 40_000, 22, 100)]), // Sunday of the week before
            counted(NOON_MS - DAY_MS, vec![seat(0, ada, 40_000, 22, 1000)]),
            counted(NOON_MS, vec![seat(0, ada, 40_000, 22, 10), seat(1, bob, 50_000, 22, 500)]),
            expert,
            blueprint,
            by_hand,
            with_bot,
        ],
    )
    .await;
    assert_eq!(points(&store, Span::All, None).await, named(&[("Bob", 1200), ("Ada", 1110)]));
    assert_eq!(points(&store, Span::week_of(NOON_MS), None).await, named(&[("Bob", 1200), ("Ada", 1010)]));
    assert_eq!(points(&store, Span::day_of(NOON_MS), None).await, named(&[("Bob", 1200), ("Ada", 10)]));
    assert_eq!(points(&store, Span::All, Some("standard")).await, named(&[("Ada", 1110), ("Bob", 500)]));
    assert_eq!(points(&store, Span::All, Some("expert")).await, named(&[("Bob", 700)]));
    let own = rows(&store, &BoardKey::points(Span::All, None), List::People).await;
    assert_eq!(own.iter().map(|row| (row.rounds, row.wins)).collect::<Vec<_>>(), [(2, 1), (3, 3)]);
    let bots = rows(&store, &BoardKey::points(Span::All, None), List::Bots).await;
    assert_eq!(bots.iter().map(|row| (row.name.as_str(), -row.place)).collect::<Vec<_>>(), [("Bot", 9)]);
});

on_both!(only_the_sole_first_has_won, |database| {
    let store = database.open().await;
    let people = people(&store, 3).await;
    let mut tied = race(NOON_MS, &people);
    tied.seats[1].rank = 1;
    // Nobody finished: whoever is first for having settled most has won nothing.
    let mut nobody = race(NOON_MS + DAY_MS, &people);
    nobody.seats.iter_mut().for_each(|seat| (seat.finished, seat.official_ms) = (false, None));
    let alone = race(NOON_MS + 2 * DAY_MS, &[people[2], people[0], people[1]]);
    store_rounds(&store, &[tied, nobody, alone]).await;
    let mut wins: Vec<(String, i64)> = rows(&store, &BoardKey::points(Span::All, None), List::People)
        .await
        .into_iter()
        .map(|row| (row.name, row.wins))
        .collect();
    wins.sort_unstable();
    assert_eq!(wins, named(&[("P0", 0), ("P1", 0), ("P2", 1)]));
});

on_both!(the_first_to_reach_a_sum_stays_before_those_who_equal_it_later, |database| {
    let store = database.open().await;
    let (late, early) = (player(&store, "Late", false).await, player(&store, "Early", false).await);
    let rounds = [
        counted(NOON_MS, vec![seat(0, late, 40_000, 22, 500)]),
        counted(NOON_MS + 1, vec![seat(0, early, 40_000, 22, 1000)]),
        counted(NOON_MS + 2, vec![seat(0, late, 40_000, 22, 500)]),
        // A round without points changes neither sum nor the instant at which it was reached.
        counted(NOON_MS + 3, vec![seat(0, early, 40_000, 22, 0)]),
    ];
    store_rounds(&store, &rounds).await;
    assert_eq!(points(&store, Span::All, None).await, named(&[("Early", 1000), ("Late", 1000)]));
    assert_eq!(
        points(&store, Span::day_of(NOON_MS), Some("standard")).await,
        named(&[("Early", 1000), ("Late", 1000)])
    );
    let reached = rows(&store, &BoardKey::points(Span::All, None), List::People).await;
    let reached: Vec<_> = reached.iter().map(|row| (row.reached_at_ms, row.round_id)).collect();
    assert_eq!(reached, [(NOON_MS + 1, rounds[1].round_id), (NOON_MS + 2, rounds[2].round_id)]);
});

on_both!(the_pages_of_a_list_hold_every_player_once, |database| {
    let store = database.open().await;
    let mut rounds = Vec::new();
    for index in 0..7 {
        let id = player(&store, &format!("P{index}"), false).await;
        // Many equal in value and instant: the order among them still has to be total.
        rounds.push(counted(NOON_MS, vec![seat(0, id, 40_000, 22, 1000 + index / 3)]));
    }
    store_rounds(&store, &rounds).await;
    let read = async |board: BoardKey, limit| {
        let (mut names, mut after) = (Vec::new(), None);
        loop {
            let page = store.board_page(&board, List::People, after, limit).await.unwrap();
            let Some(last) = page.last() else { break };
            let BoardRow { place, reached_at_ms, player_id, .. } = *last;
            after = Some(BoardAfter { place, reached_at_ms, player_id, until_ms: i64::MAX });
            names.extend(page.into_iter().map(|row| row.name).filter(|name| !name.is_empty()));
        }
        names
    };
    let by_points = read(BoardKey::points(Span::All, None), 2).await;
    assert_eq!(by_points, ["P6", "P3", "P4", "P5", "P0", "P1", "P2"]);
    let by_time = read(BoardKey::fastest(Span::All, "standard"), 3).await;
    assert_eq!(by_time, ["P0", "P1", "P2", "P3", "P4", "P5", "P6"]);
});

on_both!(the_fastest_list_takes_each_players_best_clean_uninterrupted_finish, |database| {
    let store = database.open().await;
    let (ada, bob, cy) =
        (player(&store, "Ada", false).await, player(&store, "Bob", false).await, player(&store, "Cy", false).await);
    let bot = player(&store, "Bot", true).await;
    let interrupted = RoundRecord { interrupted: true, ..counted(NOON_MS, vec![seat(0, ada, 5_000, 22, 1000)]) };
    let with_errors = SeatRecord { clean: false, errors: 2, ..seat(1, bob, 6_000, 22, 1000) };
    let unfinished =
        SeatRecord { finished: false, official_ms: None, raw_ms: None, stars: None, ..seat(2, cy, 0, 3, 0) };
    let mut with_bot = counted(NOON_MS + 3, vec![seat(0, ada, 30_000, 22, 1000), seat(1, bot, 1_000, 20, 1000)]);
    with_bot.seats[1].bot = true;
    let again = counted(NOON_MS + 4, vec![seat(0, ada, 40_000, 21, 1000)]);
    let rounds = [
        interrupted,
        counted(NOON_MS + 1, vec![seat(0, ada, 50_000, 22, 1000), with_errors, unfinished]),
        counted(NOON_MS + 2, vec![seat(0, ada, 40_000, 22, 1000), seat(1, bob, 40_000, 30, 1000)]),
        with_bot,
        again,
        counted(NOON_MS + DAY_MS, vec![seat(0, bob, 30_000, 22, 1000)]),
    ];
    store_rounds(&store, &rounds).await;
    let list = async |span| {
        let rows = rows(&store, &BoardKey::fastest(span, "standard"), List::People).await;
        rows.into_iter().map(|row| (row.name, row.place, row.reached_at_ms)).collect::<Vec<_>>()
    };
    let row = |name: &str, value, at| (name.to_owned(), value, at);
    assert_eq!(list(Span::All).await, [row("Bob", 30_000, NOON_MS + DAY_MS), row("Ada", 40_000, NOON_MS + 2)]);
    let today = list(Span::day_of(NOON_MS)).await;
    assert_eq!(today.iter().map(|row| row.1).collect::<Vec<_>>(), [40_000, 40_000]);
    assert!(today.iter().all(|row| row.2 == NOON_MS + 2), "the first to reach a time keeps it: {today:?}");
    let best = rows(&store, &BoardKey::fastest(Span::All, "standard"), List::People).await;
    let best: Vec<_> = best.iter().map(|row| (row.moves, row.official_ms, row.round_id, row.rounds)).collect();
    let expected = [(22, 30_000, rounds[5].round_id, 2), (22, 40_000, rounds[2].round_id, 3)];
    assert_eq!(best, expected.map(|(moves, ms, round_id, rounds)| (Some(moves), Some(ms), round_id, rounds)));
    let bots = rows(&store, &BoardKey::fastest(Span::All, "standard"), List::Bots).await;
    assert_eq!(bots.iter().map(|row| row.place).collect::<Vec<_>>(), [1_000]);
});

on_both!(the_fewest_list_compares_moves_with_the_optimum_of_the_board, |database| {
    let store = database.open().await;
    let (ada, bob) = (player(&store, "Ada", false).await, player(&store, "Bob", false).await);
    let mut harder = counted(NOON_MS + 1, vec![seat(0, bob, 90_000, 25, 1000)]);
    harder.optimum = Some(24);
    let mut unproven = counted(NOON_MS + 2, vec![seat(0, ada, 90_000, 1, 1000)]);
    unproven.optimum = None;
    store_rounds(&store, &[counted(NOON_MS, vec![seat(0, ada, 10_000, 21, 1000)]), harder, unproven]).await;
    let rows = rows(&store, &BoardKey::fewest(Span::All, "standard"), List::People).await;
    let seen: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.moves, row.optimum)).collect();
    // 25/24 = 1.0417 is nearer to the optimum than 21/20 = 1.05.
    assert_eq!(seen, [("Bob", Some(25), Some(24)), ("Ada", Some(21), Some(20))]);
});

on_both!(a_rating_stands_on_its_board_as_soon_as_it_is_settled_and_not_before, |database| {
    let store = database.open().await;
    let people = people(&store, 12).await;
    let mut seen = false;
    for index in 0..60_i64 {
        // P0 meets everybody in turn and wins every other time.
        let other = people[1 + index as usize % 11];
        let order = if index % 2 == 0 { [people[0], other] } else { [other, people[0]] };
        let round = race(NOON_MS + index * DAY_MS, &order);
        store_rounds(&store, std::slice::from_ref(&round)).await;
        let own = store.ratings_of(people[0]).await.unwrap();
        let own = own.iter().find(|row| row.series.is_empty()).unwrap();
        let board = rows(&store, &BoardKey::rating(None), List::People).await;
        let entry = board.iter().find(|row| row.player_id == people[0]);
        assert_eq!(entry.is_some(), own.rating().uncertainty() <= 180, "after {} rounds: {own:?}", own.rounds);
        let Some(entry) = entry else { continue };
        seen = true;
        let expected = (-own.mu, Some(own.sigma), index + 1, index / 2 + 1, round.round_id, round.finished_at_ms);
        let found = (entry.place, entry.sigma, entry.rounds, entry.wins, entry.round_id, entry.reached_at_ms);
        assert_eq!(found, expected);
        let of_preset = rows(&store, &BoardKey::rating(Some("standard")), List::People).await;
        assert_eq!(of_preset.iter().map(|row| row.place).collect::<Vec<_>>(), [-own.mu]);
    }
    assert!(seen, "60 rounds are enough");
});

on_both!(a_rating_that_is_no_longer_settled_leaves_its_board, |database| {
    let store = database.open().await;
    let (ada, bob) = (player(&store, "Ada", false).await, player(&store, "Bob", false).await);
    store_rounds(&store, &[race(NOON_MS, &[ada, bob])]).await;
    // 3.008 shows 180; a sure win tells nothing, and the drift of a round makes it 3.0092, which shows 181.
    database.execute("UPDATE rating SET sigma = 3008000, mu = 150000000 WHERE series = ''").await;
    database.execute(&format!("UPDATE rating SET mu = 0 WHERE player_id = {}", database.literal(bob))).await;
    let entry =
        "INSERT INTO board_entry SELECT generation, 'rating/all/', 0, player_id, -mu, 1, player_id, 1, 1 FROM rating";
    database.execute(&format!("{entry} WHERE series = ''")).await;
    assert_eq!(rows(&store, &BoardKey::rating(None), List::People).await.len(), 2);
    store_rounds(&store, &[race(NOON_MS + 1, &[ada, bob])]).await;
    let own = store.ratings_of(ada).await.unwrap();
    let (rating, fresh) = (own[0].rating(), Rating::fresh());
    assert!(rating.is_provisional() && rating.sigma < fresh.sigma / 2, "{rating:?}");
    assert_eq!(rows(&store, &BoardKey::rating(None), List::People).await, []);
});

on_both!(flagged_results_stand_apart, |database| {
    let store = database.open().await;
    let (ada, bob) = (player(&store, "Ada", false).await, player(&store, "Bob", false).await);
    database.execute("UPDATE player SET standing = 1 WHERE name = 'Bob'").await;
    let doubted = |suspicion, official_ms, score| {
        let seat = SeatRecord { suspicion, ..seat(0, ada, official_ms, 22, score) };
        counted(NOON_MS + official_ms, vec![seat])
    };
    // Two results that no hand seems to have made, and two of somebody who shares a network with another.
    let rounds = [
        doubted(1, 10_000, 400),
        doubted(2, 11_000, 30),
        doubted(4, 50_000, 2),
        doubted(0, 60_000, 1),
        counted(NOON_MS, vec![seat(0, bob, 20_000, 22, 5)]),
    ];
    store_rounds(&store, &rounds).await;
    let read = async |board: BoardKey, list| {
        let rows = rows(&store, &board, list).await;
        rows.into_iter().map(|row| (row.name, row.place)).collect::<Vec<_>>()
    };
    let fastest = BoardKey::fastest(Span::All, "standard");
    assert_eq!(points(&store, Span::All, None).await, named(&[("Ada", 3)]));
    assert_eq!(read(fastest.clone(), List::People).await, named(&[("Ada", 50_000)]));
    assert_eq!(read(fastest.clone(), List::Apart).await, named(&[("Ada", 10_000), ("Bob", 20_000)]));
    let sums = read(BoardKey::points(Span::All, None), List::Apart).await;
    assert_eq!(sums, named(&[("Ada", -430), ("Bob", -5)]));

    // No longer flagged, and another gone for good.
    database.execute("UPDATE player SET standing = CASE WHEN name = 'Bob' THEN 0 ELSE 3 END").await;
    rebuild(&store, &Clock::start(), Purpose::Replace).await.unwrap();
    assert_eq!(read(fastest.clone(), List::People).await, named(&[("Bob", 20_000)]));
    assert_eq!(read(fastest, List::Apart).await, []);
    assert_eq!(database.count("board_entry WHERE generation <> 2").await, 0);
});

on_both!(a_round_stands_on_no_board_before_its_delay_is_over, |database| {
    let store = database.open().await;
    let (ada, bob) = (player(&store, "Ada", false).await, player(&store, "Bob", false).await);
    let rounds = [race(NOON_MS, &[ada, bob]), race(NOON_MS + 5_000, &[bob, ada])];
    store_unshown(&store, &rounds).await;
    let moved = store.ratings_of(ada).await.unwrap();
    assert_eq!(moved[0].rounds, 2, "the racers know at once");
    assert!(!store.show_rounds(NOON_MS + 14_999).await.unwrap());
    assert_eq!(points(&store, Span::All, None).await, []);
    assert_eq!(store.ratings_shown(ada).await.unwrap(), []);

    assert!(store.show_rounds(NOON_MS + 15_000).await.unwrap());
    assert!(!store.show_rounds(NOON_MS + 15_000).await.unwrap(), "the second goes on waiting");
    assert_eq!(points(&store, Span::All, None).await, named(&[("Ada", 1500), ("Bob", 1400)]));
    let after_one = rate(&[(Rating::fresh(), 1), (Rating::fresh(), 2)]);
    let shown = store.ratings_shown(ada).await.unwrap();
    let shown: Vec<_> = shown.iter().map(|row| (row.series.as_str(), row.rating(), row.rounds)).collect();
    assert_eq!(shown, [("", after_one[0], 1), ("standard", after_one[0], 1)]);

    assert!(store.show_rounds(NOON_MS + 20_000).await.unwrap());
    assert_eq!(points(&store, Span::All, None).await, named(&[("Ada", 2900), ("Bob", 2900)]));
    assert_eq!(store.ratings_shown(ada).await.unwrap(), moved);
    // Stored before the clock went back by a day: nobody waits a day for it.
    store_unshown(&store, &[race(NOON_MS + DAY_MS, &[ada, bob])]).await;
    assert!(store.show_rounds(NOON_MS + 20_000).await.unwrap());
    assert_eq!(store.shown_until().await.unwrap(), NOON_MS + DAY_MS);
});

on_both!(a_rating_that_falls_does_not_come_to_a_later_page_as_well, |database| {
    let store = database.open().await;
    let people = people(&store, 3).await;
    for (player, place) in people.iter().zip([-30_i64, -20, -10]) {
        let id = database.literal(*player);
        database
            .execute(&format!("INSERT INTO board_entry VALUES (1, 'rating/all/', 0, {id}, {place}, 7, {id}, 9, 3)"))
            .await;
    }
    let board = BoardKey::rating(None);
    let first = store.board_page(&board, List::People, None, 1).await.unwrap();
    let BoardRow { place, reached_at_ms, player_id, .. } = first[0];
    assert_eq!(player_id, people[0]);
    database
        .execute(&format!(
            "UPDATE board_entry SET place = -15, reached_at_ms = 8 WHERE player_id = {}",
            database.literal(people[0])
        ))
        .await;
    let after = BoardAfter { place, reached_at_ms, player_id, until_ms: 7 };
    let more = store.board_page(&board, List::People, Some(after), 9).await.unwrap();
    assert_eq!(more.iter().map(|row| row.player_id).collect::<Vec<_>>(), people[1..]);
});

on_both!(boards_are_shown_until_the_greatest_end_whichever_round_was_stored_last, |database| {
    let store = database.open().await;
    assert_eq!(store.shown_until().await.unwrap(), 0);
    let people = people(&store, 2).await;
    store_rounds(&store, &[race(NOON_MS + 5, &people), race(NOON_MS, &people)]).await;
    assert_eq!(store.shown_until().await.unwrap(), NOON_MS + 5);
    store_unshown(&store, &[race(NOON_MS + 9, &people)]).await;
    assert_eq!(store.shown_until().await.unwrap(), NOON_MS + 5, "it stands on no board yet");
});

#[tokio::test]
async fn a_page_goes_on_in_the_day_of_the_page_before() {
    let host = Host::start().await;
    let beside = Store::open(&host.database(), StoreOptions { exclusive: false, ..StoreOptions::default() }).await;
    let store = beside.unwrap();
    let now_ms = Clock::start().now().0 as i64;
    let people = people(&store, 4).await;
    let yesterday_ms = now_ms - DAY_MS;
    store_rounds(&store, &[race(yesterday_ms, &people[..2]), race(now_ms, &people[2..])]).await;
    let first = host.get("/api/v1/leaderboards/sprint?period=day&limit=1").await;
    assert_eq!(first["entries"][0]["name"], json!("P2"));
    let next = first["next"].as_str().unwrap();
    let rest = next.split_once('.').unwrap().1;
    let goes_on = async |period: &str, cursor: &str| {
        let path = format!("/api/v1/leaderboards/sprint?period={period}&limit=1&after={cursor}");
        host.request("GET", &path, &[], "").await
    };
    // As if it had been asked yesterday.
    let cursor = format!("{}.{rest}", Span::day_of(yesterday_ms).key());
    assert_eq!(goes_on("day", &cursor).await.json()["entries"][0]["name"], json!("P1"));
    assert_eq!(goes_on("day", next).await.json()["entries"][0]["name"], json!("P3"));
    for (period, cursor) in [("week", next), ("all", next), ("day", rest), ("day", &next[1..]), ("day", "d1.1.1.1.1.x")]
    {
        let refused = goes_on(period, cursor).await;
        assert_eq!(refused.status, 400, "{period} {cursor}");
        assert!(refused.json()["detail"].as_str().unwrap().contains("of the page before"), "{period} {cursor}");
    }
}

#[tokio::test]
async fn leaderboards_are_listed_page_by_page_and_ones_own_place_is_found() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let bearer = ada.bearer();
    let auth = [("authorization", bearer.as_str())];
    let me = host.request("GET", "/api/v1/players/me", &auth, "").await.json();
    let ada_id = Uuid::parse_str(me["player_id"].as_str().unwrap()).unwrap();
    let beside = Store::open(&host.database(), StoreOptions { exclusive: false, ..StoreOptions::default() }).await;
    let store = beside.unwrap();
    let now_ms = Clock::start().now().0 as i64;
    let others = people(&store, 3).await;
    let mut rounds = [race(now_ms, &[others[0], ada_id, others[1]]), race(now_ms + 1, &[ada_id, others[2]])];
    rounds[0].seats[0].moves = 21;
    store_rounds(&store, &rounds).await;

    // The sums: Ada 1400 + 1500, P0 1500, P2 1400, P1 1300.
    let first = host.get("/api/v1/leaderboards/sprint?preset=standard&period=week&limit=1").await;
    let entry = json!({
        "rank": 1, "player_id": ada_id, "name": "Ada", "bot": false, "value": 2_900, "uncertainty": null, "rounds": 2,
        "wins": 1, "moves": 22, "optimum": 20, "official_ms": 40_000, "errors": 0,
        "interrupted": false, "round_id": rounds[1].round_id,
    });
    assert_eq!(first["entries"], json!([entry]));
    let path = "/api/v1/leaderboards/sprint?preset=standard&period=week&limit=2&after=";
    let second = host.get(&format!("{path}{}", first["next"].as_str().unwrap())).await;
    let seen: Vec<_> = second["entries"].as_array().unwrap().iter().map(|e| (&e["rank"], &e["name"])).collect();
    assert_eq!(seen, [(&json!(2), &json!("P0")), (&json!(3), &json!("P2"))]);
    let last = host.get(&format!("{path}{}", second["next"].as_str().unwrap())).await;
    assert_eq!((&last["entries"][0]["name"], &last["next"]), (&json!("P1"), &json!(null)));
    for empty in ["sprint?preset=spire", "sprint?bots=true", "sprint?list=apart", "rating", "fastest?preset=expert"] {
        assert_eq!(host.get(&format!("/api/v1/leaderboards/{empty}")).await["entries"], json!([]), "{empty}");
    }
    let fastest = host.get("/api/v1/leaderboards/fastest?preset=standard&period=day").await;
    let seen: Vec<_> = fastest["entries"].as_array().unwrap().iter().map(|e| (&e["name"], &e["value"])).collect();
    let (first, other) = (json!(40_000), json!([41_000, 41_000, 42_000]));
    assert_eq!(seen[..2], [(&json!("P0"), &first), (&json!("Ada"), &first)]);
    assert_eq!(json!(seen[2..].iter().map(|entry| entry.1).collect::<Vec<_>>()), json!(other.as_array().unwrap()[1..]));

    let own = async |path: &str| host.request("GET", &format!("/api/v1/leaderboards/{path}"), &auth, "").await.json();
    let place = own("fewest/me?preset=standard&around=1").await;
    assert_eq!((&place["rank"], &place["list"]), (&json!(2), &json!("people")));
    assert_eq!(place["entries"].as_array().unwrap().len(), 3);
    assert_eq!(place["entries"][1]["player_id"], json!(ada_id));
    let ranks: Vec<_> = place["entries"].as_array().unwrap().iter().map(|entry| &entry["rank"]).collect();
    assert_eq!(ranks, [&json!(1), &json!(2), &json!(3)]);
    let nowhere = own("rating/me").await;
    assert_eq!((&nowhere["rank"], &nowhere["entries"]), (&json!(null), &json!([])), "provisional");
}
