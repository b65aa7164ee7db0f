//! The world as the server holds it: every notebook drawn once, found by name or id.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::random::Purpose;
use crate::world::{FakeCompetition, FakeKernel, FakeVersion, FakeWorld, Visibility, kernel_of, run_of};
use nbrevive_loopback::RandomStream;

/// What a client needs to be let in. Made up from the seed; worthless anywhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FakeCredentials {
    /// The account: the world's first user.
    pub username: String,
    /// The legacy key, 32 hexadecimal digits, for HTTP Basic.
    pub key: String,
    /// The access token, for HTTP Bearer.
    pub token: String,
    /// The value of the cookie `ka_sessionid` of a user who is logged in.
    pub session: String,
}

impl FakeCredentials {
    fn draw(world: &FakeWorld) -> Self {
        let mut stream = RandomStream::of(world.spec().seed, Purpose::Secret, 0);
        Self {
            username: world.user(0).user_name,
            key: stream.hex(32),
            token: format!("KGAT_{}", stream.hex(32)),
            session: stream.hex(40),
        }
    }

    /// Whether the value of an `Authorization` header is one of the two that are accepted.
    pub(crate) fn accept(&self, authorization: &str) -> bool {
        match authorization.split_once(' ') {
            Some(("Basic", value)) => value == STANDARD.encode(format!("{}:{}", self.username, self.key)),
            Some(("Bearer", value)) => value == self.token,
            _ => false,
        }
    }

    /// Everything that must not be seen in an address or a log.
    pub(crate) fn secrets(&self) -> [&str; 3] {
        [&self.key, &self.token, &self.session]
    }
}

/// The world in memory, with ways to find things.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) world: FakeWorld,
    pub(crate) credentials: FakeCredentials,
    kernels: Vec<FakeKernel>,
    by_reference: HashMap<String, usize>,
}

impl Site {
    pub(crate) fn new(world: FakeWorld) -> Self {
        let kernels: Vec<FakeKernel> = world.kernels().collect();
        let by_reference =
            kernels.iter().enumerate().map(|(place, kernel)| (kernel.reference(&world), place)).collect();
        Self { credentials: FakeCredentials::draw(&world), world, kernels, by_reference }
    }

    pub(crate) fn kernels(&self) -> &[FakeKernel] {
        &self.kernels
    }

    /// The notebook with an author and a slug.
    pub(crate) fn kernel(&self, user: &str, slug: &str) -> Option<&FakeKernel> {
        self.by_reference.get(&format!("{user}/{slug}")).map(|place| &self.kernels[*place])
    }

    pub(crate) fn kernel_by_id(&self, id: u64) -> Option<&FakeKernel> {
        self.kernels.get(kernel_of(id)? as usize)
    }

    /// The notebook and version of a run (`scriptVersionId`).
    pub(crate) fn run(&self, id: u64) -> Option<(&FakeKernel, &FakeVersion)> {
        let (index, number) = run_of(id)?;
        let kernel = self.kernels.get(index as usize)?;
        Some((kernel, kernel.version(number)?))
    }

    pub(crate) fn competition(&self, slug: &str) -> Option<&FakeCompetition> {
        self.world.competitions().iter().find(|competition| competition.slug == slug)
    }

    pub(crate) fn competition_of(&self, kernel: &FakeKernel) -> &FakeCompetition {
        &self.world.competitions()[kernel.competition as usize]
    }

    /// Whether the account of the credentials wrote a notebook.
    pub(crate) fn is_own(&self, kernel: &FakeKernel) -> bool {
        kernel.author == 0
    }

    /// Whether lists have a notebook: private ones only for their author, deleted ones still.
    pub(crate) fn is_listed(&self, kernel: &FakeKernel) -> bool {
        kernel.visibility != Visibility::Private
    }

    /// The address path of a notebook.
    pub(crate) fn code_path(&self, kernel: &FakeKernel) -> String {
        format!("/code/{}", kernel.reference(&self.world))
    }
}
