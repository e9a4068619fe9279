//! How much one address and one socket may do.
//!
//! Must never grow without bound: what is idle is forgotten.

mod logins;

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio::time::Instant;
use uuid::Uuid;

pub use logins::{Attempt, Logins};

use crate::config::Limits;

/// Counters and rates by address, shared by all connections.
pub struct Addresses {
    guests: Option<DefaultKeyedRateLimiter<IpAddr>>,
    rooms: Option<DefaultKeyedRateLimiter<IpAddr>>,
    joins: Option<Failures<IpAddr>>,
    joins_of_player: Option<Failures<Uuid>>,
    passwords: Option<Failures<IpAddr>>,
    passwords_of_site: Option<Failures<IpAddr>>,
    failures: Option<Failures<IpAddr>>,
    connections: Arc<Mutex<HashMap<IpAddr, u32>>>,
    connections_max: u32,
}

/// What an address does too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Makes a guest.
    Guest,
    /// Makes a room.
    Room,
    /// Has a password hashed, right or wrong.
    Password,
    /// Gives a wrong code, token or password.
    Failure,
}

/// One connection of an address; dropping it gives the place back.
pub struct Place {
    connections: Arc<Mutex<HashMap<IpAddr, u32>>>,
    address: IpAddr,
}

impl Addresses {
    /// Counters with these limits.
    pub fn new(limits: &Limits) -> Addresses {
        let per_minute = |n| NonZeroU32::new(n).map(|n| RateLimiter::keyed(Quota::per_minute(n)));
        Addresses {
            guests: per_minute(limits.guests_per_min),
            rooms: per_minute(limits.rooms_per_min),
            joins: NonZeroU32::new(limits.joins_per_min).map(Failures::new),
            joins_of_player: NonZeroU32::new(limits.player_joins_per_min).map(Failures::new),
            passwords: NonZeroU32::new(limits.passwords_per_min).map(Failures::new),
            passwords_of_site: NonZeroU32::new(limits.passwords_per_min.saturating_mul(SITE_TIMES)).map(Failures::new),
            failures: NonZeroU32::new(limits.failures_per_min).map(Failures::new),
            connections: Arc::default(),
            connections_max: limits.connections_per_address,
        }
    }

    /// Counts a deed; false if the address does it too often. Loopback is exempt.
    pub fn allows(&self, deed: Deed, address: IpAddr) -> bool {
        let rate = match deed {
            Deed::Guest => &self.guests,
            Deed::Room => &self.rooms,
            Deed::Password => return self.may_hash(address, Instant::now()),
            Deed::Failure => return self.may_fail(address),
        };
        address.is_loopback() || rate.as_ref().is_none_or(|rate| rate.check_key(&network(address)).is_ok())
    }

    /// Counts a connection to the queue; false if the address makes too many. Loopback is exempt.
    pub fn may_queue(&self, address: IpAddr) -> bool {
        let joins = self.joins.as_ref().filter(|_| !address.is_loopback());
        joins.is_none_or(|joins| joins.try_count(network(address), Instant::now()))
    }

    /// Counts a join of the queue; false if the player makes too many, from wherever.
    pub fn may_join(&self, player: Uuid) -> bool {
        self.joins_of_player.as_ref().is_none_or(|joins| joins.try_count(player, Instant::now()))
    }

    /// Whether an address has failed so often that nothing is looked up for it at the moment.
    pub fn is_barred(&self, address: IpAddr) -> bool {
        let failures = self.failures.as_ref().filter(|_| !address.is_loopback());
        failures.is_some_and(|failures| failures.left(network(address), Instant::now()) < 1.0)
    }

    fn may_hash(&self, address: IpAddr, now: Instant) -> bool {
        let may = |passwords: &Option<Failures<IpAddr>>, from| {
            address.is_loopback() || passwords.as_ref().is_none_or(|passwords| passwords.try_count(from, now))
        };
        may(&self.passwords, network(address)) && site(address).is_none_or(|site| may(&self.passwords_of_site, site))
    }

    fn may_fail(&self, address: IpAddr) -> bool {
        if self.is_barred(address) {
            return false;
        }
        if let Some(failures) = self.failures.as_ref().filter(|_| !address.is_loopback()) {
            failures.count(network(address), Instant::now());
        }
        true
    }

