//! R, Julia and SQL: enough that a reader of the content can tell them from Python.

use crate::source::{Cell, fails};
use crate::world::{FakeKernel, FakeVersion, FakeWorld};

pub(super) fn r(world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion) -> Vec<Cell> {
    let slug = &world.competitions()[kernel.competition as usize].slug;
    let mut cells = vec![
        Cell::text(format!("# {}", kernel.title)),
        Cell::code("library(tidyverse)\nlibrary(randomForest)"),
        Cell::code(format!(
            "train <- read_csv(\"../input/{slug}/train.csv\")\ntest <- read_csv(\"../input/{slug}/test.csv\")"
        )),
        Cell::code(format!(
            "set.seed({})\nmodel <- randomForest(factor(target) ~ ., data = train, ntree = {})",
            version.number,
            100 + version.number
        )),
    ];
    if fails(version) {
        cells.push(Cell::code("stop(\"object 'fit' not found\")"));
    }
    cells.push(Cell::code("test %>% mutate(target = predict(model, test)) %>% write_csv(\"submission.csv\")"));
    cells
}

pub(super) fn julia(world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion) -> Vec<Cell> {
    let slug = &world.competitions()[kernel.competition as usize].slug;
    vec![
        Cell::text(format!("# {}", kernel.title)),
        Cell::code("using DataFrames, CSV, DecisionTree"),
        Cell::code(format!(
            "train = CSV.read(\"../input/{slug}/train.csv\", DataFrame)\nfirst(train, {})",
            version.number
        )),
        Cell::code("function answer(row)\n    return row.id % 2 == 0 ? 1 : 0\nend\nprintln(answer.(eachrow(train)))"),
    ]
}

pub(super) fn sql(kernel: &FakeKernel, version: &FakeVersion) -> Vec<Cell> {
    vec![
        Cell::text(kernel.title.clone()),
        Cell::code(format!("SELECT COUNT(*) AS rows FROM train WHERE id > {};", version.number)),
    ]
}
