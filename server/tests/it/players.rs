//! Players: names that nobody else can be taken for.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sprint_server::house;
use sprint_server::store::NameError;
use sprint_shared::bot::Strength;
use uuid::Uuid;

use crate::database::{on_both, on_each};
use crate::host::{Answer, Guest, Host};
use crate::rows::{NOON_MS, player};

async fn create(host: &Host, name: &str) -> Answer {
    host.request("POST", "/api/v1/players", &[], &json!({ "name": name }).to_string()).await
}

async fn rename(host: &Host, guest: &Guest, name: &str) -> Answer {
    let bearer = guest.bearer();
    let body = json!({ "name": name }).to_string();
    host.request("PATCH", "/api/v1/players/me", &[("authorization", &bearer)], &body).await
}

fn refused(answer: &Answer) -> (u16, Value) {
    (answer.status, answer.json()["code"].clone())
}

#[tokio::test]
async fn two_names_that_look_alike_cannot_both_be_had_on_any_path() {
    let host = Host::start().await;
    host.guest("PayPal").await;
    let mallory = host.guest("Mallory").await;
    let taken = (409, json!("name_taken"));
    for alike in ["PayPal", "paypaI", "Pay Pal", "P\u{430}yPal", "ＰａｙＰａｌ", "pay-pa1"] {
        assert_eq!(refused(&create(&host, alike).await), taken, "created: {alike}");
        assert_eq!(refused(&rename(&host, &mallory, alike).await), taken, "renamed: {alike}");
    }
    assert_eq!(rename(&host, &mallory, "MALLORY").await.status, 200, "the own name in other letters is no other's");
    assert_eq!(rename(&host, &mallory, "Oscar").await.status, 200);
    assert_eq!(create(&host, "mallory").await.status, 201, "a name that was given up is free");
    for reserved in ["Ghost of Ada", "Deleted player"] {
        assert_eq!(refused(&create(&host, reserved).await), (422, json!("invalid")), "{reserved}");
        assert_eq!(refused(&rename(&host, &mallory, reserved).await), (422, json!("invalid")), "{reserved}");
    }
}

#[tokio::test]
async fn of_many_who_want_one_name_at_once_one_gets_it() {
    let host = Host::start().await;
    let guests = [host.guest("One").await, host.guest("Two").await, host.guest("Three").await];
    let (a, b, c, d, e) = tokio::join!(
        create(&host, "Spire"),
        create(&host, "SPIRE"),
        rename(&host, &guests[0], "spire"),
        rename(&host, &guests[1], "S p i r e"),
        rename(&host, &guests[2], "Spire"),
    );
    let got = [a, b, c, d, e].iter().filter(|answer| answer.status < 300).count();
    assert_eq!(got, 1);
}

#[tokio::test]
async fn made_up_names_are_all_different() {
    let host = Host::start().await;
    let mut names = BTreeSet::new();
    for _ in 0..400 {
        let made = host.request("POST", "/api/v1/players", &[], "").await;
        assert_eq!(made.status, 201, "{}", made.body);
        names.insert(made.json()["name"].as_str().unwrap().to_owned());
    }
    // Of 400 draws from 102,400 some are equal with a likelihood of a half: that is no matter to anybody.
    assert_eq!(names.len(), 400);
}

on_each!(a_name_is_given_to_one_player_alone, |database| {
    let store = database.open().await;
    let ada = player(&store, "Ada", false).await;
    let ben = player(&store, "Ben", true).await;
    assert!(matches!(store.rename_player(ben, "\u{410}DA").await, Err(NameError::Taken)));
    assert_eq!(store.player(ben).await.unwrap().unwrap().name, "Ben");
    assert!(store.rename_player(ada, "A D A").await.unwrap(), "to what looks like the own name");
    assert!(store.rename_player(ada, "Cleo").await.unwrap());
    assert!(store.rename_player(ben, "Ada").await.unwrap(), "it is free now");
});

