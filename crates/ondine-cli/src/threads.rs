//! How many threads work.

use crate::error::CliError;

/// Works on so many threads from now on; None for one a core.
pub fn start(number: Option<u32>) -> Result<(), CliError> {
    let Some(number) = number else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number as usize);
    pool.build_global().map_err(|error| CliError::NoStart { reason: error.to_string() })
}
