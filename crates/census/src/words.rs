//! The words that a parameter accepts, where code or documentation lists them.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::ast::Expr;

use crate::syntax;

/// Accepted words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) texts: BTreeSet<String>,
    /// Whether code checks them; else documentation lists them.
    pub(crate) by_code: bool,
}

impl Words {
    fn of_code(texts: BTreeSet<String>) -> Option<Self> {
        (!texts.is_empty()).then_some(Self { texts, by_code: true })
    }
}

/// `{'loss': [StrOptions({'a', 'b'}), None]}`: of scikit-learn's constraints, those whose words are written out.
pub(crate) fn of_constraints(constraints: &Expr) -> BTreeMap<String, Words> {
    let items = constraints.as_dict_expr().into_iter().flat_map(|dict| &dict.items);
    items.filter_map(|item| Some((syntax::text(item.key.as_ref()?)?.to_owned(), of_options(&item.value)?))).collect()
}

fn of_options(options: &Expr) -> Option<Words> {
    let list = options.as_list_expr()?;
    let mut texts = BTreeSet::new();
    for option in &list.elts {
        match option {
            Expr::Call(call) if syntax::name(&call.func) == Some("StrOptions") => {
                texts.extend(syntax::texts(call.arguments.args.first()?)?);
            }
            // Any text at all.
            Expr::Name(name) if name.id.as_str() == "str" => return None,
            Expr::Name(_) | Expr::StringLiteral(_) | Expr::NoneLiteral(_) => {}
            Expr::Call(_) => {}
            _ => return None,
        }
    }
    Words::of_code(texts)
}

/// `Literal['a', 'b']`, alone or among others that are no text.
pub(crate) fn of_annotation(annotation: &Expr) -> Option<Words> {
    let mut texts = BTreeSet::new();
    literal(annotation, &mut texts, 0)?;
    Words::of_code(texts)
}

fn literal(annotation: &Expr, texts: &mut BTreeSet<String>, depth: usize) -> Option<()> {
    match annotation {
        Expr::Subscript(subscript) if syntax::dotted(&subscript.value)?.ends_with("Literal") => {
            match subscript.slice.as_ref() {
                Expr::Tuple(several) => texts.extend(several.elts.iter().filter_map(syntax::text).map(str::to_owned)),
                one => texts.extend(syntax::text(one).map(str::to_owned)),
            }
            Some(())
        }
        Expr::BinOp(union) if depth < 50 => {
            literal(&union.left, texts, depth + 1)?;
            literal(&union.right, texts, depth + 1)
        }
        Expr::NoneLiteral(_) => Some(()),
        Expr::Name(name) if matches!(name.id.as_str(), "bool" | "int" | "float" | "None") => Some(()),
        _ => None,
    }
}

/// `{'auto', 'sqrt'}` in the type of a documented parameter.
pub(crate) fn of_documentation(kind: &str) -> Option<Words> {
    let inside = kind.split_once('{')?.1.split_once('}')?.0;
    let words = inside.split(',').map(str::trim).filter(|word| !word.is_empty());
    let mut texts = BTreeSet::new();
    for word in words {
        match quoted(word) {
            Some(text) => drop(texts.insert(text.to_owned())),
            None if matches!(word, "None" | "True" | "False" | "int" | "float" | "callable") => {}
            None if word.parse::<f64>().is_ok() => {}
            None => return None,
        }
    }
    (texts.len() >= 2).then_some(Words { texts, by_code: false })
}

/// The text between quotes at the head of some words.
fn quoted(word: &str) -> Option<&str> {
    let quotes = [('\'', '\''), ('"', '"'), ('`', '`'), ('\u{201c}', '\u{201d}'), ('\u{2018}', '\u{2019}')];
    let inside = quotes.iter().find_map(|(open, close)| word.strip_prefix(*open)?.split(*close).next());
    // Some write ``'auto'``.
    let inside = inside.map(|inside| if inside.is_empty() { word.trim_matches(['`', '\'', '"']) } else { inside });
    inside.filter(|inside| !inside.is_empty() && inside.len() < 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbrevive_pysource::ast::Stmt;
    use nbrevive_pysource::parse::with_file;

    fn with(text: &str, check: impl FnOnce(&Expr) + Send) {
        with_file(text, |parsed| match parsed.body().first() {
            Some(Stmt::Expr(expression)) => check(&expression.value),
            _ => panic!("no expression"),
        })
        .unwrap();
    }

    #[test]
    fn words_are_taken_only_where_all_of_them_are_written() {
        with("{'a': [StrOptions({'x', 'y'}), None, Interval(1)], 'b': [StrOptions(set(z))], 'c': [str]}", |found| {
            let words = of_constraints(found);
            assert_eq!(words.keys().collect::<Vec<_>>(), ["a"]);
        });
        with("Literal['a', 'b'] | None", |found| assert_eq!(of_annotation(found).unwrap().texts.len(), 2));
        with("str | Literal['a']", |found| assert_eq!(of_annotation(found), None));
        assert_eq!(of_documentation("{'auto', \"sqrt\", None}, int or float").unwrap().texts.len(), 2);
        assert_eq!(of_documentation("{x, 'sqrt'}"), None);
        assert_eq!(of_documentation("int, default=3"), None);
    }
}
