//! Gives accounts their turns to match patterns, outside of the writer.
//!
//! [`PatternTurns`] limits how many are matched at a time: one per account and [`Turn`], and in total about as many as
//! the machine has cores. So an account with slow patterns delays only itself.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::clock::Clock;
use crate::model::AccountId;
use crate::ops::patterns::Patterns;

/// Number of turns, which accounts share: two accounts with the same one wait for each other now and then.
const TURNS: usize = 256;
/// Least number of patterns matched at a time: the slow patterns of one account leave a place to the others.
const PLACES_MIN: usize = 2;

/// The purpose of matching. An account has a turn for each: its calls do not wait for its mail, so slow patterns can be
/// replaced while mail waits for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A message that came in.
    Mail,
    /// A call of the API or a command.
    Call,
}

/// The patterns of the server, and the places for matching them.
#[derive(Debug)]
pub struct PatternTurns {
    patterns: Arc<Patterns>,
    mail_turns: Vec<Arc<Semaphore>>,
    call_turns: Vec<Arc<Semaphore>>,
    places: Arc<Semaphore>,
}

impl PatternTurns {
    /// No pattern is compiled yet. Time is measured by `clock`.
    #[must_use]
    pub fn new(clock: Clock) -> PatternTurns {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let turns = || (0..TURNS).map(|_| Arc::new(Semaphore::new(1))).collect();
        PatternTurns {
            patterns: Arc::new(Patterns::new(clock)),
            mail_turns: turns(),
            call_turns: turns(),
            places: Arc::new(Semaphore::new(cores.max(PLACES_MIN))),
        }
    }

    /// The number of messages and calls that are being matched now, and whose time is running.
    #[must_use]
    pub fn running(&self) -> usize {
        self.patterns.running()
    }

    /// Runs `work` on a blocking thread, once it is the turn of `account`. `None` if it panics.
    pub async fn run<T: Send + 'static>(
        &self,
        account: AccountId,
        turn: Turn,
        work: impl FnOnce(&Patterns) -> T + Send + 'static,
    ) -> Option<T> {
        let turns = match turn {
            Turn::Mail => &self.mail_turns,
            Turn::Call => &self.call_turns,
        };
        let turn = &turns[usize::try_from(account.0).unwrap_or_default() % TURNS];
        // Neither semaphore is ever closed.
        let turn = Arc::clone(turn).acquire_owned().await.ok()?;
        let place = Arc::clone(&self.places).acquire_owned().await.ok()?;
        let patterns = Arc::clone(&self.patterns);
        let running = tokio::task::spawn_blocking(move || {
            // Released when the work ends, even if nobody waits for it any more.
            let _held = (turn, place);
            work(&patterns)
        });
        running.await.ok()
    }
}
