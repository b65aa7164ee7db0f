//! `conditions` and `[[condition]]` of a study's file.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use nbrevive_corpus::{
    Antidote, CellOrder, Condition, Judge, Preparation, Recipe, RepairLevel, Repairer, Restorer, Role, Stop,
    Surrounding, UnknownWord,
};
use serde::Deserialize;
use toml::Spanned;

/// Orders that are drawn of a notebook unless told (Osiris, section 5.1).
const PAPER_SAMPLES: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// A name in the file, with its place.
pub(crate) type Named = Spanned<Condition>;

/// One `[[condition]]`: what is not said is as in `like`, or as at baseline.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawRecipe {
    name: Named,
    like: Option<Named>,
    role: Option<Spanned<Role>>,
    environment: Option<Surrounding>,
    cells: Option<Spanned<CellOrder>>,
    samples: Option<Spanned<NonZeroU32>>,
    antidotes: Option<BTreeSet<Antidote>>,
    installs: Option<Spanned<bool>>,
    stop: Option<Stop>,
    prepare: Option<Spanned<BTreeSet<Preparation>>>,
    prepare_by: Option<Spanned<Restorer>>,
    hide_data: Option<Spanned<bool>>,
    debug: Option<Spanned<bool>>,
    repair: Option<Repairer>,
    level: Option<Spanned<RepairLevel>>,
    repetitions: Option<NonZeroU32>,
    seed: Option<u32>,
    start: Option<Named>,
}

/// What is wrong, and the place in the file, in bytes.
pub(crate) type Wrong = (usize, String);

/// The recipes that run, in their order; all tables of the file where it has no list, and the paper's three without any.
///
/// # Errors
/// What cannot be.
pub(crate) fn resolve(
    listed: Option<&Spanned<Vec<Named>>>,
    tables: &[RawRecipe],
    judge: Judge,
) -> Result<Vec<Recipe>, Wrong> {
    let baseline =
        tables.iter().find(|table| table.role() == Role::Baseline).map_or(Condition::BASELINE, RawRecipe::name);
    let mut own: Vec<Recipe> = Vec::new();
    for table in tables {
        let recipe = table.recipe(baseline)?;
        let taken = own.iter().any(|other| other.name == recipe.name);
        if taken || Condition::PRESETS.contains(&recipe.name) {
            let whose = if taken { "another [[condition]] has" } else { "one of the paper's conditions has" };
            return Err((
                table.name.span().start,
                format!("{whose} the name `{}` already: choose another", recipe.name),
            ));
        }
        own.push(recipe);
    }
    check_roles(tables, &own)?;
    for (table, recipe) in tables.iter().zip(&own) {
        check_start(table, recipe, &own)?;
    }
    let chosen = match listed {
        None if own.is_empty() => Recipe::main(),
        None => own.clone(),
        Some(names) => named(names, &own)?,
    };
    // Only a table makes one that runs nothing.
    for table in tables {
        let is_chosen = |recipe: &&Recipe| recipe.name == table.name() && !recipe.environment.runs();
        if let (Some(looks), true) = (chosen.iter().find(is_chosen), judge != Judge::Executability) {
            let sentence = format!(
                "`{}` runs nothing (environment = \"none\"), and judge = \"{judge}\" asks what came out of a run: write judge = \"executability\", or another environment",
                looks.name
            );
            return Err((table.name.span().start, sentence));
        }
    }
    Ok(chosen)
}

/// Those that a list names.
fn named(names: &Spanned<Vec<Named>>, own: &[Recipe]) -> Result<Vec<Recipe>, Wrong> {
    let mut chosen: Vec<Recipe> = Vec::new();
    for name in names.get_ref() {
        let recipe = find(own, *name.get_ref()).ok_or_else(|| unknown(name, own))?;
        if chosen.contains(&recipe) {
            return Err((name.span().start, format!("the condition `{}` is named twice", recipe.name)));
        }
        check_role(name.span().start, &recipe, &chosen)?;
        chosen.push(recipe);
    }
    if chosen.is_empty() {
        let sentence = format!("`conditions` names none: leave it out, or name some of {}", names_of(all(own).iter()));
        return Err((names.span().start, sentence));
    }
    Ok(chosen)
}

/// A condition of the file, or one of the paper's.
fn find(own: &[Recipe], name: Condition) -> Option<Recipe> {
    own.iter().find(|own| own.name == name).cloned().or_else(|| Recipe::preset(name))
}

