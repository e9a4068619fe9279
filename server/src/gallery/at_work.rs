//! Who races in a room now, whatever those who watch have been shown of it.

use sprint_shared::event::Event;
use sprint_shared::time::SEATS_MAX;
use uuid::Uuid;

/// The players in the seats, and who of them has a race under way.
#[derive(Debug, Default)]
pub(super) struct AtWork {
    seats: [Option<Sitter>; SEATS_MAX],
}

#[derive(Clone, Copy, Debug)]
struct Sitter {
    player: Uuid,
    races: bool,
}

impl AtWork {
    /// Follows the room's events; true if somebody races from here on, or does not race any more.
    pub fn follow(&mut self, event: &Event) -> bool {
        match event {
            Event::SeatTaken { seat, player, .. } => {
                self.seats[seat.index()] = Some(Sitter { player: *player, races: false });
                false
            }
            Event::Left { seat } => self.seats[seat.index()].take().is_some_and(|sitter| sitter.races),
            Event::Committed { .. } => self.all_race(true),
            Event::Finished { seat, .. } | Event::GaveUp { seat } => {
                let sitter = self.seats[seat.index()].as_mut();
                sitter.is_some_and(|sitter| std::mem::take(&mut sitter.races))
            }
            Event::RoundOver { .. } | Event::RoundDropped { .. } | Event::Closed { .. } => self.all_race(false),
            _ => false,
        }
    }

    /// Whether this player has a race under way.
    pub fn races(&self, player: Uuid) -> bool {
        self.players().any(|racing| racing == player)
    }

    /// Whether this player has a seat.
    pub fn sits(&self, player: Uuid) -> bool {
        self.seats.iter().flatten().any(|sitter| sitter.player == player)
    }

    /// Those who have a race under way.
    pub fn players(&self) -> impl Iterator<Item = Uuid> {
        self.seats.iter().flatten().filter(|sitter| sitter.races).map(|sitter| sitter.player)
    }

    fn all_race(&mut self, races: bool) -> bool {
        self.seats.iter_mut().flatten().for_each(|sitter| sitter.races = races);
        self.seats.iter().any(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use sprint_shared::deal::Seed;
    use sprint_shared::time::{Millis, Seat};

    use super::*;

    fn taken(seat: usize) -> Event {
        let (player, at) = (Uuid::from_u128(seat as u128), Millis(1));
        Event::SeatTaken { seat: Seat::ALL[seat], player, name: "Ada".to_owned(), bot: false, at }
    }

    fn committed() -> Event {
        Event::Committed {
            at: Millis(2),
            round: 1,
            round_id: Uuid::nil(),
            opens_series: true,
            deal_version: 1,
            commitment: Seed([1; 32]),
            server_seed: Seed([2; 32]),
        }
    }

    #[test]
    fn a_player_races_from_the_commitment_to_the_own_end_of_the_round() {
        let mut at_work = AtWork::default();
        (0..4).for_each(|seat| assert!(!at_work.follow(&taken(seat))));
        assert_eq!(at_work.players().count(), 0, "nobody in the lobby");
        assert!(at_work.sits(Uuid::from_u128(3)) && !at_work.sits(Uuid::from_u128(4)));
        assert!(at_work.follow(&committed()));
        assert!((0..4).all(|seat| at_work.races(Uuid::from_u128(seat))));
        let finished = Event::Finished { seat: Seat::ALL[0], raw_ms: 5, credit_ms: 0, official_ms: 5 };
        let ends = [finished, Event::GaveUp { seat: Seat::ALL[1] }, Event::Left { seat: Seat::ALL[2] }];
        for (seat, end) in (0..).zip(ends) {
            assert!(at_work.follow(&end));
            assert!(!at_work.races(Uuid::from_u128(seat)) && at_work.races(Uuid::from_u128(3)), "{end:?}");
        }
        assert!(at_work.follow(&Event::RoundDropped { at: Millis(3) }));
        assert_eq!(at_work.players().count(), 0);
        assert!(at_work.follow(&committed()));
        assert!(!at_work.races(Uuid::from_u128(2)), "who has left races no more");
        assert_eq!(at_work.players().count(), 3);
    }
}
