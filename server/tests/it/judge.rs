//! What the host does about players: flags and bans, from the command line, beside a running server.

use std::time::Duration;

use serde_json::Value;
use sprint_server::clock::Clock;
use sprint_server::fair::{CADENCE, ONE_NETWORK, TOO_FAST};
use sprint_server::judge::{Verdict, judge};
use sprint_server::rebuild::{Purpose, RebuildError, rebuild};
use sprint_server::store::{BoardKey, List, NewPlayer, RoundRecord, Span, Standing, Store};
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::{TestDatabase, on_both};
use crate::process::{Process, program};
use crate::rows::{NOON_MS, player, race, store_rounds};
use crate::season::{numbers, without};

/// Nothing here takes so long.
const LONG: Duration = Duration::from_secs(120);
const HOUR_MS: i64 = 3_600_000;

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The same players in every database.
async fn seat_players(store: &Store, players: &[Uuid]) {
    for (index, player_id) in players.iter().enumerate() {
        let mut token_hash = [0; 32];
        token_hash[..16].copy_from_slice(player_id.as_bytes());
        let name = format!("P{index}");
        let player = NewPlayer { player_id: *player_id, name, token_hash, bot: false, created_at_ms: NOON_MS };
        store.create_player(&player).await.unwrap();
    }
}

/// Rounds of two to four of these players, each as often as the others, first and last as well.
fn season(players: &[Uuid], rounds: usize) -> Vec<RoundRecord> {
    let round = |index: usize| {
        let from = |step: usize| players[(index * (1 + index / players.len()) + step) % players.len()];
        let mut order: Vec<Uuid> = (0..2 + index % 3).map(from).collect();
        order.sort_unstable();
        order.dedup();
        order.rotate_left(index % 2);
        race(NOON_MS + index as i64 * 7 * HOUR_MS, &order)
    };
    (0..rounds).map(round).collect()
}

/// Every entry of every board that these rounds can bring about, all lists.
async fn boards(store: &Store, rounds: &[RoundRecord]) -> Vec<String> {
    let mut spans = vec![Span::All];
    for round in rounds {
        spans.extend([Span::day_of(round.finished_at_ms), Span::week_of(round.finished_at_ms)]);
    }
    let mut keys = vec![BoardKey::rating(None), BoardKey::rating(Some("standard"))];
    for span in spans {
        keys.extend([BoardKey::points(span, None), BoardKey::points(span, Some("standard"))]);
        keys.extend([BoardKey::fastest(span, "standard"), BoardKey::fewest(span, "standard")]);
    }
    let mut entries = Vec::new();
    for key in keys {
        for list in [List::People, List::Bots, List::Apart] {
            let rows = store.board_page(&key, list, None, 100).await.unwrap();
            entries.extend(rows.iter().map(|row| format!("{} {list:?} {row:?}", key.as_str())));
        }
    }
    entries.sort_unstable();
    entries.dedup();
    entries
}

on_both!(a_banned_player_leaves_the_boards_and_everyones_rating_is_as_without_them, |database| {
    let (clean, clock) = (TestDatabase::sqlite(), Clock::start());
    let (store, never) = (database.open().await, clean.open().await);
    let players: Vec<Uuid> = (0..6).map(|_| Uuid::now_v7()).collect();
    let (cheat, others) = (players[3], [&players[..3], &players[4..]].concat());
    let rounds = season(&players, 40);
    assert!(rounds.iter().filter(|round| round.seats.iter().any(|seat| seat.player_id == cheat)).count() > 8);
    seat_players(&store, &players).await;
    seat_players(&never, &players).await;
    store_rounds(&store, &rounds).await;
    store_rounds(&never, &without(&rounds, cheat)).await;
    let before = numbers(&store, &players, &rounds).await;
    assert_ne!(before, numbers(&never, &players, &rounds).await, "the cheat has moved others");

    let judgement = judge(&store, &clock, &cheat.to_string(), Verdict::Ban, "a program").await.unwrap();
    assert_eq!(judgement.player.standing, Standing::Banned);
    assert_eq!(numbers(&store, &players, &rounds).await, numbers(&never, &players, &rounds).await);
    assert!(store.ratings_of(cheat).await.unwrap().is_empty());
    let (with, never_with) = (boards(&store, &rounds).await, boards(&never, &rounds).await);
    assert_eq!(with, never_with);
    assert!(with.len() > 100 && !with.iter().any(|entry| entry.contains(&cheat.to_string())));

    // What is played after the ban counts without the banned player too.
    let later: Vec<RoundRecord> = season(&players, 60).split_off(40);
    store_rounds(&store, &later).await;
    store_rounds(&never, &without(&later, cheat)).await;
    let all = [rounds, later].concat();
    assert_eq!(numbers(&store, &others, &all).await, numbers(&never, &others, &all).await);
});