/// Every condition that the file can name.
fn all(own: &[Recipe]) -> Vec<Recipe> {
    let presets = Condition::PRESETS.iter().filter_map(|name| Recipe::preset(*name));
    presets.chain(own.iter().cloned()).collect()
}

fn names_of<'r>(recipes: impl Iterator<Item = &'r Recipe>) -> String {
    recipes.map(|recipe| recipe.name.as_str()).collect::<Vec<_>>().join(", ")
}

impl RawRecipe {
    fn name(&self) -> Condition {
        *self.name.get_ref()
    }

    fn role(&self) -> Role {
        self.role.as_ref().map_or(Role::Further, |role| *role.get_ref())
    }

    fn recipe(&self, baseline: Condition) -> Result<Recipe, Wrong> {
        let name = self.name();
        let base = match &self.like {
            None => Recipe::preset(Condition::BASELINE),
            Some(like) => Some(Recipe::preset(*like.get_ref()).ok_or_else(|| unknown(like, &[]))?),
        };
        let base = base.expect("baseline is a preset");
        let repair = self.repair.unwrap_or(base.repair);
        let prepare = self.prepare.as_ref().map(|prepare| prepare.get_ref().clone()).unwrap_or_default();
        let goes_on = repair.repairs() || !prepare.is_empty();
        let hide_data = self.hide_data.as_ref().is_some_and(|hide| *hide.get_ref());
        // What finds other files ran otherwise from the first cell on.
        let usual = (goes_on && !hide_data).then_some(baseline);
        self.check_preparation(&prepare, repair)?;
        if let (Some(start), false) = (&self.start, goes_on) {
            return Err((
                start.span().start,
                "`start` is for conditions that repair or prepare: give `repair` or `prepare`, or leave it out"
                    .to_owned(),
            ));
        }
        if let (Some(level), false) = (&self.level, repair.repairs()) {
            let sentence =
                format!("`level` says how much one fix is about, and `{name}` repairs nothing: leave it out");
            return Err((level.span().start, sentence));
        }
        let cells = self.cells.as_ref().map_or(base.cells, |cells| *cells.get_ref());
        if let (Some(cells), true) = (self.cells.as_ref().filter(|cells| cells.get_ref().is_drawn()), goes_on) {
            let sentence =
                format!("`{name}` draws orders, and repairs or prepares one notebook: make two conditions of it");
            return Err((cells.span().start, sentence));
        }
        if let (Some(samples), false) = (&self.samples, cells.is_drawn()) {
            let sentence = format!(
                "`samples` is for orders that are drawn, and `{name}` runs its cells in one, `{cells}`: leave it out"
            );
            return Err((samples.span().start, sentence));
        }
        if let (Some(debug), true) = (&self.debug, goes_on) {
            let sentence = format!("`{name}` debugs, and repairs or prepares: make two conditions of it");
            return Err((debug.span().start, sentence));
        }
        let environment = self.environment.unwrap_or(base.environment);
        if !environment.runs() {
            self.check_nothing_runs(repair)?;
        }
        if let (Some(installs), true) = (&self.installs, environment.is_of_date()) {
            let sentence = format!(
                "`{name}` runs in an environment of its date, whose plan goes by the install lines already: leave `installs` out"
            );
            return Err((installs.span().start, sentence));
        }
        Ok(Recipe {
            name,
            role: self.role(),
            environment,
            cells,
            samples: cells
                .is_drawn()
                .then(|| self.samples.as_ref().map_or(PAPER_SAMPLES, |samples| *samples.get_ref())),
            antidotes: self.antidotes.clone(),
            installs: self.installs.as_ref().map_or(base.installs, |installs| *installs.get_ref()),
            stop: self.stop.unwrap_or(base.stop),
            prepare,
            prepare_by: self.prepare_by.as_ref().map_or(base.prepare_by, |by| *by.get_ref()),
            hide_data,
            debug: self.debug.as_ref().is_some_and(|debug| *debug.get_ref()),
            repair,
            level: self.level.as_ref().map_or(base.level, |level| *level.get_ref()),
            repetitions: self.repetitions,
            seed: self.seed,
            start: self.start.as_ref().map(|start| *start.get_ref()).or(usual),
        })
    }

