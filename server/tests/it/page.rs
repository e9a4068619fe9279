//! The page over HTTP: its files, what previews of links show, and that neither tells or costs what it should not.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use crate::alone::{begin, solve};
use crate::host::{Answer, Host, SMALL, race_of_two, solution};

const INDEX: &str = "<!doctype html><html lang=\"en\"><head><!--preview--><title>Technomancer Sprint</title>\
    <!--/preview--></head><body></body></html>";
const PRELOADS: &str = r#"{ "room": { "en": ["assets/room.js"], "de": ["assets/room.js", "assets/raum.js"] } }"#;

/// A server with a small page of its own.
async fn host_with(change: impl FnOnce(&mut sprint_server::config::Serve)) -> (Host, TempDir) {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("assets")).unwrap();
    fs::create_dir_all(folder.path().join(".vite")).unwrap();
    let script = "export const harmony = 'R1 on S2';\n".repeat(100);
    for (name, content) in [
        ("index.html", INDEX),
        (".vite/preloads.json", PRELOADS),
        ("assets/room.js", &script),
        ("sw.js", &script),
        ("manifest.webmanifest", "{}"),
        ("robots.txt", "User-agent: *\n"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let host = Host::start_with(|settings| {
        settings.page_dir = Some(folder.path().to_owned());
        change(settings);
    });
    (host.await, folder)
}

async fn page(host: &Host, path: &str) -> Answer {
    let answer = host.request("GET", path, &[], "").await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer
}

/// What a tag of the page at this address says; it is the only one of its name.
async fn told(host: &Host, path: &str, name: &str) -> String {
    let html = page(host, path).await.body;
    let begin = format!("\"{name}\" content=\"");
    let mut found = html.split(&begin).skip(1);
    let value =
        found.next().and_then(|rest| rest.split('"').next()).unwrap_or_else(|| panic!("{path}: {name}: {html}"));
    assert!(found.next().is_none(), "{path}: {name} twice: {html}");
    value.to_owned()
}

async fn title(host: &Host, path: &str) -> String {
    told(host, path, "og:title").await
}

#[tokio::test]
async fn a_link_to_a_room_shows_who_races_on_what_and_whether_a_seat_is_free() {
    let (host, _folder) = host_with(|_| {}).await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, json!({ "preset": "expert", "seats": 3 })).await;
    let _seat = host.seat(&code, &ada).await;
    let path = format!("/r/{code}");
    assert_eq!(title(&host, &path).await, "Race Ada on Expert");
    assert!(told(&host, &path, "description").await.contains("2 of 3 seats are free"));
    assert_eq!(told(&host, &path, "og:url").await, format!("http://{}{path}", host.address));
    assert_eq!(told(&host, &path, "og:image").await, format!("http://{}/preview.png", host.address));
    let small = format!("/r/{}", code.to_lowercase());
    assert_eq!(title(&host, &small).await, "Race Ada on Expert", "as it may be typed");
    assert_eq!(title(&host, &format!("/watch/{code}")).await, "Ada on Expert");
    assert!(page(&host, &path).await.body.contains("<title>Race Ada on Expert · Technomancer Sprint</title>"));
    assert_eq!(title(&host, "/r/000000000000").await, "A room", "there is none");
}

#[tokio::test]
async fn what_players_call_themselves_is_text_in_a_preview() {
    let (host, _folder) = host_with(|_| {}).await;
    let ada = host.guest("\"><script>&'").await;
    let code = host.room(&ada, json!({})).await;
    let _seat = host.seat(&code, &ada).await;
    let html = page(&host, &format!("/r/{code}")).await.body;
    assert!(html.contains("Race &quot;&gt;&lt;script&gt;&amp;&#39; on Standard"), "{html}");
    assert!(!html.contains("<script>"), "{html}");
    // Nor does the request itself.
    let answer = host.request("GET", "/r/\"><script>?\"><b>", &[], "").await;
    assert!(answer.status == 400 || !answer.body.contains("<script>"), "{}", answer.body);
}