on_both!(unban_brings_back_the_same_numbers, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let players: Vec<Uuid> = (0..5).map(|_| Uuid::now_v7()).collect();
    let rounds = season(&players, 30);
    seat_players(&store, &players).await;
    store_rounds(&store, &rounds).await;
    let (before, stood) = (numbers(&store, &players, &rounds).await, boards(&store, &rounds).await);
    judge(&store, &clock, "P2", Verdict::Ban, "").await.unwrap();
    assert_ne!(numbers(&store, &players, &rounds).await, before);
    assert_ne!(boards(&store, &rounds).await, stood);
    let judgement = judge(&store, &clock, "P2", Verdict::Unban, "").await.unwrap();
    assert_eq!(judgement.player.standing, Standing::Fine);
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    assert_eq!(boards(&store, &rounds).await, stood);
    let report = rebuild(&store, &clock, Purpose::Check).await.unwrap();
    assert_eq!((report.rounds, report.differing), (30, Some(0)));
});

on_both!(a_flag_sets_a_player_apart_and_moves_nobodys_rating, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let players: Vec<Uuid> = (0..4).map(|_| Uuid::now_v7()).collect();
    let rounds = season(&players, 12);
    seat_players(&store, &players).await;
    store_rounds(&store, &rounds).await;
    let before = numbers(&store, &players, &rounds).await;
    let listed = |list, name: &'static str| {
        let store = store.clone();
        async move {
            let rows = store.board_page(&BoardKey::points(Span::All, None), list, None, 10).await.unwrap();
            rows.iter().any(|row| row.name == name)
        }
    };
    assert!(listed(List::People, "P1").await && !listed(List::Apart, "P1").await);
    let judgement = judge(&store, &clock, "P1", Verdict::Flag, "too even").await.unwrap();
    assert_eq!(judgement.rebuilt.unwrap().differing, Some(0));
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    assert!(!listed(List::People, "P1").await && listed(List::Apart, "P1").await);
    assert!(listed(List::People, "P2").await, "the others stay where they are");
    let judged = store.judged(10).await.unwrap();
    let judged: Vec<_> = judged.iter().map(|one| (one.name.as_str(), one.standing, one.reason.as_str())).collect();
    assert_eq!(judged, [("P1", Standing::Flagged, "too even")]);
    judge(&store, &clock, "P1", Verdict::Unflag, "").await.unwrap();
    assert!(store.judged(10).await.unwrap().is_empty());
});

on_both!(a_strong_sign_sets_one_result_apart_and_a_shared_network_none, |database| {
    let store = database.open().await;
    let players: Vec<Uuid> = (0..3).map(|_| Uuid::now_v7()).collect();
    seat_players(&store, &players).await;
    let mut round = race(NOON_MS, &players);
    (round.seats[0].suspicion, round.seats[1].suspicion) = (CADENCE | ONE_NETWORK, ONE_NETWORK);
    store_rounds(&store, &[round]).await;
    let mut names = Vec::new();
    for list in [List::People, List::Apart] {
        let rows = store.board_page(&BoardKey::fastest(Span::All, "standard"), list, None, 10).await.unwrap();
        names.push(rows.into_iter().map(|row| row.name).collect::<Vec<_>>());
    }
    assert_eq!(names, [vec!["P1", "P2"], vec!["P0"]]);
});

