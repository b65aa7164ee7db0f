//! NLTK: data packages under other names, and what version 3 renamed.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::receiver_text;
use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static RULES: &[Rule] = &[
    Rule::new(
        "nltk-resources",
        ("nltk", "3.8.2"),
        "punkt, the tagger and the chunker read other files, which are downloaded under other names",
        Trigger::Error(&[
            sig("LookupError", "punkt_tab"),
            sig("LookupError", "averaged_perceptron_tagger_eng"),
            sig("LookupError", "maxent_ne_chunker_tab"),
        ]),
        Rewrite::Code(resources),
        example(
            "import nltk\nnltk.download('punkt')\nnltk.download(['stopwords', 'averaged_perceptron_tagger'])\n",
            ("LookupError", "Resource punkt_tab not found."),
            "import nltk\nnltk.download('punkt_tab')\nnltk.download(['stopwords', 'averaged_perceptron_tagger_eng'])\n",
        ),
    ),
    Rule::new(
        "nltk-names",
        ("nltk", "3.0"),
        "functions for several sentences end in _sents, grammars are read by fromstring, align is translate",
        Trigger::Error(&[
            sig("AttributeError", "module 'nltk* has no attribute"),
            sig("ImportError", "from 'nltk"),
            sig("ModuleNotFoundError", "No module named 'nltk."),
        ]),
        Rewrite::Move(&[
            ("nltk.batch_pos_tag", "nltk.pos_tag_sents"),
            ("nltk.tag.batch_pos_tag", "nltk.tag.pos_tag_sents"),
            ("nltk.batch_ne_chunk", "nltk.ne_chunk_sents"),
            ("nltk.chunk.batch_ne_chunk", "nltk.chunk.ne_chunk_sents"),
            ("nltk.parse_cfg", "nltk:CFG.fromstring"),
            ("nltk.parse_pcfg", "nltk:PCFG.fromstring"),
            ("nltk.align.AlignedSent", "nltk.translate.AlignedSent"),
            ("nltk.align.Alignment", "nltk.translate.Alignment"),
            ("nltk.align.IBMModel1", "nltk.translate.IBMModel1"),
            ("nltk.tag.stanford.POSTagger", "nltk.tag.stanford.StanfordPOSTagger"),
            ("nltk.tag.stanford.NERTagger", "nltk.tag.stanford.StanfordNERTagger"),
            ("nltk.compat.string_types", "builtins.str"),
            ("nltk.compat.text_type", "builtins.str"),
            ("nltk.compat.Counter", "collections.Counter"),
        ]),
        example(
            "import nltk\nfrom nltk.compat import Counter\ng = nltk.parse_cfg(\"S -> 'a'\")\n",
            ("AttributeError", "module 'nltk' has no attribute 'parse_cfg'"),
            "from nltk import CFG\nimport nltk\nfrom collections import Counter\ng = CFG.fromstring(\"S -> 'a'\")\n",
        ),
    )
    .certain(),
    Rule::new(
        "nltk-methods",
        ("nltk", "3.0"),
        "what classifies, tags or tokenizes several texts ends in _many or _sents; stem_word is stem",
        Trigger::Error(&[
            sig("AttributeError", "has no attribute 'batch_*'"),
            sig("AttributeError", "'PorterStemmer' object has no attribute 'stem_word'"),
            sig("AttributeError", "'ConfusionMatrix' object has no attribute 'pp'"),
        ]),
        Rewrite::Method(&[
            renamed(On::Any, "batch_classify", "classify_many"),
            renamed(On::Any, "batch_prob_classify", "prob_classify_many"),
            renamed(On::Any, "batch_tag", "tag_sents"),
            renamed(On::Any, "batch_tokenize", "tokenize_sents"),
            renamed(On::Instance("PorterStemmer"), "stem_word", "stem"),
            renamed(On::Instance("ConfusionMatrix"), "pp", "pretty_format"),
        ]),
        example(
            "import nltk\nw = nltk.PorterStemmer().stem_word('running')\nt = tagger.batch_tag([['a']])\n",
            ("AttributeError", "'PorterStemmer' object has no attribute 'stem_word'"),
            "import nltk\nw = nltk.PorterStemmer().stem('running')\nt = tagger.tag_sents([['a']])\n",
        ),
    ),
    Rule::new(
        "nltk-tree-node",
        ("nltk", "3.0"),
        "the node of a tree is its label(); the old property is None",
        Trigger::Silent,
        Rewrite::Method(&[renamed(On::Instance("Tree"), "node", "label()")]),
        example(
            "import nltk\nt = nltk.Tree('S', ['a'])\nn = t.node\n",
            ("", ""),
            "import nltk\nt = nltk.Tree('S', ['a'])\nn = t.label()\n",
        ),
    ),
    Rule::new(
        "nltk-word-senses",
        ("nltk", "3.0"),
        "what a sense of a word and a lemma are asked for are methods",
        Trigger::Error(&[
            sig("AttributeError", "'function' object has no attribute"),
            sig("AttributeError", "'method' object has no attribute"),
            sig("TypeError", "'method' object is not "),
            sig("TypeError", "expected str instance, method found"),
            sig("TypeError", "can only concatenate str (not \"method\") to str"),
            sig("TypeError", "expected string or bytes-like object, got 'method'"),
        ]),
        Rewrite::Code(word_senses),
        example(
            "from nltk.corpus import wordnet as wn\nfor s in wn.synsets('dog'):\n    print(s.name.split('.'), s.definition, [l.name for l in s.lemmas])\n",
            ("AttributeError", "'function' object has no attribute 'split'"),
            "from nltk.corpus import wordnet as wn\nfor s in wn.synsets('dog'):\n    print(s.name().split('.'), s.definition(), [l.name() for l in s.lemmas()])\n",
        ),
    ),
    Rule::new(
        "nltk-frequencies",
        ("nltk", "3.0"),
        "FreqDist is a Counter: it counts by brackets, and most_common orders it",
        Trigger::Error(&[
            sig("AttributeError", "'FreqDist' object has no attribute"),
            sig("TypeError", "'dict_keys' object is not subscriptable"),
            sig("TypeError", "'dict_items' object is not subscriptable"),
            sig("TypeError", "'dict_values' object is not subscriptable"),
        ]),
        Rewrite::Code(frequencies),
        example(
            "import nltk\nf = nltk.FreqDist(words)\nf.inc('a')\ntop = f.keys()[:20]\nbest = f.items()[:2]\n",
            ("TypeError", "'dict_keys' object is not subscriptable"),
            "import nltk\nf = nltk.FreqDist(words)\nf['a'] += 1\ntop = [sample for sample, _ in f.most_common()][:20]\nbest = f.most_common()[:2]\n",
        ),
    ),
    Rule::new(
        "nltk-lazy-ngrams",
        ("nltk", "3.0"),
        "bigrams, trigrams and ngrams are generators; a list can be indexed and counted",
        Trigger::Error(&[
            sig("TypeError", "'generator' object is not subscriptable"),
            sig("TypeError", "object of type 'generator' has no len()"),
            sig("TypeError", "'zip' object is not subscriptable"),
            sig("TypeError", "object of type 'zip' has no len()"),
        ]),
        Rewrite::Code(ngrams),
        example(
            "import nltk\npairs = nltk.bigrams(words)\nfirst = pairs[:2]\n",
            ("TypeError", "'generator' object is not subscriptable"),
            "import nltk\npairs = list(nltk.bigrams(words))\nfirst = pairs[:2]\n",
        ),
    ),
];