    /// A place for one more connection of this address; `None` if it has too many.
    pub fn place(&self, address: IpAddr) -> Option<Place> {
        let address = network(address);
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let count = connections.entry(address).or_default();
        if self.connections_max > 0 && *count >= self.connections_max && !address.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Place { connections: self.connections.clone(), address })
    }

    /// Forgets the rates of addresses that have been quiet; to be called now and then.
    pub fn forget_idle(&self) {
        for rate in [&self.guests, &self.rooms].into_iter().flatten() {
            rate.retain_recent();
            rate.shrink_to_fit();
        }
        for deeds in [&self.joins, &self.failures, &self.passwords, &self.passwords_of_site].into_iter().flatten() {
            deeds.forget_idle(Instant::now());
        }
        if let Some(joins) = &self.joins_of_player {
            joins.forget_idle(Instant::now());
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = connections.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                connections.remove(&self.address);
            }
        }
    }
}

/// The failures, joins or passwords of each address, name or player. They can be asked for without being counted.
struct Failures<K> {
    per_minute: f64,
    /// What each had left, and when.
    left: Mutex<HashMap<K, (f64, Instant)>>,
}

impl<K: Eq + Hash + Copy> Failures<K> {
    fn new(per_minute: NonZeroU32) -> Failures<K> {
        Failures { per_minute: f64::from(per_minute.get()), left: Mutex::default() }
    }

    /// How many failures one has left.
    fn left(&self, address: K, now: Instant) -> f64 {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.get(&address).map_or(self.per_minute, |then| self.grown(*then, now))
    }

    fn count(&self, address: K, now: Instant) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let then = left.entry(address).or_insert((self.per_minute, now));
        *then = ((self.grown(*then, now) - 1.0).max(0.0), now);
    }

    /// Counts a failure unless none is left; whether it was counted.
    fn try_count(&self, key: K, now: Instant) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let then = left.entry(key).or_insert((self.per_minute, now));
        let grown = self.grown(*then, now);
        *then = (if grown >= 1.0 { grown - 1.0 } else { grown }, now);
        grown >= 1.0
    }

    /// It was none after all.
    fn give_back(&self, key: K) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((left, _)) = left.get_mut(&key) {
            *left = (*left + 1.0).min(self.per_minute);
        }
    }

    fn forget_idle(&self, now: Instant) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.retain(|_, then| self.grown(*then, now) < self.per_minute);
        left.shrink_to_fit();
    }

    fn grown(&self, (left, then): (f64, Instant), now: Instant) -> f64 {
        (left + now.duration_since(then).as_secs_f64() * self.per_minute / 60.0).min(self.per_minute)
    }
}

/// What counts as one address: an IPv4 address, or the /64 that a household gets of IPv6.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) if !v6.is_loopback() => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

/// To whom a provider gives many networks of IPv6: a /48 holds 65,536 of them, and a customer has 256 or all. `None` for
/// IPv4, whose addresses are given one by one.
fn site(address: IpAddr) -> Option<IpAddr> {
    match network(address) {
        IpAddr::V6(v6) if !v6.is_loopback() => {
            let [a, b, c, ..] = v6.segments();
            Some(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).into())
        }
        _ => None,
    }
}

/// Addresses of one hand, more often than not: a site of IPv6, or the 256 addresses of IPv4 around one.
pub(crate) fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(v4) if !v4.is_loopback() => {
            let [a, b, c, _] = v4.octets();
            Ipv4Addr::new(a, b, c, 0).into()
        }
        address => site(address).unwrap_or(address),
    }
}

/// How many times as much as one network a site may do with passwords: neighbours share it.
const SITE_TIMES: u32 = 10;

/// The acts of one socket.
pub struct Acts {
    rate_per_s: f64,
    burst: f64,
    allowed: f64,
    /// Three times the allowance: what empties this is no player.
    tolerated: f64,
    last: Instant,
}

/// What becomes of an act before the room sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It goes on to the room.
    Fine,
    /// It is refused, free of penalty.
    TooFast,
    /// The socket is closed.
    Flood,
}

impl Acts {
    /// A full allowance.
    pub fn new(limits: &Limits, now: Instant) -> Acts {
        let (rate_per_s, burst) = (f64::from(limits.acts_per_s), f64::from(limits.acts_burst));
        Acts { rate_per_s, burst, allowed: burst, tolerated: 3.0 * burst, last: now }
    }