on_both!(signs_are_listed_newest_first_and_no_clean_result_among_them, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let players: Vec<Uuid> = (0..3).map(|_| Uuid::now_v7()).collect();
    seat_players(&store, &players).await;
    let mut rounds = season(&players, 6);
    let suspected = [(1, TOO_FAST), (3, ONE_NETWORK), (4, CADENCE | ONE_NETWORK)];
    suspected.iter().for_each(|(round, signs)| rounds[*round].seats[1].suspicion = *signs);
    rounds[3].seats[1].official_ms = None;
    store_rounds(&store, &rounds).await;
    let who = rounds[4].seats[1].player_id;
    judge(&store, &clock, &who.to_string(), Verdict::Flag, "").await.unwrap();
    let suspects = store.suspects(10).await.unwrap();
    let seen: Vec<_> = suspects.iter().map(|one| (one.round_id, one.seat, one.suspicion)).collect();
    let expected = suspected.iter().rev().map(|(round, signs)| (rounds[*round].round_id, 1, *signs));
    assert_eq!(seen, expected.collect::<Vec<_>>());
    assert_eq!((suspects[0].player_id, suspects[0].standing, suspects[0].matched), (who, Standing::Flagged, true));
    assert_eq!((suspects[1].official_ms, suspects[2].optimum), (None, Some(20)));
    assert_eq!(store.suspects(1).await.unwrap(), suspects[..1]);
});

on_both!(a_cheat_who_deletes_the_account_is_removed_all_the_same, |database| {
    let (clean, clock) = (TestDatabase::sqlite(), Clock::start());
    let (store, never) = (database.open().await, clean.open().await);
    let players: Vec<Uuid> = (0..5).map(|_| Uuid::now_v7()).collect();
    let (cheat, rounds) = (players[3], season(&players, 30));
    for (store, rounds) in [(&store, rounds.clone()), (&never, without(&rounds, cheat))] {
        seat_players(store, &players).await;
        store_rounds(store, &rounds).await;
    }
    let before = numbers(&store, &players, &rounds).await;
    store.delete_player(cheat, NOON_MS).await.unwrap();
    rebuild(&store, &clock, Purpose::Replace).await.unwrap();
    assert_eq!(numbers(&store, &players, &rounds).await, before, "opponents' ratings rest on whoever only went");
    let stood = boards(&store, &rounds).await;

    let judgement = judge(&store, &clock, &cheat.to_string(), Verdict::Ban, "a program").await.unwrap();
    assert_eq!(judgement.player.standing, Standing::DeletedAndBanned);
    assert_eq!(numbers(&store, &players, &rounds).await, numbers(&never, &players, &rounds).await);
    assert_eq!(boards(&store, &rounds).await, boards(&never, &rounds).await);
    let listed = store.judged(10).await.unwrap();
    let listed: Vec<_> = listed.iter().map(|one| (one.name.as_str(), one.standing, one.reason.as_str())).collect();
    assert_eq!(listed, [("Deleted player", Standing::DeletedAndBanned, "a program")]);
    // No name is given to who has none any more, and who is banned already stays so however they go.
    store.give_skeletons(|_| {}).await.unwrap();
    store.delete_player(cheat, NOON_MS + 1).await.unwrap();
    let gone = store.player(cheat).await.unwrap().unwrap();
    assert_eq!((gone.name.as_str(), gone.standing), ("Deleted player", Standing::DeletedAndBanned));
    assert_eq!(database.count("player WHERE skeleton IS NULL").await, 1);

    let judgement = judge(&store, &clock, &cheat.to_string(), Verdict::Unban, "").await.unwrap();
    assert_eq!(judgement.player.standing, Standing::Deleted);
    assert_eq!(numbers(&store, &players, &rounds).await, before);
    assert_eq!(boards(&store, &rounds).await, stood);
});

on_both!(a_verdict_takes_over_from_whoever_is_rebuilding, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let ada = player(&store, "Ada", false).await;
    let now_ms = clock.now().0;
    database
        .execute(&format!(
            "INSERT INTO ladder (id, generation, rounds, building, building_at_ms) VALUES (1, 1, 0, 2, {now_ms})"
        ))
        .await;
    let judgement = judge(&store, &clock, "Ada", Verdict::Ban, "").await.unwrap();
    assert_eq!(store.player(ada).await.unwrap().unwrap().standing, Standing::Banned);
    assert_eq!(judgement.rebuilt.map(|report| report.rounds), Some(0));
    assert_eq!(database.count("ladder WHERE generation = 3 AND building IS NULL").await, 1, "a number is used once");
});

