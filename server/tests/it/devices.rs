//! Devices of a player: codes that link another one, passwords, and the way out of all of them.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sprint_server::auth::{link_hash, token_hash};
use sprint_server::store::{PasswordSet, Standing};

use crate::database::{TestDatabase, on_both};
use crate::host::{Answer, Guest, Host, SMALL, race_of_two, solution};
use crate::rows::{NOON_MS, first_device, player};

async fn call(host: &Host, method: &str, path: &str, guest: Option<&Guest>, body: Value) -> Answer {
    let bearer = guest.map(Guest::bearer);
    let headers: Vec<_> = bearer.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
    host.request(method, &format!("/api/v1/players{path}"), &headers, &body.to_string()).await
}

async fn link(host: &Host, guest: &Guest) -> Value {
    let answer = call(host, "POST", "/me/link", Some(guest), json!({})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["code"].clone()
}

async fn use_link(host: &Host, code: &Value) -> Answer {
    call(host, "POST", "/link", None, json!({ "code": code })).await
}

async fn login(host: &Host, name: &str, password: &str) -> Answer {
    call(host, "POST", "/login", None, json!({ "name": name, "password": password })).await
}

async fn set_password(host: &Host, guest: &Guest, password: &str, old: Option<&str>) -> u16 {
    call(host, "PUT", "/me/password", Some(guest), json!({ "password": password, "old": old })).await.status
}

fn of(answer: &Answer) -> Guest {
    assert_eq!(answer.status, 200, "{}", answer.body);
    Guest { token: answer.json()["token"].as_str().unwrap().to_owned() }
}

#[tokio::test]
async fn a_code_on_one_device_logs_another_in_as_the_same_player() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let first = link(&host, &ada).await;
    let code = link(&host, &ada).await;
    assert_eq!(use_link(&host, &first).await.status, 404, "a newer code makes the older one void");
    let phone = of(&use_link(&host, &json!(code.as_str().unwrap().to_lowercase())).await);
    assert_eq!(use_link(&host, &code).await.status, 404, "it was used");
    assert_ne!(phone.token, ada.token);
    let me = |guest| call(&host, "GET", "/me", Some(guest), json!({}));
    assert_eq!(me(&phone).await.json(), me(&ada).await.json());
    for wrong in [json!("ABCDE-FGHJK"), json!(""), json!("x".repeat(4_000))] {
        assert_eq!(use_link(&host, &wrong).await.status, 404, "{wrong}");
    }
    for bad in ["javascript:alert(1)", "https://spire.example/elsewhere", "https://spire.example@evil.example"] {
        let refused = call(&host, "POST", "/me/link", Some(&ada), json!({ "base": bad })).await;
        assert_eq!(refused.status, 422, "{bad}");
        assert!(refused.body.contains("such as https://spire.example"), "{}", refused.body);
    }
    // Who gives no address gets the server's own: as long a text as with it, far longer than the code alone.
    let rows = async |base: Value| {
        let link = call(&host, "POST", "/me/link", Some(&ada), json!({ "base": base })).await.json();
        link["qr"].as_array().unwrap().len()
    };
    let own = rows(Value::Null).await;
    assert!(own > 21, "21 rows are enough for a code");
    assert_eq!(own, rows(json!(format!("http://{}", host.address))).await);
    let qr = call(&host, "POST", "/me/link", Some(&ada), json!({ "base": "https://spire.example" })).await.json();
    let rows = qr["qr"].as_array().unwrap();
    assert!(rows.len() >= 21 && rows.iter().all(|row| row.as_str().unwrap().len() == rows.len()), "a square: {rows:?}");
    // The three finders of every QR code.
    assert!(rows[0].as_str().unwrap().starts_with("1111111") && rows[0].as_str().unwrap().ends_with("1111111"));
}

