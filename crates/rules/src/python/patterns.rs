//! Regular expressions and codecs of text.

use nbrevive_notebook::PythonVersion;
use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::call::receiver_text;
use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-split-at-nothing",
        ("python", "3.7"),
        "re.split splits where a pattern meets nothing, between all characters; + instead of * gives the old parts",
        Trigger::OldDefault { before: (2018, 6, 27), python: PythonVersion::new(3, 7) },
        Rewrite::Code(splits),
        example(
            "import re\nwords = re.split(r'\\W*', text)\np = re.compile('[,;]*')\n",
            ("", ""),
            "import re\nwords = re.split(r'\\W+', text)\np = re.compile('[,;]*')\n",
        ),
    ),
    Rule::new(
        "python-flags-of-patterns",
        ("python", "3.11"),
        "flags of a whole pattern stand at its start",
        Trigger::Error(&[
            sig("error", "global flags not at the start of the expression"),
            sig("PatternError", "global flags not at the start of the expression"),
        ]),
        Rewrite::Code(flags_in_front),
        example(
            "import re\np = re.compile(r'\\bfoo(?i)')\nx = re.sub('bar(?i)', '-', 'a BAR')\n",
            ("error", "global flags not at the start of the expression at position 5"),
            "import re\np = re.compile(r'(?i)\\bfoo')\nx = re.sub('(?i)bar', '-', 'a BAR')\n",
        ),
    )
    .certain(),
    Rule::new(
        "python-codecs-of-bytes",
        ("python", "3.0"),
        "hex is no encoding of text",
        Trigger::Error(&[
            sig("LookupError", "'hex' is not a text encoding"),
            sig("AttributeError", "'bytes' object has no attribute 'encode'"),
        ]),
        Rewrite::Code(hexadecimal),
        example(
            "x = 'abc'.encode('hex')\n",
            ("LookupError", "'hex' is not a text encoding; use codecs.encode() to handle arbitrary codecs"),
            "x = 'abc'.encode('latin-1').hex()\n",
        ),
    )
    .certain(),
    Rule::new(
        "python-last-exception",
        ("python", "3.0"),
        "sys.exc_type and its kin are parts of sys.exc_info()",
        Trigger::Error(&[sig("AttributeError", "module 'sys' has no attribute 'exc_")]),
        Rewrite::Code(last_exception),
        example(
            "import sys\nx = sys.exc_value\n",
            ("AttributeError", "module 'sys' has no attribute 'exc_value'"),
            "import sys\nx = sys.exc_info()[1]\n",
        ),
    )
    .certain(),
];

