//! The grammar of declarations.
//!
//! ```text
//! description! {
//!     /// What it is. `called name` where paths call it by one.
//!     pub struct Thing called name {
//!         /// A number: what it is, its unit in brackets [m]. Default 2.
//!         pub width: f32 [1e-6..=1e6, live] = 2.0,
//!         /// A switch that events may turn.
//!         pub enabled: bool [live] = true,
//!         /// A vector that changes under a condition.
//!         pub at: [f32; 3] [-1e6..=1e6, live if MOVING] = [0.0; 3],
//!         /// Texts, choices, other descriptions, lists and maps of them.
//!         pub parts: Vec<Part> = Vec::new(),
//!     }
//! }
//! ```
//!
//! Where every value has a default, the type has one. Where some are required, the others say `#[serde(default)]`. Numbers without a
//! range, and ranges without a number, do not compile.

/// Declares a table, a choice among shapes or a choice among names: type, text, schema and [`Described`](super::Described).
macro_rules! description {
    // A table with a default for every value. What stands `beside` them is not in the text.
    ($(#[$($meta:tt)*])* pub struct $name:ident $(called $called:ident)? {
        $($(#[$($about:tt)*])* pub $key:ident: $type:ty $([$($terms:tt)*])? = $default:expr,)*
    } $(beside { $($(#[$($plain_meta:tt)*])* pub $plain:ident: $plain_type:ty,)* })?) => {
        description! { @table [$(#[$($meta)*])* #[serde(default)]] $name [$($called)?] [
            $($(#[$($about)*])* $key: $type [$($($terms)*)?],)*
        ] [$($($(#[$($plain_meta)*])* $plain: $plain_type,)*)?] }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $default,)* $($($plain: Default::default(),)*)? }
            }
        }
    };

    // A table in which some values are required, or whose defaults come from elsewhere.
    ($(#[$($meta:tt)*])* pub struct $name:ident $(called $called:ident)? {
        $($(#[$($about:tt)*])* pub $key:ident: $type:ty $([$($terms:tt)*])?,)*
    }) => {
        description! { @table [$(#[$($meta)*])*] $name [$($called)?] [
            $($(#[$($about)*])* $key: $type [$($($terms)*)?],)*
        ] [] }
    };

    (@table [$($meta:tt)*] $name:ident [$($called:ident)?] [
        $($(#[$($about:tt)*])* $key:ident: $type:ty
            [$($least:literal ..= $most:literal)? $(,)? $($live:ident $(if $condition:ident)?)?],)*
    ] [$($(#[$($plain_meta:tt)*])* $plain:ident: $plain_type:ty,)*]) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        $($meta)*
        pub struct $name {
            $(
                $(#[$($about)*])*
                $(#[schemars(transform = $crate::scene::description::Range::new($least as f64, $most as f64))])?
                pub $key: $type,
            )*
            $($(#[$($plain_meta)*])* pub $plain: $plain_type,)*
        }

        description! { @described this $name [$($called)?] (_) [
            $((stringify!($key)) (this.$key) [$(#[$($about)*])*] $type [$($least $most)?] [$($live $($condition)?)?])*
        ] }
    };

    // A choice among names.
    ($(#[$($meta:tt)*])* pub enum $name:ident { $($(#[$($about:tt)*])* $variant:ident,)* }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "snake_case")]
        $(#[$($meta)*])*
        pub enum $name {
            $($(#[$($about)*])* $variant,)*
        }

        impl $crate::scene::description::Described for $name {}
    };

    // A choice among names with values of their own.
    ($(#[$($meta:tt)*])* pub enum $name:ident {
        $($(#[$($whole:tt)*])* $variant:ident = $word:literal
            $({ $($(#[$($about:tt)*])* $key:ident: $type:ty $([$least:literal ..= $most:literal])?,)* })?
            $(($inner:ident: $inner_type:ty))?,)*
    }) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        $(#[$($meta)*])*
        pub enum $name {
            $(
                $(#[$($whole)*])*
                #[serde(rename = $word)]
                $variant $({
                    $(
                        $(#[$($about)*])*
                        $(#[schemars(transform = $crate::scene::description::Range::new($least as f64, $most as f64))])?
                        $key: $type,
                    )*
                })? $(($inner_type))?,
            )*
        }

        description! { @described this $name [] $(($name::$variant $({ $($key),* })? $(($inner))?) [
            $($((concat!($word, ".", stringify!($key))) ($key) [$(#[$($about)*])*] $type [$($least $most)?] [])*)?
            $(($word) ($inner) [#[doc = " The values of this choice."]] $inner_type [] [])?
        ])* }
    };

    // For each pattern of the type, the values that there are then: key, place, words, type, range, and when it is live.
    (@described $this:ident $name:ident [$($called:ident)?] $(($($pattern:tt)*) [
        $(($key:expr) ($place:expr) $about:tt $type:ty [$($range:tt)*] [$($live:tt)*])*
    ])*) => {
        const _: () = {
            use $crate::scene::description::{Described, Description, Found, Leaf, Status, Walk, after, declared};

            impl Described for $name {
                fn show(&self, _: Status, walk: &mut Walk) {
                    let $this = self;
                    match $this {
                        $($($pattern)* => {$(
                            let declared = declared!($key, $about $type [$($range)*] [$($live)*]);
                            let status = Status { declared, live: declared!(@holds $this $($live)*) };
                            walk.within(declared.key, |walk| $place.show(status, walk));
                        )*})*
                    }
                }

                fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
                    let $this = self;
                    match $this {
                        $($($pattern)* => {$(
                            let declared = declared!($key, $about $type [$($range)*] [$($live)*]);
                            if let Some(rest) = after(path, declared.key) {
                                let status = Status { declared, live: declared!(@holds $this $($live)*) };
                                return $place.find(status, rest);
                            }
                        )*})*
                    }
                    path.is_empty().then_some(Found { leaf: Leaf::Other, status })
                }

                fn describe(all: &mut Vec<Description>) {
                    let name = stringify!($name);
                    if all.iter().all(|known| known.name != name) {
                        let values = const { &[$($(*declared!($key, $about $type [$($range)*] [$($live)*]),)*)*] };
                        all.push(Description { name, values });
                        $($(<$type>::describe(all);)*)*
                    }
                }

                $(fn name(&self) -> Option<&str> {
                    Some(&self.$called)
                })?
            }
        };
    };
}

/// What is declared of one value: its key, its words as attributes, its type, its range, and when it is live.
macro_rules! declared {
    ($key:expr, [$($about:tt)*] $type:ty [$($range:tt)*] [$($live:tt)*]) => {
        const {
            &$crate::scene::description::Declared {
                key: $key,
                about: $crate::scene::description::declared!(@about [] $($about)*),
                range: $crate::scene::description::declared!(@range $($range)*),
                live: $crate::scene::description::declared!(@live $($live)*),
            }
            .checked(<$type as $crate::scene::description::Described>::NUMBERS)
        }
    };

    // The lines of a comment, each of which begins with a blank.
    (@about [$($line:literal)*]) => { concat!($($line),*) };
    (@about [$($line:literal)*] #[doc = $next:literal] $($rest:tt)*) => {
        $crate::scene::description::declared!(@about [$($line)* $next] $($rest)*)
    };
    (@about $lines:tt #[$($other:tt)*] $($rest:tt)*) => {
        $crate::scene::description::declared!(@about $lines $($rest)*)
    };

    (@range) => { None };
    (@range $least:literal $most:literal) => {
        Some($crate::scene::description::Range::new($least as f64, $most as f64))
    };

    (@live) => { $crate::scene::description::Live::Fixed };
    (@live live) => { $crate::scene::description::Live::Always };
    (@live live $condition:ident) => { $crate::scene::description::Live::If($condition.terms) };

    (@holds $this:ident) => { false };
    (@holds $this:ident live) => { true };
    (@holds $this:ident live $condition:ident) => { ($condition.holds)($this) };
}

pub(crate) use {declared, description};