on_both!(a_link_code_works_once_and_not_after_its_time, |database| {
    let store = database.open().await;
    let ada = player(&store, "Ada", false).await;
    let code = link_hash("ABCDE-FGHJK").unwrap();
    assert!(store.open_link(ada, &first_device(ada), &code, NOON_MS + 300_000).await.unwrap());
    assert_eq!(store.use_link(&link_hash("ABCDE-FGHJM").unwrap(), NOON_MS, &[1; 32]).await.unwrap(), None);
    let used = store.use_link(&code, NOON_MS + 299_999, &[1; 32]).await.unwrap();
    assert_eq!(used.map(|(player, forgotten)| (player.player_id, forgotten)), Some((ada, Vec::new())));
    assert_eq!(store.player_by_token(&[1; 32]).await.unwrap().map(|player| player.player_id), Some(ada));
    assert_eq!(store.use_link(&code, NOON_MS, &[2; 32]).await.unwrap(), None, "once");

    assert!(store.open_link(ada, &first_device(ada), &code, NOON_MS + 300_000).await.unwrap());
    assert_eq!(store.use_link(&code, NOON_MS + 300_000, &[3; 32]).await.unwrap(), None, "five minutes are over");
    assert_eq!(store.use_link(&code, NOON_MS, &[3; 32]).await.unwrap(), None, "and it does not come back");
    assert_eq!(store.player_by_token(&[3; 32]).await.unwrap(), None);
});

