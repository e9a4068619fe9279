//! Distances to harmony in a terminal: in words, and over time as one line of eight heights.

use sprint_shared::protocol::CurveView;
use sprint_shared::protocol::ToGo;

/// From nearest to farthest.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// A board on which harmony can no longer be reached.
const LOST: char = 'x';

/// A distance as people say it: `14 to go`, `12-17 to go`, `12+ to go`, `lost`, `harmony`.
pub fn words(to_go: ToGo) -> String {
    match to_go {
        ToGo::Lost(_) => "lost".to_owned(),
        ToGo::Exact(0) => "harmony".to_owned(),
        ToGo::Exact(transfers) => format!("{transfers} to go"),
        ToGo::Between(lower, Some(upper)) if lower == upper => format!("{lower} to go"),
        ToGo::Between(lower, Some(upper)) => format!("{lower}-{upper} to go"),
        ToGo::Between(lower, None) => format!("{lower}+ to go"),
    }
}

/// The distance at an instant of the race clock; `None` before the first one that is known.
pub fn at(curve: &CurveView, ms: u64) -> Option<ToGo> {
    curve.points.iter().rev().find(|(from, _)| *from <= ms).map(|(_, to_go)| *to_go)
}

/// The farthest distance of all curves, at least 1: what the highest mark stands for.
pub fn farthest(curves: &[CurveView]) -> u32 {
    let points = curves.iter().flat_map(|curve| &curve.points);
    points.filter_map(|(_, to_go)| to_go.lower()).max().unwrap_or(1).max(1)
}

/// A curve over `length` milliseconds in `width` characters: each the distance at the end of its stretch, harmony a
/// dot, a lost board an x, what is not known a space.
pub fn line(curve: &CurveView, length: u64, farthest: u32, width: u16) -> String {
    let width = u64::from(width.max(1));
    let mark = |column: u64| match at(curve, (column + 1) * length / width) {
        None => ' ',
        Some(ToGo::Lost(_)) => LOST,
        Some(to_go) => match to_go.lower().unwrap_or(0) {
            0 => '.',
            lower => HEIGHTS[((lower.min(farthest) - 1) as usize * HEIGHTS.len() / farthest as usize).min(7)],
        },
    };
    (0..width).map(mark).collect()
}

#[cfg(test)]
mod tests {
    use sprint_shared::protocol::Lost;
    use sprint_shared::time::Seat;

    use super::*;

    fn curve(points: &[(u64, ToGo)]) -> CurveView {
        CurveView { seat: Seat::ALL[0], points: points.to_vec() }
    }

    #[test]
    fn a_distance_is_told_as_a_number_bounds_or_a_word() {
        let cases = [
            (ToGo::Exact(14), "14 to go"),
            (ToGo::Exact(0), "harmony"),
            (ToGo::Between(12, Some(17)), "12-17 to go"),
            (ToGo::Between(9, Some(9)), "9 to go"),
            (ToGo::Between(12, None), "12+ to go"),
            (ToGo::Lost(Lost::Lost), "lost"),
        ];
        for (to_go, text) in cases {
            assert_eq!(words(to_go), text);
        }
    }

    #[test]
    fn a_line_falls_towards_harmony_and_says_where_a_board_was_lost() {
        let told =
            curve(&[(0, ToGo::Exact(8)), (2_000, ToGo::Exact(4)), (3_000, ToGo::Exact(1)), (4_000, ToGo::Exact(0))]);
        assert_eq!(line(&told, 5_000, 8, 5), "█▄▁..");
        let lost = curve(&[(1_500, ToGo::Exact(8)), (2_500, ToGo::Lost(Lost::Lost))]);
        assert_eq!(line(&lost, 4_000, 8, 4), " █xx");
    }

    #[test]
    fn every_distance_up_to_the_farthest_has_a_height() {
        for farthest in [1, 7, 8, 9, 285] {
            let heights: Vec<String> =
                (1..=farthest).map(|far| line(&curve(&[(0, ToGo::Exact(far))]), 1, farthest, 1)).collect();
            assert!(heights.is_sorted(), "{heights:?}");
            assert_eq!(
                heights.last().map(String::as_str),
                if farthest < 8 { heights.last().map(String::as_str) } else { Some("█") }
            );
        }
    }

    #[test]
    fn an_instant_has_the_last_distance_before_it() {
        let told = curve(&[(100, ToGo::Exact(3)), (200, ToGo::Exact(2))]);
        assert_eq!(at(&told, 99), None);
        assert_eq!(at(&told, 100), Some(ToGo::Exact(3)));
        assert_eq!(at(&told, 9_999), Some(ToGo::Exact(2)));
        assert_eq!(farthest(&[told, curve(&[(0, ToGo::Between(5, None))])]), 5);
        assert_eq!(farthest(&[]), 1);
    }
}
