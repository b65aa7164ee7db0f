//! Table `conditions`: the recipes of the conditions that ran.

#![deny(clippy::wildcard_enum_match_arm)]

use nbrevive_corpus::{Recipe, Role, Roles};

use crate::record::{every_or, insert, record};
use crate::schema::columns_of;
use crate::{Store, StoreError, outcomes};

record! { Recipe {
    name: "condition",
    role: "role",
    environment: "environment",
    cells: "cells",
    samples: "samples",
    antidotes: "antidotes",
    installs: "installs",
    stop: "stop",
    prepare: "prepare",
    prepare_by: "prepare_by",
    hide_data: "hide_data",
    debug: "debug",
    repair: "repair",
    level: "level",
    repetitions: "repetitions",
    seed: "seed",
    start: "start",
} }

/// What recipes of before there were these columns are.
const BEFORE: &[(&str, &str)] = &[("prepare_by", "'rules'"), ("hide_data", "0"), ("debug", "0")];

/// Stores a study's recipes in its order, each in place of the one that its condition had. Those of other conditions stay, since their
/// outcomes do; a role that one of these has now is no longer theirs.
///
/// # Errors
/// When the database refuses.
pub fn remember(store: &mut Store, recipes: &[Recipe]) -> Result<(), StoreError> {
    store.write(|transaction| {
        transaction.execute("UPDATE conditions SET position = NULL", [])?;
        for recipe in recipes {
            let roles = [Role::Further.as_str(), recipe.role.as_str()];
            transaction.execute("UPDATE conditions SET role = ?1 WHERE role = ?2", roles)?;
        }
        insert(transaction, ("INSERT OR REPLACE", "conditions"), &[], Some("position"), recipes)
    })
}

/// The recipes of all that ran, the paper's first and the others in the study's order, then by name; those of the paper's conditions that
/// ran before there was this table are those of the paper.
///
/// # Errors
/// When the database refuses or holds a word that is not known.
pub fn all(store: &Store) -> Result<Vec<Recipe>, StoreError> {
    let mut recipes: Vec<Recipe> = store.read(|connection| {
        let has_order = columns_of(connection, "conditions")?.contains("position");
        let order = if has_order { "position IS NULL, position, condition" } else { "condition" };
        every_or(connection, "conditions", order, BEFORE)
    })?;
    let ran = outcomes::conditions(store)?.into_iter();
    let before = ran.filter(|name| recipes.iter().all(|recipe| recipe.name != *name)).filter_map(Recipe::preset);
    for mut recipe in before.collect::<Vec<_>>() {
        if recipes.iter().any(|other| other.role == recipe.role) {
            recipe.role = Role::Further;
        }
        recipes.push(recipe);
    }
    recipes.sort_by_key(|recipe| recipe.name.place_in_paper());
    Ok(recipes)
}

/// What each condition is to the tables.
///
/// # Errors
/// As [`all`].
pub fn roles(store: &Store) -> Result<Roles, StoreError> {
    Ok(Roles::of(all(store)?.iter().map(|recipe| (recipe.name, recipe.part()))))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use nbrevive_corpus::{
        Antidote, CellOrder, Condition, Preparation, RepairLevel, Repairer, Restorer, Stop, Surrounding,
    };

    use super::*;

    #[test]
    fn each_word_of_a_recipe_is_told_to_those_who_write_a_study() {
        fn spelled<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
            all.iter().map(|one| word(*one)).collect()
        }
        let page = include_str!("../../../../docs/methodology.md");
        for (column, words) in [
            ("environment", spelled(Surrounding::ALL, Surrounding::as_str)),
            ("cells", spelled(CellOrder::ALL, CellOrder::as_str)),
            ("antidotes", spelled(Antidote::ALL, Antidote::as_str)),
            ("stop", spelled(Stop::ALL, Stop::as_str)),
            ("prepare", spelled(Preparation::ALL, Preparation::as_str)),
            ("prepare-by", spelled(Restorer::ALL, Restorer::as_str)),
            ("repair", spelled(Repairer::ALL, Repairer::as_str)),
            ("level", spelled(RepairLevel::ALL, RepairLevel::as_str)),
            ("role", spelled(Role::ALL, Role::as_str)),
        ] {
            let row = page.lines().find(|line| line.starts_with(&format!("| `{column}` |"))).unwrap_or_default();
            for word in words {
                assert!(row.contains(&format!("`{word}`")), "docs/methodology.md has no `{word}` for `{column}`");
            }
        }
    }

    #[test]
    fn conditions_stand_as_in_the_study() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let recipe = |name: &str| {
            let (name, role) = (name.parse().unwrap(), Role::Further);
            Recipe { name, role, ..Recipe::preset(Condition::BACKPORT).unwrap() }
        };
        let named = |names: &[&str]| names.iter().map(|name| recipe(name)).collect::<Vec<_>>();
        remember(&mut store, &named(&["declared", "inferred", "dated", "backport"])).unwrap();
        assert_eq!(all(&store).unwrap(), named(&["backport", "declared", "inferred", "dated"]));
        remember(&mut store, &named(&["inferred", "declared"])).unwrap();
        assert_eq!(all(&store).unwrap(), named(&["backport", "inferred", "declared", "dated"]));
    }

    #[test]
    fn a_recipe_comes_back_as_it_was_and_the_newest_counts() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let mut own = Recipe::preset(Condition::MODERNIZE).unwrap();
        own.name = "mended".parse().unwrap();
        own.role = Role::Further;
        own.repetitions = NonZeroU32::new(3);
        own.prepare = [Preparation::Files, Preparation::Modules].into();
        (own.prepare_by, own.hide_data, own.debug) = (Restorer::Paper, true, true);
        let baseline = Recipe::preset(Condition::BASELINE).unwrap();
        remember(&mut store, &[own.clone(), baseline.clone()]).unwrap();
        assert_eq!(all(&store).unwrap(), [baseline, own.clone()]);
        assert!(roles(&store).unwrap().repairs(own.name));
        own.repair = Repairer::None;
        own.start = None;
        remember(&mut store, std::slice::from_ref(&own)).unwrap();
        assert!(all(&store).unwrap().contains(&own));
        assert_eq!(roles(&store).unwrap().start(own.name), own.name);
        own.role = Role::Baseline;
        remember(&mut store, std::slice::from_ref(&own)).unwrap();
        let roles = roles(&store).unwrap();
        assert_eq!((roles.condition(Role::Baseline), roles.role(Condition::BASELINE)), (own.name, Role::Further));
        store.write(|transaction| transaction.execute("UPDATE conditions SET role = 'hero'", [])).unwrap();
        let error = all(&store).unwrap_err().to_string();
        assert!(error.contains("column `role` of `mended`: unknown role `hero`"), "{error}");
    }
}
