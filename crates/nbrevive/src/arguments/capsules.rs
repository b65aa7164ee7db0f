//! What the user typed after `pack`, `unpack` and `run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nbrevive_corpus::Condition;

use super::{BUNDLED_STUDY, SandboxArguments};

/// Arguments of `pack`.
#[derive(Debug, Args)]
pub(crate) struct PackArguments {
    /// Versions by their slugs, or the files of their notebooks; none: all that the store has.
    #[arg(value_name = "VERSION|NOTEBOOK")]
    pub(crate) versions: Vec<String>,
    /// The study's file.
    #[arg(long, default_value = BUNDLED_STUDY)]
    pub(crate) study: PathBuf,
    /// The folder that keeps what ran.
    #[arg(long, default_value = super::STORE)]
    pub(crate) store: PathBuf,
    /// Pack what ran under these conditions; default: under all of the study.
    #[arg(long, value_delimiter = ',')]
    pub(crate) condition: Vec<Condition>,
    /// What to make of it.
    #[arg(long = "as", value_enum, default_value_t = PackedAs::Capsule)]
    pub(crate) packed_as: PackedAs,
    /// What to write; default: `capsule.tar.zst`, `capsule.oci.tar`, or the folder `capsule`.
    #[arg(long, short)]
    pub(crate) out: Option<PathBuf>,
    /// Pack no data of competitions, but its hashes and the command that makes it. That of imported competitions is never packed.
    #[arg(long)]
    pub(crate) without_data: bool,
    /// Pack this snapshot as well, so that environments can be built anew: `nbrevive snapshot create --store STORE`.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) index: Option<PathBuf>,
    /// Say what would be packed and how large it is, and write nothing.
    #[arg(long)]
    pub(crate) list: bool,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// What is made of what was gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PackedAs {
    /// An archive for `nbrevive unpack` and `nbrevive run`.
    Capsule,
    /// An image that `podman load` and `docker load` take, whose command runs the capsule again. Neither is needed to make it.
    Oci,
    /// A folder with a Containerfile and what it takes to build that image.
    Containerfile,
}

/// Arguments of `unpack`.
#[derive(Debug, Args)]
pub(crate) struct UnpackArguments {
    /// The capsule: an archive of `nbrevive pack`.
    pub(crate) capsule: PathBuf,
    /// The folder to make; default: the archive's name without `.tar.zst`.
    #[arg(long, short)]
    pub(crate) out: Option<PathBuf>,
    /// Most that it may unpack to, in GiB.
    #[arg(long, value_name = "GIB", default_value_t = nbrevive_capsule::MOST_BYTES >> 30)]
    pub(crate) max_size: u64,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The capsule: an archive of `nbrevive pack`, or the folder that `nbrevive unpack` made of one.
    pub(crate) capsule: PathBuf,
    /// Run only versions whose slug contains this text.
    #[arg(long)]
    pub(crate) only: Option<String>,
    /// Run only what ran under these conditions.
    #[arg(long, value_delimiter = ',')]
    pub(crate) condition: Vec<Condition>,
    /// The prepared data of the competition, where the capsule has none: a folder with `public/` and `private/`. Of several: a folder with
    /// one of these each, by their ids, or as `nbrevive study prepare` leaves them.
    #[arg(long)]
    pub(crate) data: Option<PathBuf>,
    /// Keep the notebooks as they come out, in this folder.
    #[arg(long, short)]
    pub(crate) out: Option<PathBuf>,
    /// Most that it may unpack to, in GiB.
    #[arg(long, value_name = "GIB", default_value_t = nbrevive_capsule::MOST_BYTES >> 30)]
    pub(crate) max_size: u64,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}
