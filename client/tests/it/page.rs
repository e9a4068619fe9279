//! The protocol's page held to the code: its frames are frames, and nothing that can be said is left out of it.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sprint_shared::protocol::queue::{QueueClientMessage, QueueServerMessage};
use sprint_shared::protocol::{ClientMessage, ServerMessage};

const PAGE: &str = include_str!("../../../docs/protocol.md");
const SCHEMA: &str = include_str!("../../../docs/protocol.schema.json");

/// The frames of the worked sessions: direction (doubled for the queue) and text, lines joined.
fn frames() -> Vec<(&'static str, String)> {
    let mut frames: Vec<(&str, String)> = Vec::new();
    for line in PAGE.split("```").skip(1).step_by(2).flat_map(str::lines) {
        match line.split_once(' ') {
            Some((direction @ (">" | "<" | ">>" | "<<"), text)) => frames.push((direction, text.to_owned())),
            _ if line.starts_with("   (closed") => {}
            _ if line.starts_with("   ") => {
                let (_, last) = frames.last_mut().expect("a frame to go on with");
                last.push_str(line.trim_start());
            }
            _ => {}
        }
    }
    frames
}

#[test]
fn every_frame_of_the_worked_sessions_is_one() {
    let frames = frames();
    assert!(frames.len() > 40, "{}", frames.len());
    let (mut sent, mut received) = (0, 0);
    for (direction, text) in frames.iter().filter(|(_, text)| !text.contains('…')) {
        match *direction {
            ">" => drop(read::<ClientMessage>(text)),
            ">>" => drop(read::<QueueClientMessage>(text)),
            "<" => is_whole::<ServerMessage>(text),
            _ => is_whole::<QueueServerMessage>(text),
        }
        *if direction.starts_with('>') { &mut sent } else { &mut received } += 1;
    }
    assert!(sent > 12 && received > 25, "{sent} {received}");
}

fn read<M: DeserializeOwned>(text: &str) -> M {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// No field of the frame is unknown, and none is left out.
fn is_whole<M: Serialize + DeserializeOwned>(text: &str) {
    let again: Value = serde_json::to_value(read::<M>(text)).expect("plain");
    assert_eq!(again, read::<Value>(text));
}

#[test]
fn every_type_of_message_in_the_schema_stands_on_the_page() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let mut types = BTreeSet::new();
    collect(&schema, &mut types);
    assert!(types.contains("hello") && types.contains("round_over"), "{types:?}");
    let missing: Vec<_> = types.iter().filter(|name| !PAGE.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// The constants that tag messages, wherever they are in a schema.
fn collect(schema: &Value, types: &mut BTreeSet<String>) {
    if let Some(name) = schema.pointer("/properties/type/const").and_then(Value::as_str) {
        types.insert(name.to_owned());
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|field| collect(field, types)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, types)),
        _ => {}
    }
}

/// The codes are string literals of the functions that give them, so that none can be forgotten here.
#[test]
fn every_code_of_a_refusal_stands_on_the_page() {
    let sources = [include_str!("../../../shared/src/race/command.rs"), include_str!("../../../shared/src/play.rs")];
    let mut codes = BTreeSet::new();
    for source in sources {
        let from = source.find("pub fn code(&self)").expect("the function of codes");
        let to = from + source[from..].find("\n    }\n").expect("its end");
        codes.extend(source[from..to].split('"').skip(1).step_by(2));
    }
    assert!(codes.len() > 20, "{codes:?}");
    let missing: Vec<_> = codes.iter().filter(|code| !PAGE.contains(&format!("`{code}`"))).collect();
    assert_eq!(missing, Vec::<&&str>::new());
}
