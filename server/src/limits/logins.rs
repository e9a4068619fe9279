//! How often passwords may be tried, by name and address, and set, by player.
//!
//! Must never grow without bound, nor tell whether a name exists.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use sha2::{Digest, Sha256};
use tokio::time::Instant;
use uuid::Uuid;

use super::{Failures, SITE_TIMES, network, site};
use crate::chance::random;

/// Wrong passwords for a name from one address.
const WRONG_PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).expect("not 0");
/// Passwords that a player may set, or try to.
const CHANGES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).expect("not 0");

/// How often each address may try to log in to a name with a wrong password: whoever guesses keeps nobody out elsewhere.
/// Names that do not exist are counted alike. And how often a player may set a password.
pub struct Logins {
    /// In 65,536 groups: however many names are tried, the memory is bounded.
    failures: Failures<u16>,
    /// The same by site.
    of_site: Failures<u16>,
    changes: DefaultKeyedRateLimiter<Uuid>,
    /// Which names and addresses share a group is nobody's to know.
    secret: [u8; 16],
}

/// A login that counts as a failure until it is known to be none.
pub struct Attempt<'a> {
    logins: &'a Logins,
    group: u16,
    of_site: Option<u16>,
}

impl Logins {
    /// Nobody has tried anything.
    pub fn new() -> Logins {
        let changes = RateLimiter::keyed(Quota::per_minute(CHANGES_PER_MINUTE));
        let of_site = WRONG_PER_MINUTE.saturating_mul(NonZeroU32::new(SITE_TIMES).expect("not 0"));
        let (failures, of_site) = (Failures::new(WRONG_PER_MINUTE), Failures::new(of_site));
        Logins { failures, of_site, changes, secret: random() }
    }

    /// An attempt of an address at the name with this skeleton; `None` if too many were wrong of late.
    pub fn attempt(&self, skeleton: &str, address: IpAddr) -> Option<Attempt<'_>> {
        self.attempt_at(skeleton, address, Instant::now())
    }

    /// Counts a password that a player sets, or tries to; false if it is too often.
    pub fn may_change(&self, player: Uuid) -> bool {
        self.changes.check_key(&player).is_ok()
    }

    fn attempt_at(&self, skeleton: &str, address: IpAddr, now: Instant) -> Option<Attempt<'_>> {
        let group = self.group(skeleton, network(address));
        if !self.failures.try_count(group, now) {
            return None;
        }
        let of_site = site(address).map(|site| self.group(skeleton, site));
        if of_site.is_some_and(|group| !self.of_site.try_count(group, now)) {
            self.failures.give_back(group);
            return None;
        }
        Some(Attempt { logins: self, group, of_site })
    }

    fn group(&self, skeleton: &str, from: IpAddr) -> u16 {
        let hash = Sha256::new_with_prefix(self.secret).chain_update(from.to_string()).chain_update(" ");
        let hash = hash.chain_update(skeleton).finalize();
        u16::from_be_bytes([hash[0], hash[1]])
    }

    /// Forgets names that nobody tries any more; to be called now and then.
    pub fn forget_idle(&self) {
        self.changes.retain_recent();
        self.changes.shrink_to_fit();
        for failures in [&self.failures, &self.of_site] {
            failures.forget_idle(Instant::now());
        }
    }
}

impl Default for Logins {
    fn default() -> Self {
        Logins::new()
    }
}

impl Attempt<'_> {
    /// It does not count.
    pub fn was_right(self) {
        self.logins.failures.give_back(self.group);
        if let Some(group) = self.of_site {
            self.logins.of_site.give_back(group);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn ten_wrong_passwords_a_minute_for_a_name_and_right_ones_do_not_count() {
        let (logins, start) = (Logins::new(), Instant::now());
        let at = |name: &str, now| logins.attempt_at(name, address("203.0.113.9"), now);
        for _ in 0..100 {
            at("ada", start).expect("the name has failures left").was_right();
        }
        let failed = (0..100).filter(|_| at("ada", start).is_some()).count();
        assert_eq!(failed, 10);
        let later = start + Duration::from_secs(6);
        assert!(at("ada", later).is_some(), "one every six seconds");
        assert!(at("ada", later).is_none());
        (0..100_000).for_each(|n| _ = at(&n.to_string(), later));
        let names = || logins.failures.left.lock().expect("no test fails in it").len();
        assert!(names() <= 1 << 16, "however many are tried");
        logins.failures.forget_idle(later + Duration::from_secs(61));
        assert_eq!(names(), 0);
    }

    #[test]
    fn who_guesses_at_a_name_keeps_nobody_out_at_another_address() {
        let (logins, start) = (Logins::new(), Instant::now());
        while logins.attempt_at("ada", address("203.0.113.9"), start).is_some() {}
        assert!(logins.attempt_at("ada", address("203.0.113.10"), start).is_some());
        while logins.attempt_at("ada", address("2001:db8:1:2::5"), start).is_some() {}
        assert!(logins.attempt_at("ada", address("2001:db8:1:2::6"), start).is_none(), "the same household");
        assert!(logins.attempt_at("ben", address("203.0.113.9"), start).is_some());
    }

    #[test]
    fn a_site_of_many_networks_guesses_at_a_name_ten_times_as_often_as_one() {
        let (logins, start) = (Logins::new(), Instant::now());
        let tried = |name: &str, site: u32| {
            let networks = (0..2_560).map(|n| address(&format!("2001:db8:{site:x}:{:x}::5", n % 256)));
            networks.filter(|network| logins.attempt_at(name, *network, start).is_some()).count()
        };
        assert_eq!(tried("ada", 1), 100, "256 networks of a /56");
        assert_eq!(tried("ada", 2), 100, "another site is not affected");
        let right = (0..1_000).map(|n| address(&format!("2001:db8:3:{:x}::5", n % 256)));
        right.for_each(|network| logins.attempt_at("ada", network, start).expect("none was wrong").was_right());
        let refused = || logins.attempt_at("ada", address("2001:db8:1:ffff::5"), start).is_none();
        assert!((0..50).all(|_| refused()));
        let later = start + Duration::from_secs(6);
        let again = (0..50).filter(|_| logins.attempt_at("ada", address("2001:db8:1:ffff::5"), later).is_some());
        assert_eq!(again.count(), 10, "what the site refuses is not counted for the network");
    }

    #[test]
    fn a_player_sets_ten_passwords_a_minute() {
        let logins = Logins::new();
        let set = |player| (0..100).filter(|_| logins.may_change(Uuid::from_u128(player))).count();
        assert_eq!((set(1), set(2)), (10, 10));
    }
}
