//! Work that is done in steps: whether there may be more of it, and whether a step is under way.
//!
//! The scheduler's loop has one [`Steps`] for each kind of such work, begins a step where one may begin, and notes its
//! end. A step itself is a task, which reports how it ended. Nothing here runs or waits.

/// The state of one kind of work, of which one step runs at a time.
#[derive(Debug)]
pub(super) struct Steps {
    may_be_more: bool,
    is_running: bool,
}

impl Steps {
    /// Begins with the assumption that the last process left work.
    pub(super) const fn new() -> Steps {
        Steps { may_be_more: true, is_running: false }
    }

    /// Notes that there may be work.
    pub(super) fn look_again(&mut self) {
        self.may_be_more = true;
    }

    /// Whether there may be work for a step that has not begun.
    pub(super) fn may_be_more(&self) -> bool {
        self.may_be_more
    }

    /// Whether a step is under way.
    pub(super) fn is_running(&self) -> bool {
        self.is_running
    }

    /// Notes that a step begins; returns false, and notes nothing, if there is no work or a step is under way.
    pub(super) fn begin(&mut self) -> bool {
        if self.is_running || !self.may_be_more {
            return false;
        }
        *self = Steps { may_be_more: false, is_running: true };
        true
    }

    /// Notes the end of a step, and whether it left work.
    pub(super) fn end(&mut self, is_more: bool) {
        self.is_running = false;
        self.may_be_more |= is_more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_runs_at_a_time_and_work_that_comes_meanwhile_is_for_the_next() {
        let mut steps = Steps::new();
        assert!(steps.begin() && steps.is_running() && !steps.may_be_more());
        steps.look_again();
        assert!(!steps.begin() && steps.may_be_more());
        steps.end(false);
        assert!(!steps.is_running() && steps.begin());
        steps.end(false);
        assert!(!steps.begin());
        steps.end(true);
        assert!(steps.begin());
    }
}
