//! The command line and the environment: every setting with its default.
//!
//! Must never be read anywhere but at the start: what the server needs is handed to it.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use axum::http::Uri;
use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::store::{self, StoreOptions};

/// More memory than this, in mebibytes, is a slip of the hand: a tebibyte.
const MB_MAX: u64 = 1 << 20;

/// The authoritative server of Technomancer Sprint.
#[derive(Debug, Parser)]
#[command(name = "sprint-server", version, about, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do; `serve` if left out.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of `serve`.
    #[command(flatten)]
    pub serve: Serve,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Runs the server (the default).
    Serve(Box<Serve>),
    /// Brings the database's schema up to date and ends.
    Migrate(Database),
    /// Asks a running server whether it is ready; exits 0 if it is, 1 if not.
    Healthcheck {
        /// The server's address.
        #[arg(long, env = "SPRINT_LISTEN", default_value = "127.0.0.1:8080")]
        listen: SocketAddr,
    },
    /// Prints the OpenAPI document of the REST API.
    Openapi,
    /// Prints the JSON Schema of the WebSocket protocol.
    Schema,
    /// Writes a copy of a SQLite database to FILE, while the server runs.
    Backup {
        /// The file to write; it must not exist.
        file: PathBuf,
        /// Which database.
        #[command(flatten)]
        database: Database,
    },
    /// Copies everything from one database into another, empty one.
    Copy {
        /// The source: sqlite://FILE or postgres://USER@HOST/NAME.
        #[arg(long)]
        from: String,
        /// The target.
        #[arg(long)]
        to: String,
    },
    /// Rebuilds the ratings and leaderboards, or checks them, while the server runs or without it.
    #[command(subcommand)]
    Ratings(Ratings),
    /// Lists the players that are flagged or banned, and the results that bear signs of unfair play.
    Flags {
        /// One JSON document instead of lines.
        #[arg(long)]
        json: bool,
        /// Lines of each kind at most, newest first.
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
        /// Which database.
        #[command(flatten)]
        database: Database,
    },
    /// Sets a person's results apart on the boards and rebuilds them, while the server runs.
    Flag(Judging),
    /// Takes a flag back.
    Unflag(Judging),
    /// Shuts a player out and rebuilds all ratings and boards without them, while the server runs.
    Ban(Judging),
    /// Takes a ban back: everything is as it would have been without it.
    Unban(Judging),
    /// Proves stored rounds again from their events.
    Verify {
        /// Every stored round.
        #[arg(long, required = true)]
        all: bool,
        /// Which database.
        #[command(flatten)]
        database: Database,
    },
}

/// What to do with the ratings.
#[derive(Debug, Subcommand)]
pub enum Ratings {
    /// Counts every stored round anew; the new numbers then count.
    Rebuild(Counting),
    /// Counts every stored round anew and compares; names what differs, and then exits 1.
    Check(Counting),
}

/// Of a rebuild.
#[derive(Debug, Args)]
pub struct Counting {
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
    /// What counts.
    #[command(flatten)]
    pub counted: Counted,
    /// Which database.
    #[command(flatten)]
    pub database: Database,
}

/// What counts on ratings and leaderboards, and how long it is kept: whatever counts anew is told what the server is.
#[derive(Clone, Copy, Debug, Args)]
pub struct Counted {
    /// Days for which the leaderboards of a day or a week are kept after its end.
    #[arg(long, env = "SPRINT_BOARD_DAYS", value_name = "DAYS", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub board_days: u32,
    /// Rounds a UTC day that count between the same two, but for bots of the house. 0 counts them all.
    #[arg(long, env = "SPRINT_PAIR_ROUNDS", value_name = "ROUNDS", default_value_t = 5)]
    pub pair_rounds: u32,
}

/// Whom the host judges, and why.
#[derive(Clone, Debug, Args)]
pub struct Judging {
    /// The player's id, or the name exactly as it is shown.
    pub player: String,
    /// Kept beside it, for the host.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
    /// What counts.
    #[command(flatten)]
    pub counted: Counted,
    /// Which database.
    #[command(flatten)]
    pub database: Database,
}

/// Which database.
#[derive(Clone, Debug, Args)]
pub struct Database {
    /// sqlite://FILE or postgres://USER@HOST/NAME; a SQLite file in the state directory if left out.
    #[arg(long, env = "SPRINT_DATABASE")]
    pub database: Option<String>,
    /// Where the server keeps its files.
    #[arg(long, env = "SPRINT_STATE_DIR")]
    pub state_dir: Option<PathBuf>,
}

