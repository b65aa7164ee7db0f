//! One file of the dump: plain CSV, or packed as the site hands single files out (`.csv.zip`, `.csv.gz`).

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::{DeflateDecoder, MultiGzDecoder};
use nbrevive_files::open;
use zip::{CompressionMethod, ZipArchive};

use super::error::DumpError;
use super::tables::{Column, DumpTable};

/// Longest header that is read, in bytes; real ones end below 2 KiB.
const LONGEST_HEADER: u64 = 64 << 10;

/// A file that holds a table.
#[derive(Debug, Clone)]
pub(super) struct TableFile {
    pub(super) table: DumpTable,
    pub(super) path: PathBuf,
    packing: Packing,
    /// Names of the header's columns in their order.
    header: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Plain,
    Zip,
    Gzip,
}

const PACKINGS: [(&str, Packing); 3] = [("csv", Packing::Plain), ("csv.zip", Packing::Zip), ("csv.gz", Packing::Gzip)];

impl TableFile {
    /// The file of a table in a folder, plain before packed; `None` where there is none.
    pub(super) fn find(folder: &Path, table: DumpTable) -> Result<Option<Self>, DumpError> {
        for (ending, packing) in PACKINGS {
            let path = folder.join(format!("{table}.{ending}"));
            if path.is_file() {
                let mut file = Self { table, path, packing, header: Vec::new() };
                file.header = file.read_header()?;
                file.check()?;
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    pub(super) fn unreadable(&self) -> impl FnOnce(io::Error) -> DumpError + use<> {
        let path = self.path.clone();
        move |source| DumpError::Unreadable { path, source }
    }

    /// The text, unpacked, without a byte order mark.
    pub(super) fn open(&self) -> Result<Box<dyn Read + Send>, DumpError> {
        self.open_packed().and_then(without_mark).map_err(self.unreadable())
    }

    fn open_packed(&self) -> io::Result<Box<dyn Read + Send>> {
        let file = open(&self.path)?;
        Ok(match self.packing {
            Packing::Plain => Box::new(file),
            Packing::Gzip => Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 20, file))),
            Packing::Zip => unzipped(file, self.table)?,
        })
    }

    fn read_header(&self) -> Result<Vec<String>, DumpError> {
        let text = self.open()?.take(LONGEST_HEADER);
        let mut record = csv::ByteRecord::new();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        let unreadable = self.unreadable();
        reader.read_byte_record(&mut record).map_err(|error| unreadable(io::Error::other(error)))?;
        Ok(record.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect())
    }

    fn check(&self) -> Result<(), DumpError> {
        let lacking =
            self.table.columns().iter().find(|column| column.is_required && self.place(column.name).is_none());
        lacking.map_or(Ok(()), |column| {
            Err(DumpError::NoColumn { path: self.path.clone(), column: column.name, tells: column.tells })
        })
    }

    /// Columns that the table could have and this file has not.
    pub(super) fn lacking(&self) -> impl Iterator<Item = &'static Column> {
        self.table.columns().iter().filter(|column| self.place(column.name).is_none())
    }

    /// Where a column stands.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// How many columns a row has.
    pub(super) fn width(&self) -> usize {
        self.header.len()
    }
}

/// The table's entry of an archive, read from the file itself: a reader of the archive would have to borrow it.
fn unzipped(mut file: std::fs::File, table: DumpTable) -> io::Result<Box<dyn Read + Send>> {
    let (start, length, method) = {
        let mut archive = ZipArchive::new(&mut file)?;
        let wanted = format!("{table}.csv");
        let is_wanted = |name: &str| name.rsplit('/').next() == Some(&*wanted);
        let place = (0..archive.len())
            .find(|place| archive.name_for_index(*place).is_some_and(|name| name.is_ok_and(|name| is_wanted(&name))));
        let missing = || io::Error::new(io::ErrorKind::NotFound, format!("it does not hold {wanted}"));
        let entry = archive.by_index_raw(place.ok_or_else(missing)?)?;
        let start = entry.data_start().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
        (start, entry.compressed_size(), entry.compression())
    };
    file.seek(SeekFrom::Start(start))?;
    let packed = BufReader::with_capacity(1 << 20, file).take(length);
    match method {
        CompressionMethod::Stored => Ok(Box::new(packed)),
        CompressionMethod::Deflated => Ok(Box::new(DeflateDecoder::new(packed))),
        other => Err(io::Error::new(io::ErrorKind::Unsupported, format!("it is packed by {other}; unpack it"))),
    }
}

/// The text behind a UTF-8 byte order mark, where there is one.
fn without_mark(mut text: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let mut begin = Vec::with_capacity(MARK.len());
    text.by_ref().take(MARK.len() as u64).read_to_end(&mut begin)?;
    if begin == MARK {
        begin.clear();
    }
    Ok(Box::new(io::Cursor::new(begin).chain(text)))
}
