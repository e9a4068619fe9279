//! The way in: who plays, a new room or a known one, and the seat.
//!
//! A name given with `--name` keeps its token on this machine, so that the same person comes back to the same seat.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use sprint_shared::options::RoomOptions;
use sprint_shared::protocol::Role;

use super::args::PlayArgs;
use super::quick;
use crate::api::{Api, ApiError, Server};
use crate::queue;
use crate::session::{Ended, Session};
use crate::text::complain;

/// The way into rooms, one after the other. Whoever plays stays the same player.
pub struct Entrance<'a> {
    args: &'a PlayArgs,
    who: Who,
}

impl<'a> Entrance<'a> {
    /// As whoever goes by the name on this machine; without one, as a new guest.
    pub fn new(args: &'a PlayArgs) -> Entrance<'a> {
        Entrance { args, who: Who::new(&args.screen.server, args.name.as_deref()) }
    }

    /// Opens a room or joins one, by way of the queue if it is asked for.
    pub async fn enter(&mut self) -> Result<Session, Ended> {
        let args = self.args;
        self.who.proven(async |api, token| join(api, args, token).await).await
    }
}

/// Who plays on a server: whoever goes by the name on this machine; without one, a new guest.
pub(crate) struct Who {
    api: Api,
    name: Option<String>,
    /// Proves who plays, once somebody does.
    token: Option<String>,
}

impl Who {
    /// The player of that name.
    pub fn new(server: &Server, name: Option<&str>) -> Who {
        let token = name.and_then(|name| kept_token(server, name));
        Who { api: Api::new(server.clone()), name: name.map(str::to_owned), token }
    }

    /// The server that is played on.
    pub fn api(&self) -> &Api {
        &self.api
    }

    /// The name that is played under on this machine.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What proves the player, once somebody is known.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Does something as this player, who is made where nobody of the name is known here, or the server knows them no more.
    pub async fn proven<T>(&mut self, deed: impl AsyncFn(&Api, &str) -> Result<T, Ended>) -> Result<T, Ended> {
        if let Some(token) = self.token.take() {
            match deed(&self.api, &token).await {
                Err(Ended { code: Some(code), .. }) if code == BAD_TOKEN => {
                    eprintln!("the server does not know you any more: somebody new plays");
                }
                done => {
                    self.token = Some(token);
                    return done;
                }
            }
        }
        let token = self.guest().await?;
        deed(&self.api, self.token.insert(token)).await
    }

    /// Somebody new; the token is kept under the name, if there is one.
    async fn guest(&self) -> Result<String, Ended> {
        let name = self.name();
        let guest = self.api.guest(name, false).await.map_err(|error| not_taken(error, name))?;
        if let Some(name) = name
            && let Err(error) = keep_token(self.api.server(), name, &guest.token)
        {
            complain(format_args!("the token of {name} cannot be kept, so this seat cannot be come back to: {error}"));
        }
        Ok(guest.token)
    }
}

/// Takes a place among the spectators.
pub async fn look_on(server: Server, code: &str) -> Result<Session, String> {
    let api = Api::new(server);
    let guest = api.guest(None, false).await.map_err(|error| error.to_string())?;
    let joined = Session::join(api.server(), code, &guest.token, Role::Spectator).await;
    joined.map_err(|ended| ended.to_string())
}

/// Why there is no guest; whoever is that player already is told the way in.
fn not_taken(error: ApiError, name: Option<&str>) -> Ended {
    let mut ended = refused(error);
    if let (Some("name_taken"), Some(name)) = (ended.code.as_deref(), name) {
        ended.why += &format!(
            "; if {name} is you: `sprint account use CODE` with a code of your other device, or `sprint account login`"
        );
    }
    ended
}

/// The code of sockets for a token that nobody has.
const BAD_TOKEN: &str = "bad_token";

/// A refusal of the REST API as the end of what was wanted.
pub(crate) fn refused(error: ApiError) -> Ended {
    let code = match &error {
        ApiError::Problem(problem) if problem.status == 401 => Some(BAD_TOKEN.to_owned()),
        ApiError::Problem(problem) => Some(problem.code.clone()),
        _ => None,
    };
    Ended { code, why: error.to_string() }
}

async fn join(api: &Api, args: &PlayArgs, token: &str) -> Result<Session, Ended> {
    let RoomOptions { seats, preset, .. } = args.options();
    let code = match &args.room {
        None if args.quick => {
            let code = quick::wait(api.server(), token, seats, preset).await?;
            return queue::go_to(api.server(), &code, token).await;
        }
        Some(code) => code.clone(),
        None => api.create_room(token, &args.options()).await.map_err(refused)?.code,
    };
    Session::join(api.server(), &code, token, Role::Player).await
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

/// The same of somebody whom a flag names; the error says that nobody of that name is known here.
pub(crate) fn known_token(server: &Server, flag: &str, name: &str) -> Result<String, String> {
    let unknown = || format!("{flag}: no {name} has played on {} from this machine", server.http(""));
    kept_token(server, name).ok_or_else(unknown)
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