    /// What is put back, by whom, and what is hidden go together; none of it goes with a repair.
    fn check_preparation(&self, prepare: &BTreeSet<Preparation>, repair: Repairer) -> Result<(), Wrong> {
        let name = self.name();
        if let (Some(told), true) = (self.prepare.as_ref().filter(|_| !prepare.is_empty()), repair.repairs()) {
            return Err((told.span().start, format!("`{name}` prepares and repairs: make two conditions of it")));
        }
        if let (Some(by), true) = (&self.prepare_by, prepare.is_empty()) {
            let sentence = format!(
                "`prepare-by` says who puts something back, and `{name}` prepares nothing: give `prepare`, or leave it out"
            );
            return Err((by.span().start, sentence));
        }
        if let (Some(hide), true) = (&self.hide_data, repair.repairs()) {
            let sentence = format!("`{name}` hides what its notebooks read, and repairs: make two conditions of it");
            return Err((hide.span().start, sentence));
        }
        Ok(())
    }

    /// What a run is told makes no sense where there is none, nor does a repair or a table that counts what came out of it.
    fn check_nothing_runs(&self, repair: Repairer) -> Result<(), Wrong> {
        let told = [
            ("repair", repair.repairs()),
            ("prepare", self.prepare.is_some()),
            ("hide-data", self.hide_data.is_some()),
            ("debug", self.debug.is_some()),
            ("antidotes", self.antidotes.is_some()),
            ("stop", self.stop.is_some()),
            ("installs", self.installs.is_some()),
            ("seed", self.seed.is_some()),
            ("repetitions", self.repetitions.is_some()),
            ("role", self.role() != Role::Further),
            ("cells", self.cells.as_ref().is_some_and(|cells| cells.get_ref().is_drawn())),
        ];
        let Some((key, _)) = told.into_iter().find(|(_, is_told)| *is_told) else { return Ok(()) };
        let name = self.name();
        let sentence = format!(
            "`{name}` runs nothing (environment = \"none\"), and its `{key}` is about a run: leave it out, or name another environment"
        );
        Err((self.name.span().start, sentence))
    }
}

/// What a table counts under a role must be that: repaired or not, and of one condition.
fn check_roles(tables: &[RawRecipe], own: &[Recipe]) -> Result<(), Wrong> {
    for (place, (table, recipe)) in tables.iter().zip(own).enumerate() {
        let Some(role) = &table.role else { continue };
        check_role(role.span().start, recipe, &own[..place])?;
        if recipe.role != Role::Further && recipe.role.repairs() != recipe.repairs() {
            let what = if recipe.repairs() { "repairs" } else { "runs own code" };
            let meant =
                if recipe.repairs() { "modernize, ablation or further" } else { "baseline, backport or further" };
            let sentence = format!("`{}` {what}: its role can be {meant}, and not {}", recipe.name, recipe.role);
            return Err((role.span().start, sentence));
        }
    }
    Ok(())
}

fn check_role(place: usize, recipe: &Recipe, others: &[Recipe]) -> Result<(), Wrong> {
    let taken = others.iter().find(|other| other.role == recipe.role && recipe.role != Role::Further);
    taken.map_or(Ok(()), |other| {
        let (name, role) = (recipe.name, recipe.role);
        Err((place, format!("`{name}` and `{}` have the role {role}: tables ask for one condition of it", other.name)))
    })
}

/// A repair goes on from what ran: the condition that it starts from must be there, run own code, and be its like otherwise.
fn check_start(table: &RawRecipe, recipe: &Recipe, own: &[Recipe]) -> Result<(), Wrong> {
    let Some(name) = recipe.start else { return Ok(()) };
    let place = table.start.as_ref().map_or(table.name.span().start, |start| start.span().start);
    let begins = |one: &&Recipe| !one.repairs() && !one.prepares() && one.environment.runs();
    let expected = names_of(all(own).iter().filter(begins));
    let Some(start) = find(own, name) else {
        let nearest = UnknownWord { kind: "condition", word: name.to_string(), expected: expected.clone() }.nearest();
        let sentence = format!(
            "`{}` starts from `{name}`, and there is no such condition: name one of {expected}{nearest}",
            recipe.name
        );
        return Err((place, sentence));
    };
    if start.repairs() || start.prepares() {
        let what = if start.repairs() { "repairs" } else { "prepares" };
        let sentence =
            format!("`{}` starts from `{name}`, which {what}: name one that runs own code, of {expected}", recipe.name);
        return Err((place, sentence));
    }
    let ran = |recipe: &Recipe| {
        let Recipe { environment, cells, installs, stop, seed, antidotes, hide_data, .. } = recipe.clone();
        (environment, cells, installs, stop, seed, antidotes, hide_data)
    };
    if ran(&start) == ran(recipe) {
        return Ok(());
    }
    let sentence = format!(
        "`{}` starts from `{name}`, whose environment, order of cells, install lines, stop, seed, antidotes or hidden files are others: a repair goes on from what ran",
        recipe.name
    );
    Err((place, sentence))
}