on_both!(who_logs_out_has_no_device_and_no_code_any_more, |database| {
    let store = database.open().await;
    let (ada, ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    let code = link_hash("ABCDE-FGHJK").unwrap();
    assert!(store.open_link(ada, &first_device(ada), &code, NOON_MS + 300_000).await.unwrap());
    let device = first_device(ada);
    let set = |old, new| store.set_password(ada, &device, old, new);
    assert_eq!(set(None, "hash").await.unwrap(), PasswordSet::Done);
    assert_eq!(set(None, "other").await.unwrap(), PasswordSet::Stale, "there is one, and it is another");
    let add = |player, password, device: [u8; 32]| {
        let store = store.clone();
        async move { store.add_device(player, password, &device, NOON_MS).await.unwrap() }
    };
    assert_eq!(add(ada, "hash", [1; 32]).await, Some(Vec::new()));
    assert_eq!(add(ada, "other", [2; 32]).await, None, "the password was changed meanwhile");
    assert_eq!(add(ben, "hash", [2; 32]).await, None);
    assert_eq!(set(Some("hash"), "newer").await.unwrap(), PasswordSet::Done);
    assert_eq!(store.login("A D A").await.unwrap().and_then(|login| login.password).as_deref(), Some("newer"));
    store.log_out(ada).await.unwrap();
    assert_eq!(store.player_by_token(&[1; 32]).await.unwrap(), None);
    assert_eq!(store.use_link(&code, NOON_MS, &[3; 32]).await.unwrap(), None);
    assert_eq!(database.count("device").await, 1, "Ben's");
});

on_both!(what_a_device_had_under_way_when_it_was_logged_out_is_worth_nothing, |database| {
    let store = database.open().await;
    let (ada, ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    let code = link_hash("ABCDE-FGHJK").unwrap();
    assert!(!store.open_link(ada, &first_device(ben), &code, NOON_MS + 300_000).await.unwrap(), "not her device");
    store.log_out(ada).await.unwrap();
    assert!(!store.open_link(ada, &first_device(ada), &code, NOON_MS + 300_000).await.unwrap());
    assert_eq!(store.use_link(&code, NOON_MS, &[1; 32]).await.unwrap(), None);
    let set = store.set_password(ada, &first_device(ada), None, "hash").await.unwrap();
    assert_eq!(set, PasswordSet::LoggedOut);
    assert_eq!(store.login("Ada").await.unwrap().and_then(|login| login.password), None);
});

#[tokio::test]
async fn a_password_that_waits_for_a_log_out_is_refused_after_it() {
    let database = TestDatabase::postgres().await;
    let store = database.open().await;
    let ada = player(&store, "Ada", false).await;
    let mut out = database.connect().await;
    // As a log-out does, up to its end.
    let begun = format!(
        "BEGIN; UPDATE player SET password = password WHERE player_id = '{ada}'; \
         DELETE FROM link_code WHERE player_id = '{ada}'; DELETE FROM device WHERE player_id = '{ada}'"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(begun)).execute(&mut out).await.unwrap();
    let waiting = store.clone();
    let mut setting =
        tokio::spawn(async move { waiting.set_password(ada, &first_device(ada), None, "hash").await.unwrap() });
    tokio::select! {
        set = &mut setting => panic!("{set:?} beside a log-out that is not over"),
        () = database.until_waiting(1) => {}
    }
    sqlx::raw_sql("COMMIT").execute(&mut out).await.unwrap();
    assert_eq!(setting.await.unwrap(), PasswordSet::LoggedOut);
    assert_eq!(store.login("Ada").await.unwrap().and_then(|login| login.password), None);
}

on_both!(a_player_is_logged_in_on_twenty_devices_at_most, |database| {
    let store = database.open().await;
    let ada = player(&store, "Ada", false).await;
    store.set_password(ada, &first_device(ada), None, "hash").await.unwrap();
    for n in 1..=30 {
        let forgotten = store.add_device(ada, "hash", &[n; 32], NOON_MS + i64::from(n)).await.unwrap();
        let oldest = match n {
            ..20 => None,
            20 => Some(first_device(ada)),
            _ => Some([n - 20; 32]),
        };
        assert_eq!(forgotten, Some(oldest.into_iter().collect()), "{n}");
    }
    // By a code it is the same.
    let code = link_hash("ABCDE-FGHJK").unwrap();
    assert!(store.open_link(ada, &[30; 32], &code, NOON_MS + 300_000).await.unwrap());
    let used = store.use_link(&code, NOON_MS + 31, &[31; 32]).await.unwrap();
    assert_eq!(used.map(|(_, forgotten)| forgotten), Some(vec![[11; 32]]));
    assert_eq!(database.count("device").await, 20);
    for (n, is_in) in [(11, false), (12, true), (31, true)] {
        assert_eq!(store.player_by_token(&[n; 32]).await.unwrap().is_some(), is_in, "{n}");
    }
});

on_both!(standings_that_changed_are_found, |database| {
    let store = database.open().await;
    let (ada, _ben) = (player(&store, "Ada", false).await, player(&store, "Ben", false).await);
    assert_eq!(store.standings_since(0).await.unwrap(), []);
    database.execute(&format!("UPDATE player SET standing = 2, standing_at_ms = {NOON_MS} WHERE name = 'Ada'")).await;
    assert_eq!(store.standings_since(NOON_MS).await.unwrap(), [(ada, Standing::Banned)]);
    assert_eq!(store.standings_since(NOON_MS + 1).await.unwrap(), []);
});

#[tokio::test]
async fn two_devices_use_one_code_and_one_gets_in() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    for _ in 0..5 {
        let code = link(&host, &ada).await;
        let answers = join_all((0..8).map(|_| use_link(&host, &code))).await;
        let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 404, 404, 404, 404, 404, 404, 404]);
    }
}

#[tokio::test]
async fn a_banned_player_is_let_in_nowhere() {
    let host = Host::start().await;
    let (ada, ben) = (host.guest("Ada").await, host.guest("Ben").await);
    let (code, linked) = (host.room(&ada, json!({})).await, link(&host, &ben).await);
    assert_eq!(set_password(&host, &ben, "correct horse", None).await, 204);
    host.execute("UPDATE player SET standing = 2, standing_at_ms = 1 WHERE name = 'Ben'").await;
    let me = call(&host, "GET", "/me", Some(&ben), json!({})).await;
    assert_eq!((me.status, me.json()["code"].clone()), (403, json!("banned")));
    assert_eq!(use_link(&host, &linked).await.status, 404);
    assert_eq!(login(&host, "Ben", "correct horse").await.status, 403);
    let mut socket = host.socket(&code).await;
    socket.say(json!({ "type": "hello", "token": ben.token, "role": "player" })).await;
    assert_eq!(socket.until("error").await["code"], "banned");
    assert_eq!(socket.until_closed().await, Some(4403));
}

