//! Which model is asked: from a file's tables and the command line to settings, and to an open dialogue.

use std::path::Path;

use nbrevive_environment::Home;
use nbrevive_model::{Account, DEFAULT_NOTEBOOK_CAP, Errand, FIXES_PER_NOTEBOOK, ModelSettings};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Asking, DryRun, RepairSettings, Study};

use crate::arguments::ModelArguments;
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// The name of a model that people or a record stand for.
const NAMELESS: &str = "unnamed";

/// Gives a study the settings that the command line names, in place of its own or over them.
pub(crate) fn of_study(study: &mut Study, arguments: &ModelArguments) -> Result<(), Failure> {
    let base = match &arguments.settings {
        Some(path) => RepairSettings::load(path).map_err(|error| Failure::new(Exit::BadInput, &error))?,
        None => std::mem::take(&mut study.repair),
    };
    study.repair = repair_settings(base, arguments)?;
    Ok(())
}

/// The same for a notebook in hand.
pub(crate) fn of_notebook(arguments: &ModelArguments) -> Result<RepairSettings, Failure> {
    let base = match &arguments.settings {
        Some(path) => RepairSettings::load(path).map_err(|error| Failure::new(Exit::BadInput, &error))?,
        None => RepairSettings::default(),
    };
    repair_settings(base, arguments)
}

/// A notebook in hand is a study of its own in the ledger, known by its path.
pub(crate) fn errand(notebook: &Path) -> Errand {
    let path = notebook.canonicalize().unwrap_or_else(|_| notebook.to_owned());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let hash = nbrevive_corpus::content_hash(path.to_string_lossy().as_bytes());
    Errand::new(format!("{name}-{}", &hash[..8]), name)
}

/// The settings of the file and the command line together; the command line goes first.
pub(crate) fn repair_settings(base: RepairSettings, arguments: &ModelArguments) -> Result<RepairSettings, Failure> {
    let mut settings = base;
    if arguments.rules_only {
        settings.model = None;
        return Ok(settings);
    }
    let named = named(arguments).map(|text| toml::from_str::<ModelSettings>(&text));
    let named = named.transpose().map_err(|error| usage(shown!("the options of the model: {}", error.message())))?;
    if let Some(mut model) = named {
        if let Some(before) = settings.model.take() {
            model = over(before, model, arguments);
        }
        settings.model = Some(model);
    }
    match (&mut settings.model, arguments) {
        (Some(model), ModelArguments { model: Some(name), .. }) => model.name.clone_from(name),
        (None, ModelArguments { model: Some(name), .. }) => {
            return Err(usage(shown!(
                "--model {} says whom to ask, not where: add --endpoint, --exchange or --replay",
                name
            )));
        }
        _ => {}
    }
    match (&mut settings.model, arguments.max_cost) {
        (Some(model), Some(dollars)) => model.caps.notebook = dollars,
        (None, Some(_)) => {
            return Err(usage(Shown::literal("--max-cost needs a model: add --endpoint, or --settings with [model]")));
        }
        _ => {}
    }
    Ok(settings)
}

/// The table that the options describe, where they name a provider.
fn named(arguments: &ModelArguments) -> Option<String> {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let name = quoted(arguments.model.as_deref().unwrap_or(NAMELESS));
    let place = |folder: &Path| quoted(&folder.to_string_lossy());
    if let Some(url) = &arguments.endpoint {
        let mut text = format!("provider = \"openai\"\nname = {name}\nbase_url = {}\n", quoted(url));
        for (key, value) in [("protocol", &arguments.protocol), ("key_variable", &arguments.key_variable)] {
            text.extend(value.iter().map(|value| format!("{key} = {}\n", quoted(value))));
        }
        return Some(text);
    }
    let (provider, folder) = match (&arguments.exchange, &arguments.replay) {
        (Some(folder), _) => ("exchange", folder),
        (None, Some(record)) => ("replay", record),
        (None, None) => return None,
    };
    Some(format!("provider = \"{provider}\"\nname = {name}\nplace = {}\n", place(folder)))
}

/// What the file says of the model stays, but for who answers and where.
fn over(file: ModelSettings, named: ModelSettings, arguments: &ModelArguments) -> ModelSettings {
    ModelSettings {
        provider: named.provider,
        base_url: named.base_url,
        place: named.place,
        protocol: if arguments.protocol.is_some() { named.protocol } else { file.protocol },
        key_variable: named.key_variable.or_else(|| file.key_variable.clone()),
        ..file
    }
}

fn usage(message: Shown) -> Failure {
    Failure { exit: Exit::Usage, message }
}

/// The same for a notebook in hand: in the folder that was named, or with the environments' cache.
pub(crate) fn open_for_one(settings: &RepairSettings, folder: Option<&Path>) -> Result<Option<Asking>, Failure> {
    let home = || Home::from_environment().map_err(|error| Failure::new(Exit::CannotWrite, &error));
    let folder = match folder {
        Some(folder) => folder.to_owned(),
        None => home()?.root().join("dialogues"),
    };
    open(settings, &folder, None)
}

