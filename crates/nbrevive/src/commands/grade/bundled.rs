//! The bundled competitions, each with a small submission whose score is known by counting.

use std::path::Path;

use nbrevive_corpus::Competition;

use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};

/// A competition of this project, with answers and a submission that were made up to be counted by hand.
pub(super) struct Bundled {
    description: &'static str,
    pub(super) answers: &'static str,
    pub(super) submission: &'static str,
    /// The score of the submission.
    pub(super) score: f64,
    /// Why it is that.
    pub(super) why: &'static str,
}

macro_rules! description {
    ($name:literal) => {
        include_str!(concat!("../../../../../study/competitions/", $name, "/competition.toml"))
    };
}

/// All of them, in the order of their names.
pub(super) const ALL: [Bundled; 6] = [
    Bundled {
        description: description!("breast-cancer-diagnosis"),
        answers: "id,diagnosis\n1,1\n2,0\n3,1\n4,0\n",
        submission: "id,diagnosis\n4,0.1\n3,0.4\n2,0.5\n1,0.9\n",
        score: 0.75,
        why: "3 of 4 pairs in the right order",
    },
    Bundled {
        description: description!("diabetes-progression"),
        answers: "id,progression\n1,100\n2,200\n",
        submission: "id,progression\n1,103\n2,196\n",
        score: 3.535_533_905_932_737_6,
        why: "errors of 3 and 4",
    },
    Bundled {
        description: description!("forest-trails"),
        answers: "Id,Cover_Type\n1,1\n2,2\n3,7\n4,2\n5,1\n",
        submission: "Id,Cover_Type\n1,1\n2,2\n3,3\n4,2.0\n5,2\n",
        score: 0.6,
        why: "3 of 5 labels right",
    },
    Bundled {
        description: description!("handwritten-digits"),
        answers: "ImageId,Label\n1,0\n2,9\n3,4\n4,4\n",
        submission: "ImageId,Label\n2,4\n1,0\n3,9\n4,7\n",
        score: 0.25,
        why: "1 of 4 labels right",
    },
    Bundled {
        description: description!("iris-species"),
        answers: "Id,Species\n1,Iris-setosa\n2,Iris-virginica\n3,Iris-versicolor\n4,Iris-setosa\n",
        submission: "Id,Species\n1,Iris-setosa\n2,Iris-versicolor\n3,Iris-versicolor\n4,\"Iris-setosa\"\n",
        score: 0.75,
        why: "3 of 4 labels right",
    },
    Bundled {
        description: description!("wine-cultivars"),
        answers: "Id,cultivar_1,cultivar_2,cultivar_3\n1,1,0,0\n2,0,0,1\n",
        submission: "Id,cultivar_1,cultivar_2,cultivar_3\n1,0.5,0.25,0.25\n2,0.5,0.25,0.25\n",
        score: 1.039_720_770_839_917_9,
        why: "the classes had probabilities of 1/2 and 1/4",
    },
];

impl Bundled {
    /// Its description as the study has it.
    pub(super) fn competition(&self) -> Result<Competition, Failure> {
        toml::from_str(self.description).map_err(|error| Failure::new(Exit::Other, &error))
    }

    /// Writes answers and submission into a folder: their names there.
    pub(super) fn write(&self, folder: &Path) -> Result<[&'static str; 2], Failure> {
        for (name, text) in [("answers.csv", self.answers), ("submission.csv", self.submission)] {
            nbrevive_files::write(&folder.join(name), text).map_err(|error| file_failure(&error))?;
        }
        Ok(["answers.csv", "submission.csv"])
    }
}