#[tokio::test]
async fn links_to_rounds_players_and_days_show_what_everybody_may_know() {
    let (host, _folder) = host_with(|_| {}).await;
    let (mut ada, _ben, _, board) = race_of_two(&host, json!({ "blueprint": SMALL })).await;
    let me = ada.heard[0]["state"]["seats"][0]["player"].clone();
    for transfer in solution(&board) {
        ada.play(transfer).await;
    }
    let result = ada.until("round_over").await["result"].clone();
    let round = format!("/m/{}", result["round_id"].as_str().unwrap());
    assert!(title(&host, &round).await.starts_with("Ada restored the Spire in 0:"), "{}", title(&host, &round).await);
    assert!(told(&host, &round, "description").await.contains("Ben: no harmony"));
    let player = result["seats"][0]["player"].as_str().or(me.as_str()).unwrap().to_owned();
    assert_eq!(title(&host, &format!("/p/{player}")).await, "Ada");
    assert_eq!(told(&host, &format!("/p/{player}"), "description").await, "Not rated yet.");
    let today = host.get("/api/v1/daily").await["today"].clone();
    let day = today["day"].as_str().unwrap();
    assert!(title(&host, "/daily").await.starts_with(&format!("Daily Spire of {day}: ")));
    assert_eq!(title(&host, &format!("/daily/{day}")).await, "Daily Spire", "its optimum is told once it is over");
    assert_eq!(title(&host, "/campaign/1").await.split(':').next(), Some("Stage 1"));
    for (path, expected) in
        [("/", "Technomancer Sprint"), ("/leaderboard", "Leaderboards"), ("/nowhere", "Technomancer Sprint")]
    {
        assert_eq!(title(&host, path).await, expected, "{path}");
    }
    for path in ["/m/00000000-0000-0000-0000-000000000000", "/m/none"] {
        assert_eq!(title(&host, path).await, "Round result", "{path}");
    }
    assert_eq!(title(&host, "/p/00000000-0000-0000-0000-000000000000").await, "Player");
}

#[tokio::test]
async fn a_preview_tells_nothing_of_todays_daily_nor_of_a_round_whose_delay_lasts() {
    let (host, _folder) = host_with(|_| {}).await;
    let ada = host.guest("Eve").await;
    let (mut one, board, _) = begin(&host, &ada, "/daily", "{}").await;
    let result = solve(&mut one, &board).await;
    assert_eq!(title(&host, &format!("/m/{}", result["round_id"].as_str().unwrap())).await, "Round result");
    let (mut ada, _ben, _, board) = race_of_two(&host, json!({ "blueprint": SMALL, "spectator_delay_s": 60 })).await;
    for transfer in solution(&board) {
        ada.play(transfer).await;
    }
    let result = ada.until("round_over").await["result"].clone();
    assert_eq!(title(&host, &format!("/m/{}", result["round_id"].as_str().unwrap())).await, "Round result");
}

#[tokio::test]
async fn codes_that_are_tried_by_previews_count_as_wrong_ones_do_elsewhere() {
    let trusted = |settings: &mut sprint_server::config::Serve| {
        settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.limits.failures_per_min = 5;
    };
    let (host, _folder) = host_with(trusted).await;
    let ada = host.guest("Ada").await;
    let code = host.room(&ada, json!({})).await;
    let _seat = host.seat(&code, &ada).await;
    let from = async |address: &str, path: &str| {
        let answer = host.request("GET", path, &[("x-forwarded-for", address)], "").await;
        assert_eq!(answer.status, 200, "the page always comes");
        answer.body.contains("Race Ada on Standard")
    };
    let path = format!("/r/{code}");
    assert!(from("203.0.113.5", &path).await);
    for number in 0..5 {
        assert!(!from("203.0.113.5", &format!("/r/00000000000{number}")).await);
    }
    assert!(!from("203.0.113.5", &path).await, "no code is tried for it any more");
    let asked = host.request("GET", &format!("/api/v1/rooms/{code}"), &[("x-forwarded-for", "203.0.113.5")], "").await;
    assert_eq!(asked.status, 429, "nor elsewhere");
    assert!(from("203.0.113.6", &path).await, "another address is not affected");
}

