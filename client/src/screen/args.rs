//! The flags of `sprint play` and `sprint watch`.

use clap::Args;
use serde::de::DeserializeOwned;
use sprint_shared::options::{Contest, Opponents, Placement, RoomOptions};
use sprint_shared::preset::Preset;

use super::{Looks, Theme};
use crate::api::Server;

/// Races in this terminal: opens a room, or joins one.
#[derive(Args, Clone, Debug)]
pub struct PlayArgs {
    /// Joins this room; without it a room is opened.
    #[arg(long, value_name = "CODE")]
    pub room: Option<String>,
    /// Joins the queue of quick match: a rated race against players of your strength. Knows --seats and --preset.
    #[arg(long, conflicts_with_all = ["room", "board"])]
    pub quick: bool,
    /// Your name. The seat is yours again when you come back under the same name on this machine.
    #[arg(long)]
    pub name: Option<String>,
    /// The kind of board that is dealt: initiate, apprentice, standard, expert, master, grandmaster, spire, marathon.
    #[arg(long)]
    pub preset: Option<Preset>,
    /// A fixed board instead of a dealt one, in one argument: `PEGS CAPACITY [RINGS] [HOMES]`.
    #[arg(long, value_name = "BOARD", conflicts_with = "preset")]
    pub board: Option<String>,
    /// Seats, 2 to 4.
    #[arg(long, value_name = "N")]
    pub seats: Option<u8>,
    /// Best of 1, 3 or 5 rounds.
    #[arg(long, value_name = "N")]
    pub rounds: Option<u8>,
    /// The timer of a round, 30 to 1800 seconds.
    #[arg(long, value_name = "SECONDS")]
    pub time_limit: Option<u32>,
    /// What decides a round: fastest or fewest.
    #[arg(long, value_parser = named::<Contest>)]
    pub contest: Option<Contest>,
    /// What an illegal placement costs: strict or guarded.
    #[arg(long, value_parser = named::<Placement>)]
    pub placement: Option<Placement>,
    /// What racers see of each other: boards or progress.
    #[arg(long, value_parser = named::<Opponents>)]
    pub opponents: Option<Opponents>,
    /// The room is listed for everybody.
    #[arg(long)]
    pub public: bool,
    /// Nobody may watch.
    #[arg(long)]
    pub no_spectators: bool,
    /// How far behind spectators are, 0 to 60 seconds.
    #[arg(long, value_name = "SECONDS")]
    pub spectator_delay: Option<u8>,
    /// Server and looks.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Watches a race in this terminal.
#[derive(Args, Clone, Debug)]
pub struct WatchArgs {
    /// The room's code, or its address: http://HOST:PORT/watch/CODE.
    #[arg(value_name = "CODE or URL")]
    pub room: String,
    /// Server and looks.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Flags of every screen.
#[derive(Args, Clone, Debug)]
pub struct ScreenArgs {
    /// The server, http://HOST:PORT.
    #[arg(long, value_name = "URL", env = "SPRINT_URL", default_value = "http://127.0.0.1:8080")]
    pub server: Server,
    /// Looks.
    #[command(flatten)]
    pub looks: Looks,
}

impl ScreenArgs {
    /// The theme that flags and the environment ask for.
    pub fn theme(&self) -> Theme {
        self.looks.theme()
    }
}

impl WatchArgs {
    /// The server and the room's code there; an address names both. The error says what would be right.
    pub fn place(&self) -> Result<(Server, String), String> {
        let text = self.room.as_str();
        if !text.contains("://") {
            return Ok((self.screen.server.clone(), text.to_owned()));
        }
        let parted = text.split_once("/watch/").or_else(|| text.split_once("/r/"));
        let (server, code) = parted.ok_or_else(|| format!("{text}: give http://HOST:PORT/watch/CODE"))?;
        let server = server.parse().map_err(|error| format!("{text}: {error}"))?;
        Ok((server, code.trim_end_matches('/').to_owned()))
    }
}

impl PlayArgs {
    /// The options of the room to be opened.
    pub fn options(&self) -> RoomOptions {
        let standard = RoomOptions::default();
        RoomOptions {
            seats: self.seats.unwrap_or(standard.seats),
            preset: self.preset.unwrap_or(standard.preset),
            blueprint: self.board.clone(),
            time_limit_s: self.time_limit,
            rounds: self.rounds.unwrap_or(standard.rounds),
            contest: self.contest.unwrap_or(standard.contest),
            placement: self.placement.unwrap_or(standard.placement),
            rated: false,
            public: self.public,
            opponents: self.opponents.unwrap_or(standard.opponents),
            spectators: !self.no_spectators,
            spectator_delay_s: self.spectator_delay.unwrap_or(standard.spectator_delay_s),
            solo: None,
        }
    }

    /// Whether the call makes sense; the error names the flag.
    pub fn check(&self) -> Result<(), String> {
        let options = self.options();
        if self.room.is_some() && options != RoomOptions::default() {
            return Err("--room joins a room as it is: leave out the flags that open one".to_owned());
        }
        let of_quick = RoomOptions { seats: options.seats, preset: options.preset, ..RoomOptions::default() };
        if self.quick && options != of_quick {
            return Err("--quick knows --seats and --preset: leave out the other flags that open a room".to_owned());
        }
        options.checked().map(drop).map_err(|error| error.to_string())
    }
}

/// Reads a choice by its name on the wire.
pub(crate) fn named<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    serde_json::from_value(name.into()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(room: &str) -> Result<(String, String), String> {
        let server = "http://127.0.0.1:8080".parse().expect("an address");
        let args = WatchArgs { room: room.to_owned(), screen: ScreenArgs { server, looks: Looks::default() } };
        args.place().map(|(server, code)| (server.http(""), code))
    }

    #[test]
    fn a_room_to_watch_is_a_code_or_an_address() {
        let on = |server: &str| Ok((server.to_owned(), "7KQM01".to_owned()));
        assert_eq!(watch("7KQM01"), on("http://127.0.0.1:8080"));
        assert_eq!(watch("https://spire.example/watch/7KQM01"), on("https://spire.example"));
        assert_eq!(watch("http://spire.example:81/r/7KQM01/"), on("http://spire.example:81"));
        assert!(watch("http://spire.example/m/7").expect_err("no room").contains("/watch/CODE"));
        assert!(watch("ftp://spire.example/r/7").expect_err("no server").contains("no server address"));
    }
}
