//! The JSON Schema of the WebSocket protocol, as the repository keeps it in `docs/protocol.schema.json`.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use sprint_shared::protocol::queue::{QueueClientMessage, QueueServerMessage};
use sprint_shared::protocol::{ClientMessage, SUBPROTOCOL, ServerMessage};

/// One document: what clients say, what the server says, and everything that they are made of.
pub fn protocol() -> String {
    let mut generator = SchemaGenerator::new(SchemaSettings::draft2020_12());
    let client = ClientMessage::json_schema(&mut generator);
    let server = ServerMessage::json_schema(&mut generator);
    let queue_client = QueueClientMessage::json_schema(&mut generator);
    let queue_server = QueueServerMessage::json_schema(&mut generator);
    let mut definitions = generator.take_definitions(true);
    definitions.insert("ClientMessage".to_owned(), client.into());
    definitions.insert("ServerMessage".to_owned(), server.into());
    definitions.insert("QueueClientMessage".to_owned(), queue_client.into());
    definitions.insert("QueueServerMessage".to_owned(), queue_server.into());
    let document = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SUBPROTOCOL,
        "description": "What clients and server say to each other: one JSON object a text frame.",
        "anyOf": [
            { "$ref": "#/$defs/ClientMessage" },
            { "$ref": "#/$defs/ServerMessage" },
            { "$ref": "#/$defs/QueueClientMessage" },
            { "$ref": "#/$defs/QueueServerMessage" },
        ],
        "$defs": definitions,
    });
    serde_json::to_string_pretty(&document).expect("the schema always encodes")
}