#[tokio::test]
async fn logging_out_everywhere_closes_every_socket_even_one_that_is_just_opening() {
    let host = Host::start().await;
    for round in 0..15 {
        let ada = host.guest(&format!("Ada {round}")).await;
        let code = host.room(&ada, json!({})).await;
        let phone = of(&use_link(&host, &link(&host, &ada).await).await);
        let mut sitting = host.seat(&code, &phone).await;
        let mut opening = Vec::new();
        for _ in 0..20 {
            opening.push(host.socket(&code).await);
        }
        // Some say hello before the log-out reaches the database, some while it does, some after.
        let hello = json!({ "type": "hello", "token": ada.token, "role": "spectator" });
        let saying = join_all(opening.iter_mut().map(|socket| socket.say(hello.clone())));
        let (_, out) = tokio::join!(saying, call(&host, "POST", "/me/logout", Some(&ada), json!({})));
        assert_eq!(out.status, 204, "{}", out.body);
        assert_eq!(sitting.until_closed().await, Some(4401));
        assert_eq!(sitting.heard.last().unwrap()["code"], "logged_out");
        for mut socket in opening {
            assert_eq!(socket.until_closed().await, Some(4401));
        }
        for guest in [&ada, &phone] {
            assert_eq!(call(&host, "GET", "/me", Some(guest), json!({})).await.status, 401);
        }
        // The seat is as of any other player whose line was lost, and is not the next one's.
        let mut again = host.socket(&code).await;
        again.say(json!({ "type": "hello", "token": phone.token, "role": "player" })).await;
        assert_eq!(again.until_closed().await, Some(4401));
    }
}

#[tokio::test]
async fn the_device_that_is_one_too_many_has_its_sockets_closed_and_no_other_has() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, json!({})).await;
    let mut phone = of(&use_link(&host, &link(&host, &ada).await).await);
    let mut staying = host.socket(&code).await;
    staying.hello(&phone, "player").await;
    let (mut watching, mut waiting) = (host.socket(&code).await, host.queue(&ada, 2).await);
    watching.hello(&ada, "spectator").await;
    waiting.until("waiting").await;
    for _ in 0..18 {
        phone = of(&use_link(&host, &link(&host, &phone).await).await);
    }
    // Twenty are in, and nobody is out.
    watching.say(json!({ "type": "ready", "ready": true })).await;
    assert_eq!(watching.until("refused").await["code"], "not_seated");
    assert_eq!(set_password(&host, &phone, "correct horse", None).await, 204);
    of(&login(&host, "Ada", "correct horse").await);
    for socket in [&mut watching, &mut waiting] {
        assert_eq!(socket.until("error").await["code"], "logged_out");
        assert_eq!(socket.until_closed().await, Some(4401));
    }
    staying.say(json!({ "type": "ready", "ready": true })).await;
    staying.until("readied").await;
}

#[tokio::test]
async fn a_name_and_a_password_log_in_and_another_password_wants_the_old_one() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    assert_eq!(set_password(&host, &ada, "short", None).await, 422);
    assert_eq!(set_password(&host, &ada, "correct horse", None).await, 204);
    let phone = of(&login(&host, "ada", "correct horse").await);
    assert_eq!(set_password(&host, &phone, "battery staple", None).await, 403);
    assert_eq!(set_password(&host, &phone, "battery staple", Some("wrong horse")).await, 403);
    assert_eq!(set_password(&host, &phone, "battery staple", Some("correct horse")).await, 204);
    assert_eq!(login(&host, "Ada", "correct horse").await.status, 403);
    assert_eq!(call(&host, "POST", "/me/logout", Some(&phone), json!({})).await.status, 204);
    of(&login(&host, "Ada", "battery staple").await);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_get_the_same_answer() {
    let host = Host::start().await;
    let (ada, _) = (host.guest("Ada").await, host.guest("Ben").await);
    assert_eq!(set_password(&host, &ada, "correct horse", None).await, 204);
    let wrong = login(&host, "Ada", "incorrect horse").await;
    assert_eq!((wrong.status, wrong.json()["code"].clone()), (403, json!("wrong_password")));
    let plain = |answer: &Answer| {
        let head: Vec<_> = answer.head.lines().filter(|line| !line.starts_with("date:")).map(str::to_owned).collect();
        (head, answer.body.clone())
    };
    for (name, password) in [
        ("Nobody", "incorrect horse"),
        ("Ben", "incorrect horse"),
        ("Ghost of Ada", "incorrect horse"),
        ("", "incorrect horse"),
        ("Ada", "short"),
        ("Ada", ""),
    ] {
        assert_eq!(plain(&login(&host, name, password).await), plain(&wrong), "{name:?} with {password:?}");
    }
}

