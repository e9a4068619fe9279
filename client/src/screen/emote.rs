//! Emotes in words.

use sprint_shared::protocol::Emote;

/// What a player says by it.
pub fn words(emote: Emote) -> &'static str {
    match emote {
        Emote::Hello => "Hello!",
        Emote::GoodLuck => "Good luck!",
        Emote::WellPlayed => "Well played!",
        Emote::Wow => "Wow!",
        Emote::Oops => "Oops!",
        Emote::Thinking => "Let me think",
        Emote::Hurry => "Hurry up!",
        Emote::Thanks => "Thanks!",
    }
}
