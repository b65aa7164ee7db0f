//! Repositories of GitHub through the real program: from a list and a search to a corpus.

use nbrevive_fakegithub::{FakeGitHub, Fate, HubLimits, HubRepository, HubWorld};
use nbrevive_mine::records::HostedState;
use nbrevive_store::{Store, mined};
use predicates::prelude::*;
use predicates::str::contains;

use crate::mine::bench::FAST;
use crate::support::{nbrevive, scratch};

/// A list and a search.
const HUB: &str = "[mine.github]\nlist = \"list.csv\"\n[mine.github.search]\nseed = 3\n\
                   tiers = [{ stars = \"0..\", count = 2 }]\n";

/// A study beside a server.
struct Place {
    folder: tempfile::TempDir,
    server: FakeGitHub,
}

impl Place {
    fn new(count: u64) -> Self {
        let server = FakeGitHub::start(HubWorld::drawn(5, count), HubLimits::none()).expect("a loopback port is free");
        let place = Self { folder: scratch(), server };
        let line = |(number, one): (usize, &HubRepository)| {
            format!("https://github.com/{}.git,PMC{number}\n", one.full_name())
        };
        let lines: String = place.server.world().repositories().iter().take(12).enumerate().map(line).collect();
        place.put("list.csv", &format!("repository,article\n{lines}https://gist.github.com/ada/1,PMC99\n"));
        place.put("environments/bare.lock", "# python: 3.12\n");
        place.study(HUB);
        place
    }

    fn study(&self, hub: &str) {
        let text = format!(
            "name = \"hub\"\ntitle = \"Hub\"\njudge = \"executability\"\nnotebooks = \"corpus\"\n\
             environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\nconditions = [\"baseline\"]\n\
             [mine]\nsources = [\"github\"]\n{hub}{FAST}"
        );
        self.put("study.toml", &text);
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }

    fn command(&self, arguments: &[&str]) -> assert_cmd::Command {
        let path = |name: &str| self.folder.path().join(name);
        let mut command = nbrevive();
        command.args(arguments).arg("--study").arg(path("study.toml")).arg("--store").arg(path("store"));
        command.env_remove("GITHUB_TOKEN").env_remove("NBREVIVE_GITHUB_TOKEN_FILE");
        command.env("HOME", path("home")).env("NBREVIVE_HOME", path("cache"));
        command.env("GITHUB_API_URL", self.server.url()).env("GH_TOKEN", self.server.token());
        command
    }

    fn store(&self) -> Store {
        Store::open_read_only(&self.folder.path().join("store")).expect("the store can be read")
    }
}

#[test]
fn repositories_become_rows_and_a_corpus_and_a_replay_tells_the_same() {
    let place = Place::new(40);
    place.command(&["mine"]).assert().success().stderr(contains("taken").and(contains("no-repository")));
    let rows = || mined::fingerprint(&place.store()).expect("its rows can be read");
    let (first, asked) = (rows(), place.server.log().len());
    place.command(&["mine"]).assert().success();
    place.command(&["mine", "replay"]).assert().success();
    assert_eq!((rows(), place.server.log().len()), (first, asked));
    let hosted = mined::hosted(&place.store()).expect("its rows can be read");
    let taken = mined::repositories(&place.store()).expect("its rows can be read");
    assert!(hosted.len() > 12 && hosted.iter().any(|row| row.tier.is_some()));
    let count = hosted.iter().filter(|row| row.state == HostedState::Taken).count();
    assert!(count == taken.len() && count > 5, "{count} {}", taken.len());
    let corpus = place.folder.path().join("corpus");
    place.command(&["select", "--out", &corpus.display().to_string()]).assert().success();
    let one = place.server.world().repositories().iter().take(12).find(|one| one.fate == Fate::Public);
    let one = one.expect("most are");
    let list = corpus.join(one.full_name().replace('/', "-").to_lowercase()).join("versions.toml");
    let list = std::fs::read_to_string(list).expect("its notebooks are listed");
    let told = list.lines().find_map(|line| line.strip_prefix("licence = "));
    assert_eq!(told, one.licence.map(|licence| format!("\"{licence}\"")).as_deref(), "{list}");
    assert!(list.contains(&format!("archived = {}\n", one.is_archived)), "{list}");
    let files = place.server.files(&one.full_name(), &one.head).into_iter();
    for file in files.filter(|file| file.path.ends_with(".ipynb") || file.path.ends_with(".py")) {
        let path = corpus.join(one.full_name().replace('/', "-").to_lowercase()).join("files").join(&file.path);
        let found = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(found, file.content);
    }
}

#[test]
fn without_a_token_the_way_to_get_one_is_named_and_a_wrong_one_is_not_shown() {
    let place = Place::new(10);
    place.command(&["mine"]).env_remove("GH_TOKEN").assert().code(12).stderr(contains("GH_TOKEN"));
    assert!(place.server.log().is_empty());
    let wrong = place.command(&["mine"]).env("GH_TOKEN", "ghp_hunter2hunter2").assert();
    wrong.code(12).stderr(contains("not accepted").and(contains("hunter2").not()));
    place.study("");
    place.command(&["mine"]).assert().code(3).stderr(contains("set list or search in [mine.github]"));
}