/// Opens the dialogue with its ledger and its record in `folder`, where a model is set; for a task, with what its account allows.
pub(crate) fn open(
    settings: &RepairSettings,
    folder: &Path,
    account: Option<Account>,
) -> Result<Option<Asking>, Failure> {
    let Some(model) = &settings.model else { return Ok(None) };
    if model.name == NAMELESS && model.base_url.is_some() {
        return Err(usage(Shown::literal("an endpoint has many models: add --model NAME")));
    }
    nbrevive_files::make_folder(folder).map_err(|error| file_failure(&error))?;
    let opened = match account {
        Some(account) => Asking::open_with(model, folder, account),
        None => Asking::open(model, folder),
    };
    let asking = opened.map_err(|error| Failure::new(Exit::NoModel, &error))?;
    let cap = if model.caps.notebook == DEFAULT_NOTEBOOK_CAP { " unless told" } else { "" };
    printer::note(&shown!(
        "model {} by {}: at most {} US dollars a notebook{}; ledger and record in {}",
        model.name,
        asking.dialogue().provider(),
        model.caps.notebook,
        cap,
        folder.display()
    ));
    Ok(Some(asking))
}

/// An estimate as a table: the first questions by fix type, then the whole study.
pub(crate) fn estimated(sum: &DryRun, settings: &RepairSettings) -> Shown {
    let cost = &sum.cost;
    let mut text = shown!(
        "{:<18} {:>9} {:>14} {:>12} {:>12}\n",
        "first questions",
        "calls",
        "input tokens",
        "expected $",
        "at most $"
    );
    for (fix_type, of) in &cost.first {
        let (expected, worst) = (of.expected.dollars(), of.worst.dollars());
        text.push_line(&shown!("{:<18} {:>9} {:>14} {:>12.4} {:>12.4}", fix_type, of.calls, of.input, expected, worst));
    }
    let capped = if cost.is_capped { ", where the caps end it" } else { "" };
    text.push_line(&shown!("the study          {:>9} {:>14} {:>12.4} {:>12.4}{}\n\
         expected are the paper's {} fixes a notebook, each like its first\n\
         {} subjects: for {} the rules have a proposal first, {} do not fit into a prompt; {} jobs have no baseline yet", cost.notebooks, "", cost.expected.dollars(), cost.worst.dollars(), capped, FIXES_PER_NOTEBOOK, sum.subjects, sum.rules_first, sum.too_long, sum.unknown));
    if let Some(model) = &settings.model {
        let hour = model.caps.hour.map_or(Shown::literal("none"), |hour| Shown::line(&hour));
        let (notebook, study) = (model.caps.notebook, model.caps.study);
        text.push_line(&shown!("caps in US dollars: notebook {}, study {}, hour {}", notebook, study, hour));
    }
    text
}

#[cfg(test)]
mod tests {
    use nbrevive_model::ProviderKind;

    use super::*;

    fn endpoint() -> ModelArguments {
        ModelArguments { endpoint: Some("http://127.0.0.1:9/v1".to_owned()), ..ModelArguments::default() }
    }

    #[test]
    fn options_name_a_model_without_a_file() {
        let arguments = ModelArguments { model: Some("m \"1\"".to_owned()), max_cost: Some(0.2), ..endpoint() };
        let model = repair_settings(RepairSettings::default(), &arguments).unwrap().model.unwrap();
        assert_eq!((model.provider, model.name.as_str()), (ProviderKind::Openai, "m \"1\""));
        assert_eq!(model.caps.notebook, 0.2);
    }

    #[test]
    fn options_go_before_the_file_and_leave_the_rest_of_it() {
        let file = "provider = \"openai\"\nname = \"m\"\nbase_url = \"http://127.0.0.1:8/v1\"\nseed = 7\n";
        let base = RepairSettings { model: Some(toml::from_str(file).unwrap()), ..RepairSettings::default() };
        let replay = ModelArguments { replay: Some("record.jsonl".into()), ..ModelArguments::default() };
        let model = repair_settings(base.clone(), &replay).unwrap().model.unwrap();
        assert_eq!((model.provider, model.name.as_str(), model.seed), (ProviderKind::Replay, "m", Some(7)));
        let none = ModelArguments { rules_only: true, ..ModelArguments::default() };
        assert_eq!(repair_settings(base, &none).unwrap().model, None);
    }

    #[test]
    fn half_a_model_is_told() {
        let only_name = ModelArguments { model: Some("m".to_owned()), ..ModelArguments::default() };
        let told = repair_settings(RepairSettings::default(), &only_name).unwrap_err().message;
        assert!(told.as_str().contains("--endpoint, --exchange or --replay"), "{told:?}");
        let settings = repair_settings(RepairSettings::default(), &endpoint()).unwrap();
        let told = open(&settings, Path::new("unused"), None).unwrap_err().message;
        assert_eq!(told.as_str(), "an endpoint has many models: add --model NAME");
    }
}
