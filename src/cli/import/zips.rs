//! Reads zip files of exports: their names, and the bytes of single entries. Nothing is ever written to the disk.
//!
//! A zip of a stranger is bounded: the number of its entries, what they unpack to in relation to what they take, and
//! names that lead out of it.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

/// How a zip begins.
const ZIP: &[u8] = b"PK\x03\x04";
/// Entries that a zip may have.
const ENTRIES_MAX: usize = 100_000;
/// How much larger than its packed form an entry may be; texts and mail stay far below it.
const RATIO_MAX: u64 = 200;
/// Bytes that any entry may unpack to, however small it is packed.
const FREE_BYTES: u64 = 1 << 20;

/// A file in a zip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its name, with the folders in front of it.
    pub(super) name: String,
    /// Its place in the zip.
    pub(super) place: usize,
    /// The bytes that it takes in the zip.
    pub(super) packed_bytes: u64,
    /// The bytes that it has, as the zip says.
    pub(super) size_bytes: u64,
}

/// Whether a file begins as a zip does.
pub(super) fn is_zip(beginning: &[u8]) -> bool {
    beginning.starts_with(ZIP)
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, String> {
    let file = File::open(path).map_err(|error| format!("it cannot be read: {error}"))?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| unreadable(&error))
}

fn unreadable(error: &ZipError) -> String {
    format!("it is no zip that can be read: {error}")
}

/// The files of a zip, by name.
pub(super) fn entries(path: &Path) -> Result<Vec<Entry>, String> {
    let mut archive = open(path)?;
    if ENTRIES_MAX < archive.len() {
        return Err(format!("it has more than {ENTRIES_MAX} files"));
    }
    let mut entries = Vec::with_capacity(archive.len());
    for place in 0..archive.len() {
        let entry = archive.by_index_raw(place).map_err(|error| unreadable(&error))?;
        if entry.enclosed_name().is_none() {
            let name: String = entry.name().chars().filter(|c| !c.is_control()).take(100).collect();
            return Err(format!("it has a file whose name leads out of it ({name}), and is not taken"));
        }
        if entry.is_dir() {
            continue;
        }
        if entry.encrypted() {
            return Err("it is encrypted: unpack it with its password first".to_owned());
        }
        entries.push(Entry {
            name: entry.name().to_owned(),
            place,
            packed_bytes: entry.compressed_size(),
            size_bytes: entry.size(),
        });
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

/// Has `read` read an entry. Reading fails where the entry unpacks to far more than any real file.
pub(super) fn read<T>(
    path: &Path,
    entry: &Entry,
    read: impl FnOnce(&mut dyn Read) -> T,
) -> Result<T, String> {
    let mut archive = open(path)?;
    let file = archive.by_index(entry.place).map_err(|error| unreadable(&error))?;
    let left_bytes = entry.packed_bytes.saturating_mul(RATIO_MAX).saturating_add(FREE_BYTES);
    Ok(read(&mut Bounded { reader: file, left_bytes }))
}

/// A reader that fails behind a number of bytes.
struct Bounded<R> {
    reader: R,
    left_bytes: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        let bytes = u64::try_from(count).unwrap_or(u64::MAX);
        self.left_bytes = self.left_bytes.checked_sub(bytes).ok_or_else(|| {
            let problem = format!("it unpacks to more than {RATIO_MAX} times its size, as no export does");
            io::Error::new(io::ErrorKind::InvalidData, problem)
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn packed(files: &[(&str, &[u8])]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        for (name, bytes) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap();
        (folder, path)
    }

    #[test]
    fn entries_are_listed_by_name_and_read() {
        let (_folder, path) = packed(&[("b/two.csv", b"2"), ("a/one.csv", b"1")]);
        let entries = entries(&path).unwrap();
        assert_eq!(
            entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(),
            ["a/one.csv", "b/two.csv"]
        );
        let mut text = String::new();
        read(&path, &entries[1], |reader| reader.read_to_string(&mut text)).unwrap().unwrap();
        assert_eq!(text, "2");
    }

    #[test]
    fn a_zip_that_unpacks_to_far_too_much_or_leads_out_of_itself_is_refused() {
        let (_folder, path) = packed(&[("bomb.csv", &vec![b'a'; 16 << 20])]);
        let entry = entries(&path).unwrap().remove(0);
        let error = read(&path, &entry, |reader| io::copy(reader, &mut io::sink())).unwrap().unwrap_err();
        assert!(error.to_string().contains("200 times its size"), "{error}");
        let (_folder, path) = packed(&[("../../etc/passwd", b"x")]);
        assert!(entries(&path).unwrap_err().contains("leads out of it"));
        std::fs::write(&path, b"PK\x03\x04 and nothing more").unwrap();
        assert!(entries(&path).unwrap_err().contains("no zip that can be read"));
    }

    #[test]
    fn a_damaged_zip_is_read_or_refused() {
        let (_folder, path) = packed(&[("a/people.csv", b"email\na@x.org\n"), ("b.json", b"[{}]")]);
        let whole = std::fs::read(&path).unwrap();
        let mut random = 1_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).unwrap() % below
        };
        let mut refused = 0;
        for _ in 0..2000 {
            let mut bytes = whole.clone();
            for _ in 0..=next(3) {
                let at = next(bytes.len());
                bytes[at] = u8::try_from(next(256)).unwrap();
            }
            if next(8) == 0 {
                bytes.truncate(next(whole.len()));
            }
            std::fs::write(&path, &bytes).unwrap();
            let Ok(entries) = entries(&path) else {
                refused += 1;
                continue;
            };
            for entry in entries {
                let most = entry.packed_bytes.saturating_mul(RATIO_MAX).saturating_add(FREE_BYTES);
                let mut count = 0;
                let _: Result<io::Result<()>, String> = read(&path, &entry, |reader| {
                    let mut buffer = [0; 4096];
                    loop {
                        match reader.read(&mut buffer)? {
                            0 => return Ok(()),
                            bytes => count += bytes as u64,
                        }
                    }
                });
                assert!(count <= most, "{entry:?} unpacks to {count} bytes");
            }
        }
        assert!(100 < refused && refused < 2000, "{refused} of 2,000 were refused");
    }
}
