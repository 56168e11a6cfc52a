//! What the headers of an executable say (ELF, as in `elf.h`), read here so that no tool has to be installed.

use std::fs;
use std::path::Path;

const MACHINE_X86_64: u16 = 62;
const SEGMENT_DYNAMIC: u32 = 2;
const SEGMENT_INTERPRETER: u32 = 3;
const SECTION_SYMBOLS: u32 = 2;
const DYNAMIC_NEEDED: u64 = 1;

/// Panics unless it is an x86_64 executable that asks for no interpreter and no library, and has no symbols.
#[track_caller]
pub(crate) fn assert_static_and_stripped(path: &Path) {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.display();
    // Magic, 64 bits, little endian.
    assert_eq!(bytes[..6], *b"\x7fELF\x02\x01", "{name} is no ELF file for 64 bits");
    assert_eq!(half(&bytes, 18), MACHINE_X86_64, "{name} is for another machine");
    for segment in table(&bytes, word(&bytes, 32), half(&bytes, 54), half(&bytes, 56)) {
        match int(segment, 0) {
            SEGMENT_INTERPRETER => panic!("{name} asks for an interpreter"),
            SEGMENT_DYNAMIC => {
                let (from, length) = (word(segment, 8) as usize, word(segment, 32) as usize);
                let mut entries = bytes[from..from + length].chunks_exact(16);
                assert!(!entries.any(|entry| word(entry, 0) == DYNAMIC_NEEDED), "{name} asks for a library");
            }
            _ => {}
        }
    }
    let mut sections = table(&bytes, word(&bytes, 40), half(&bytes, 58), half(&bytes, 60));
    assert!(!sections.any(|section| int(section, 4) == SECTION_SYMBOLS), "{name} is not stripped");
}

/// The entries of a table of headers.
fn table(bytes: &[u8], from: u64, size: u16, count: u16) -> std::slice::ChunksExact<'_, u8> {
    let (from, size) = (from as usize, usize::from(size));
    bytes[from..from + size * usize::from(count)].chunks_exact(size.max(1))
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn int(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[test]
#[cfg(target_env = "gnu")]
#[should_panic(expected = "asks for an interpreter")]
fn a_dynamic_executable_is_told() {
    // This test itself: Rust links with glibc dynamically.
    assert_static_and_stripped(&std::env::current_exe().expect("a test knows its own path"));
}
