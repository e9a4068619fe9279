//! Signs that no person played a seat, read off its result.
//!
//! A sign is a reason to look, never a verdict. Must never know who played, and never count a sign of bots: they may be
//! as quick as they like.

use std::net::IpAddr;

use sprint_shared::peg::PegId;
use sprint_shared::play::Deed;
use sprint_shared::time::SEATS_MAX;

/// Twenty transfers in a row came faster or more evenly than hands can make them.
pub const CADENCE: i64 = 1;
/// A proven optimum, played faster than anybody could have found it.
pub const TOO_FAST: i64 = 2;
/// Another seat of the round played from the same network. Reported only: families and schools share one.
pub const ONE_NETWORK: i64 = 4;
/// A board played faster than anybody could have read it. Reported only: whoever knows hands may judge it.
pub const HASTY: i64 = 8;
/// The signs that set a result apart from the people's lists.
pub const STRONG: i64 = CADENCE | TOO_FAST;

/// Transfers that are looked at together.
const STRETCH: usize = 20;
/// Half of a stretch's gaps are shorter than this only if no hand made them, in milliseconds: a transfer takes two
/// presses.
const MEDIAN_MS: i64 = 180;
/// One over the square of the least variation (deviation ÷ mean) of a hand's gaps: 5 %.
const VARIATION: i128 = 400;
/// A shorter optimum can be seen at a glance.
const OPTIMUM_MIN: i64 = 13;
/// Nobody finds and plays an optimum in less than this a transfer, in milliseconds.
const TRANSFER_MS: i64 = 400;
/// Nobody reads a fresh board and plays it in less than a second and this a transfer, in milliseconds: two presses each.
const PRESSES_MS: i64 = 150;
const READ_MS: i64 = 1_000;
/// Fewer transfers than this need no reading.
const READ_MIN: usize = 4;
/// What came within this of the transfer before it came with it, in milliseconds: no hand is so quick, but a line that
/// stalled delivers all at once.
const TOGETHER_MS: i64 = 20;
/// Instants that are kept of a seat in a round.
const KEPT: usize = 1_000;

/// The signs of a seat's result, all but [`ONE_NETWORK`], from the instants of its transfers (milliseconds from
/// T0 on the race clock, ascending), its moves, the proven optimum and the official time of its finish.
pub fn suspicion(transfers_ms: &[i64], moves: i64, optimum: Option<i64>, official_ms: Option<i64>) -> i64 {
    let gaps = gaps(transfers_ms);
    let is_inhuman = gaps.windows(STRETCH - 1).any(is_no_hand);
    let is_optimal = optimum.is_some_and(|optimum| optimum >= OPTIMUM_MIN && moves == optimum);
    let is_too_fast = is_optimal && official_ms.is_some_and(|ms| ms < moves * TRANSFER_MS);
    let count = transfers_ms.len();
    let read_ms = READ_MS + PRESSES_MS * count as i64;
    let is_hasty = count >= READ_MIN && official_ms.is_some_and(|ms| ms < read_ms);
    i64::from(is_inhuman) * CADENCE + i64::from(is_too_fast) * TOO_FAST + i64::from(is_hasty) * HASTY
}

/// From one transfer to the next.
#[derive(Clone, Copy)]
struct Gap {
    ms: i64,
    /// Whether the line delivered several at once: then this is only what each took on average.
    is_average: bool,
}

/// The gaps between transfers. What came together was made at some time since the transfer before it.
fn gaps(transfers_ms: &[i64]) -> Vec<Gap> {
    let mut gaps = Vec::with_capacity(transfers_ms.len());
    let mut before = 0;
    for together in transfers_ms.chunk_by(|one, next| next - one < TOGETHER_MS) {
        let (count, last) = (together.len(), together[together.len() - 1]);
        let gap = Gap { ms: (last - before) / count as i64, is_average: count > 1 };
        gaps.extend(std::iter::repeat_n(gap, count));
        before = last;
    }
    // The first is a look at the board.
    gaps.drain(..gaps.len().min(1));
    gaps
}

/// Whether no hand makes transfers with these gaps.
fn is_no_hand(gaps: &[Gap]) -> bool {
    let mut sorted: Vec<i64> = gaps.iter().map(|gap| gap.ms).collect();
    sorted.sort_unstable();
    let (sum, squares) = sorted.iter().fold((0, 0), |(sum, squares), gap| {
        let gap = i128::from(*gap);
        (sum + gap, squares + gap * gap)
    });
    // variance ÷ mean², times the square of the sum.
    let spread = sorted.len() as i128 * squares - sum * sum;
    let is_even = spread * VARIATION < sum * sum && !gaps.iter().any(|gap| gap.is_average);
    sorted[sorted.len() / 2] < MEDIAN_MS || is_even
}

/// The instants of the race clock at which a seat made the transfers that led somewhere.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    at_ms: Vec<i64>,
    last: Option<(PegId, PegId)>,
}