on_both!(a_rebuild_that_began_before_a_verdict_never_counts, |database| {
    let (clean, clock) = (TestDatabase::sqlite(), Clock::start());
    let (store, never, beside) = (database.open().await, clean.open().await, database.open_beside().await);
    let players: Vec<Uuid> = (0..5).map(|_| Uuid::now_v7()).collect();
    let (cheat, rounds) = (players[1], season(&players, 60));
    for (store, rounds) in [(&store, rounds.clone()), (&never, without(&rounds, cheat))] {
        seat_players(store, &players).await;
        store_rounds(store, &rounds).await;
    }
    let before = numbers(&store, &players, &rounds).await;
    // Half way, the verdict comes, and whoever gave it is gone before the rebuild that is to follow.
    let verdict = async {
        database.until_any("rating WHERE generation = 2").await;
        beside.set_standing(cheat, (Standing::Fine, Standing::Banned), "", NOON_MS).await.unwrap()
    };
    let both = async { tokio::join!(rebuild(&store, &clock, Purpose::Replace), verdict) };
    let (late, judged) = timeout(LONG, both).await.expect("a rebuild that has lost its claim ends");
    assert!(matches!(late, Err(RebuildError::Lost)), "{late:?}");
    assert!(judged.is_some());
    assert_eq!(numbers(&store, &players, &rounds).await, before, "half counted with the player, and it does not count");
    assert_eq!(database.count("ladder WHERE generation = 1 AND building = 3").await, 1);
    // Who was judged otherwise meanwhile is not judged on what was.
    assert!(beside.set_standing(cheat, (Standing::Fine, Standing::Flagged), "", NOON_MS).await.unwrap().is_none());
    // The same once more ends it, at once.
    judge(&beside, &clock, "P1", Verdict::Ban, "").await.unwrap();
    assert_eq!(numbers(&store, &players, &rounds).await, numbers(&never, &players, &rounds).await);
    assert_eq!(boards(&store, &rounds).await, boards(&never, &rounds).await);
});

on_both!(two_verdicts_at_once_both_count, |database| {
    let (clean, clock) = (TestDatabase::sqlite(), Clock::start());
    let (store, never, beside) = (database.open().await, clean.open().await, database.open_beside().await);
    let players: Vec<Uuid> = (0..6).map(|_| Uuid::now_v7()).collect();
    let rounds = season(&players, 60);
    for (store, rounds) in [(&store, rounds.clone()), (&never, without(&without(&rounds, players[1]), players[4]))] {
        seat_players(store, &players).await;
        store_rounds(store, &rounds).await;
    }
    let second = async {
        database.until_any("rating WHERE generation = 2").await;
        judge(&beside, &clock, "P4", Verdict::Ban, "").await.unwrap()
    };
    let both = async { tokio::join!(judge(&store, &clock, "P1", Verdict::Ban, ""), second) };
    let (first, second) = timeout(LONG, both).await.expect("both verdicts are given");
    assert_eq!((first.unwrap().rebuilt, second.rebuilt.is_some()), (None, true));
    assert_eq!(numbers(&store, &players, &rounds).await, numbers(&never, &players, &rounds).await);
    assert_eq!(boards(&store, &rounds).await, boards(&never, &rounds).await);
});

on_both!(a_bot_is_not_flagged_but_banned, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let clank = player(&store, "Clank", true).await;
    let refused = judge(&store, &clock, "Clank", Verdict::Flag, "").await.unwrap_err().to_string();
    assert_eq!(refused, "Clank is a bot: bots stand on a list of their own; ban it if it is to stand on none");
    assert_eq!(store.player(clank).await.unwrap().unwrap().standing, Standing::Fine);
    let judgement = judge(&store, &clock, "Clank", Verdict::Ban, "").await.unwrap();
    assert_eq!(judgement.player.standing, Standing::Banned);
});

on_both!(a_bot_of_the_house_is_not_banned, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    store.furnish_house(NOON_MS).await.unwrap();
    let refused = judge(&store, &clock, "Automaton 5", Verdict::Ban, "").await.unwrap_err().to_string();
    assert!(refused.starts_with("Automaton 5 is a bot of the house: "), "{refused}");
    let automaton = store.player_named("Automaton 5").await.unwrap().unwrap();
    assert_eq!(automaton.standing, Standing::Fine);
});

