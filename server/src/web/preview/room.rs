//! What is told of a room: what `GET /api/v1/rooms/CODE` tells everybody who has its code, in words.
//!
//! Must never ask the room itself, nor tell what it does not show outside.

use sprint_shared::options::{Contest, RoomOptions};
use sprint_shared::preset::Preset;
use sprint_shared::solo::Solo;

use super::tags::Preview;
use crate::room::RoomHandle;

/// A room's preview, for those who would join it or for those who would watch.
pub(super) fn preview(room: &RoomHandle, watching: bool) -> Preview {
    let summary = room.summary();
    of(&room.options, &summary.names(), summary.joinable && !watching)
}

fn of(options: &RoomOptions, names: &[String], is_open: bool) -> Preview {
    if let Some(solo) = &options.solo {
        return alone(solo, options.preset);
    }
    let board = board(options);
    let (seats, taken) = (usize::from(options.seats), names.len());
    let title = match (listed(names), is_open) {
        (None, _) => format!("A race on {board} for {seats}"),
        (Some(names), true) => format!("Race {names} on {board}"),
        (Some(names), false) => format!("{names} on {board}"),
    };
    let mut words = vec![];
    if options.blueprint.is_none() {
        words.push(made_of(options.preset));
    }
    words.push(match options.rounds {
        1 => "One round.".to_owned(),
        rounds => format!("Best of {rounds}."),
    });
    words.extend((options.contest == Contest::Fewest).then(|| "The fewest moves win.".to_owned()));
    words.push(match (is_open, seats.saturating_sub(taken)) {
        (true, 1) => format!("1 of {seats} seats is free: open the link to join."),
        (true, free) => format!("{free} of {seats} seats are free: open the link to join."),
        (false, _) if options.spectators => "Open the link to watch.".to_owned(),
        (false, _) => "Nobody else can join now.".to_owned(),
    });
    Preview::new(title, words.join(" "))
}

fn alone(solo: &Solo, preset: Preset) -> Preview {
    let title = match solo {
        Solo::Stage { stage } => format!("Stage {}", stage.number()),
        Solo::Lesson { lesson } => format!("Lesson {}", lesson.number()),
        Solo::Shuffle { .. } => format!("Infinite Shuffle: {}", titled(preset)),
        Solo::Daily { day, .. } => format!("Daily Spire of {day}"),
    };
    Preview::new(title, "Somebody plays alone here.")
}

/// What is raced on.
pub(super) fn board(options: &RoomOptions) -> String {
    match options.blueprint {
        Some(_) => "a blueprint".to_owned(),
        None => titled(options.preset),
    }
}

/// A preset as a title.
pub(super) fn titled(preset: Preset) -> String {
    let (first, rest) = preset.name().split_at(1);
    first.to_uppercase() + rest
}

/// What a preset's boards are made of.
pub(super) fn made_of(preset: Preset) -> String {
    let spec = preset.spec();
    format!("{} spectra of {} disks on {} pegs.", spec.spectra, spec.sizes, spec.pegs)
}

/// `Ada`, `Ada and Bo`, `Ada, Bo and Cy`; `None` for nobody.
pub(super) fn listed(names: &[String]) -> Option<String> {
    let (last, before) = names.split_last()?;
    Some(if before.is_empty() { last.clone() } else { format!("{} and {last}", before.join(", ")) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(options: RoomOptions, names: &[&str], is_open: bool) -> (String, String) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let Preview { title, description } = of(&options, &names, is_open);
        (title, description)
    }

    #[test]
    fn a_room_is_told_by_its_players_its_board_and_its_free_seats() {
        let three = RoomOptions { seats: 3, rounds: 3, contest: Contest::Fewest, ..RoomOptions::default() };
        let (title, description) = told(three.clone(), &["Ada"], true);
        assert_eq!(title, "Race Ada on Standard");
        let rest = "Best of 3. The fewest moves win. 2 of 3 seats are free: open the link to join.";
        assert_eq!(description, format!("3 spectra of 5 disks on 6 pegs. {rest}"));
        assert!(told(three.clone(), &["Ada", "Bo"], true).1.ends_with("1 of 3 seats is free: open the link to join."));
        let (title, description) = told(three, &["Ada", "Bo", "Cy"], false);
        assert_eq!(title, "Ada, Bo and Cy on Standard");
        assert!(description.ends_with("Open the link to watch."), "{description}");
    }

    #[test]
    fn a_blueprint_nobody_and_closed_doors_are_said() {
        let blueprint = Some("R1S2/S1R2/-/- 4".to_owned());
        let room = RoomOptions { blueprint, spectators: false, ..RoomOptions::default() };
        assert_eq!(told(room.clone(), &[], true).0, "A race on a blueprint for 2");
        assert_eq!(told(room, &["Ada", "Bo"], false).1, "One round. Nobody else can join now.");
    }
}
