//! Files that several threads read.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::{Arc, OnceLock};

/// A reader of a regular file, from where the file stood when it was given; that place does not move as it is read. There can be
/// more readers of the same bytes, each for itself: see [`CaptureFile::from_readers`](super::CaptureFile::from_readers).
///
/// ```
/// # use std::io::Read;
/// use huginn_net_core::source::RegularFile;
///
/// # fn main() -> std::io::Result<()> {
/// let Ok(mut one) = RegularFile::new(std::fs::File::open("Cargo.toml")?) else { return Ok(()) };
/// let mut other = one.another();
/// let (mut first, mut again) = ([0; 16], [0; 16]);
/// one.read_exact(&mut first)?;
/// other.read_exact(&mut again)?;
/// assert_eq!(first, again);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct RegularFile {
    file: Arc<File>,
    at: u64,
    /// Where all readers end, once there are several.
    end: Arc<OnceLock<u64>>,
}

impl RegularFile {
    /// A reader of this file.
    ///
    /// # Errors
    /// Gives the file back, which has to be read otherwise: it is not regular, nobody knows how long it is, or this system cannot
    /// read it at two places.
    pub fn new(mut file: File) -> Result<Self, File> {
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file);
        match (metadata.map(|metadata| metadata.len()), file.stream_position()) {
            (Some(end), Ok(at)) if at < end && cfg!(any(unix, windows)) => {
                Ok(Self { file: Arc::new(file), at, end: Arc::default() })
            }
            _ => Err(file),
        }
    }

    /// A reader of what this one has not read yet. From the first time on all of them end where the file ended then: if they
    /// found different ends of a file that grows, they would tell different things.
    #[must_use]
    pub fn another(&self) -> Self {
        self.end.get_or_init(|| self.file.metadata().map_or(self.at, |metadata| metadata.len()));
        self.clone()
    }
}

impl Read for RegularFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let end = self.end.get().copied().unwrap_or(u64::MAX);
        let left = usize::try_from(end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let room = into.len().min(left);
        let Some(into) = into.get_mut(..room).filter(|into| !into.is_empty()) else { return Ok(0) };
        let len = read_at(&self.file, into, self.at)?;
        self.at += len as u64;
        Ok(len)
    }
}

#[cfg(unix)]
fn read_at(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, at)
}

#[cfg(windows)]
fn read_at(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, at)
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::io::{SeekFrom, Write};

    use super::*;

    /// A file of these bytes, without a name.
    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("room");
        file.rewind().expect("a file can be rewound");
        file
    }

    fn rest(mut reader: RegularFile) -> Vec<u8> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).expect("readable");
        bytes
    }

    #[test]
    fn each_of_several_reads_from_where_it_is_to_the_end_that_the_file_had() {
        let mut file = file(b"not this, but this");
        file.seek(SeekFrom::Start(10)).expect("a file");
        let mut writer = file.try_clone().expect("another handle");
        let mut one = RegularFile::new(file).expect("regular");
        let other = one.another();
        one.read_exact(&mut [0; 4]).expect("as many bytes");
        writer.seek(SeekFrom::End(0)).expect("a file");
        writer.write_all(b" and more").expect("room");
        assert_eq!([rest(one.another()), rest(other), rest(one)], [&b"this"[..], b"but this", b"this"]);
    }

    #[test]
    fn one_alone_reads_what_is_added_while_it_reads() {
        let mut writer = file(b"this");
        let mut one = RegularFile::new(writer.try_clone().expect("another handle")).expect("regular");
        one.read_exact(&mut [0; 4]).expect("as many bytes");
        writer.seek(SeekFrom::End(0)).expect("a file");
        writer.write_all(b" and more").expect("room");
        assert_eq!(rest(one), b" and more");
    }

    #[test]
    fn a_file_that_was_cut_since_ends_where_it_was_cut() {
        let file = file(b"0123456789");
        let writer = file.try_clone().expect("another handle");
        let reader = RegularFile::new(file).expect("regular");
        writer.set_len(4).expect("a file");
        assert_eq!(rest(reader), b"0123");
    }

    #[test]
    fn what_is_empty_or_not_regular_is_given_back() {
        assert!(RegularFile::new(file(b"")).is_err());
        assert!(RegularFile::new(File::open(".").expect("a directory")).is_err());
    }
}
