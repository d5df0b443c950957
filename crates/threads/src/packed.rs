//! What the crate carries, compressed: it is most of the crate, and few need it.

/// A file: its length, in eight bytes, and what it is compressed to. Nothing if there is none.
#[derive(Clone, Copy, Debug)]
pub struct Packed(pub(crate) &'static [u8]);

impl Packed {
    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes of the file.
    pub fn len(&self) -> usize {
        let length = self
            .0
            .first_chunk()
            .map_or(0, |bytes| u64::from_le_bytes(*bytes));
        length as usize
    }

    /// The file. Empty if there is none.
    pub fn bytes(&self) -> Vec<u8> {
        let compressed = self.0.get(8..).unwrap_or_default();
        let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(compressed, self.len());
        match self.is_empty() {
            true => Vec::new(),
            false => bytes.expect("what the build has compressed"),
        }
    }

    /// What tells it from others.
    pub(crate) fn fingerprint(&self) -> impl Iterator<Item = &u8> {
        self.0.iter()
    }
}
