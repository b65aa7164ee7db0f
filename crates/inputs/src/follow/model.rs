//! Estimators, encoders and what goes around them: what they say of the columns that they are given.

use std::rc::Rc;

use crate::evidence::Use;
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::series::changed;
use crate::follow::value::{Object, Value};

/// Classes of estimators that predict one of few classes and do not say so at the end of their name.
const OF_CLASSES: [&str; 16] = [
    "LogisticRegression",
    "LogisticRegressionCV",
    "SVC",
    "LinearSVC",
    "NuSVC",
    "GaussianNB",
    "MultinomialNB",
    "BernoulliNB",
    "ComplementNB",
    "Perceptron",
    "LinearDiscriminantAnalysis",
    "QuadraticDiscriminantAnalysis",
    "Logit",
    "SMOTE",
    "RandomOverSampler",
    "StratifiedKFold",
];
/// Those that take words, or make numbers of them.
const OF_WORDS: [&str; 7] = [
    "OneHotEncoder",
    "OrdinalEncoder",
    "TargetEncoder",
    "LabelEncoder",
    "CatBoostClassifier",
    "CatBoostRegressor",
    "BinaryEncoder",
];
/// Those that take texts.
const OF_TEXTS: [&str; 4] = ["CountVectorizer", "TfidfVectorizer", "HashingVectorizer", "Tokenizer"];

impl Follower {
    /// What a class of a library makes. Frames that it is given are what it works on.
    pub(super) fn object(&mut self, name: &str, given: &Given) -> Value {
        let class = name.rsplit('.').next().unwrap_or(name);
        self.unknown_call(given);
        self.any_file(class, given);
        let mut object = Object { classes: vec![class.to_owned()], columns: Vec::new() };
        for value in given.all() {
            parts_of(value, &mut object, 4);
        }
        if matches!(class, "ColumnTransformer" | "make_column_transformer" | "DataFrameMapper") {
            let all = given.all().flat_map(Value::elements).chain(given.places.iter());
            object.columns.extend(all.filter_map(of_columns));
        }
        // `sm.OLS(y, X)`, `sm.Logit(y, X)`
        if matches!(class, "OLS" | "WLS" | "GLS" | "Logit" | "Probit" | "GLM") && given.places.len() >= 2 {
            let how = if matches!(class, "Logit" | "Probit") { Use::Classes } else { Use::Quantity };
            self.note(&given.places[0].clone(), &how, "predicted");
            self.features(&given.places[1].clone());
        }
        Value::Object(Rc::new(object))
    }

    /// Functions of libraries around models, and of all others.
    pub(super) fn of_models(&mut self, name: &str, last: &str, given: &Given) -> Value {
        match last {
            "train_test_split" => {
                let each = given.places.iter().flat_map(|value| [value.clone(), value.clone()]);
                Value::List(each.collect())
            }
            "make_pipeline" | "make_column_transformer" | "make_union" => self.object(name, given),
            "cross_val_score" | "cross_validate" | "cross_val_predict" | "learning_curve" | "validation_curve" => {
                let (Some(model), Some(features)) = (given.first().cloned(), given.places.get(1).cloned()) else {
                    return Value::Unknown;
                };
                if let Value::Object(object) = model {
                    self.fitted(&object, &features, given.get(2, "y"));
                }
                Value::Unknown
            }
            "scale" | "normalize" | "minmax_scale" | "add_constant" => match given.first().cloned() {
                Some(value) => {
                    self.features(&value);
                    value
                }
                None => Value::Unknown,
            },
            "resample" | "shuffle" => match given.places.as_slice() {
                [one] => one.clone(),
                several => Value::List(several.to_vec()),
            },
            "to_categorical" => {
                let column = given.first().cloned().unwrap_or(Value::Unknown);
                self.note(&column, &Use::Classes, "predicted");
                self.note(&column, &Use::Integer, "predicted");
                changed(&column)
            }
            "confusion_matrix" | "classification_report" | "precision_score" | "recall_score" | "f1_score" => {
                let truth = given.first().cloned().unwrap_or(Value::Unknown);
                for labels in ["labels", "pos_label"].iter().filter_map(|name| given.named(name)) {
                    self.values_of(&truth, labels, "classes by name");
                }
                Value::Unknown
            }
            "label_binarize" => given.first().map_or(Value::Unknown, changed),
            "ols" | "logit" | "glm" | "wls" | "dmatrices" | "poisson" | "mixedlm" | "probit" => {
                self.formula(given);
                Value::Unknown
            }
            "pearsonr" | "spearmanr" | "ttest_ind" | "linregress" | "mannwhitneyu" | "f_oneway" | "norm" | "zscore"
            | "boxcox" | "adfuller" | "seasonal_decompose" | "ttest_1samp" | "shapiro" | "probplot" | "skew"
            | "gaussian_kde" => {
                self.reckoned(given);
                given.first().map_or(Value::Unknown, changed)
            }
            "dump" | "save" | "imwrite" | "imsave" => {
                self.writes(given.places.get(1).or(given.first()));
                Value::Nothing
            }
            _ => {
                self.unknown_call(given);
                self.any_file(last, given);
                Value::Unknown
            }
        }
    }

