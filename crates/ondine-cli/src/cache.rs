//! Where distance fields of meshes are kept between runs.

use std::env;
use std::path::PathBuf;

/// `$ONDINE_CACHE` or, without it, the folder `ondine` in the user's cache. None where there is no such thing.
pub fn folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let users = || folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    folder("ONDINE_CACHE").or_else(|| users().map(|cache| cache.join("ondine")))
}