/// Old and new names of data packages.
const RESOURCES: [(&str, &str); 3] = [
    ("punkt", "punkt_tab"),
    ("averaged_perceptron_tagger", "averaged_perceptron_tagger_eng"),
    ("maxent_ne_chunker", "maxent_ne_chunker_tab"),
];

fn resources(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(Callee::Function("nltk", "download"), place, call) {
            return;
        }
        let named = shape::keyword(call, "info_or_id").map(|keyword| &keyword.value);
        let Some(wanted) = call.arguments.args.first().or(named) else { return };
        let edits = shape::elements(wanted).unwrap_or(std::slice::from_ref(wanted)).iter().filter_map(|name| {
            let (_, new) = RESOURCES.iter().find(|(old, _)| shape::text(name) == Some(old))?;
            Some(replacement(name.range(), format!("'{new}'")))
        });
        change.edit(place, call.range().start(), edits.collect());
    });
}

/// What was an attribute of a sense, and of a lemma.
const OF_SENSES: [&str; 7] = ["name", "definition", "examples", "lemmas", "lemma_names", "pos", "offset"];
const OF_LEMMAS: [&str; 3] = ["name", "synset", "key"];

fn word_senses(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Expr::Attribute(attribute) = expression else { return };
        let name = attribute.attr.as_str();
        let is_called = matches!(around.parent(), Some(Expr::Call(call)) if call.func.range() == expression.range());
        if is_called || !attribute.ctx.is_load() {
            return;
        }
        let is_of = |class, names: &[&str]| {
            names.contains(&name) && view.receiver_is_certain(On::Instance(class), &attribute.value)
        };
        if is_of("Synset", &OF_SENSES) || is_of("Lemma", &OF_LEMMAS) {
            change.edit(place, expression.start(), vec![insertion(expression.end(), "()")]);
        }
    });
}

fn is_frequencies(view: &View<'_>, expression: &Expr) -> bool {
    let is_class = |kind: &Kind| matches!(kind, Kind::Instance(class) if class.starts_with("nltk.") && class.ends_with(".FreqDist"));
    let found = view.kinds(expression);
    !found.is_empty() && found.iter().all(is_class)
}

fn frequencies(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, method)) = shape::method(call) else { return };
        if !is_frequencies(view, &attribute.value) {
            return;
        }
        let parsed = view.parsed(place);
        let receiver = receiver_text(parsed, attribute);
        let indexed = matches!(around.parent(), Some(Expr::Subscript(next)) if next.value.range() == call.range());
        let text = match (method, &call.arguments.args[..]) {
            ("inc", [sample]) if around.parent().is_none() => {
                format!("{receiver}[{}] += 1", parsed.text(sample.range()))
            }
            ("inc", [sample, count]) if around.parent().is_none() => {
                format!("{receiver}[{}] += {}", parsed.text(sample.range()), parsed.text(count.range()))
            }
            ("samples", []) => format!("[sample for sample, _ in {receiver}.most_common()]"),
            ("keys", []) if indexed => format!("[sample for sample, _ in {receiver}.most_common()]"),
            ("values", []) if indexed => format!("[count for _, count in {receiver}.most_common()]"),
            ("items", []) if indexed => format!("{receiver}.most_common()"),
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}

fn ngrams(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let known = ["bigrams", "trigrams", "ngrams"]
            .iter()
            .any(|name| view.is_call_of(Callee::Function("nltk", name), place, call));
        let listed = matches!(around.parent(), Some(Expr::Call(outer))
            if matches!(shape::name(&outer.func), Some("list" | "sorted" | "set")));
        if known && !listed {
            let edits = vec![insertion(call.range().start(), "list("), insertion(call.end(), ")")];
            change.edit(place, call.range().start(), edits);
        }
    });
}
