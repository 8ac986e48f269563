//! ULIDs, written as 26 lower-case Crockford base32 characters, one type per kind of object.

use std::fmt;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const ULID_CHARS: usize = 26;

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// A new id, later than every id this process made before.
            pub fn generate() -> Self {
                Self(new_ulid())
            }

            /// Takes an id as it stands in a file or a request. Ids of older files need not be ULIDs.
            pub fn from_string(id: impl Into<String>) -> Self {
                Self(id.into())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }

            pub fn into_string(self) -> String {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id_type!(
    /// Identity of an entity; survives renames, retypes, merges into it and undo.
    EntityId
);
id_type!(RelationshipId);
id_type!(ObservationId);
id_type!(
    /// Identity of one atomic write.
    TransactionId
);

/// Makes a ULID: 48 bits of milliseconds, then 80 random bits. Within one millisecond the random
/// part is counted up, so that ids made by one process sort in the order they were made.
pub fn new_ulid() -> String {
    static LAST: Mutex<(u64, u128)> = Mutex::new((0, 0));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64);
    let (time, random) = {
        let mut last = LAST.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // A clock set back must not make ids that sort before earlier ones.
        if now <= last.0 {
            last.1 = (last.1 + 1) & RANDOM_MASK;
        } else {
            *last = (now, random_80_bits());
        }
        *last
    };
    encode((u128::from(time) << 80) | random)
}

/// Whether a text has the form of a ULID as we write it.
pub fn is_ulid(text: &str) -> bool {
    text.len() == ULID_CHARS && text.bytes().all(|b| ALPHABET.contains(&b))
}

const RANDOM_MASK: u128 = (1 << 80) - 1;

fn random_80_bits() -> u128 {
    let mut bytes = [0u8; 16];
    // Without entropy, ids would repeat between processes and edits would be lost.
    getrandom::fill(&mut bytes[6..]).expect("the operating system provides random bytes");
    u128::from_be_bytes(bytes) & RANDOM_MASK
}

fn encode(value: u128) -> String {
    (0..ULID_CHARS)
        .map(|i| {
            let shift = 5 * (ULID_CHARS - 1 - i);
            ALPHABET[((value >> shift) & 31) as usize] as char
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_26_lower_case_characters_and_sort_by_creation() {
        let ids: Vec<String> = (0..2_000).map(|_| new_ulid()).collect();
        assert!(ids.iter().all(|id| is_ulid(id)), "every id has the documented form");
        let mut sorted = ids.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(ids, sorted, "ids are unique and in order");
    }
}
