//! The four forms of a lock.

use super::*;
use crate::plan::Strategy::{Dated, Paper};
use crate::plan::fixture::{FOR_37, PURE, SDIST, World};

fn world() -> World {
    World::new()
        .add("numpy 1.16.4", "2019-05-28", &[FOR_37, SDIST], &[])
        .add("numpy 1.17.0", "2019-07-26", &[FOR_37, SDIST], &[])
        .add("pandas 0.24.2", "2019-03-13", &[FOR_37, SDIST], &["numpy>=1.12.0"])
        .add("theano 1.0", "2017-11-16", &[SDIST], &["numpy>=1.9.1", "six>=1.9.0"])
        .add("six 1.12", "2018-12-09", &[PURE], &[])
}

fn dated() -> EnvironmentPlan {
    world().plan(Dated, "2019-06-15", &["pandas", "theano", "kaggle_secrets"], &["six==1.12"])
}

#[test]
fn requirements_with_and_without_hashes() {
    insta::assert_snapshot!(dated().requirements_text(), @r"
    numpy==1.16.4
    pandas==0.24.2
    setuptools==40.0.0
    six==1.12
    theano==1.0
    wheel==0.31.0
    ");
    insta::assert_snapshot!(dated().hashed_requirements_text().unwrap(), @r"
    numpy==1.16.4 \
        --hash=sha256:c8f17ba248fe79f920494581cb2d8eefd52b87cd1b45fb2e16fdb93e645c4ed5
    pandas==0.24.2 \
        --hash=sha256:c6c0467b2e7317a65cc535173f71dd263c57acae3d8b478d12b832f706e21800
    setuptools==40.0.0 \
        --hash=sha256:40d990657eeeeaf90fe5893c8ea78c6c4c9c023ebd749557cc666abcc5f15f4b
    six==1.12 \
        --hash=sha256:dba75883c580b21da4b935fa2ea91735cee105ade48cc80a06686b47bd10a457
    theano==1.0 \
        --hash=sha256:63f96226331e94d4462441264eb0b38162a6e3869c4347685bae0c600626510a
    wheel==0.31.0 \
        --hash=sha256:33a10c2822ddc0a9b282ad862ac628312303f931d3a9c0499d7c3b0aac5051af
    ");
    let paper = world().plan(Paper, "2019-06-15", &["pandas", "theano"], &["six==1.12"]);
    insta::assert_snapshot!(paper.requirements_text(), @r"
    pandas<=0.24.2
    six==1.12
    theano<=1.0
    ");
    assert_eq!(paper.hashed_requirements_text(), Err(NotALock::Bounds(Paper)));
}

#[test]
fn pylock_is_toml_of_version_one() {
    let text = dated().pylock_text().unwrap();
    insta::assert_snapshot!(text, @r#"
    # Files are named as lying beside this one: a plan knows no addresses.
    lock-version = "1.0"
    environments = ["sys_platform == 'linux' and platform_machine == 'x86_64'"]
    requires-python = "==3.7.*"
    created-by = "nbrevive"

    [[packages]]
    name = "numpy"
    version = "1.16.4"

    [[packages.wheels]]
    name = "numpy-1.16.4-cp37-cp37m-manylinux1_x86_64.whl"
    upload-time = 2019-05-28T00:00:00Z
    path = "numpy-1.16.4-cp37-cp37m-manylinux1_x86_64.whl"
    size = 1000
    hashes = { sha256 = "c8f17ba248fe79f920494581cb2d8eefd52b87cd1b45fb2e16fdb93e645c4ed5" }

    [packages.tool.nbrevive]
    reason = "newest-before-date"
    why = "the newest before the date"
    asked-by = ["pandas 0.24.2: numpy>=1.12.0", "theano 1.0: numpy>=1.9.1"]

    [[packages]]
    name = "pandas"
    version = "0.24.2"

    [[packages.wheels]]
    name = "pandas-0.24.2-cp37-cp37m-manylinux1_x86_64.whl"
    upload-time = 2019-03-13T00:00:00Z
    path = "pandas-0.24.2-cp37-cp37m-manylinux1_x86_64.whl"
    size = 1000
    hashes = { sha256 = "c6c0467b2e7317a65cc535173f71dd263c57acae3d8b478d12b832f706e21800" }

    [packages.tool.nbrevive]
    reason = "newest-before-date"
    why = "the newest before the date"
    asked-by = ["import pandas"]

    [[packages]]
    name = "setuptools"
    version = "40.0.0"

    [[packages.wheels]]
    name = "setuptools-40.0.0-py2.py3-none-any.whl"
    upload-time = 2018-07-09T00:00:00Z
    path = "setuptools-40.0.0-py2.py3-none-any.whl"
    size = 1000
    hashes = { sha256 = "40d990657eeeeaf90fe5893c8ea78c6c4c9c023ebd749557cc666abcc5f15f4b" }

    [packages.tool.nbrevive]
    reason = "newest-before-date"
    why = "the newest before the date"
    asked-by = ["environment"]

    [[packages]]
    name = "six"
    version = "1.12"

    [[packages.wheels]]
    name = "six-1.12-py2.py3-none-any.whl"
    upload-time = 2018-12-09T00:00:00Z
    path = "six-1.12-py2.py3-none-any.whl"
    size = 1000
    hashes = { sha256 = "dba75883c580b21da4b935fa2ea91735cee105ade48cc80a06686b47bd10a457" }

    [packages.tool.nbrevive]
    reason = "notebook-pin"
    why = "the notebook's own install line six==1.12"
    asked-by = ["install line: six==1.12", "theano 1.0: six>=1.9.0"]

    [[packages]]
    name = "theano"
    version = "1.0"

    [packages.sdist]
    name = "theano-1.0.tar.gz"
    upload-time = 2017-11-16T00:00:00Z
    path = "theano-1.0.tar.gz"
    size = 1000
    hashes = { sha256 = "63f96226331e94d4462441264eb0b38162a6e3869c4347685bae0c600626510a" }

    [packages.tool.nbrevive]
    reason = "newest-before-date"
    why = "the newest before the date"
    asked-by = ["import theano"]

    [[packages]]
    name = "wheel"
    version = "0.31.0"

    [[packages.wheels]]
    name = "wheel-0.31.0-py2.py3-none-any.whl"
    upload-time = 2018-04-02T00:00:00Z
    path = "wheel-0.31.0-py2.py3-none-any.whl"
    size = 1000
    hashes = { sha256 = "33a10c2822ddc0a9b282ad862ac628312303f931d3a9c0499d7c3b0aac5051af" }

    [packages.tool.nbrevive]
    reason = "newest-before-date"
    why = "the newest before the date"
    asked-by = ["environment"]

    [tool.nbrevive]
    date = 2019-06-15T00:00:00Z
    python = "3.7.16"
    build = ["setuptools==40.0.0", "wheel==0.31.0"]
    "#);
    let read: toml::Table = toml::from_str(&text).unwrap();
    assert_eq!(read["packages"].as_array().unwrap().len(), dated().lines.len());
    let failing = world().plan(Dated, "2019-06-15", &[], &["numpy==99"]);
    assert!(matches!(failing.pylock_text(), Err(NotALock::Fails(words)) if words.contains("numpy==99")));
}

#[test]
fn the_table_tells_people() {
    insta::assert_snapshot!(dated().table_text(), @r"
    dated plan of 2019-06-15T00:00:00Z
    Python 3.7.16 (the newest minor before the date; latest patch 3.7.17)

    distribution  version  released    why                                        asked by
    numpy         1.16.4   2019-05-28  the newest before the date                 pandas 0.24.2, theano 1.0
    pandas        0.24.2   2019-03-13  the newest before the date                 import pandas
    setuptools    40.0.0   2018-07-09  the newest before the date                 environment
    six           1.12     2018-12-09  the notebook's own install line six==1.12  install line, theano 1.0
    theano        1.0      2017-11-16  the newest before the date                 import theano
    wheel         0.31.0   2018-04-02  the newest before the date                 environment

    built from source with:
    distribution  version  released    why                         asked by
    setuptools    40.0.0   2018-07-09  the newest before the date  building theano 1.0
    wheel         0.31.0   2018-04-02  the newest before the date  building theano 1.0

    unresolved:
      kaggle_secrets: exists only in Kaggle's image
    ");
    let failing = world().plan(Dated, "2019-06-15", &[], &["numpy==99"]);
    insta::assert_snapshot!(failing.table_text(), @r"
    dated plan of 2019-06-15T00:00:00Z
    Python 3.7.16 (the newest minor before the date; latest patch 3.7.17)

    will fail (no-matching-version): the notebook's install line asks for numpy==99, but no release of numpy is within the bound
    ");
}

#[test]
fn json_reads_back() {
    for plan in [dated(), world().plan(Paper, "2019-06-15", &["pandas"], &["numpy==99"])] {
        let text = plan.to_json();
        assert_eq!(EnvironmentPlan::from_json(&text).unwrap(), plan);
        assert_eq!(EnvironmentPlan::from_json(&text).unwrap().to_json(), text);
    }
    let line = dated().line("six").unwrap().clone();
    insta::assert_snapshot!(serde_json::to_string_pretty(&line).unwrap(), @r#"
    {
      "distribution": "six",
      "version": "1.12",
      "bound": "==1.12",
      "reason": "notebook-pin",
      "why": "the notebook's own install line six==1.12",
      "wheels": "fit",
      "asked_by": [
        {
          "who": "install line",
          "requirement": "six==1.12"
        },
        {
          "who": "theano 1.0",
          "requirement": "six>=1.9.0"
        }
      ],
      "released": "2018-12-09T00:00:00Z",
      "file": {
        "name": "six-1.12-py2.py3-none-any.whl",
        "uploaded": "2018-12-09T00:00:00Z",
        "size": 1000,
        "sha256": "dba75883c580b21da4b935fa2ea91735cee105ade48cc80a06686b47bd10a457"
      }
    }
    "#);
    for wrong in ["", "{}", "[1]", "name==1"] {
        assert!(EnvironmentPlan::from_json(wrong).unwrap_err().to_string().starts_with("no stored plan: "), "{wrong}");
    }
}