#[tokio::test]
async fn a_name_takes_ten_wrong_passwords_a_minute_from_one_address() {
    let host = Host::start().await;
    let ada = host.guest("Ada").await;
    assert_eq!(set_password(&host, &ada, "correct horse", None).await, 204);
    let mut statuses = Vec::new();
    for _ in 0..11 {
        statuses.push(login(&host, "Ada", "incorrect horse").await.status);
    }
    assert_eq!(statuses, [403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 429]);
    assert_eq!(login(&host, "ADA", "correct horse").await.status, 429, "also the right one, for a while");
    assert_eq!(login(&host, "Nobody", "incorrect horse").await.status, 403, "other names are not affected");
}

#[tokio::test]
async fn hashing_never_holds_up_a_race() {
    let host = Host::start().await;
    let (mut one, mut other, _, board) = race_of_two(&host, json!({ "blueprint": SMALL })).await;
    // As many as are let in, so that nobody is sent away.
    let logins: Vec<_> = (0..18).map(|n| (format!("Nobody {n}"), "incorrect horse")).collect();
    let logins = join_all(logins.iter().map(|(name, password)| login(&host, name, password)));
    let racing = async {
        for act in solution(&board) {
            one.play(act).await;
            other.play(act).await;
        }
        one.until("round_over").await;
    };
    tokio::pin!(logins);
    tokio::select! {
        biased;
        _ = &mut logins => panic!("every password was hashed before the race was over"),
        () = racing => {}
    }
    let statuses: Vec<u16> = logins.await.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [403; 18]);
}

#[tokio::test]
async fn tokens_and_passwords_are_nowhere_in_the_database() {
    let mut host = Host::start().await;
    let ada = host.guest("Ada").await;
    assert_eq!(set_password(&host, &ada, "correct horse battery staple", None).await, 204);
    let phone = of(&login(&host, "Ada", "correct horse battery staple").await);
    let code = link(&host, &ada).await;
    let tablet = of(&use_link(&host, &code).await);
    let open = link(&host, &ada).await;
    let room = host.room(&ada, json!({})).await;
    host.seat(&room, &ada).await;
    host.stop().await;
    let path = host.database().strip_prefix("sqlite://").unwrap().to_owned();
    let mut dump = std::fs::read(&path).unwrap();
    for log in ["-wal", "-shm"] {
        dump.extend(std::fs::read(format!("{path}{log}")).unwrap_or_default());
    }
    let holds = |secret: &[u8]| dump.windows(secret.len()).any(|window| window == secret);
    assert!(holds(b"Ada") && holds(&token_hash(&ada.token)) && holds(b"$argon2id$"), "this is the database");
    for secret in
        [&ada.token, &phone.token, &tablet.token, code.as_str().unwrap(), open.as_str().unwrap(), "correct horse"]
    {
        assert!(!holds(secret.as_bytes()), "{secret}");
        assert!(!holds(secret.replace('-', "").as_bytes()), "{secret}");
        assert!(hex::decode(secret).is_ok_and(|bytes| !holds(&bytes)) || hex::decode(secret).is_err());
    }
}