/// Everything that `serve` can be told.
#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, env = "SPRINT_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Which database.
    #[command(flatten)]
    pub database: Database,
    /// What an acknowledgement survives.
    #[arg(long, env = "SPRINT_DURABILITY", value_enum, default_value = "power")]
    pub durability: Durability,
    /// From the start signal to T0, in milliseconds.
    #[arg(long, env = "SPRINT_COUNTDOWN_MS", default_value_t = 3_000, value_parser = clap::value_parser!(u32).range(..=60_000))]
    pub countdown_ms: u32,
    /// How long a lobby or a finished room stays open in which nobody comes or gets ready, in milliseconds; while somebody
    /// does, six times as long without a round.
    #[arg(long, env = "SPRINT_IDLE_MS", default_value_t = 600_000)]
    pub idle_ms: u64,
    /// How long somebody waits in the queue before a bot is offered, in milliseconds.
    #[arg(long, env = "SPRINT_OFFER_MS", default_value_t = 15_000)]
    pub offer_ms: u64,
    /// How long a quick match waits for those who were brought to it, in milliseconds.
    #[arg(long, env = "SPRINT_SHOW_UP_MS", default_value_t = 15_000)]
    pub show_up_ms: u64,
    /// A folder with the page's files, read at the start, in place of those that are built in; `index.html` must be in it.
    #[arg(long, env = "SPRINT_PAGE_DIR", value_name = "DIR")]
    pub page_dir: Option<PathBuf>,
    /// What counts.
    #[command(flatten)]
    pub counted: Counted,
    /// The limits.
    #[command(flatten)]
    pub limits: Limits,
    /// Failures to inject into commits, for tests, such as `busy@3,stall:1500@10`.
    #[arg(long, env = "SPRINT_FAULTS", hide = true, default_value = "")]
    pub faults: String,
}