fn unknown(name: &Named, own: &[Recipe]) -> Wrong {
    let expected = names_of(all(own).iter());
    let word = UnknownWord { kind: "condition", word: name.get_ref().to_string(), expected };
    (name.span().start, word.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::told::{at, told};

    fn read(text: &str) -> Result<Vec<Recipe>, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            conditions: Option<Spanned<Vec<Named>>>,
            #[serde(default)]
            condition: Vec<RawRecipe>,
        }
        let file: File = toml::from_str(text).map_err(|error| told(&error))?;
        let resolved = resolve(file.conditions.as_ref(), &file.condition, Judge::Score);
        resolved.map_err(|(place, sentence)| at(text, place, &sentence))
    }

    const OWN: &str = "[[condition]]\nname = \"by-counter\"\ncells = \"counter\"\n\
                       [[condition]]\nname = \"mended\"\nlike = \"modernize\"\nrepair = \"rules\"\n\
                       [[condition]]\nname = \"of-date\"\nenvironment = \"date\"\nrepetitions = 3\n";

    #[test]
    fn a_file_names_presets_and_makes_its_own() {
        assert_eq!(read("").unwrap(), Recipe::main());
        let names =
            |text: &str| read(text).unwrap().iter().map(|recipe| recipe.name.as_str()).collect::<Vec<_>>().join(" ");
        assert_eq!(names("conditions = [\"modernize\", \"baseline\"]"), "modernize baseline");
        assert_eq!(names(OWN), "by-counter mended of-date");
        assert_eq!(names(&format!("conditions = [\"baseline\", \"mended\"]\n{OWN}")), "baseline mended");
        let own = read(OWN).unwrap();
        assert_eq!((own[0].cells, own[0].start, own[0].repairs()), (CellOrder::Counter, None, false));
        assert_eq!((own[1].repair, own[1].start), (Repairer::Rules, Some(Condition::BASELINE)));
        assert_eq!((own[2].environment, own[2].repetitions), (Surrounding::Date, NonZeroU32::new(3)));
    }

    #[test]
    fn a_role_makes_a_condition_what_tables_take_it_for() {
        let own = read(
            "[[condition]]\nname = \"mended\"\nrole = \"modernize\"\nrepair = \"rules\"\n\
             [[condition]]\nname = \"newest\"\nrole = \"baseline\"\n[[condition]]\nname = \"other\"\n",
        );
        let roles = |recipe: &Recipe| (recipe.role, recipe.start.map(Condition::as_str));
        assert_eq!(
            own.unwrap().iter().map(roles).collect::<Vec<_>>(),
            [(Role::Modernize, Some("newest")), (Role::Baseline, None), (Role::Further, None)]
        );
    }

    #[test]
    fn what_cannot_be_is_told_with_its_line_and_what_could_be() {
        for (text, told) in [
            (
                "conditions = [\"baseline\",\n\"modernise\"]",
                "line 2: unknown condition `modernise`: expected one of baseline",
            ),
            ("conditions = [\"modernise\"]", "did you mean `modernize`?"),
            ("conditions = [\"Baseline\"]", "line 1"),
            ("conditions = [\"baseline\",\n\n\"baseline\"]", "line 3: the condition `baseline` is named twice"),
            (
                "[[condition]]\nname = \"a\"\n[[condition]]\nname = \"a\"",
                "line 4: another [[condition]] has the name `a` already",
            ),
            (
                "[[condition]]\nname = \"backport\"",
                "line 2: one of the paper's conditions has the name `backport` already",
            ),
            ("[[condition]]\nname = \"a\"\nenvironment = \"lok\"", "did you mean `lock`?"),
            (
                "[[condition]]\nname = \"a\"\nenvironment = \"none\"\nstop = \"first-error\"",
                "line 2: `a` runs nothing (environment = \"none\"), and its `stop` is about a run",
            ),
            (
                "[[condition]]\nname = \"a\"\nlike = \"modernize\"\nenvironment = \"none\"",
                "its `repair` is about a run",
            ),
            ("[[condition]]\nname = \"a\"\nenviroment = \"lock\"", "unknown field `enviroment`"),
            ("[[condition]]\nname = \"a\"\nenviroment = \"lock\"", "did you mean `environment`?"),
            ("\nconditions = []", "line 2: `conditions` names none: leave it out, or name some of baseline"),
            (
                "[[condition]]\nname = \"a\"\nenvironment = \"none\"",
                "line 2: `a` runs nothing (environment = \"none\"), and judge = \"score\" asks what came out",
            ),
            (
                "[[condition]]\nname = \"a\"\n\nlevel = \"cell\"",
                "line 4: `level` says how much one fix is about, and `a` repairs nothing",
            ),
            (
                "[[condition]]\nname = \"a\"\nenvironment = \"date\"\ninstalls = false",
                "line 4: `a` runs in an environment of its date, whose plan goes by the install lines already",
            ),
            (
                "[[condition]]\nname = \"mine\"\n[[condition]]\nname = \"a\"\nrepair = \"rules\"\nstart = \"mime\"",
                "there is no such condition: name one of baseline, backport, mine; did you mean `mine`?",
            ),
            (
                "[[condition]]\nname = \"a\"\nrepair = \"rules\"\nstart = \"modernize\"",
                "`a` starts from `modernize`, which repairs: name one that runs own code, of baseline, backport",
            ),
            ("[[condition]]\nname = \"a\"\nlike = \"b\"", "line 3: unknown condition `b`"),
            (
                "[[condition]]\nname = \"a\"\nrepair = \"rules\"\nstart = \"b\"",
                "line 4: `a` starts from `b`, and there is no such",
            ),
            ("[[condition]]\nname = \"a\"\nstart = \"baseline\"", "line 3: `start` is for conditions that repair"),
            (
                "[[condition]]\nname = \"a\"\nrepair = \"rules\"\nstart = \"a\"",
                "line 4: `a` starts from `a`, which repairs",
            ),
            ("[[condition]]\nname = \"a\"\nrepair = \"rules\"\ncells = \"counter\"", "a repair goes on from what ran"),
            ("[[condition]]\nname = \"a\"\nrepetitions = 0", "line 3"),
            ("[[condition]]\nname = \"a\"\nrole = \"modernise\"", "did you mean `modernize`?"),
            (
                "[[condition]]\nname = \"a\"\nrole = \"modernize\"",
                "line 3: `a` runs own code: its role can be baseline, backport or further, and not modernize",
            ),
            (
                "[[condition]]\nname = \"a\"\nrole = \"backport\"\nrepair = \"rules\"",
                "line 3: `a` repairs: its role can be modernize, ablation or further, and not backport",
            ),
            (
                "[[condition]]\nname = \"a\"\nrole = \"backport\"\n[[condition]]\nname = \"b\"\nrole = \"backport\"",
                "line 6: `b` and `a` have the role backport: tables ask for one condition of it",
            ),
            (
                "conditions = [\"baseline\",\n\"a\"]\n[[condition]]\nname = \"a\"\nrole = \"baseline\"",
                "line 2: `a` and `baseline` have the role baseline",
            ),
        ] {
            is_refused(text, told);
        }
    }

    fn is_refused(text: &str, told: &str) {
        let error = read(text).unwrap_err();
        assert!(error.contains(told), "{text}\nexpected: {told}\ntold: {error}");
    }

    #[test]
    fn what_a_condition_cannot_put_back_or_hide_is_told() {
        for (text, told) in [
            ("[[condition]]\nname = \"a\"\nprepare = [\"modul\"]", "did you mean `modules`?"),
            (
                "[[condition]]\nname = \"a\"\nprepare = [\"names\"]\nrepair = \"rules\"",
                "line 3: `a` prepares and repairs: make two conditions of it",
            ),
            (
                "[[condition]]\nname = \"a\"\nprepare-by = \"paper\"",
                "line 3: `prepare-by` says who puts something back, and `a` prepares nothing",
            ),
            ("[[condition]]\nname = \"a\"\nprepare = [\"names\"]\nprepare-by = \"papper\"", "did you mean `paper`?"),
            (
                "[[condition]]\nname = \"a\"\nrepair = \"rules\"\nhide-data = true",
                "line 4: `a` hides what its notebooks read, and repairs",
            ),
            (
                "[[condition]]\nname = \"a\"\nprepare = [\"names\"]\nhide-data = true\nstart = \"baseline\"",
                "seed, antidotes or hidden files are others",
            ),
            (
                "[[condition]]\nname = \"a\"\nprepare = [\"names\"]\n[[condition]]\nname = \"b\"\nprepare = [\"files\"]\nstart = \"a\"",
                "line 7: `b` starts from `a`, which prepares",
            ),
        ] {
            is_refused(text, told);
        }
    }
}
