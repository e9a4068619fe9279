//! What a link to the page shows where it is shared: a title and a few words about what is at its address.
//!
//! Must never tell more than the API tells everybody at the same address, cost a look-up that the API would refuse, nor
//! fail: whatever cannot be told at once is told in general.

use std::net::IpAddr;
use std::time::Duration;

use sprint_shared::day::Day;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::code;
use crate::limits::Deed;
use crate::problem::ApiError;

mod place;
mod room;
mod tags;
mod told;

pub(super) use place::Place;
pub(super) use tags::Preview;

/// How long the page may wait for its preview.
const PATIENCE: Duration = Duration::from_millis(200);
/// Look-ups in the store at a time; who comes beyond is told in general.
const LOOK_UPS: usize = 8;

/// Who may look something up for a preview.
pub struct Previews(Semaphore);

impl Default for Previews {
    fn default() -> Previews {
        Previews(Semaphore::new(LOOK_UPS))
    }
}

impl Previews {
    /// What a look-up finds, if it may begin now and is done in time.
    async fn found<T>(&self, look_up: impl Future<Output = Result<Option<T>, ApiError>>) -> Option<T> {
        let _turn = self.0.try_acquire().ok()?;
        match tokio::time::timeout(PATIENCE, look_up).await {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => {
                tracing::debug!(?error, "a preview tells nothing of its own");
                None
            }
            Err(_) => None,
        }
    }
}

/// What is told of an address.
pub(super) async fn of(app: &App, address: IpAddr, place: &Place) -> Preview {
    let own = match place {
        Place::Known(known) => Some(known.preview()),
        Place::Room(text) => room(app, address, text).map(|room| room::preview(&room, false)),
        Place::Watched(text) => room(app, address, text).map(|room| room::preview(&room, true)),
        Place::Stage(stage) => Some(told::stage(stage)),
        Place::Lesson(lesson) => Some(told::lesson(lesson)),
        Place::Round(round_id) => app.previews.found(told::round(app, *round_id)).await,
        Place::Player(player_id) => app.previews.found(told::player(app, *player_id)).await,
        Place::Today => app.previews.found(told::today(app)).await,
        Place::Day(day) => past(app, *day).await,
    };
    own.unwrap_or_else(|| place.in_general())
}

async fn past(app: &App, day: Day) -> Option<Preview> {
    app.previews.found(told::past(app, day)).await
}

/// The open room with this code. It is asked for as [`rooms::look_up`](super::rooms) does, but of rooms that run alone.
fn room(app: &App, address: IpAddr, text: &str) -> Option<crate::room::RoomHandle> {
    if app.addresses.is_barred(address) {
        return None;
    }
    let found = code::read(text).and_then(|code| app.lobby.running(&code)).filter(|room| !room.inbox().is_closed());
    if found.is_none() {
        app.addresses.allows(Deed::Failure, address);
    }
    found
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test]
    async fn a_look_up_that_lasts_or_fails_or_is_one_too_many_finds_nothing() {
        let previews = Previews::default();
        assert_eq!(previews.found(async { Ok(Some(7)) }).await, Some(7));
        assert_eq!(previews.found::<i32>(pending()).await, None, "it lasts");
        assert_eq!(previews.found::<i32>(async { Err(ApiError::TooMany) }).await, None, "it fails");
        let begun: Vec<_> = (0..LOOK_UPS).map(|_| previews.0.try_acquire().expect("a turn")).collect();
        assert_eq!(previews.found(async { Ok(Some(7)) }).await, None, "one too many");
        drop(begun);
        assert_eq!(previews.found(async { Ok(Some(7)) }).await, Some(7));
    }
}
