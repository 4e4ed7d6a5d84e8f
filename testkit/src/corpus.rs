//! The captures and tables of the `pcaps` folder of this repository.

use std::path::{Path, PathBuf};

/// A path below the `pcaps` folder.
#[must_use]
pub fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../pcaps").join(relative)
}

/// All files of the corpus, those of folders within folders too, in order of their names.
///
/// # Panics
/// If a folder cannot be read.
#[must_use]
pub fn files() -> Vec<PathBuf> {
    fn add(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder that can be listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { add(&path, files) } else { files.push(path) }
        }
    }
    let mut files = Vec::new();
    add(&path(""), &mut files);
    files.sort();
    files
}

/// The captures in one folder of the corpus, `"tcp"` for one, in order of their names.
///
/// # Panics
/// If the folder cannot be read or has none.
#[must_use]
pub fn captures(folder: &str) -> Vec<PathBuf> {
    let folder = path(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut captures: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pcap" || extension == "pcapng"))
        .collect();
    assert!(!captures.is_empty(), "no capture in {}", folder.display());
    captures.sort();
    captures
}

/// A table of tab separated columns, the first line of which names them.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a table of the corpus, such as `"tcp/index.tsv"`.
    ///
    /// # Panics
    /// If there is none, or as [`Table::parse`] does.
    #[must_use]
    pub fn open(relative: &str) -> Self {
        let path = path(relative);
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self::parse(&text)
    }

    /// Reads a table from text.
    ///
    /// # Panics
    /// If a row has not as many fields as the first line.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let split = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let columns = split(lines.next().expect("a table starts with the names of its columns"));
        let rows: Vec<_> = lines.map(split).collect();
        for (row, line) in rows.iter().zip(2..) {
            assert_eq!(row.len(), columns.len(), "fields in line {line}");
        }
        Self { columns, rows }
    }

    /// The rows in the order of the file.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|fields| Row { columns: &self.columns, fields })
    }
}

/// One row of a [`Table`].
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    columns: &'a [String],
    fields: &'a [String],
}

impl<'a> Row<'a> {
    /// The field in a column; it may be empty.
    ///
    /// # Panics
    /// If the table has no such column.
    #[must_use]
    pub fn field(&self, column: &str) -> &'a str {
        let index = self.columns.iter().position(|name| name == column);
        &self.fields[index.unwrap_or_else(|| panic!("no column {column:?} among {:?}", self.columns))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_by_the_names_of_columns() {
        let table = Table::parse("id\tpcap\tnote\na\tb\t\nc\td\te\n");
        let fields: Vec<_> = table.rows().map(|row| (row.field("note"), row.field("id"))).collect();
        assert_eq!(fields, [("", "a"), ("e", "c")]);
    }

    #[test]
    fn every_capture_of_an_index_exists_and_reads() {
        for folder in ["tcp", "http", "real"] {
            for row in Table::open(&format!("{folder}/index.tsv")).rows() {
                let capture = crate::capture::Capture::open(&path(folder).join(row.field("pcap")));
                assert!(!capture.records.is_empty(), "{}", row.field("pcap"));
            }
        }
    }
}