#[tokio::test]
async fn behind_a_proxy_with_tls_a_preview_names_the_address_that_people_see() {
    let trusted = |settings: &mut sprint_server::config::Serve| {
        settings.limits.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    };
    let (host, _folder) = host_with(trusted).await;
    let answer = host.request("GET", "/rules", &[("x-forwarded-proto", "https")], "").await;
    assert!(answer.body.contains(&format!("content=\"https://{}/rules\"", host.address)), "{}", answer.body);
    let (open, _folder) = host_with(|_| {}).await;
    let answer = open.request("GET", "/rules", &[("x-forwarded-proto", "https")], "").await;
    assert!(answer.body.contains(&format!("content=\"http://{}/rules\"", open.address)), "nobody else is believed");
}

#[tokio::test]
async fn files_are_compressed_asked_for_once_and_named_by_what_they_hold() {
    let (host, _folder) = host_with(|_| {}).await;
    let head = async |path: &str, headers: &[(&str, &str)]| host.request("HEAD", path, headers, "").await;
    for (accepted, coding) in [("gzip, deflate, br", "content-encoding: br"), ("gzip", "content-encoding: gzip")] {
        for path in ["/assets/room.js", "/sw.js"] {
            let answer = head(path, &[("accept-encoding", accepted)]).await;
            assert!(answer.head.contains(coding), "{path}: {}", answer.head);
            let length = answer.head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
            assert!(length.is_some_and(|length| length.parse::<usize>().unwrap() < 400), "{path}: {}", answer.head);
        }
    }
    for (path, cache, kind) in [
        ("/assets/room.js", "public, max-age=31536000, immutable", "text/javascript; charset=utf-8"),
        ("/sw.js", "no-cache", "text/javascript; charset=utf-8"),
        ("/manifest.webmanifest", "no-cache", "application/manifest+json"),
        ("/robots.txt", "no-cache", "text/plain; charset=utf-8"),
        ("/", "no-cache", "text/html; charset=utf-8"),
        ("/r/7K3ABC", "no-cache", "text/html; charset=utf-8"),
    ] {
        let answer = head(path, &[]).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.head.contains("content-encoding"), "{path}: {}", answer.head);
        for line in [format!("cache-control: {cache}\r\n"), format!("content-type: {kind}\r\n")] {
            assert!(answer.head.contains(&line), "{path}: {line} {}", answer.head);
        }
        let tag = answer.head.split("etag: ").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap();
        // Heads are heard in small letters.
        let again = host.request("GET", path, &[("if-none-match", &tag.replace("w/", "W/"))], "").await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
    }
    assert_eq!(host.request("GET", "/assets/gone.js", &[], "").await.status, 404);
    assert_eq!(host.request("GET", "/.vite/preloads.json", &[], "").await.status, 404);
    assert_eq!(host.request("POST", "/", &[], "").await.status, 405);
}

#[tokio::test]
async fn the_document_names_the_files_of_its_page_in_the_readers_language_and_is_guarded() {
    let (host, _folder) = host_with(|_| {}).await;
    let german = host.request("GET", "/r/7K3ABC", &[("accept-language", "de-AT, en;q=0.5")], "").await;
    assert!(
        german.body.contains("<link rel=\"modulepreload\" crossorigin href=\"/assets/raum.js\">"),
        "{}",
        german.body
    );
    let english = page(&host, "/r/7K3ABC").await;
    assert!(english.body.contains("/assets/room.js") && !english.body.contains("raum"), "{}", english.body);
    assert!(!page(&host, "/rules").await.body.contains("modulepreload"));
    for path in ["/", "/assets/room.js", "/api/v1/presets", "/assets/gone.js"] {
        let answer = host.request("GET", path, &[], "").await;
        for line in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
            "x-content-type-options: nosniff\r\n",
            "x-frame-options: deny\r\n",
            "referrer-policy: same-origin\r\n",
            "cross-origin-opener-policy: same-origin\r\n",
            "clipboard-write=(self)",
        ] {
            assert!(answer.head.contains(line), "{path}: {line} {}", answer.head);
        }
    }
}
