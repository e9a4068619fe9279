//! Passwords: argon2id, hashed off the threads that serve races.
//!
//! Must never be logged or stored as they are, never take a core from the races for long, nor more memory the more there
//! are: two at a time are hashed, each in the memory that its turn brings, the others wait for their turn, and of too many
//! the rest is told to come again.

use std::net::IpAddr;

use argon2::password_hash;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::chance::random;
use crate::turns::Turns;

/// Bytes of a password at least, in UTF-8.
pub const BYTES_MIN: usize = 8;
/// Bytes of a password at most, in UTF-8.
pub const BYTES_MAX: usize = 128;
/// Memory of a hash in KiB, and how often it is gone over.
const COST: (u32, u32) = (19 * 1024, 2);
/// What a password is held against where there is none: it takes as long, and nothing fits it.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyB0aGlz$\
    c3VjaCBhIHBhc3N3b3JkIGJlbG9uZ3MgdG8gbm9ib2Q";

/// Hashes that are made at once.
const AT_ONCE: usize = 2;

/// Who hashes. Clones share their turns.
#[derive(Clone)]
pub struct Passwords {
    /// Each with the memory to work in: empty before the first work, as the last one left it afterwards. Memory that is
    /// taken and given back for each work stays with the allocator, a piece for every thread that ever worked.
    turns: Turns<Vec<Block>>,
}

impl Default for Passwords {
    fn default() -> Self {
        Passwords { turns: Turns::new(vec![Vec::new(); AT_ONCE]) }
    }
}

/// A password that nobody should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("password: {BYTES_MIN} to {BYTES_MAX} bytes, not {0}")]
pub struct BadPassword(usize);

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum Unhashed {
    /// As many wait as may, of all or of the neighbourhood.
    #[error("too many passwords are being checked at the moment")]
    Busy,
    /// The hash that is stored cannot be read, or the computation broke.
    #[error("a password could not be hashed: {0}")]
    Broken(String),
}

/// The password in NFKC, so that every keyboard types the same, if it may be one.
pub fn checked(password: &str) -> Result<String, BadPassword> {
    // Far beyond any allowed one: not worth normalising.
    if password.len() > 16 * BYTES_MAX {
        return Err(BadPassword(password.len()));
    }
    let password: String = password.nfkc().collect();
    if (BYTES_MIN..=BYTES_MAX).contains(&password.len()) { Ok(password) } else { Err(BadPassword(password.len())) }
}

impl Passwords {
    /// What is stored of a checked password that came from an address, with the salt and the costs in it.
    pub async fn hash(&self, from: IpAddr, password: String) -> Result<String, Unhashed> {
        let hashed = self.in_turn(from, move |memory| {
            let (argon2, salt) = (argon2(), Salt::new(&random::<16>())?);
            let hash = PasswordHash {
                algorithm: Algorithm::Argon2id.ident(),
                version: Some(Version::V0x13.into()),
                params: ParamsString::try_from(argon2.params())?,
                salt: Some(salt),
                hash: Some(output(&argon2, memory, &password, &salt, Params::DEFAULT_OUTPUT_LEN)?),
            };
            Ok(hash.to_string())
        });
        hashed.await
    }

    /// Whether a password that came from an address is the stored one. Where none is stored it takes as long.
    pub async fn fits(&self, from: IpAddr, password: String, stored: Option<String>) -> Result<bool, Unhashed> {
        let fits = self.in_turn(from, move |memory| {
            let hash = PasswordHash::new(stored.as_deref().unwrap_or(NOBODYS))?;
            let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else {
                return Err(password_hash::Error::PasswordInvalid);
            };
            let version = hash.version.map(Version::try_from).transpose()?.unwrap_or_default();
            let argon2 = Argon2::new(Algorithm::try_from(hash.algorithm.as_str())?, version, Params::try_from(&hash)?);
            // Outputs are compared in constant time.
            Ok(output(&argon2, memory, &password, salt, expected.len())? == *expected && stored.is_some())
        });
        fits.await
    }

