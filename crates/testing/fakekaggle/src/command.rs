//! A Kaggle-like server and dump for people: `fakekaggle serve`, `fakekaggle dump FOLDER`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::{Bundled, DumpOptions, FakeKaggle, FakeServerSettings, FakeWorld, WorldSpec, write_code, write_dump};

/// A server and a dump that behave like Kaggle, for tests.
#[derive(Parser)]
struct Arguments {
    /// Seed of the world.
    #[arg(long, default_value_t = 1, global = true)]
    seed: u64,
    /// A corpus whose notebooks are added to the world: one folder a competition with `versions.toml`.
    #[arg(long, requires = "targets", global = true)]
    notebooks: Option<PathBuf>,
    /// The scores of those notebooks.
    #[arg(long, global = true)]
    targets: Option<PathBuf>,
    /// Competitions in the world.
    #[arg(long, default_value_t = 12, global = true)]
    competitions: u64,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the API and the pages on the loopback address until the program is stopped.
    Serve {
        /// Port; 0 for any that is free.
        #[arg(long, default_value_t = 7777)]
        port: u16,
        /// Notebooks in the world.
        #[arg(long, default_value_t = 600)]
        kernels: u64,
        /// Milliseconds that every request waits.
        #[arg(long, default_value_t = 0)]
        latency: u64,
        /// Requests to the API in a second above which it answers 429.
        #[arg(long)]
        requests_per_second: Option<usize>,
    },
    /// Write the CSV files of the dump.
    Dump {
        /// Where to; made if missing.
        folder: PathBuf,
        /// About how many versions; the server's own world if not given.
        #[arg(long)]
        versions: Option<u64>,
        /// Notebooks in the server's world.
        #[arg(long, default_value_t = 600, conflicts_with = "versions")]
        kernels: u64,
        /// Write ids that can be missing as real numbers.
        #[arg(long)]
        float_ids: bool,
        /// Write the sources too, below `code/`.
        #[arg(long)]
        code: bool,
    },
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let default = WorldSpec { seed: arguments.seed, competitions: arguments.competitions, ..WorldSpec::default() };
    let real = match (&arguments.notebooks, &arguments.targets) {
        (Some(notebooks), Some(targets)) => Bundled::read(notebooks, targets)?,
        _ => Vec::new(),
    };
    let mut out = std::io::stdout();
    match arguments.command {
        Command::Serve { port, kernels, latency, requests_per_second } => {
            let world = WorldSpec { kernels, ..default };
            let latency = Duration::from_millis(latency);
            let settings =
                FakeServerSettings { world, port, latency, requests_per_second, ..FakeServerSettings::default() };
            let server = FakeKaggle::start_with(settings, FakeWorld::new(world).with_notebooks(&real))?;
            let held = server.credentials();
            writeln!(out, "{}", server.url())?;
            writeln!(out, "KAGGLE_USERNAME={}\nKAGGLE_KEY={}", held.username, held.key)?;
            writeln!(out, "KAGGLE_API_TOKEN={}\nka_sessionid={}", held.token, held.session)?;
            out.flush()?;
            server.wait();
        }
        Command::Dump { folder, versions, kernels, float_ids, code } => {
            let spec = match versions {
                Some(versions) => WorldSpec::with_versions(arguments.seed, versions),
                None => WorldSpec { kernels, ..default },
            };
            let world = FakeWorld::new(spec).with_notebooks(&real);
            write_dump(&world, &folder, DumpOptions { float_ids })?;
            if code {
                write_code(&world, &folder.join("code"))?;
            }
            writeln!(out, "{}", folder.display())?;
        }
    }
    Ok(())
}