impl Pace {
    /// Takes a deed of the seat, judged so many milliseconds after T0. A disk that goes to and fro, or is taken back, is idle fingers.
    pub fn saw(&mut self, at_ms: i64, deed: &Deed) {
        match deed {
            Deed::Transferred { from, to } => {
                let is_back = self.last.replace((*from, *to)) == Some((*to, *from));
                if !is_back && self.at_ms.len() < KEPT {
                    self.at_ms.push(at_ms);
                }
            }
            Deed::Undone { .. } => {
                self.at_ms.pop();
                self.last = None;
            }
            _ => {}
        }
    }

    /// The instants, in milliseconds from T0.
    pub fn transfers_ms(&self) -> &[i64] {
        &self.at_ms
    }
}

/// The seats that share their network with another seat. Loopback is nobody's network.
pub fn share_a_network(networks: &[Option<IpAddr>; SEATS_MAX]) -> [bool; SEATS_MAX] {
    networks.map(|network| {
        let network = network.filter(|network| !network.is_loopback());
        network.is_some() && networks.iter().filter(|other| **other == network).count() > 1
    })
}

/// What the signs are called, on the command line and in its JSON.
pub fn names(suspicion: i64) -> Vec<&'static str> {
    let named = [(CADENCE, "cadence"), (TOO_FAST, "too_fast"), (ONE_NETWORK, "one_network"), (HASTY, "hasty")];
    named.into_iter().filter(|(sign, _)| suspicion & sign != 0).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instants from the gaps between them.
    fn instants(gaps: &[i64]) -> Vec<i64> {
        let sums = gaps.iter().scan(5_000, |at, gap| {
            *at += gap;
            Some(*at)
        });
        std::iter::once(5_000).chain(sums).collect()
    }

    /// What the cadence alone says, of a slow finish above the optimum.
    fn cadence(gaps: &[i64]) -> i64 {
        suspicion(&instants(gaps), 30, Some(24), Some(600_000))
    }

    fn transferred(from: u32, to: u32) -> Deed {
        let peg = |number| PegId::new(number).expect("a peg of the board");
        Deed::Transferred { from: peg(from), to: peg(to) }
    }

    /// A quick person: looks, then plays what was seen in a burst of two to four transfers, and looks again.
    const QUICK_HAND: [i64; 27] = [
        210, 195, 640, 230, 205, 190, 1_120, 260, 215, 480, 200, 188, 240, 930, 220, 198, 520, 245, 192, 760, 233, 207,
        186, 410, 255, 201, 350,
    ];

    #[test]
    fn twenty_even_presses_are_no_person_and_a_quick_person_is_not_flagged() {
        assert_eq!(cadence(&[600; 19]), CADENCE, "twenty transfers at even gaps");
        assert_eq!(cadence(&[600; 18]), 0, "nineteen say nothing yet");
        assert_eq!(cadence(&QUICK_HAND), 0);
        let twitchy = QUICK_HAND.map(|gap| gap / 2);
        assert_eq!(cadence(&twitchy), CADENCE, "twice as quick as a quick hand");
    }

    #[test]
    fn a_stretch_of_machine_play_is_found_between_slow_ones() {
        // It begins after 30 gaps: no multiple of a stretch is on either side of it.
        let mut gaps: Vec<i64> = QUICK_HAND.into_iter().cycle().take(30).collect();
        gaps.extend([150, 170, 140, 160, 155, 300, 145, 165, 150, 170, 140, 160, 155, 145, 165, 150, 170, 140, 160]);
        gaps.extend(QUICK_HAND);
        assert_eq!(cadence(&gaps), CADENCE);
    }

    #[test]
    fn the_median_decides_not_the_mean() {
        let quick = |count| std::iter::repeat_n(170, count).chain((0..19 - count as i64).map(|i| 180 + 97 * i));
        assert_eq!(cadence(&quick(9).collect::<Vec<_>>()), 0, "nine of nineteen");
        assert_eq!(cadence(&quick(10).collect::<Vec<_>>()), CADENCE, "ten of nineteen");
    }

    #[test]
    fn what_a_stalled_line_delivers_at_once_was_made_by_a_hand() {
        // The player went on playing for eight seconds that the line held back.
        let mut gaps = QUICK_HAND.to_vec();
        gaps.push(8_000);
        gaps.extend([0, 1, 0, 0, 3, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
        gaps.extend(QUICK_HAND);
        assert_eq!(cadence(&gaps), 0);
        // Twenty-one transfers in two seconds are no hand's, however they come.
        gaps[QUICK_HAND.len()] = 2_000;
        assert_eq!(cadence(&gaps), CADENCE);
    }

    #[test]
    fn a_whole_line_at_once_is_no_hand() {
        assert_eq!(suspicion(&[700; 24], 24, None, Some(700)), CADENCE | HASTY);
        assert_eq!(suspicion(&[24_000; 24], 24, None, Some(24_000)), 0, "a second for each");
    }

    #[test]
    fn gaps_that_vary_by_five_in_a_hundred_are_a_persons() {
        // Nine at m − d, nine at m + d and one at m: the variation is d/m · √(18/19).
        let swing = |d: i64| [vec![1_000 - d; 9], vec![1_000; 1], vec![1_000 + d; 9]].concat();
        assert_eq!(cadence(&swing(51)), CADENCE, "0.0496");
        assert_eq!(cadence(&swing(52)), 0, "0.0506");
    }

    #[test]
    fn an_interruption_of_days_is_a_gap_like_another() {
        let mut gaps = QUICK_HAND.to_vec();
        gaps[9] = 30 * 86_400_000;
        assert_eq!(cadence(&gaps), 0);
    }

    #[test]
    fn a_proven_optimum_faster_than_four_tenths_of_a_second_a_transfer_is_too_fast() {
        assert_eq!(suspicion(&[], 13, Some(13), Some(5_199)), TOO_FAST);
        assert_eq!(suspicion(&[], 13, Some(13), Some(5_200)), 0, "exactly 400 ms a transfer");
        assert_eq!(suspicion(&[], 14, Some(13), Some(1)), 0, "not the optimum");
        assert_eq!(suspicion(&[], 12, Some(12), Some(1)), 0, "seen at a glance");
        assert_eq!(suspicion(&[], 24, Some(24), None), 0, "not finished");
        assert_eq!(suspicion(&[], 24, None, Some(1)), 0, "nothing is proven");
        assert_eq!(suspicion(&instants(&[100; 23]), 24, Some(24), Some(2_400)), CADENCE | TOO_FAST | HASTY);
    }

    #[test]
    fn a_short_board_is_read_before_it_is_played() {
        // Eight transfers: a second to read, 150 ms for the two presses of each.
        let eight = [1_000, 1_150, 1_300, 1_450, 1_600, 1_750, 1_900, 2_199];
        assert_eq!(suspicion(&eight, 8, Some(8), Some(2_199)), HASTY);
        assert_eq!(suspicion(&eight, 9, Some(8), Some(2_199)), HASTY, "an error costs a move and no press");
        assert_eq!(suspicion(&eight, 8, Some(8), Some(2_200)), 0);
        assert_eq!(suspicion(&eight, 8, Some(8), None), 0, "not finished");
        assert_eq!(suspicion(&eight[..3], 3, Some(3), Some(300)), 0, "three transfers are seen at a glance");
    }

    #[test]
    fn idle_fingers_are_not_counted() {
        let mut pace = Pace::default();
        for (index, at) in (0..60).map(|i| (i, 1_000 + 100 * i)) {
            pace.saw(at, &if index % 2 == 0 { transferred(1, 2) } else { transferred(2, 1) });
        }
        assert_eq!(pace.transfers_ms(), [1_000], "to and fro");
        pace.saw(9_000, &transferred(2, 3));
        let peg = |number| PegId::new(number).expect("a peg of the board");
        pace.saw(9_100, &Deed::Undone { from: peg(2), to: peg(3) });
        pace.saw(9_200, &Deed::Lifted { peg: peg(2) });
        pace.saw(9_300, &transferred(2, 3));
        pace.saw(9_400, &transferred(3, 4));
        assert_eq!(pace.transfers_ms(), [1_000, 9_300, 9_400], "taken back, then made again");
    }

    #[test]
    fn a_seat_of_endless_transfers_takes_no_endless_memory() {
        let mut pace = Pace::default();
        for at in 0..3_000_u32 {
            pace.saw(at.into(), &transferred(at % 3 + 1, (at + 1) % 3 + 1));
        }
        assert_eq!(pace.transfers_ms().len(), KEPT);
    }

    #[test]
    fn two_seats_of_one_network_are_reported_but_not_on_one_machine() {
        let at = |text: &str| Some(text.parse::<IpAddr>().expect("an address"));
        let networks = [at("198.51.100.7"), at("203.0.113.9"), at("198.51.100.7"), None];
        assert_eq!(share_a_network(&networks), [true, false, true, false]);
        assert_eq!(share_a_network(&[at("127.0.0.1"), at("127.0.0.1"), at("::1"), at("::1")]), [false; SEATS_MAX]);
        assert_eq!(share_a_network(&[None; SEATS_MAX]), [false; SEATS_MAX], "unknown is not equal");
    }

    #[test]
    fn what_is_reported_only_never_sets_a_result_apart() {
        assert_eq!((ONE_NETWORK & STRONG, HASTY & STRONG), (0, 0));
        assert_eq!((CADENCE & STRONG, TOO_FAST & STRONG), (CADENCE, TOO_FAST));
        assert_eq!(names(CADENCE | TOO_FAST | ONE_NETWORK), ["cadence", "too_fast", "one_network"]);
        assert!(names(0).is_empty());
    }
}
