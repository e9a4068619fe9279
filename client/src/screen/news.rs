//! What a person is told of a room's news in the message line, and what of it is old by then.

use sprint_shared::protocol::EventKind;
use sprint_shared::time::Seat;

use super::emote;
use super::scene::Ui;
use crate::session::Update;
use crate::state::Folded;

/// What a person should be told beside what the picture shows anyway.
pub fn heed(ui: &mut Ui, room: &Folded, update: &Update) {
    match update {
        Update::Refused { code, message, .. } if code != "stale" && code != "out_of_order" => ui.say(message.clone()),
        Update::Replaced => ui.say("another connection has taken your seat; you are watching now".to_owned()),
        Update::Emote { seat, emote } if !ui.muted || room.seat == Some(*seat) => {
            let name = room.sitter(*seat).map_or("a player", |s| s.name.as_str());
            ui.say(format!("{name}: {}", emote::words(*emote)));
        }
        Update::Back => ui.say("back online".to_owned()),
        Update::Started => ui.notice = None,
        Update::Event(event) => {
            // A question of the time before makes no sense in the next part of the room's life.
            if matches!(event.kind, EventKind::Committed { .. } | EventKind::RoundOver { .. }) {
                // What was said of the race is old news beside its result.
                (ui.confirm, ui.notice, ui.dragged) = (None, None, None);
            }
            // Alone the picture itself says how it ended.
            let ends = matches!(event.kind, EventKind::Finished { .. } | EventKind::GaveUp { .. });
            if let Some(text) = told(&event.kind, room).filter(|_| ui.alone.is_none() || !ends) {
                ui.say(text);
            }
        }
        _ => {}
    }
}

fn told(kind: &EventKind, room: &Folded) -> Option<String> {
    let is_own = |seat: &Seat| room.seat == Some(*seat);
    let name = |seat: &Seat| room.sitter(*seat).map_or("a player", |s| s.name.as_str());
    Some(match kind {
        EventKind::Erred { seat, message, .. } if is_own(seat) => format!("placement error: {message}"),
        EventKind::Returned { seat, message, .. } if is_own(seat) => message.clone(),
        EventKind::TwoHanded { seat, .. } if is_own(seat) => {
            "two hands: 5 penalty moves; place the held disk first".to_owned()
        }
        EventKind::Finished { seat, .. } if is_own(seat) => "Spire Restored!".to_owned(),
        EventKind::Finished { seat, .. } => format!("{} has finished", name(seat)),
        EventKind::GaveUp { seat } if is_own(seat) => "you gave up".to_owned(),
        EventKind::GaveUp { seat } => format!("{} gave up", name(seat)),
        EventKind::RoundDropped { .. } => "the round is off: fewer than two are left".to_owned(),
        EventKind::SeatTaken { seat, name, .. } if !is_own(seat) => format!("{name} came in"),
        EventKind::HostChanged { seat } if is_own(seat) => "you are the host now".to_owned(),
        EventKind::HostChanged { seat } => format!("{} is the host now", name(seat)),
        EventKind::Left { seat } if !is_own(seat) => format!("seat {}: the player left", seat.number()),
        EventKind::Disconnected { seat } if !is_own(seat) => format!("{} lost the line", name(seat)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use sprint_shared::replay::file;

    use super::*;
    use crate::screen::alone::tests::room;
    use crate::screen::{Confirm, Theme};

    #[test]
    fn what_was_said_and_asked_in_a_race_is_old_news_beside_its_result() {
        let round = file::read(include_str!("../../../shared/data/replay-1.json")).expect("a stored round");
        let told = |what: fn(&EventKind) -> bool| {
            let event = round.events.iter().find(|told| what(&told.event.kind)).expect("it happened");
            Update::Event(event.event.clone())
        };
        let mut ui = Ui::new(Theme::plain(true), String::new());
        heed(&mut ui, &room(), &told(|kind| matches!(kind, EventKind::Finished { .. })));
        assert_eq!(ui.notice.as_ref().map(|(text, _)| text.as_str()), Some("a player has finished"));
        ui.confirm = Some(Confirm::Reset);
        ui.dragged = Some(1);
        heed(&mut ui, &room(), &told(|kind| matches!(kind, EventKind::RoundOver { .. })));
        assert_eq!((ui.notice, ui.confirm, ui.dragged), (None, None, None));
    }
}