/// The limits. A rate of 0 is no limit.
#[derive(Clone, Debug, Args)]
pub struct Limits {
    /// Bytes of a message from a client at most.
    #[arg(long, env = "SPRINT_MESSAGE_BYTES_MAX", default_value_t = 4_096, value_parser = at_least(1_024))]
    pub message_bytes_max: usize,
    /// Bytes that may wait for a client's line at most.
    #[arg(long, env = "SPRINT_WRITE_BYTES_MAX", default_value_t = 65_536, value_parser = at_least(32_768))]
    pub write_bytes_max: usize,
    /// Bytes of the read buffer of a socket.
    #[arg(long, env = "SPRINT_READ_BYTES", default_value_t = 2_048, value_parser = at_least(256))]
    pub read_bytes: usize,
    /// Acts a second on a socket; three times as many close it. 0 is no limit.
    #[arg(long, env = "SPRINT_ACTS_PER_S", default_value_t = 15)]
    pub acts_per_s: u32,
    /// Acts at once on a socket.
    #[arg(long, env = "SPRINT_ACTS_BURST", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub acts_burst: u32,
    /// How long the headers of a request, and a socket's `hello`, may take, in milliseconds.
    #[arg(long, env = "SPRINT_HELLO_MS", default_value_t = 5_000, value_parser = millis())]
    pub hello_ms: u64,
    /// From ping to ping, in milliseconds.
    #[arg(long, env = "SPRINT_PING_MS", default_value_t = 10_000, value_parser = millis())]
    pub ping_ms: u64,
    /// A socket that was silent for this long is dead, in milliseconds.
    #[arg(long, env = "SPRINT_DEAD_MS", default_value_t = 25_000, value_parser = millis())]
    pub dead_ms: u64,
    /// A socket whose line takes nothing for this long is closed, in milliseconds.
    #[arg(long, env = "SPRINT_WRITE_MS", default_value_t = 5_000, value_parser = millis())]
    pub write_ms: u64,
    /// How long a connection may be waited for in all while an answer is taken more slowly than 16 KiB a second, in
    /// milliseconds.
    #[arg(long, env = "SPRINT_ANSWER_MS", default_value_t = 60_000, value_parser = millis())]
    pub answer_ms: u64,
    /// Connections at once from one address (one /64 of IPv6); loopback is exempt. 0 is no limit.
    #[arg(long, env = "SPRINT_CONNECTIONS_PER_ADDRESS", default_value_t = 100)]
    pub connections_per_address: u32,
    /// Connections at once in all; 0 takes what the limit of open files allows.
    #[arg(long, env = "SPRINT_CONNECTIONS_MAX", default_value_t = 0)]
    pub connections_max: u32,
    /// Guests made a minute by one address; loopback is exempt. 0 is no limit.
    #[arg(long, env = "SPRINT_GUESTS_PER_MIN", default_value_t = 30)]
    pub guests_per_min: u32,
    /// Rooms made a minute by one address; loopback is exempt. 0 is no limit.
    #[arg(long, env = "SPRINT_ROOMS_PER_MIN", default_value_t = 20)]
    pub rooms_per_min: u32,
    /// Connections to the queue a minute by one address; loopback is exempt. 0 is no limit.
    #[arg(long, env = "SPRINT_JOINS_PER_MIN", default_value_t = 120)]
    pub joins_per_min: u32,
    /// Joins of the queue a minute by one player, changes of mind too. 0 is no limit.
    #[arg(long, env = "SPRINT_PLAYER_JOINS_PER_MIN", default_value_t = 30)]
    pub player_joins_per_min: u32,
    /// Passwords a minute that one address has hashed, right or wrong; loopback is exempt. 0 is no limit.
    #[arg(long, env = "SPRINT_PASSWORDS_PER_MIN", default_value_t = 60)]
    pub passwords_per_min: u32,
    /// Wrong codes, tokens and passwords a minute by one address; loopback is exempt. 0 is no limit.
    #[arg(long, env = "SPRINT_FAILURES_PER_MIN", default_value_t = 30)]
    pub failures_per_min: u32,
    /// Open rooms in all at most.
    #[arg(long, env = "SPRINT_ROOMS_MAX", default_value_t = 20_000, value_parser = at_least(1))]
    pub rooms_max: usize,
    /// Spectators of a room at most.
    #[arg(long, env = "SPRINT_SPECTATORS_MAX", default_value_t = 5_000)]
    pub spectators_max: usize,
    /// Spectators of all rooms together at most.
    #[arg(long, env = "SPRINT_SPECTATORS_ALL_MAX", default_value_t = 20_000)]
    pub spectators_all_max: usize,
    /// Memory for the distances to harmony that those who watch are shown, of all rooms together, in mebibytes; each
    /// watched room takes 32. Of more rooms those that most people watch have it, and the rest are shown lower bounds. 0
    /// is bounds alone.
    #[arg(long, env = "SPRINT_DISTANCE_MB_MAX", default_value_t = 256,
        value_parser = clap::value_parser!(u64).range(..=MB_MAX))]
    pub distance_mb_max: u64,
    /// Memory for the review of a round, in mebibytes; one is worked out at a time. Where it is not enough, some
    /// distances of the review are bounds.
    #[arg(long, env = "SPRINT_REVIEW_MB_MAX", default_value_t = 256,
        value_parser = clap::value_parser!(u64).range(1..=MB_MAX))]
    pub review_mb_max: u64,
    /// Proxies whose X-Forwarded-For is believed.
    #[arg(long, env = "SPRINT_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpAddr>,
    /// Origins whose pages may open sockets, such as `https://spire.example`; the server's own host is always one.
    #[arg(long, env = "SPRINT_ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub origins: Vec<String>,
}

/// So many at least, and no more than anything here can hold.
fn at_least(least: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(least..=1 << 30)
}

/// A time in which a line can do something, and no longer than a day.
fn millis() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(100..=86_400_000)
}

/// An origin as browsers say it: scheme and host in small letters, a port only where it is not the scheme's own, no path.
fn origin(text: &str) -> Result<String, String> {
    let refused = || "give https://HOST or https://HOST:PORT, as the page's address begins".to_owned();
    let parts = text.trim().parse::<Uri>().map_err(|_| refused())?.into_parts();
    let (Some(scheme), Some(authority)) = (parts.scheme, parts.authority) else { return Err(refused()) };
    let own_port = match scheme.as_str() {
        "https" => 443,
        "http" => 80,
        _ => return Err(refused()),
    };
    let is_bare = parts.path_and_query.is_none_or(|path| path == "/") && !authority.as_str().contains('@');
    if authority.host().is_empty() || !is_bare {
        return Err(refused());
    }
    let host = authority.host().to_lowercase();
    Ok(match authority.port_u16().filter(|port| *port != own_port) {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    })
}

/// What an acknowledgement survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Durability {
    /// A lost machine: every commit is synced to the disk.
    Power,
    /// A killed process, not a lost machine.
    Process,
}

