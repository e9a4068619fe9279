//! The way in: who plays, a new room or a known one, and the seat.
//!
//! A name given with `--name` keeps its token on this machine, so that the same person comes back to the same seat.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use sprint_shared::options::RoomOptions;
use sprint_shared::protocol::Role;

use super::args::{PlayArgs, WatchArgs};
use super::quick;
use crate::api::{Api, ApiError, Server};
use crate::session::{Ended, Session};

/// Opens a room or joins one.
pub async fn enter(args: &PlayArgs) -> Result<Session, String> {
    let api = Api::new(args.screen.server.clone());
    let kept = args.name.as_deref().and_then(|name| kept_token(api.server(), name));
    if let Some(token) = kept {
        match join(&api, args, &token).await {
            Err(Refused::Unknown) => {}
            joined => return joined.map_err(Refused::reason),
        }
    }
    let guest =
        api.guest(args.name.as_deref(), false).await.map_err(|error| not_taken(&error, args.name.as_deref()))?;
    if let Some(name) = &args.name
        && let Err(error) = keep_token(api.server(), name, &guest.token)
    {
        eprintln!("the token of {name} cannot be kept, so this seat cannot be come back to: {error}");
    }
    join(&api, args, &guest.token).await.map_err(Refused::reason)
}

/// Takes a place among the spectators.
pub async fn look_on(args: &WatchArgs) -> Result<Session, String> {
    let api = Api::new(args.screen.server.clone());
    let guest = api.guest(None, false).await.map_err(|error| error.to_string())?;
    let joined = Session::join(api.server(), &args.room, &guest.token, Role::Spectator).await;
    joined.map_err(|ended| ended.to_string())
}

/// Why there is no guest; whoever is that player already is told the way in.
fn not_taken(error: &ApiError, name: Option<&str>) -> String {
    match (error, name) {
        (ApiError::Problem(problem), Some(name)) if problem.code == "name_taken" => format!(
            "{error}; if {name} is you: `sprint account use CODE` with a code of your other device, or `sprint account login`"
        ),
        _ => error.to_string(),
    }
}

enum Refused {
    /// The server does not know the token that was kept.
    Unknown,
    Because(String),
}

impl Refused {
    fn reason(self) -> String {
        match self {
            Refused::Unknown => "the server does not know its own token".to_owned(),
            Refused::Because(reason) => reason,
        }
    }
}

async fn join(api: &Api, args: &PlayArgs, token: &str) -> Result<Session, Refused> {
    let RoomOptions { seats, preset, .. } = args.options();
    let code = match &args.room {
        None if args.quick => match quick::wait(api.server(), token, seats, preset).await {
            Ok(Some(code)) => code,
            Ok(None) => return Err(Refused::Because("you have left the queue".to_owned())),
            Err(Ended { code: Some(code), .. }) if code == "bad_token" => return Err(Refused::Unknown),
            Err(ended) => return Err(Refused::Because(ended.to_string())),
        },
        Some(code) => code.clone(),
        None => match api.create_room(token, &args.options()).await {
            Ok(room) => room.code,
            Err(ApiError::Problem(problem)) if problem.status == 401 => return Err(Refused::Unknown),
            Err(error) => return Err(Refused::Because(error.to_string())),
        },
    };
    match Session::join(api.server(), &code, token, Role::Player).await {
        Ok(session) => Ok(session),
        Err(Ended { code: Some(code), .. }) if code == "bad_token" => Err(Refused::Unknown),
        Err(ended) => Err(Refused::Because(ended.to_string())),
    }
}

/// Where tokens are kept: one JSON object, `server name` to token, readable by its owner alone.
fn keeping_place() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("technomancer-sprint").join("players.json"))
}

fn kept() -> BTreeMap<String, String> {
    let text = keeping_place().and_then(|place| fs::read_to_string(place).ok());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn key(server: &Server, name: &str) -> String {
    format!("{} {name}", server.http(""))
}

/// The token of the player who goes by this name on this machine, if one was kept.
pub(crate) fn kept_token(server: &Server, name: &str) -> Option<String> {
    kept().remove(&key(server, name))
}

/// Keeps a token under a name.
pub(crate) fn keep_token(server: &Server, name: &str, token: &str) -> std::io::Result<()> {
    let mut all = kept();
    all.insert(key(server, name), token.to_owned());
    write(&all)
}

/// Forgets the token that was kept under a name.
pub(crate) fn forget_token(server: &Server, name: &str) -> std::io::Result<()> {
    let mut all = kept();
    match all.remove(&key(server, name)) {
        Some(_) => write(&all),
        None => Ok(()),
    }
}

fn write(all: &BTreeMap<String, String>) -> std::io::Result<()> {
    let place = keeping_place().ok_or(std::io::ErrorKind::NotFound)?;
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let fresh = place.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&fresh)?.write_all(serde_json::to_string_pretty(all)?.as_bytes())?;
    fs::rename(fresh, place)
}