on_both!(who_is_not_there_or_stands_otherwise_is_not_judged, |database| {
    let (store, clock) = (database.open().await, Clock::start());
    let ada = player(&store, "Ada", false).await;
    for (who, verdict, said) in [
        ("Bob", Verdict::Ban, "there is no player \"Bob\""),
        ("ada", Verdict::Ban, "there is no player \"ada\""),
        ("Ada", Verdict::Unban, "Ada is fine: there is nothing to take back"),
        ("Ada", Verdict::Unflag, "Ada is fine: there is nothing to take back"),
    ] {
        let refused = judge(&store, &clock, who, verdict, "").await.unwrap_err().to_string();
        assert!(refused.starts_with(said), "{refused}");
    }
    judge(&store, &clock, &ada.to_string(), Verdict::Ban, "").await.unwrap();
    let refused = judge(&store, &clock, "Ada", Verdict::Flag, "").await.unwrap_err().to_string();
    assert_eq!(refused, "Ada is banned: unban them first");
    let refused = judge(&store, &clock, "Ada", Verdict::Unflag, "").await.unwrap_err().to_string();
    assert_eq!(refused, "Ada is banned: to let them in again, unban them");
    // Once more ends what broke off, and is told the host but once.
    judge(&store, &clock, "Ada", Verdict::Ban, "again").await.unwrap();
    assert_eq!(database.count("flag").await, 1);
});

#[tokio::test]
async fn a_host_sees_signs_and_judges_from_the_command_line_while_the_server_runs() {
    let database = TestDatabase::sqlite();
    database.open().await.close().await;
    let server = Process::start(&database.url);
    let store = database.open_beside().await;
    let players: Vec<Uuid> = (0..3).map(|_| Uuid::now_v7()).collect();
    seat_players(&store, &players).await;
    let mut rounds = season(&players, 9);
    let [signs, others] = [CADENCE | TOO_FAST, ONE_NETWORK];
    let first = rounds[7].seats[0].player_id;
    let seat = rounds[8].seats.iter().position(|seat| seat.player_id != first).unwrap();
    let second = rounds[8].seats[seat].player_id;
    (rounds[7].seats[0].suspicion, rounds[8].seats[seat].suspicion) = (signs, others);
    store_rounds(&store, &rounds).await;

    let run = |args: &[&str]| program(&[args, &["--database", &database.url]].concat());
    let lines = run(&["flags"]);
    let lines: Vec<Vec<&str>> = text(&lines.stdout).lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert_eq!(lines[0][1..3], ["one_network", &second.to_string()], "the newest first");
    assert_eq!(lines[1][1..3], ["cadence,too_fast", &first.to_string()]);
    assert_eq!(lines[1][4..8], ["fine", &rounds[7].round_id.to_string(), "quick match", "standard"]);

    let banned = run(&["ban", &first.to_string(), "--reason", "no\thand"]);
    assert_eq!(banned.status.code(), Some(0), "{}", text(&banned.stderr));
    assert!(text(&banned.stdout).contains(&format!("({first}) is banned\nrounds 9 players 2 differing ")));
    let flagged = run(&["flag", &second.to_string()]);
    assert!(text(&flagged.stdout).contains("is flagged\nrounds 9 players 2 differing 0\n"));
    let json: Value = serde_json::from_slice(&run(&["flags", "--json"]).stdout).unwrap();
    let standings = json["standings"].as_array().unwrap();
    assert_eq!(standings.len(), 2);
    assert_eq!((&standings[0]["standing"], &standings[0]["reason"]), (&"flagged".into(), &"".into()));
    assert_eq!((&standings[1]["standing"], &standings[1]["reason"]), (&"banned".into(), &"no\thand".into()));
    assert_eq!(json["suspicions"][1]["signs"], serde_json::json!(["cadence", "too_fast"]));
    assert!(text(&run(&["flags"]).stdout).contains("\tno hand\n"), "a line stays a line");
    assert_eq!(text(&run(&["flags", "--limit", "1"]).stdout).lines().count(), 2, "one of each kind");

    assert_eq!(run(&["unban", &first.to_string()]).status.code(), Some(0));
    let again = run(&["unban", &first.to_string()]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("there is nothing to take back"), "{}", text(&again.stderr));
    let nobody = run(&["ban", "Nobody"]);
    assert_eq!((nobody.status.code(), text(&nobody.stdout)), (Some(1), ""));
    assert!(text(&nobody.stderr).contains("there is no player \"Nobody\""));
    assert_eq!(program(&["ban"]).status.code(), Some(2));
    server.kill();
}
