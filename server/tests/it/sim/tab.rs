//! The older of two tabs of one player: it must be told that a newer one has the seat, and can only watch from then
//! on.

use std::rc::Rc;

use sprint_shared::play::Act;
use sprint_shared::protocol::{ClientMessage, ServerMessage};

use super::ear::Ear;
use super::line::{Heard, Line};
use super::world::{World, now_ms};

/// How long after the newer connection's welcome the older one, on a line that is well, may not know of it.
const TOLD_MS: u64 = 2_000;
/// Messages to which an older tab listens after it was told.
const LISTENS: u32 = 40;

pub async fn watch_on(world: Rc<World>, who: usize, mut line: Line, mut ear: Ear) {
    let welcomes = world.standing.borrow()[who].welcomes;
    let (mut is_told, mut listens) = (false, LISTENS);
    while listens > 0 && !world.over.get() {
        match line.hear().await {
            Heard::Message(text, message) => match *message {
                ServerMessage::Replaced {} => {
                    is_told = true;
                    ear.watches();
                    // Were it listened to, it would be judged, if it is this player's first act, or answered as an
                    // act that was judged before.
                    line.say(&ClientMessage::of_act(1, None, Act::Reset)).await;
                }
                ServerMessage::Refused { ref code, .. } if is_told => {
                    world.check(code != "out_of_order" && code != "already_judged", || {
                        format!("player {}: an older tab was listened to: {text}", who + 1)
                    });
                }
                ref message => {
                    ear.hear(&world, &text, message);
                }
            },
            Heard::Ping => {}
            Heard::Ended(_) => return,
        }
        listens -= u32::from(is_told);
        let (newer, welcomed_ms) = {
            let standing = &world.standing.borrow()[who];
            (standing.welcomes > welcomes, standing.welcomed_ms)
        };
        let is_late = newer && welcomed_ms + TOLD_MS < now_ms() && world.is_calm(who, TOLD_MS);
        world.check(is_told || !is_late, || format!("player {}: the older tab was not told", who + 1));
    }
}
