//! Which transfers A* may leave out because of the one before.
//!
//! Let a be the transfer by which the search met a position n on the shortest way known, from p, and x the disk it moved.
//! On boards without rings two kinds of transfers are left out at n.
//!
//! 1. *Those of x.* Wherever x would lie then, it could have been laid at p at once.
//! 2. *Those that could have come first.* Let m move a disk of a lower number than x, where neither touches what the other
//!    does: m moves neither x nor the disk that x was on; it goes neither onto one of these nor to the floor that x has
//!    left. Then the four pegs differ, so at p the transfer m is as legal, a is legal after it, and both lead to one
//!    position: n·m = p·m·a. It is left to that order.
//!
//! Why some shortest way remains: let L be the distance of the start. Call a position s *on track* if it was met on a way
//! of g transfers and is L − g from harmony; such a g is the least, and the position before s on that way is on track too.
//! Suppose that harmony is not met and that every on-track position met has been expanded. Let n be one of these, and m any
//! transfer from it to a position nearer to harmony (on plain boards, of a disk that is not settled: `astar::expand` shows
//! that no shortest way has another). *Then the position after m is on track.* If not, take of all such pairs (n, m) one
//! with the least way to n, and among these one whose disk has the highest number. As n was expanded and the search did not
//! go from it by m, that was left out, so n is not the start.
//!
//! - Kind 1: n·m is two nearer to harmony than p, but it is p, or one transfer from p. That cannot be.
//! - Kind 2: n·m = p·m·a is two nearer than p, so p·m is one nearer than p. The disk of m is not settled at p, else it were
//!   at n. So (p, m) is a pair with a shorter way, hence p·m is on track, on a way as long as that to n; so it is expanded,
//!   as all such are. The disk x is not settled at p·m, else it were at p. So (p·m, a) is a pair, and x has a higher number
//!   than the disk of m: the position p·m·a is on track, and it is n·m.
//!
//! So every position of some shortest way is on track, down to harmony, which was not met: a contradiction. As long as
//! harmony can be reached and is not met, some on-track position is not expanded yet; its depth + bound is at most L, so no
//! longer way to harmony is taken before it, and the search does not run dry.

use super::space::{NONE, Position, Space, Support};

/// The transfer before, as far as it matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// The disk that moved; 0 if nothing may be left out, as no disk has a lower number.
    moved: u8,
    /// The disk that it was on, or `NONE`.
    exposed: u8,
    /// The class of the peg that it left without a disk, or `NONE`.
    vacated: u8,
    sources: u64,
}

impl Before {
    /// At the start of a search, or where it is not known: nothing is left out.
    pub const UNKNOWN: Before = Before { moved: 0, exposed: NONE, vacated: NONE, sources: u64::MAX };

    /// After a transfer of `disk` from the support that `code` tells.
    pub fn new(space: &Space, disk: u8, code: u8) -> Before {
        if !space.reversible {
            return Before::UNKNOWN;
        }
        let (exposed, vacated) = match space.support(disk, code) {
            Support::Disk(below) => (below, NONE),
            Support::Floor(class) => (NONE, class),
        };
        Before { moved: disk, exposed, vacated, sources: !(1 << disk) }
    }

    /// The disks whose transfers may be needed.
    pub fn sources(&self) -> u64 {
        self.sources
    }

    /// Whether a transfer of one of these, onto what the code says, could have come first.
    pub fn leaves_out<const N: usize>(&self, space: &Space, position: &Position<N>, disk: u8, code: u8) -> bool {
        disk < self.moved
            && disk != self.exposed
            && match space.support(disk, code) {
                Support::Disk(below) => below != self.moved && below != self.exposed,
                Support::Floor(class) => position.empty[usize::from(class)] > u8::from(class == self.vacated),
            }
    }
}
