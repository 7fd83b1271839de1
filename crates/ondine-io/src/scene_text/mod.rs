//! Scene text.