    /// Methods of estimators and encoders.
    pub(super) fn object_method(&mut self, object: &Rc<Object>, name: &str, given: &Given) -> Value {
        let first = given.first().cloned().unwrap_or(Value::Unknown);
        match name {
            "fit" | "partial_fit" | "fit_predict" | "fit_resample" | "fit_sample" | "score" => {
                self.fitted(object, &first, given.get(1, "y"));
                match name {
                    "fit_resample" | "fit_sample" => Value::List(given.places.clone()),
                    "fit" => Value::Object(Rc::clone(object)),
                    _ => Value::Unknown,
                }
            }
            "fit_transform" | "transform" | "fit_on_texts" | "inverse_transform" => {
                self.fitted(object, &first, given.get(1, "y"));
                match first {
                    Value::Frame(frame) => {
                        self.derived(frame, |frame| (frame.is_of_rows, frame.is_made) = (false, true))
                    }
                    column => changed(&column),
                }
            }
            "predict" | "predict_proba" | "decision_function" => {
                self.fitted(object, &first, None);
                Value::Unknown
            }
            "flow_from_directory" => {
                self.reads_folder(given);
                Value::Unknown
            }
            "split" if object.classes.iter().any(|class| class.ends_with("Fold") || class.contains("Split")) => {
                if let Some(target) = given.get(1, "y") {
                    self.note(&target.clone(), &Use::Named, "folds");
                }
                Value::Unknown
            }
            "add" => Value::Unknown,
            _ => Value::Unknown,
        }
    }

    /// What a fit says: of words that become numbers, of numbers, of what is predicted.
    fn fitted(&mut self, object: &Object, features: &Value, target: Option<&Value>) {
        let is_one_of = |words: &[&str]| object.classes.iter().any(|class| words.contains(&class.as_str()));
        if let (false, Value::Frame(frame)) = (object.columns.is_empty(), features) {
            for (classes, columns) in &object.columns {
                for key in columns {
                    let column = self.named(*frame, key, "given to a model");
                    self.taken_by(classes, &column);
                }
            }
        } else {
            self.taken_by(&object.classes, features);
        }
        let Some(target) = target else { return };
        let says_classes = object.classes.iter().any(|class| class.ends_with("Classifier")) || is_one_of(&OF_CLASSES);
        let says_numbers = object
            .classes
            .iter()
            .any(|class| class.ends_with("Regressor") || class.contains("Regression") || class == "SVR");
        if says_classes {
            self.note(target, &Use::Classes, "predicted");
        } else if says_numbers {
            self.note(target, &Use::Quantity, "predicted");
        }
    }

    /// What estimators of these classes say of the columns that they are given.
    fn taken_by(&mut self, classes: &[String], features: &Value) {
        let is_one_of = |words: &[&str]| classes.iter().any(|class| words.contains(&class.as_str()));
        if is_one_of(&OF_TEXTS) {
            self.note(features, &Use::Text, "words that are counted");
            self.note(features, &Use::Separator(" ".to_owned()), "words that are counted");
        } else if is_one_of(&OF_WORDS) {
            self.note(features, &Use::Encoded, "encoded");
            self.note(features, &Use::Category, "encoded");
            if let Value::Frame(frame) = features {
                self.encode_all(*frame);
            }
        } else {
            self.features(features);
        }
    }

    /// Columns that a model is given as they are.
    pub(super) fn features(&mut self, features: &Value) {
        match features {
            Value::Frame(frame) => self.whole_frame(*frame, "given to a model"),
            column @ Value::Column(_) => self.note(column, &Use::Number, "given to a model"),
            _ => {}
        }
    }
}

/// What objects in lists and pairs are, and on which columns they work.
fn parts_of(value: &Value, whole: &mut Object, depth: usize) {
    match value {
        Value::Object(object) => {
            whole.classes.extend(object.classes.iter().cloned());
            whole.columns.extend(object.columns.iter().cloned());
        }
        Value::List(elements) if depth > 0 => elements.iter().for_each(|one| parts_of(one, whole, depth - 1)),
        _ => {}
    }
}

/// `("name", OneHotEncoder(), ["town"])`: a part of a transformer of columns.
fn of_columns(part: &Value) -> Option<(Vec<String>, Vec<Value>)> {
    let Value::List(parts) = part else { return None };
    let at = parts.iter().position(|part| matches!(part, Value::Object(_)))?;
    let Value::Object(object) = &parts[at] else { return None };
    let columns = parts.iter().enumerate().find(|(place, part)| *place != at && matches!(part, Value::List(_)));
    Some((object.classes.clone(), columns?.1.elements().to_vec()))
}
