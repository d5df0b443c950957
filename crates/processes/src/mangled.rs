//! What the arguments of a function of the C++ library are used for, as its mangled name tells: the Itanium C++ ABI says how types are
//! written there. Only as much is understood as the names of streams and their like need.

/// The effects of what the arguments of a member function point to, in the words of `library.txt`; the object itself is argument 0. None
/// if that is not understood.
pub fn arguments(name: &str) -> Option<String> {
    let mut text = Text(name.strip_prefix("_ZN")?);
    text.skip_while(|letter| matches!(letter, 'K' | 'V' | 'r' | 'R' | 'O'));
    text.names()?;
    let has_strings = name.contains("basic_string");
    let mut types = vec![];
    while !text.0.is_empty() {
        types.push(text.type_()?);
    }
    let mut effects = vec![];
    for (position, one) in types.iter().enumerate() {
        // Of what comes behind an object that is passed as it is, nobody knows in which registers.
        let is_certain = types[..position].iter().all(|other| other != &Type::Object);
        let at = position + 1;
        let length = types.get(at).is_some_and(|next| *next == Type::Number);
        let Type::Place(place) = one else {
            continue;
        };
        if !is_certain {
            return None;
        }
        let letter = if place.is_const { 'r' } else { 'w' };
        match place.to {
            To::Function | To::Nothing => {}
            To::Bytes(size) if place.is_reference => effects.push(format!("{letter}{at}:={size}")),
            To::Bytes(1) if length => effects.push(format!("{letter}{at}:{}", at + 1)),
            To::Bytes(1) if place.is_const => effects.push(format!("r{at}:s")),
            To::Bytes(1) => effects.push(format!("W{at}:s")),
            To::Bytes(4) if length => effects.push(format!("{letter}{at}:l{}", at + 1)),
            To::Bytes(4) if place.is_const => effects.push(format!("r{at}:l")),
            To::String if place.is_const => effects.push(format!("b{at}")),
            To::String => effects.push(format!("B{at}")),
            // It may be a string.
            To::Known if has_strings && name.contains("RK") => return None,
            To::Object | To::Known if place.is_const => effects.push(format!("r{at}:=8")),
            To::Object | To::Known => effects.push(format!("S{at}")),
            To::Bytes(_) => return None,
        }
    }
    Some(effects.join(","))
}

#[derive(PartialEq)]
enum Type {
    /// What may say how much there is.
    Number,
    Other,
    /// Of a class, or an enumeration.
    Object,
    Place(Place),
}

/// A pointer or a reference.
#[derive(PartialEq)]
struct Place {
    is_reference: bool,
    is_const: bool,
    to: To,
}

#[derive(PartialEq, Clone, Copy)]
enum To {
    Bytes(usize),
    String,
    Object,
    /// What the name has mentioned before.
    Known,
    Function,
    Nothing,
}

/// What is still to be read of a name.
struct Text<'n>(&'n str);

impl<'n> Text<'n> {
    fn first(&self) -> Option<char> {
        self.0.chars().next()
    }