impl From<Durability> for store::Durability {
    fn from(durability: Durability) -> store::Durability {
        match durability {
            Durability::Power => store::Durability::Power,
            Durability::Process => store::Durability::Process,
        }
    }
}

impl Counted {
    /// The same as the store takes it.
    pub fn options(self) -> StoreOptions {
        StoreOptions {
            kept_ms: Some(i64::from(self.board_days) * 86_400_000),
            pair_rounds_max: Some(i64::from(self.pair_rounds)).filter(|rounds| *rounds > 0),
            ..StoreOptions::default()
        }
    }
}

impl Serve {
    /// The settings that an empty command line gives, whatever the environment says.
    pub fn standard() -> Serve {
        let cli = Cli::try_parse_from(["sprint-server"]).expect("every setting has a default");
        cli.serve
    }
}

impl Database {
    /// The database's address; makes the state directory where it lies there.
    pub fn url(&self) -> std::io::Result<String> {
        if let Some(url) = &self.database {
            return Ok(url.clone());
        }
        let dir = self.state_dir.clone().unwrap_or_else(default_state_dir);
        std::fs::create_dir_all(&dir)
            .map_err(|e| std::io::Error::new(e.kind(), format!("state directory {}: {e}", dir.display())))?;
        Ok(format!("sqlite://{}", dir.join("sprint.sqlite").display()))
    }
}

/// A database's address as it may be shown: without the password that Postgres' may hold.
pub fn without_password(url: &str) -> String {
    let url = url.split('?').next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    match rest.rsplit_once('@') {
        Some((who, place)) => format!("{scheme}://{}@{place}", who.split(':').next().unwrap_or_default()),
        None => url.to_owned(),
    }
}

/// `$STATE_DIRECTORY` (systemd), `$XDG_STATE_HOME/technomancer-sprint`, or `~/.local/state/technomancer-sprint`.
fn default_state_dir() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    from("STATE_DIRECTORY")
        .or_else(|| from("XDG_STATE_HOME").map(|dir| dir.join("technomancer-sprint")))
        .or_else(|| from("HOME").map(|dir| dir.join(".local/state/technomancer-sprint")))
        .unwrap_or_else(|| PathBuf::from("state"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_database_is_named_without_its_password() {
        for (url, shown) in [
            ("sqlite:///var/lib/sprint/sprint.sqlite", "sqlite:///var/lib/sprint/sprint.sqlite"),
            ("postgres://sprint:se:cr@t@db.example/sprint", "postgres://sprint@db.example/sprint"),
            ("postgres://sprint@db.example/sprint", "postgres://sprint@db.example/sprint"),
            ("postgres://db.example/sprint?user=sprint&password=secret", "postgres://db.example/sprint"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }

    #[test]
    fn serve_is_the_default_and_its_settings_may_stand_alone() {
        let cli = Cli::try_parse_from(["sprint-server", "--listen", "127.0.0.1:0"]).expect("valid");
        assert!(cli.command.is_none());
        assert_eq!(cli.serve.listen.port(), 0);
        let cli = Cli::try_parse_from(["sprint-server", "serve", "--countdown-ms", "500"]).expect("valid");
        assert!(matches!(cli.command, Some(Command::Serve(serve)) if serve.countdown_ms == 500));
    }

    #[test]
    fn a_bad_flag_is_named_and_ends_with_exit_code_2() {
        for (args, named) in [
            (&["--lissten", "x"][..], "--lissten"),
            (&["serve", "--countdown-ms", "soon"], "--countdown-ms"),
            (&["serve", "--durability", "none"], "--durability"),
            (&["verify"], "--all"),
        ] {
            let error = Cli::try_parse_from([&["sprint-server"], args].concat()).expect_err("refused");
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(named), "{error}");
        }
    }

    #[test]
    fn an_origin_is_read_as_browsers_say_it_or_refused() {
        for (text, expected) in [
            ("https://spire.example", "https://spire.example"),
            ("HTTPS://Spire.example/", "https://spire.example"),
            (" http://spire.example:8080 ", "http://spire.example:8080"),
            ("https://spire.example:443", "https://spire.example"),
            ("http://[::1]:80/", "http://[::1]"),
        ] {
            assert_eq!(origin(text).as_deref(), Ok(expected), "{text}");
        }
        for text in ["spire.example", "*", "", "ws://spire.example", "https://spire.example/race", "https://a@b"] {
            let refused = origin(text).expect_err(text);
            assert_eq!(refused, "give https://HOST or https://HOST:PORT, as the page's address begins", "{text}");
        }
    }
}
