//! The whole leaderboard: an archive with one table.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::ask::Ask;
use super::client::Api;
use super::error::ApiError;
use super::shape::{BodyFault, json, moment};
use crate::records::{LeaderboardRow, Origin, Slug};

/// Longest table that is unpacked, in bytes; the largest leaderboards have a few megabytes.
const LONGEST_TABLE: u64 = 256 << 20;

impl Api {
    /// Every row of a competition's leaderboard.
    ///
    /// # Errors
    /// [`ApiError`]; [`ApiError::RulesNotAccepted`] is usual where the account did not enter.
    pub fn leaderboard(&self, competition: &Slug) -> Result<Vec<LeaderboardRow>, ApiError> {
        self.answer(&download(competition), |bytes, origin| rows(bytes, competition, origin))
    }
}

fn download(competition: &Slug) -> Ask {
    let path = ["competitions", competition.as_str(), "leaderboard", "download"];
    Ask::new(&path, "competitions.CompetitionApiService/DownloadLeaderboard")
        .with_in_path("competitionName", competition.as_str())
        .of(competition)
}

fn rows(bytes: &[u8], competition: &Slug, origin: &Origin) -> Result<Vec<LeaderboardRow>, BodyFault> {
    if !bytes.starts_with(b"PK") {
        // A refusal may come as JSON with status 200.
        json(bytes)?;
        return Err(BodyFault::NotArchive("it is JSON".into()));
    }
    parse_table(&table(bytes).map_err(BodyFault::NotArchive)?, competition, origin)
}

/// The one table of an archive.
fn table(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let names: Vec<String> = archive.file_names().filter_map(Result::ok).map(std::borrow::Cow::into_owned).collect();
    let name = names.iter().find(|name| name.ends_with(".csv")).ok_or("no .csv file is in it")?;
    let file = archive.by_name(name).map_err(|error| error.to_string())?;
    let mut table = Vec::new();
    file.take(LONGEST_TABLE + 1).read_to_end(&mut table).map_err(|error| error.to_string())?;
    if table.len() as u64 > LONGEST_TABLE {
        return Err(format!("its table is longer than {LONGEST_TABLE} bytes"));
    }
    Ok(table)
}

/// Reads the table by the names of its columns, which changed over time.
fn parse_table(table: &[u8], competition: &Slug, origin: &Origin) -> Result<Vec<LeaderboardRow>, BodyFault> {
    let wrong = |what: String| BodyFault::NotArchive(what);
    // Some tables begin with a byte order mark.
    let table = table.strip_prefix(b"\xef\xbb\xbf").unwrap_or(table);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(table);
    let header = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let column = |names: &[&str]| header.iter().position(|name| names.contains(&name.trim()));
    let team = column(&["TeamName"]).ok_or_else(|| wrong("its table has no column TeamName".into()))?;
    let score = column(&["Score"]).ok_or_else(|| wrong("its table has no column Score".into()))?;
    let (rank, id) = (column(&["Rank"]), column(&["TeamId"]));
    let (date, count) = (column(&["LastSubmissionDate", "SubmissionDate"]), column(&["SubmissionCount"]));
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let text = |column: Option<usize>| column.and_then(|column| record.get(column)).map(str::trim);
        let number = |column| text(column).and_then(|text| text.parse().ok());
        rows.push(LeaderboardRow {
            competition: competition.clone(),
            rank: number(rank),
            team_id: number(id),
            team: text(Some(team)).unwrap_or_default().to_owned(),
            last_submission: text(date).and_then(|text| moment(&text.replacen(' ', "T", 1))),
            score: text(Some(score)).and_then(|text| text.parse().ok()).filter(|score: &f64| score.is_finite()),
            submissions: number(count),
            origin: origin.clone(),
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::raw::ContentHash;
    use crate::records::MiningSource;

    fn parse(bytes: &[u8]) -> Result<Vec<LeaderboardRow>, BodyFault> {
        let origin = Origin { source: MiningSource::KaggleApi, request: "x".into(), raw: ContentHash::of(bytes) };
        rows(bytes, &Slug::new("titanic").unwrap(), &origin)
    }

    fn zipped(name: &str, table: &str) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(table.as_bytes()).unwrap();
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn both_forms_of_the_table_are_read() {
        let new = "\u{feff}Rank,TeamId,TeamName,LastSubmissionDate,Score,SubmissionCount,TeamMemberUserNames\n\
                   1,7,\"a, b\n\"\"c\"\"\",2020-01-02 03:04:05,0.5,12,x\n2,8,d,,inf,,\n";
        let rows = parse(&zipped("lb.csv", new)).unwrap();
        assert_eq!((rows[0].rank, rows[0].team.as_str(), rows[0].score), (Some(1), "a, b\n\"c\"", Some(0.5)));
        assert_eq!(rows[0].last_submission, Some("2020-01-02T03:04:05Z".parse().unwrap()));
        assert_eq!((rows[1].score, rows[1].last_submission, rows[1].submissions), (None, None, None));
        let old = "TeamId,TeamName,SubmissionDate,Score\n7,a,2012-01-02T03:04:05.123Z,1e-3\n";
        let rows = parse(&zipped("x/lb.csv", old)).unwrap();
        assert_eq!((rows[0].rank, rows[0].score), (None, Some(0.001)));
    }

    #[test]
    fn what_is_no_table_is_said() {
        let said = |bytes: &[u8]| parse(bytes).unwrap_err().to_string();
        assert!(said(&zipped("lb.csv", "a,b\n1,2\n")).contains("no column TeamName"));
        assert!(said(&zipped("readme.txt", "x")).contains("no .csv file"));
        assert!(said(&zipped("lb.csv", "TeamName,Score\n")[..40]).contains("archive"));
        assert!(said(br#"{"code":403,"message":"Forbidden"}"#).contains("403"));
    }

    proptest! {
        #[test]
        fn no_table_does_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "TeamName,Score\n[,\"\na0.]{0,60}") {
            let _ = parse(&[b"PK\x03\x04".as_slice(), &bytes].concat());
            let _ = parse(&zipped("x.csv", &text));
        }
    }
}
