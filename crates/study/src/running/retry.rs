//! Trouble that passes is waited out: a job is tried again.

use std::time::Duration;

use nbrevive_requests::chance;

use crate::laboratory::LaboratoryError;
use crate::settings::retry::RetrySettings;

impl RetrySettings {
    /// Does `work` until it succeeds, its trouble is of a kind that does not pass, or enough was tried. `tell` hears of every
    /// failure that is tried again, with the pause before that.
    ///
    /// # Errors
    /// The last failure.
    pub(crate) fn patiently<T>(
        &self,
        tell: &dyn Fn(&LaboratoryError, Duration),
        work: &mut dyn FnMut() -> Result<T, LaboratoryError>,
    ) -> Result<T, LaboratoryError> {
        let patience = self.patience();
        let mut failed = 0;
        loop {
            let error = match work() {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            failed += 1;
            let pause = if error.may_pass() { patience.pause(failed, None, chance()) } else { None };
            let Some(pause) = pause else { return Err(error) };
            tell(&error, pause);
            std::thread::sleep(pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use nbrevive_environment::index::IndexError;

    use super::*;

    /// Tries under a policy without pauses; what was told, and what came of it.
    fn tried(errors: Vec<LaboratoryError>) -> (usize, Result<(), LaboratoryError>) {
        let settings = RetrySettings { delay_seconds: 0.0, ..RetrySettings::default() };
        let (told, mut errors) = (RefCell::new(0), errors.into_iter());
        let result = settings.patiently(&|_, _| *told.borrow_mut() += 1, &mut || errors.next().map_or(Ok(()), Err));
        (told.into_inner(), result)
    }

    fn index() -> LaboratoryError {
        LaboratoryError::Index(IndexError::Offline { name: "pandas".to_owned() })
    }

    #[test]
    fn what_passes_is_waited_out_and_what_stays_is_not() {
        assert!(matches!(tried(vec![index(), index()]), (2, Ok(()))));
        let (told, result) = tried((0..9).map(|_| index()).collect());
        assert!(told == 3 && matches!(result, Err(LaboratoryError::Index(_))), "four tries in all");
        let (told, result) = tried(vec![LaboratoryError::Killed { times: 9 }]);
        assert!(told == 0 && result.is_err());
    }
}