    fn take(&mut self, length: usize) -> Option<&'n str> {
        let taken = self.0.get(..length)?;
        self.0 = &self.0[length..];
        Some(taken)
    }

    fn skip_while(&mut self, is_skipped: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(is_skipped);
    }

    /// The parts of a nested name, up to its end.
    fn names(&mut self) -> Option<()> {
        while self.first()? != 'E' {
            self.part()?;
        }
        self.take(1).map(|_| ())
    }

    fn part(&mut self) -> Option<()> {
        match self.first()? {
            'S' => self.known(),
            'I' => {
                self.take(1)?;
                while self.first()? != 'E' {
                    self.type_()?;
                }
                self.take(1).map(|_| ())
            }
            digit if digit.is_ascii_digit() => self.word(),
            // A constructor, a destructor or an operator; one that converts has a type.
            'C' | 'D' => self.take(2).map(|_| ()),
            _ if self.0.starts_with("cv") => {
                self.take(2)?;
                self.type_().map(|_| ())
            }
            letter if letter.is_ascii_lowercase() => self.take(2).map(|_| ()),
            _ => None,
        }
    }

    fn word(&mut self) -> Option<()> {
        let digits = self.0.find(|letter: char| !letter.is_ascii_digit())?;
        let length: usize = self.take(digits)?.parse().ok()?;
        self.take(length).map(|_| ())
    }

    /// `St`, `So` and others, `S_` and `S0_`.
    fn known(&mut self) -> Option<()> {
        self.take(1)?;
        if self.first()?.is_ascii_lowercase() {
            return self.take(1).map(|_| ());
        }
        let end = self.0.find('_')?;
        self.take(end + 1).map(|_| ())
    }

    fn type_(&mut self) -> Option<Type> {
        let letter = self.first()?;
        Some(match letter {
            'P' | 'R' | 'O' => {
                self.take(1)?;
                let is_const = self.first()? == 'K';
                self.skip_while(|letter| matches!(letter, 'K' | 'V'));
                Type::Place(Place {
                    is_reference: letter != 'P',
                    is_const,
                    to: self.to()?,
                })
            }
            'i' | 'j' | 'l' | 'm' => {
                self.take(1)?;
                Type::Number
            }
            letter if letter.is_ascii_lowercase() && letter != 'z' && letter != 'u' => {
                self.take(1)?;
                Type::Other
            }
            'N' | 'S' | '0'..='9' | 'T' => {
                self.to()?;
                Type::Object
            }
            _ => return None,
        })
    }

    /// What a pointer points to.
    fn to(&mut self) -> Option<To> {
        let before = self.0;
        let to = match self.first()? {
            'v' => To::Nothing,
            'b' | 'c' | 'a' | 'h' => To::Bytes(1),
            's' | 't' => To::Bytes(2),
            'w' | 'i' | 'j' | 'f' => To::Bytes(4),
            'l' | 'm' | 'x' | 'y' | 'd' => To::Bytes(8),
            'n' | 'o' | 'e' | 'g' => To::Bytes(16),
            'P' => {
                self.type_()?;
                return Some(To::Bytes(8));
            }
            'F' => {
                self.take(1)?;
                while self.first()? != 'E' {
                    self.type_()?;
                }
                self.take(1)?;
                return Some(To::Function);
            }
            'N' => {
                self.take(1)?;
                self.skip_while(|letter| matches!(letter, 'K' | 'V'));
                self.names()?;
                To::Object
            }
            'S' => {
                self.known()?;
                let is_std = before.starts_with("St");
                if is_std {
                    self.word()?;
                }
                if self.first() == Some('I') {
                    self.part()?;
                }
                if before.starts_with("Ss") {
                    return Some(To::String);
                }
                let is_known =
                    !is_std && !before[1..].starts_with(|c: char| c.is_ascii_lowercase());
                if is_known { To::Known } else { To::Object }
            }
            digit if digit.is_ascii_digit() => {
                self.word()?;
                To::Object
            }
            'T' => {
                let end = self.0.find('_')?;
                self.take(end + 1)?;
                To::Known
            }
            _ => return None,
        };
        let read = &before[..before.len() - self.0.len()];
        Some(match to {
            To::Object if read.contains("12basic_string") => To::String,
            To::Bytes(_) | To::Nothing => {
                self.take(1)?;
                to
            }
            to => to,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn what_the_arguments_of_members_are_used_for() {
        for (name, effects) in [
            ("_ZNSirsERi", "w1:=4"),
            ("_ZNSirsERd", "w1:=8"),
            ("_ZNSirsERPv", "w1:=8"),
            ("_ZNSolsEi", ""),
            ("_ZNSolsEPKv", ""),
            ("_ZNSolsEPFRSoS_E", ""),
            ("_ZNSolsEPFRSt8ios_baseS0_E", ""),
            ("_ZNSi7getlineEPcl", "w1:2"),
            ("_ZNSi7getlineEPclc", "w1:2"),
            ("_ZNSi3getERc", "w1:=1"),
            (
                "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sgetnEPcl",
                "w1:2",
            ),
            (
                "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sputnEPKcl",
                "r1:2",
            ),
            ("_ZNSolsEPSt15basic_streambufIcSt11char_traitsIcEE", "S1"),
            (
                "_ZNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE4swapERS4_",
                "S1",
            ),
            (
                "_ZNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEEC1EONS_12basic_stringIcS2_S3_EESt13_Ios_Openmode",
                "B1",
            ),
            ("_ZNSt8ios_base4InitC1Ev", ""),
            (
                "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate",
                "",
            ),
            (
                "_ZNSt9basic_iosIcSt11char_traitsIcEE7copyfmtERKS2_",
                "r1:=8",
            ),
            ("_ZNSi5seekgElSt12_Ios_Seekdir", ""),
        ] {
            assert_eq!(arguments(name).as_deref(), Some(effects), "{name}");
        }
        for name in [
            "_ZNSo4fooEz",
            "_ZNSo",
            "_ZNSi3fooESt4fposI11__mbstate_tEPc",
            "_ZNSo3barEA3_c",
        ] {
            assert_eq!(arguments(name), None, "{name}");
        }
    }
}
