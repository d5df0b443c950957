//! Where included files come from.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;

/// Reads the files that `#include` names. Tests and fuzzers give files without a disk.
pub trait FileLoader {
    /// The bytes of a file, or why there are none. The path has been made relative to the file that includes it.
    fn load(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// Files of the file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskLoader;

/// A larger file is not a model.
const LARGEST_FILE: u64 = 256 << 20;

impl FileLoader for DiskLoader {
    fn load(&self, path: &str) -> Result<Vec<u8>, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        // A device or a pipe might never end.
        let kind = file.metadata().map_err(|error| error.to_string())?;
        if !kind.is_file() {
            return Err("it is not a regular file".to_string());
        }
        if kind.len() > LARGEST_FILE {
            return Err("it is too large".to_string());
        }
        let mut bytes = Vec::new();
        file.take(LARGEST_FILE)
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}

/// Files by name, in memory. Empty by default, so that every `#include` fails.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    /// The text of each file, by its path.
    pub files: HashMap<String, Vec<u8>>,
}

impl FileLoader for MemoryLoader {
    fn load(&self, path: &str) -> Result<Vec<u8>, String> {
        let bytes = self.files.get(path);
        bytes
            .cloned()
            .ok_or_else(|| "there is no such file".to_string())
    }
}
