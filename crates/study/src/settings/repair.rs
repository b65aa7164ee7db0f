//! `[repair]` and `[model]` of a study's file: how the modernize loop goes on, and who is asked.

use std::path::Path;

use nbrevive_corpus::{Fingerprint, Recipe};
use nbrevive_guard::DEFAULT_MOST_NEW_CONSTANTS;
use nbrevive_model::{Encoding, ModelSettings};
use nbrevive_repair::minimize::DEFAULT_MAX_EXECUTIONS;
use nbrevive_repair::prompt::template_version;
use nbrevive_repair::{
    DialogueSettings, FixType, LOOP_VERSION, MinimizeSettings, PatchProtocol, PromptSettings, Proposer, ProposerOrder,
    RULES_VERSION, RepairLevel, TOOLS_VERSION, put_back_version,
};
use serde::Deserialize;

use crate::SettingsError;
use crate::settings::read_file;
use crate::settings::told::{at_its_key, told};

/// How notebooks are repaired, and by whom. Everything has a default; without a model the rules are alone.
#[derive(Debug, Clone, PartialEq)]
pub struct RepairSettings {
    /// Who is asked for each type of fix, in which order.
    pub order: ProposerOrder,
    /// How often a model is asked again, and the limits of a prompt.
    pub dialogue: DialogueSettings,
    /// The most new constants in one literal; a patch with more is refused as a table of answers.
    pub most_new_constants: usize,
    /// Whether a notebook that was brought back has its patch reduced, and in how many executions.
    pub minimize: Option<MinimizeSettings>,
    /// The model, where one is asked.
    pub model: Option<ModelSettings>,
}

impl Default for RepairSettings {
    fn default() -> Self {
        Self {
            order: ProposerOrder::default(),
            dialogue: DialogueSettings::default(),
            most_new_constants: DEFAULT_MOST_NEW_CONSTANTS,
            minimize: None,
            model: None,
        }
    }
}

/// The table `[repair]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RawRepair {
    order: ProposerOrder,
    protocol: Option<PatchProtocol>,
    max_reasks: Option<u32>,
    most_new_constants: Option<usize>,
    minimize: bool,
    minimize_executions: Option<usize>,
    prompt_tokens: Option<usize>,
    traceback_tokens: Option<usize>,
    output_tokens: Option<usize>,
    description_tokens: Option<usize>,
    most_packages: Option<usize>,
}

impl RepairSettings {
    /// The tables `[repair]` and `[model]` of a file, whatever else is in it: a study's file, or one of their own.
    ///
    /// # Errors
    /// When it is unreadable, or one of the tables is not valid.
    pub fn load(path: &Path) -> Result<Self, SettingsError> {
        #[derive(Deserialize)]
        struct Tables {
            #[serde(default)]
            repair: RawRepair,
            model: Option<ModelSettings>,
        }
        let text = read_file(path)?;
        let invalid = |message: String| SettingsError::Invalid { path: path.to_owned(), message };
        let tables: Tables = toml::from_str(&text).map_err(|error| invalid(told(&error)))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Self::from_tables(tables.repair, tables.model, Encoding::default(), folder)
            .map_err(|sentence| invalid(at_its_key(&text, &sentence)))
    }

    /// From the tables of a study's file; relative places are of its folder.
    ///
    /// # Errors
    /// A sentence on what contradicts itself.
    pub(crate) fn from_tables(
        raw: RawRepair,
        model: Option<ModelSettings>,
        encoding: Encoding,
        folder: &Path,
    ) -> Result<Self, String> {
        if model.is_some() && !raw.order.names(Proposer::Model) {
            return Err("[model] is set, and [repair.order] asks it for nothing: name `model` there".to_owned());
        }
        let usual = DialogueSettings::default();
        let protocol = raw.protocol.unwrap_or(usual.prompt.protocol);
        let usual_reasks = if protocol == PatchProtocol::Edits { 1 } else { usual.max_reasks };
        let prompt = PromptSettings {
            protocol,
            encoding,
            prompt_tokens: raw.prompt_tokens.unwrap_or(usual.prompt.prompt_tokens),
            traceback_tokens: raw.traceback_tokens.unwrap_or(usual.prompt.traceback_tokens),
            output_tokens: raw.output_tokens.unwrap_or(usual.prompt.output_tokens),
            description_tokens: raw.description_tokens.unwrap_or(usual.prompt.description_tokens),
            most_packages: raw.most_packages.unwrap_or(usual.prompt.most_packages),
        };
        let executions = raw.minimize_executions.unwrap_or(DEFAULT_MAX_EXECUTIONS);
        Ok(Self {
            order: raw.order,
            dialogue: DialogueSettings { max_reasks: raw.max_reasks.unwrap_or(usual_reasks), prompt, ..usual },
            most_new_constants: raw.most_new_constants.unwrap_or(DEFAULT_MOST_NEW_CONSTANTS),
            minimize: raw.minimize.then_some(MinimizeSettings { max_executions: executions }),
            model: model.map(|model| resolved(model, folder)),
        })
    }

    /// The limits of a dialogue at a level.
    #[must_use]
    pub fn dialogue_at(&self, level: RepairLevel) -> DialogueSettings {
        DialogueSettings { level, ..self.dialogue.clone() }
    }

    /// As a condition has them: without a model where its recipe asks none.
    pub(crate) fn of(&self, recipe: &Recipe) -> Self {
        let model = self.model.clone().filter(|_| recipe.repair.asks_model());
        Self { model, ..self.clone() }
    }

