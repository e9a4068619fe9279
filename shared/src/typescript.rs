//! The protocol's types as TypeScript: one file for the web client, held up to date by a test.

use std::collections::BTreeMap;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::{api, protocol, review};

const HEADER: &str = "// The protocol's types, generated from the Rust crate `sprint-shared`. Do not edit: run\n\
                      // `UPDATE_TYPES=1 cargo test -p sprint-shared typescript`.\n";

/// Declarations by name, so that the order of the file does not depend on the order of visits.
struct Declarations {
    config: Config,
    by_name: BTreeMap<String, String>,
}

impl Declarations {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        // Only own types have a file to go to; `String`, `Vec` and the like are written in place.
        if T::output_path().is_none() || self.by_name.contains_key(&T::name(&self.config)) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let declaration = format!("{docs}export {}\n", T::decl(&self.config));
        self.by_name.insert(T::name(&self.config), declaration);
        T::visit_dependencies(self);
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

fn composed() -> String {
    let mut all = Declarations { config: Config::default(), by_name: BTreeMap::new() };
    all.add::<protocol::ClientMessage>();
    all.add::<protocol::ServerMessage>();
    all.add::<protocol::queue::QueueClientMessage>();
    all.add::<protocol::queue::QueueServerMessage>();
    all.add::<api::NewPlayer>();
    all.add::<api::NewPlayerCreated>();
    all.add::<api::Player>();
    all.add::<api::Rename>();
    all.add::<api::NewLink>();
    all.add::<api::Link>();
    all.add::<api::LinkUse>();
    all.add::<api::NewPassword>();
    all.add::<api::Login>();
    all.add::<api::RoomInfo>();
    all.add::<api::Match>();
    all.add::<api::MatchSummary>();
    all.add::<api::Leaderboard>();
    all.add::<api::Place>();
    all.add::<api::PresetInfo>();
    all.add::<api::Campaign>();
    all.add::<api::Tutorial>();
    all.add::<api::Progress>();
    all.add::<api::NewShuffle>();
    all.add::<api::Way>();
    all.add::<api::Daily>();
    all.add::<api::NewDaily>();
    all.add::<api::PastDaily>();
    all.add::<api::Profile>();
    all.add::<api::MatchRatings>();
    all.add::<api::QueueInfo>();
    all.add::<api::NewPractice>();
    all.add::<api::Problem>();
    all.add::<api::LiveMatch>();
    all.add::<api::MatchPage>();
    all.add::<review::Review>();
    let mut text = HEADER.to_owned();
    for declaration in all.by_name.values() {
        text.push('\n');
        for line in declaration.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_typescript_types_are_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/web/src/lib/protocol.ts");
    let expected = composed();
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(&file, &expected).expect("the web client's folder can be written");
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == expected,
        "client/web/src/lib/protocol.ts is out of date: run UPDATE_TYPES=1 cargo test -p sprint-shared typescript"
    );
}
