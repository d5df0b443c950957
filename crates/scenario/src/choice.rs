//! Choices that have names: the orders, stores, reductions and properties of a verification.

use std::fmt;

/// A choice among named values.
pub trait Choice: Copy + 'static {
    /// All values, in the order in which people should see them.
    const ALL: &'static [Self];

    /// As it is typed and written.
    fn name(self) -> &'static str;
}

/// A name that is none of those known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName(pub String);

impl fmt::Display for UnknownName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not among the known names", self.0)
    }
}

impl std::error::Error for UnknownName {}

/// Declares enumerations together with the names of their values; the first value is the default. Needs `serde`.
///
/// ```
/// mazurka_scenario::choices! {
///     /// On or off.
///     Switch {
///         /// On.
///         On "on",
///         /// Off.
///         Off "off",
///     }
/// }
/// assert_eq!("off".parse(), Ok(Switch::Off));
/// assert_eq!(Switch::default().name(), "on");
/// ```
#[macro_export]
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident {
        $(#[$first_doc:meta])* $first:ident $first_text:literal,
        $($(#[$value_doc:meta])* $value:ident $text:literal,)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ::serde::Serialize, ::serde::Deserialize)]
        pub enum $name {
            $(#[$first_doc])*
            #[default]
            #[serde(rename = $first_text)]
            $first,
            $($(#[$value_doc])* #[serde(rename = $text)] $value,)*
        }

        impl $name {
            /// As it is typed and written.
            pub fn name(self) -> &'static str {
                match self {
                    $name::$first => $first_text,
                    $($name::$value => $text,)*
                }
            }
        }

        impl $crate::Choice for $name {
            const ALL: &'static [$name] = &[$name::$first, $($name::$value,)*];

            fn name(self) -> &'static str {
                $name::name(self)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                out.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> ::std::result::Result<$name, $crate::UnknownName> {
                let mut all = <$name as $crate::Choice>::ALL.iter().copied();
                all.find(|value| value.name() == text)
                    .ok_or_else(|| $crate::UnknownName(text.into()))
            }
        }
    )*};
}