    /// What changes whenever outcomes may be others: rules, loop, order, and all that a model is told.
    ///
    /// Not in it: who carries the questions (an endpoint, files, a record), and caps that concern more than one notebook.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let list = |proposers: &[Proposer]| proposers.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", ");
        let mut fields = Fingerprint::of("repair", 1)
            .with("repair.rules", RULES_VERSION)
            .with("repair.loop", LOOP_VERSION)
            .with("repair.most_new_constants", self.most_new_constants);
        for fix_type in FixType::ALL {
            fields = fields.with(format!("repair.order.{fix_type}"), list(self.order.of(*fix_type)));
        }
        if self.order.names(Proposer::Tools) {
            fields = fields.with("repair.tools", TOOLS_VERSION);
        }
        if let Some(minimize) = self.minimize {
            fields = fields.with("repair.minimize_executions", minimize.max_executions);
        }
        match &self.model {
            Some(model) => fields.and(self.asking(model)),
            None => fields,
        }
    }

    /// What the model is, and all that it is told where it puts something back.
    pub(crate) fn put_back_fingerprint(&self) -> Option<Fingerprint> {
        Some(self.asked(self.model.as_ref()?).with("prepare.questions", put_back_version()))
    }

    /// What the model is, and how long a question may be.
    fn asked(&self, model: &ModelSettings) -> Fingerprint {
        fn word(value: &Option<impl ToString>) -> String {
            value.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string)
        }
        let prompt = &self.dialogue.prompt;
        Fingerprint::of("model", 1)
            .with("model.name", &model.name)
            .with("model.max_output_tokens", model.max_output_tokens)
            .with("model.temperature", word(&model.temperature))
            .with("model.seed", word(&model.seed))
            .with("model.effort", word(&model.effort))
            .with("model.caps.notebook", model.caps.notebook)
            .with("prompt.encoding", prompt.encoding)
            .with("repair.prompt_tokens", prompt.prompt_tokens)
    }

    /// What the model is, and all that it is told.
    fn asking(&self, model: &ModelSettings) -> Fingerprint {
        let prompt = &self.dialogue.prompt;
        self.asked(model)
            .with("prompt.templates", template_version())
            .with("repair.protocol", prompt.protocol)
            .with("repair.max_reasks", self.dialogue.max_reasks)
            .with("repair.traceback_tokens", prompt.traceback_tokens)
            .with("repair.output_tokens", prompt.output_tokens)
            .with("repair.description_tokens", prompt.description_tokens)
            .with("repair.most_packages", prompt.most_packages)
    }
}

fn resolved(mut model: ModelSettings, folder: &Path) -> ModelSettings {
    for place in [&mut model.place, &mut model.prices].into_iter().flatten() {
        *place = folder.join(&place);
    }
    model
}

#[cfg(test)]
impl RepairSettings {
    /// With everything that can be set, so that every field of a fingerprint is there.
    pub(crate) fn everything() -> Self {
        let usual = Self::default();
        let model = toml::from_str("provider = \"replay\"\nname = \"m\"\nplace = \"record.jsonl\"\n").expect("a model");
        Self { minimize: Some(MinimizeSettings::default()), model: Some(model), ..usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        repair: RawRepair,
        model: Option<ModelSettings>,
    }

    fn read(text: &str) -> Result<RepairSettings, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        RepairSettings::from_tables(file.repair, file.model, Encoding::default(), Path::new("/study"))
    }

    const MODEL: &str = "[model]\nprovider = \"replay\"\nname = \"m\"\nplace = \"record.jsonl\"\n";

    #[test]
    fn without_tables_it_is_as_in_the_paper_with_rules_first() {
        let settings = read("").unwrap();
        assert_eq!(settings, RepairSettings::default());
        assert_eq!((settings.dialogue.max_reasks, settings.minimize, settings.model), (2, None, None));
        assert_eq!(settings.order.error_repair, [Proposer::Rules, Proposer::Tools, Proposer::Model]);
    }

    #[test]
    fn the_fingerprint_changes_with_what_outcomes_depend_on_and_with_nothing_else() {
        let revision = |text: &str| read(text).unwrap().fingerprint().hash();
        let base = revision(MODEL);
        assert_ne!(base, revision(""));
        assert_ne!(base, revision(&format!("[repair]\nmax_reasks = 0\n{MODEL}")));
        assert_ne!(base, revision(&format!("[repair.order]\nerror-repair = [\"model\", \"rules\"]\n{MODEL}")));
        assert_ne!(base, revision(&MODEL.replace("\"m\"", "\"n\"")));
        assert_eq!(base, revision(&MODEL.replace("replay", "exchange")), "a replay has the rows of its record");
        assert_eq!(base, revision(&format!("{MODEL}caps = {{ study = 5.0 }}\n")));
    }

    #[test]
    fn places_are_of_the_files_folder_and_contradictions_are_told() {
        let place = read(MODEL).unwrap().model.unwrap().place.unwrap();
        assert_eq!(place, Path::new("/study/record.jsonl"));
        let none = "[repair.order]\nerror-repair = []\nscore-calibration = []\nruntime-reduction = []\n";
        assert!(read(&format!("{none}{MODEL}")).unwrap_err().contains("asks it for nothing"));
        let error = read("[repair.order]\nerror-repair = [\"rule\"]\n").unwrap_err();
        assert!(error.contains("unknown proposer `rule`: expected one of rules, tools, model"), "{error}");
    }
}