/// Flags of a whole pattern, where they stand in the text of a literal: `(?i)` and its kin, not at the start.
fn inner_flags(text: &str) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, mut in_class) = (0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            // A bracket that closes at once is one of the class.
            b'[' if !in_class => {
                in_class = true;
                at += usize::from(bytes.get(at + 1) == Some(&b'^'));
                at += usize::from(bytes.get(at + 1) == Some(&b']'));
            }
            b']' => in_class = false,
            b'(' if !in_class && bytes.get(at + 1) == Some(&b'?') => {
                let letters = bytes[at + 2..].iter().take_while(|letter| b"aiLmsux".contains(letter)).count();
                let end = at + 2 + letters;
                if at > 0 && letters > 0 && bytes.get(end) == Some(&b')') {
                    return Some(at..end + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Functions of `re` and methods of columns of text that take a pattern first.
const TAKE_PATTERNS: [&str; 14] = [
    "compile",
    "search",
    "match",
    "fullmatch",
    "split",
    "findall",
    "finditer",
    "sub",
    "subn",
    "contains",
    "extract",
    "extractall",
    "replace",
    "count",
];

fn flags_in_front(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let name = view.qualified(&call.func).unwrap_or_default();
        let is_of_re =
            matches!(name.split_once('.'), Some(("re" | "regex", function)) if TAKE_PATTERNS.contains(&function));
        let is_method =
            name.is_empty() && shape::method(call).is_some_and(|(_, method)| TAKE_PATTERNS.contains(&method));
        if !(is_of_re || is_method && view.at_fault(place, call.range())) || name.starts_with("regex.") {
            return;
        }
        let first = call.arguments.args.first();
        let named =
            shape::keyword(call, "pattern").or_else(|| shape::keyword(call, "pat")).map(|keyword| &keyword.value);
        let literal = match first.or(named) {
            Some(Expr::Name(name)) => view.only_value(name.id.as_str()),
            Some(other) => Some((place, other)),
            None => None,
        };
        let Some((place, literal)) = literal else { return };
        let Some(text) = shape::text(literal) else { return };
        let Some(flags) = inner_flags(text).map(|range| &text[range]) else { return };
        let source = view.parsed(place).text(literal.range());
        let body = source.trim_start_matches(|letter: char| letter.is_alphabetic());
        let quotes = if body.starts_with("\"\"\"") || body.starts_with("'''") { 3 } else { 1 };
        let start = source.len() - body.len() + quotes;
        // Of a literal in several parts, or one with the flags twice, nothing is done.
        if let (Some(at), 1) = (source.find(flags), source.matches(flags).count()) {
            let is_one = !matches!(literal, Expr::StringLiteral(parts) if parts.value.is_implicit_concatenated());
            if is_one && at > start {
                let new = format!("{}{flags}{}{}", &source[..start], &source[start..at], &source[at + flags.len()..]);
                change.replace(place, literal.range(), new);
            }
        }
    });
}

/// Patterns of one thing, any number of times: of a split, or of a compiled pattern that is only split by.
fn splits(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| match view.qualified(&call.func).as_deref() {
        Some("re.split") => once_at_least(call, (view, place), change),
        Some(_) => {}
        None => {
            let Some((attribute, "split")) = shape::method(call) else { return };
            let compiled = match attribute.value.as_ref() {
                Expr::Name(name) => view.only_value(name.id.as_str()),
                value => Some((place, value)),
            };
            if let Some((place, Expr::Call(compiled))) = compiled
                && view.qualified(&compiled.func).as_deref() == Some("re.compile")
            {
                once_at_least(compiled, (view, place), change);
            }
        }
    });
}

fn once_at_least(call: &ExprCall, (view, place): (&View<'_>, Place), change: &mut Change<'_>) {
    let Some(pattern) = call.arguments.args.first() else { return };
    let Some(text) = shape::text(pattern).and_then(|text| text.strip_suffix('*')) else { return };
    let is_class = text.starts_with('[') && text.find(']') == Some(text.len() - 1) && text.len() > 2;
    let is_escape = text.len() == 2 && text.starts_with('\\');
    let is_letter = text.chars().count() == 1 && !text.contains(['.', '^', '$', ')', '|']);
    let source = view.parsed(place).text(pattern.range());
    let star = source.rfind('*').filter(|_| source.matches('*').count() == 1);
    if let Some(star) = star.filter(|_| is_class || is_escape || is_letter) {
        let (before, after) = source.split_at(star);
        change.replace(place, pattern.range(), format!("{before}+{}", &after[1..]));
    }
}

fn hexadecimal(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "encode")) = shape::method(call) else { return };
        if !matches!(&call.arguments.args[..], [codec] if shape::text(codec) == Some("hex")) {
            return;
        }
        let receiver = receiver_text(view.parsed(place), attribute);
        let is_encoded = matches!(attribute.value.as_ref(), Expr::Call(inner)
            if shape::method(inner).is_some_and(|(_, name)| matches!(name, "encode" | "digest")));
        let bytes = if is_encoded { "" } else { ".encode('latin-1')" };
        change.replace(place, call.range(), format!("{receiver}{bytes}.hex()"));
    });
}

fn last_exception(view: &View<'_>, change: &mut Change<'_>) {
    const PARTS: [(&str, usize); 3] = [("sys.exc_type", 0), ("sys.exc_value", 1), ("sys.exc_traceback", 2)];
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        let name = view.qualified(expression).unwrap_or_default();
        if let Some((_, number)) = PARTS.iter().find(|(old, _)| *old == name) {
            let edit = replacement(attribute.attr.range(), format!("exc_info()[{number}]"));
            change.edit(place, expression.range().start(), vec![edit]);
        }
    });
}
