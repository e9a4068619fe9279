//! The server's integration tests: one binary.

// An unwrap that fails is a failed test.
#![allow(clippy::unwrap_used)]

mod alone;
mod api;
mod audit;
mod bad_input;
mod boards;
mod bots;
mod calibration;
mod cancelled;
mod command_line;
mod connections;
mod crowd;
mod database;
mod devices;
mod erase;
mod fair;
mod gallery;
mod ghosts;
mod host;
mod hosting;
mod interruption;
mod journal;
mod journal_failure;
mod journal_load;
mod journal_lost;
mod journal_owner;
mod judge;
mod limits;
mod lobby;
mod newcomer;
mod outage;
mod page;
mod plans;
mod players;
mod process;
mod public_failures;
mod queue;
mod race;
mod rating_sums;
mod ratings;
mod rebuild;
mod recovery;
mod reviews;
mod room;
mod rows;
mod season;
#[cfg(feature = "simulation")]
mod sim;
mod slow;
mod store;
mod store_alone;
mod store_boards;
mod store_care;
mod store_list;
mod stored_season;
mod verify;