on_both!(a_bot_of_the_house_keeps_its_name_when_skeletons_are_made_anew, |database| {
    let store = database.open().await;
    store.furnish_house(NOON_MS).await.unwrap();
    // Names that could be had before, by people who were there before the bots and after.
    let names = ["\u{1d00}utomaton 5", "«Automaton 6»", "Äutomaton 7", "Automaton 3!", "Ada!"];
    let mut people = Vec::new();
    for (place, name) in names.iter().enumerate() {
        people.push(player(&store, &format!("P{place}"), false).await);
        database.execute(&format!("UPDATE player SET name = '{name}' WHERE name = 'P{place}'")).await;
    }
    database.execute("UPDATE player SET skeleton = NULL").await;
    store.furnish_house(NOON_MS).await.unwrap();
    store.give_skeletons(|_| {}).await.unwrap();
    for strength in Strength::ALL {
        let bot = store.player(house::id(strength)).await.unwrap().unwrap();
        assert_eq!(bot.name, house::name(strength));
    }
    let mut now = Vec::new();
    for player in people {
        now.push(store.player(player).await.unwrap().unwrap().name);
    }
    for (name, old) in now.iter().zip(&names[..4]) {
        assert!(name.starts_with(&format!("{old} ")), "{old} is now {name}");
    }
    assert_eq!(now[4], "Ada!");
    database.execute("UPDATE player SET skeleton = NULL").await;
    store.furnish_house(NOON_MS).await.unwrap();
    store.give_skeletons(|_| {}).await.unwrap();
    assert_eq!(database.count("player WHERE skeleton IS NULL").await, 0);
    for name in now {
        let kept = database.count(&format!("player WHERE name = '{name}'")).await;
        assert_eq!(kept, 1, "{name} has its number already");
    }
});

on_both!(who_had_the_name_of_a_bot_of_the_house_before_it_keeps_it, |database| {
    let store = database.open().await;
    let person = player(&store, "Automaton 5", false).await;
    for _ in 0..2 {
        store.furnish_house(NOON_MS).await.unwrap();
        store.give_skeletons(|_| {}).await.unwrap();
        assert_eq!(store.player(person).await.unwrap().unwrap().name, "Automaton 5");
        let bot = store.player(house::id(Strength::ALL[4])).await.unwrap().unwrap();
        assert!(bot.name.starts_with("Automaton 5 "), "{}", bot.name);
        database.execute("UPDATE player SET skeleton = NULL").await;
    }
});

on_both!(whoever_gives_names_their_skeletons_is_told_how_far_it_is, |database| {
    let store = database.open().await;
    for index in 0..3 {
        player(&store, &format!("P{index}"), false).await;
    }
    // A slice holds 500.
    let (id, numbers) = match database.directory {
        Some(_) => ("randomblob(16)", "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1002)"),
        None => ("gen_random_uuid()", "WITH n(i) AS (SELECT generate_series(3, 1002))"),
    };
    let columns = "INSERT INTO player (player_id, name, bot, created_at_ms)";
    let bot = if database.directory.is_some() { "0" } else { "false" };
    database.execute(&format!("{columns} {numbers} SELECT {id}, 'P' || i, {bot}, 0 FROM n")).await;
    let mut told = Vec::new();
    assert_eq!(store.give_skeletons(|given| told.push(given)).await.unwrap(), 1_000);
    assert_eq!(told, [500, 1_000]);
});

on_both!(old_names_are_made_unique_once_and_the_elder_keeps_the_name, |database| {
    let store = database.open().await;
    let named = player(&store, "ada", false).await;
    let mut old = Vec::new();
    for name in ["Ada", "Ben", "BEN", "Ben", "Ghost of Ben", "A name of 20 letters", "A name of 20 letters"] {
        let player_id = Uuid::now_v7();
        let id = database.literal(player_id);
        let no = if database.directory.is_some() { "0" } else { "false" };
        database
            .execute(&format!(
                "INSERT INTO player (player_id, name, bot, created_at_ms) VALUES ({id}, '{name}', {no}, {NOON_MS})"
            ))
            .await;
        old.push(player_id);
    }
    assert_eq!(store.give_skeletons(|_| {}).await.unwrap(), 7);
    assert_eq!(store.give_skeletons(|_| {}).await.unwrap(), 0);
    let mut names = Vec::new();
    for player_id in old {
        names.push(store.player(player_id).await.unwrap().unwrap().name);
    }
    assert_eq!(store.player(named).await.unwrap().unwrap().name, "ada", "who has it keeps it");
    assert!(names[0].starts_with("Ada ") && names[2].starts_with("BEN ") && names[3].starts_with("Ben "), "{names:?}");
    assert_eq!(
        (names[1].as_str(), names[4].as_str(), names[5].as_str()),
        ("Ben", "Ghost of Ben", "A name of 20 letters")
    );
    assert!(names[6].starts_with("A name of 20 let") && names[6].chars().count() <= 20, "{names:?}");
    assert!(matches!(store.rename_player(named, &names[2]).await, Err(NameError::Taken)));
});
