//! How a value is packed into the state vector.

use std::fmt;

/// The storage class of one field. A write truncates to it, as an assignment in C does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// One bit.
    Bit,
    /// 0 to 255.
    Byte,
    /// Sixteen bits, signed.
    Short,
    /// Thirty-two bits, signed.
    Int,
    /// The given number of bits, 1 to 32, without sign.
    Unsigned(u8),
}

impl Kind {
    /// The bytes that a field of this kind takes.
    pub fn bytes(self) -> u32 {
        match self {
            Kind::Bit | Kind::Byte => 1,
            Kind::Short => 2,
            Kind::Int => 4,
            Kind::Unsigned(bits) => match bits {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            },
        }
    }

    /// The value that is read back after `value` was written.
    #[inline]
    pub fn cast(self, value: i32) -> i32 {
        match self {
            Kind::Bit => value & 1,
            Kind::Byte => value as u8 as i32,
            Kind::Short => value as i16 as i32,
            Kind::Int => value,
            Kind::Unsigned(bits) if bits >= 32 => value,
            Kind::Unsigned(bits) => value & ((1i32 << bits).wrapping_sub(1)),
        }
    }

    /// Reads the field at `offset`.
    #[inline]
    pub fn read(self, state: &[u8], offset: usize) -> i32 {
        match self {
            Kind::Bit | Kind::Byte => state[offset] as i32,
            Kind::Short => i16::from_le_bytes([state[offset], state[offset + 1]]) as i32,
            Kind::Int => read_int(state, offset),
            Kind::Unsigned(_) => match self.bytes() {
                1 => state[offset] as i32,
                2 => u16::from_le_bytes([state[offset], state[offset + 1]]) as i32,
                _ => read_int(state, offset),
            },
        }
    }

    /// Writes `value`, truncated, into the field at `offset`.
    #[inline]
    pub fn write(self, state: &mut [u8], offset: usize, value: i32) {
        let value = self.cast(value);
        match self.bytes() {
            1 => state[offset] = value as u8,
            2 => state[offset..offset + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => state[offset..offset + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

#[inline]
fn read_int(state: &[u8], offset: usize) -> i32 {
    let bytes: [u8; 4] = state[offset..offset + 4]
        .try_into()
        .expect("a slice of four bytes");
    i32::from_le_bytes(bytes)
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Bit => out.write_str("bit"),
            Kind::Byte => out.write_str("byte"),
            Kind::Short => out.write_str("short"),
            Kind::Int => out.write_str("int"),
            Kind::Unsigned(bits) => write!(out, "unsigned:{bits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_truncated() {
        let kinds = [
            Kind::Bit,
            Kind::Byte,
            Kind::Short,
            Kind::Int,
            Kind::Unsigned(1),
            Kind::Unsigned(3),
            Kind::Unsigned(8),
            Kind::Unsigned(9),
            Kind::Unsigned(17),
            Kind::Unsigned(32),
        ];
        let mut state = [0u8; 8];
        for kind in kinds {
            for value in [
                0,
                1,
                2,
                -1,
                127,
                128,
                255,
                256,
                32768,
                65536,
                i32::MIN,
                i32::MAX,
            ] {
                kind.write(&mut state, 2, value);
                assert_eq!(kind.read(&state, 2), kind.cast(value), "{kind} {value}");
            }
        }
    }
}