    /// Works in the memory of a turn. A caller who goes away meanwhile gives the turn back only when the work is done.
    async fn in_turn<T: Send + 'static>(
        &self,
        from: IpAddr,
        work: impl FnOnce(&mut Vec<Block>) -> Result<T, password_hash::Error> + Send + 'static,
    ) -> Result<T, Unhashed> {
        let mut turn = self.turns.take(from).await.ok_or(Unhashed::Busy)?;
        let working =
            tokio::task::spawn_blocking(move || work(turn.tool()).map_err(|error| Unhashed::Broken(error.to_string())));
        working.await.unwrap_or_else(|error| Err(Unhashed::Broken(error.to_string())))
    }
}

/// What a password comes to with a salt, in as many bytes. What is left in the memory of others does not matter.
fn output(
    argon2: &Argon2<'_>,
    memory: &mut Vec<Block>,
    password: &str,
    salt: &Salt,
    bytes: usize,
) -> Result<Output, password_hash::Error> {
    memory.resize(argon2.params().block_count(), Block::new());
    let mut out = [0; Output::MAX_LENGTH];
    let out = out.get_mut(..bytes).ok_or(password_hash::Error::OutputSize)?;
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, out, memory)?;
    Ok(Output::new(out)?)
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(COST.0, COST.1, 1, None).expect("the costs are within argon2's own limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use argon2::{PasswordHasher, PasswordVerifier};

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[tokio::test]
    async fn a_password_fits_its_own_hash_alone() {
        let passwords = Passwords::default();
        let stored = passwords.hash(HERE, "correct horse".to_owned()).await.expect("hashed");
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(!stored.contains("horse"));
        assert_ne!(
            stored,
            passwords.hash(HERE, "correct horse".to_owned()).await.expect("hashed"),
            "each has its own salt"
        );
        for (password, stored, fits) in [
            ("correct horse", Some(&stored), true),
            ("Correct horse", Some(&stored), false),
            ("correct horse", None, false),
        ] {
            assert_eq!(passwords.fits(HERE, password.to_owned(), stored.cloned()).await.expect("an answer"), fits);
        }
        assert!(matches!(
            passwords.fits(HERE, "x".to_owned(), Some("plain".to_owned())).await,
            Err(Unhashed::Broken(_))
        ));
    }

    #[tokio::test]
    async fn what_is_stored_is_what_argon2_itself_makes_and_takes_whoever_hashed_before() {
        let passwords = Passwords::default();
        let ask = |n: usize| {
            let passwords = passwords.clone();
            async move {
                let password = format!("correct horse {n}");
                let stored = passwords.hash(HERE, password.clone()).await.expect("hashed");
                assert_eq!(argon2().verify_password(password.as_bytes(), &*stored), Ok(()));
                let other = argon2().hash_password_with_salt(password.as_bytes(), &random::<16>()).expect("hashed");
                assert!(passwords.fits(HERE, password, Some(other.to_string())).await.expect("an answer"));
            }
        };
        futures_util::future::join_all((0..4).map(ask)).await;
    }

    #[tokio::test]
    async fn all_passwords_are_hashed_in_the_memory_of_two() {
        let passwords = Passwords::default();
        let asked = || (0..6).map(|n| passwords.fits(HERE, format!("a guess {n}"), None));
        let places = async || {
            for answer in futures_util::future::join_all(asked()).await {
                assert!(!answer.expect("an answer"));
            }
            let (one, other) = (passwords.turns.take(HERE).await, passwords.turns.take(HERE).await);
            let mut places = [one, other].map(|turn| {
                let mut turn = turn.expect("nobody has it");
                assert_eq!(turn.tool().len(), COST.0 as usize, "19 MiB, which the hashes have left there");
                turn.tool().as_ptr()
            });
            places.sort();
            places
        };
        assert_eq!(places().await, places().await);
    }

    #[test]
    fn nobodys_hash_costs_what_everybodys_does() {
        let hash = PasswordHash::new(NOBODYS).expect("it is read");
        let params = Params::try_from(&hash).expect("it has costs");
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (COST.0, COST.1, 1));
    }

    #[test]
    fn passwords_have_eight_to_128_bytes_and_one_form() {
        assert_eq!(checked("seven77"), Err(BadPassword(7)));
        assert_eq!(checked(&"x".repeat(129)), Err(BadPassword(129)));
        assert_eq!(checked("ｐａｓｓword").as_deref(), Ok("password"));
        assert_eq!(checked("e\u{301}tudes!").as_deref(), Ok("\u{e9}tudes!"));
        assert!(checked("河内塔").is_ok(), "nine bytes");
    }
}
