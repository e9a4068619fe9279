//! `sprint-server verify --all`: what ratings, boards and histories are made from is what the events prove.

use serde_json::json;
use sprint_server::store::Store;
use sprint_server::verify;

use crate::database::on_both;
use crate::host::{Host, SMALL, race_of_two, solution};

/// All lines that are said of the only round.
async fn lines(store: &Store) -> Vec<String> {
    let report = verify::all(store).await.expect("it does not end on a round");
    assert_eq!(report.verified + report.differing.len() as u64, 1, "{report:?}");
    report.differing.into_iter().flat_map(|(_, lines)| lines).collect()
}

on_both!(whatever_is_changed_beside_the_events_is_named, |database| {
    let mut host = Host::start_with(|settings| settings.database.database = Some(database.url.clone())).await;
    let (mut ada, _ben, _, board) = race_of_two(&host, json!({ "blueprint": SMALL })).await;
    for transfer in solution(&board) {
        ada.play(transfer).await;
    }
    ada.until("series_over").await;
    host.stop().await;
    let store = database.open().await;
    assert_eq!(lines(&store).await, [""; 0]);
    let report = verify::all(&store).await.unwrap();
    assert_eq!(report.not_checked.into_iter().collect::<Vec<_>>(), [("deal", 1)], "nobody dealt a blueprint");

    let round = |change: &str| format!("UPDATE round_result SET {change}");
    let winner = |change: &str| format!("UPDATE seat_result SET {change} WHERE official_ms IS NOT NULL");
    for (change, said) in [
        (winner("finished_at_ms = finished_at_ms + 1"), "seats: 1 of them repeat another"),
        (winner("rank = 2"), "column rank: 2, the events prove 1"),
        (winner("finished = NOT finished"), "column finished: false, the events prove true"),
        (winner("clean = NOT clean"), "column clean: false"),
        (winner("moves = moves + 1"), "column moves: "),
        (winner("errors = 3"), "column errors: 3, the events prove 0"),
        (winner("raw_ms = 1"), "column raw_ms: "),
        (winner("credit_ms = 99"), "column credit_ms: "),
        (winner("official_ms = 1"), "column official_ms: "),
        (winner("score = score + 1"), "column score: "),
        (winner("stars = 1"), "column stars: "),
        (winner("flawless = NOT flawless"), "column flawless: "),
        (winner("crown = NOT crown"), "column crown: "),
        (winner("bot = NOT bot"), "column bot: "),
        (winner("player_id = round_id"), "column player_id: "),
        (round("preset = 'spire'"), "column preset: "),
        (round("board = '-'"), "column board: "),
        (round("optimum = 1"), "column optimum: "),
        (round("par = 1"), "column par: "),
        (round("seed = '00'"), "column seed: "),
        (round("deal_version = 9"), "column deal_version: "),
        (round("contest = 'fewest'"), "column contest: "),
        (round("placement = 'guarded'"), "column placement: "),
        (round("rated = NOT rated"), "column rated: "),
        (round("matched = NOT matched"), "column matched: true, its room says false"),
        (round("interrupted = NOT interrupted"), "column interrupted: "),
        (round("started_at_ms = started_at_ms + 1"), "column started_at_ms: "),
        (round("finished_at_ms = finished_at_ms + 1"), "finished_at_ms: "),
        (round("round = 2"), "column round: 2, the events prove 1"),
        ("DELETE FROM seat_result WHERE seat = 1".to_owned(), "seats: [2] are stored, the events prove [1, 2]"),
        (
            "UPDATE room_event SET format = 99 WHERE seq = (SELECT last_seq FROM round_result)".to_owned(),
            "is of format 99, newer than this program reads (1)",
        ),
        (round("body = '{'"), "cannot be read"),
        ("DELETE FROM seat_result".to_owned(), ""),
        ("DELETE FROM round_result".to_owned(), "(round_over) holds its result, and none is stored"),
    ] {
        let before = lines(&store).await;
        assert!(said.is_empty() || !before.iter().any(|line| line.contains(said)), "{change}: {before:#?}");
        database.execute(&change).await;
        let after = lines(&store).await;
        assert!(after.iter().any(|line| line.contains(said)), "{change}: {after:#?}");
    }
});
