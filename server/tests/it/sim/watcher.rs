//! Who watches: a spectator from the start, now and then too slow; and an inspector who comes when all is over.

use std::rc::Rc;
use std::time::Duration;

use sprint_shared::protocol::view::View;
use sprint_shared::protocol::{Role, ServerMessage};
use tokio::time::sleep;

use super::ear::Ear;
use super::line::{Heard, Line};
use super::player::make_guest;
use super::world::{Standing, World};

/// So long after the end a connection that was dead for the players has been found dead by the server too.
const SETTLED: Duration = Duration::from_millis(3_500);
/// How often players are looked at meanwhile.
const LOOK: Duration = Duration::from_millis(100);

pub async fn watch(world: Rc<World>) -> turmoil::Result {
    let mut draws = world.draws(8);
    let (_, token) = make_guest(world.players, &mut draws).await;
    let mut ear = Ear::new("spectator".to_owned());
    while !world.over.get() {
        let code = world.room.borrow().as_ref().map(|(_, code)| code.clone());
        if world.options.spectator_delay_s > 0 {
            // How far behind it is follows the server's clock, which may have been set back.
            ear.watches();
        }
        let last_seq = ear.last_seq();
        if let Some(code) = code
            && let Some(mut line) = Line::open(&code, &token, Role::Spectator, last_seq).await
        {
            ear.begin();
            while !world.over.get()
                && let heard = line.hear().await
                && !matches!(heard, Heard::Ended(_))
            {
                if let Heard::Message(text, message) = heard {
                    ear.hear(&world, &text, &message);
                }
                if draws.below(100) == 0 {
                    sleep(Duration::from_millis(draws.below(3_000))).await;
                }
            }
        }
        sleep(Duration::from_millis(50 + draws.below(300))).await;
    }
    Ok(())
}

/// Waits until every player is done and connected, or has left, for some time; looks at the room as it is then, and ends the run.
pub async fn inspect(world: Rc<World>) -> turmoil::Result {
    let is_still = |standing: &Standing| standing.done && (standing.connected || standing.left);
    let mut still = Duration::ZERO;
    while still < SETTLED {
        sleep(LOOK).await;
        let all = world.healed.get() && world.standing.borrow().iter().all(is_still);
        still = if all { still + LOOK } else { Duration::ZERO };
    }
    if world.standing.borrow().iter().all(|standing| standing.left) {
        // Then the room is closed, and nobody is let in.
        world.over.set(true);
        return Ok(());
    }
    let (_, token) = make_guest(world.players + 1, &mut world.draws(9)).await;
    let code = world.room.borrow().as_ref().map(|(_, code)| code.clone()).expect("players are done with a room");
    loop {
        if let Some(line) = Line::open(&code, &token, Role::Spectator, None).await
            && let Some(state) = welcomed(&world, line).await
        {
            check_presence(&world, &state);
            world.over.set(true);
            return Ok(());
        }
        sleep(LOOK).await;
    }
}

/// The room as a newcomer sees it.
async fn welcomed(world: &World, mut line: Line) -> Option<Box<View>> {
    let mut ear = Ear::new("inspector".to_owned());
    loop {
        match line.hear().await {
            Heard::Message(text, message) => {
                ear.hear(world, &text, &message);
                if let ServerMessage::Welcome { state, .. } = *message {
                    return state;
                }
            }
            Heard::Ping => {}
            Heard::Ended(_) => return None,
        }
    }
}

/// Who is connected is shown as present, and nobody else.
fn check_presence(world: &World, state: &View) {
    for standing in world.standing.borrow().iter() {
        let seat = state.seats.iter().find(|seat| Some(seat.player) == standing.player);
        let is_present = seat.is_some_and(|seat| seat.present && !seat.left);
        let expected = standing.connected && !standing.left;
        world.check(is_present == expected, || {
            format!("{:?}: connected {expected}, shown as {seat:?}", standing.player)
        });
    }
}