    /// Counts an act.
    pub fn count(&mut self, now: Instant) -> Pace {
        if self.rate_per_s == 0.0 {
            return Pace::Fine;
        }
        let passed_s = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        self.allowed = (self.allowed + passed_s * self.rate_per_s).min(self.burst);
        self.tolerated = (self.tolerated + passed_s * 3.0 * self.rate_per_s).min(3.0 * self.burst) - 1.0;
        if self.tolerated < 0.0 {
            Pace::Flood
        } else if self.allowed < 1.0 {
            Pace::TooFast
        } else {
            self.allowed -= 1.0;
            Pace::Fine
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config::Serve;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn the_hundredth_connection_of_an_address_is_the_last_until_one_ends() {
        let addresses = Addresses::new(&Serve::standard().limits);
        let mut places: Vec<_> = (0..100).map(|_| addresses.place(address("198.51.100.7")).expect("free")).collect();
        assert!(addresses.place(address("198.51.100.7")).is_none());
        assert!(addresses.place(address("198.51.100.8")).is_some(), "another address is not affected");
        places.pop();
        assert!(addresses.place(address("198.51.100.7")).is_some());
    }

    #[test]
    fn an_ipv6_household_is_one_address_and_a_mapped_ipv4_address_is_itself() {
        assert_eq!(network(address("2001:db8:1:2::5")), network(address("2001:db8:1:2:ffff::9")));
        assert_ne!(network(address("2001:db8:1:2::5")), network(address("2001:db8:1:3::5")));
        assert_eq!(network(address("::ffff:192.0.2.1")), address("192.0.2.1"));
    }

    #[test]
    fn loopback_is_exempt_from_counts_and_rates() {
        let addresses = Addresses::new(&Serve::standard().limits);
        let places: Vec<_> = (0..500).filter_map(|_| addresses.place(address("127.0.0.1"))).collect();
        assert_eq!(places.len(), 500);
        assert!((0..500).all(|_| addresses.allows(Deed::Guest, address("::1"))));
    }

    #[test]
    fn an_address_makes_thirty_guests_a_minute() {
        let addresses = Addresses::new(&Serve::standard().limits);
        let made = (0..50).filter(|_| addresses.allows(Deed::Guest, address("203.0.113.9"))).count();
        assert_eq!(made, 30);
    }

    #[test]
    fn an_address_has_sixty_passwords_hashed_a_minute_and_a_site_of_many_networks_ten_times_as_many() {
        let (addresses, now) = (Addresses::new(&Serve::standard().limits), Instant::now());
        let hashed = |text: &str| (0..100).filter(|_| addresses.may_hash(address(text), now)).count();
        assert_eq!((hashed("203.0.113.9"), hashed("203.0.113.10"), hashed("127.0.0.1")), (60, 60, 100));
        let networks = (0..256).map(|network| hashed(&format!("2001:db8:1:{network:x}::5")));
        assert_eq!(networks.sum::<usize>(), 600, "of a /56");
        assert_eq!(hashed("2001:db8:2::5"), 60, "another site is not affected");
        let many: usize = (0..20).map(|host| hashed(&format!("198.51.100.{host}"))).sum();
        assert_eq!(many, 1_200, "addresses of IPv4 are nobody's whole");
    }

    #[test]
    fn failures_are_counted_grow_back_within_a_minute_and_are_then_forgotten() {
        let (failures, ada) = (Failures::new(NonZeroU32::new(30).expect("not 0")), address("203.0.113.9"));
        let start = Instant::now();
        (0..30).for_each(|_| failures.count(ada, start));
        assert!(failures.left(ada, start) < 1.0);
        assert!(failures.left(ada, start + Duration::from_millis(1_900)) < 1.0);
        assert!(failures.left(ada, start + Duration::from_millis(2_100)) >= 1.0, "one every two seconds");
        assert_eq!(failures.left(address("203.0.113.10"), start), 30.0, "another address is not affected");
        failures.forget_idle(start + Duration::from_secs(59));
        assert_eq!(failures.left.lock().expect("no test fails in it").len(), 1);
        failures.forget_idle(start + Duration::from_secs(61));
        assert_eq!(failures.left.lock().expect("no test fails in it").len(), 0);
    }

    #[test]
    fn thirty_acts_pass_at_once_sixty_more_are_refused_and_then_it_is_a_flood() {
        let now = Instant::now();
        let mut acts = Acts::new(&Serve::standard().limits, now);
        let paces: Vec<_> = (0..1_000).map(|_| acts.count(now)).collect();
        assert_eq!(paces.iter().filter(|p| **p == Pace::Fine).count(), 30);
        assert_eq!(paces.iter().filter(|p| **p == Pace::TooFast).count(), 60);
        assert_eq!(paces[90..], [Pace::Flood; 910]);
    }

    #[test]
    fn fifteen_acts_a_second_pass_for_ever() {
        let start = Instant::now();
        let mut acts = Acts::new(&Serve::standard().limits, start);
        for i in 1..=1_500 {
            let now = start + Duration::from_micros(i * 66_667);
            assert_eq!(acts.count(now), Pace::Fine, "act {i}");
        }
    }
}
