//! What changed in gensim.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::receiver_text;
use crate::change::{Change, insertion};
use crate::keywords::{Fate, keyword};
use crate::kind::Kind;
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const fn of(name: &'static str) -> Callee {
    Callee::Function("gensim", name)
}

static RULES: &[Rule] = &[
    Rule::new(
        "gensim-loaded-vectors",
        ("gensim", "1.0.0"),
        "files of word vectors are read by KeyedVectors",
        Trigger::Error(&[sig("AttributeError", "'Word2Vec' has no attribute 'load_word2vec_format'")]),
        Rewrite::Move(&[
            ("gensim.models.Word2Vec.load_word2vec_format", "gensim.models:KeyedVectors.load_word2vec_format"),
            ("gensim.models.word2vec.Word2Vec.load_word2vec_format", "gensim.models:KeyedVectors.load_word2vec_format"),
        ]),
        example(
            "from gensim.models import Word2Vec\nm = Word2Vec.load_word2vec_format('v.txt')\n",
            ("AttributeError", "type object 'Word2Vec' has no attribute 'load_word2vec_format'"),
            "from gensim.models import KeyedVectors\nfrom gensim.models import Word2Vec\nm = KeyedVectors.load_word2vec_format('v.txt')\n",
        ),
    )
    .certain(),
    Rule::new(
        "gensim-model-parameters",
        ("gensim", "4.0.0"),
        "size and iter of the word models are vector_size and epochs",
        Trigger::Error(&[
            sig("TypeError", "__init__() got an unexpected keyword argument 'size'"),
            sig("TypeError", "__init__() got an unexpected keyword argument 'iter'"),
            sig("TypeError", "infer_vector() got an unexpected keyword argument 'steps'"),
        ]),
        Rewrite::Keyword(&[
            keyword(of("Word2Vec"), "size", Fate::Renamed("vector_size")),
            keyword(of("Word2Vec"), "iter", Fate::Renamed("epochs")),
            keyword(of("FastText"), "size", Fate::Renamed("vector_size")),
            keyword(of("FastText"), "iter", Fate::Renamed("epochs")),
            keyword(of("Doc2Vec"), "size", Fate::Renamed("vector_size")),
            keyword(of("Doc2Vec"), "iter", Fate::Renamed("epochs")),
            keyword(Callee::Method(On::AtFault, "infer_vector"), "steps", Fate::Renamed("epochs")),
        ]),
        example(
            "from gensim.models import Word2Vec\nm = Word2Vec(docs, size=5, min_count=1, iter=3)\n",
            ("TypeError", "Word2Vec.__init__() got an unexpected keyword argument 'size'"),
            "from gensim.models import Word2Vec\nm = Word2Vec(docs, vector_size=5, min_count=1, epochs=3)\n",
        ),
    )
    .certain(),
    Rule::new(
        "gensim-phrase-delimiter",
        ("gensim", "4.0.0"),
        "words of a phrase are joined by text, and were by bytes",
        Trigger::Error(&[
            sig("TypeError", "sequence item 0: expected a bytes-like object, str found"),
            sig("TypeError", "expected a bytes-like object, str found"),
        ]),
        Rewrite::Code(phrase_delimiter),
        example(
            "from gensim.models import Phrases\np = Phrases(docs, min_count=1, threshold=0.1, delimiter=b' ')\n",
            ("TypeError", "sequence item 0: expected a bytes-like object, str found"),
            "from gensim.models import Phrases\np = Phrases(docs, min_count=1, threshold=0.1, delimiter=' ')\n",
        ),
    )
    .certain(),
    Rule::new(
        "gensim-word-counts",
        ("gensim", "4.0.0"),
        "the count and the place of a word are asked for by its name",
        Trigger::Error(&[
            sig("AttributeError", "The vocab attribute was removed from KeyedVector"),
            sig("AttributeError", "'int' object has no attribute 'count'"),
            sig("AttributeError", "'int' object has no attribute 'index'"),
        ]),
        Rewrite::Code(word_counts),
        example(
            "from gensim.models import Word2Vec\nm = Word2Vec(docs, min_count=1)\nn = m.wv.vocab['a'].count\ni = m.wv.vocab['a'].index\n",
            ("AttributeError", "The vocab attribute was removed from KeyedVector in Gensim 4.0.0."),
            "from gensim.models import Word2Vec\nm = Word2Vec(docs, min_count=1)\nn = m.wv.get_vecattr('a', 'count')\ni = m.wv.key_to_index['a']\n",
        ),
    )
    .certain(),
    Rule::new(
        "gensim-vocabulary",
        ("gensim", "4.0.0"),
        "vocab, index2word and syn0 are key_to_index, index_to_key and vectors",
        Trigger::Error(&[
            sig("AttributeError", "The vocab attribute was removed from KeyedVector"),
            sig("AttributeError", "attribute has been replaced by index_to_key"),
            sig("AttributeError", "object has no attribute 'syn0'"),
            sig("AttributeError", "object has no attribute 'index2entity'"),
            sig("AttributeError", "2Vec' object has no attribute 'iter'"),
        ]),
        Rewrite::Method(&[
            renamed(On::AtFault, "iter", "epochs"),
            renamed(On::Any, "index2word", "index_to_key"),
            renamed(On::Any, "index2entity", "index_to_key"),
            renamed(On::Any, "syn0", "vectors"),
            renamed(On::Instance("KeyedVectors"), "vocab", "key_to_index"),
        ]),
        example(
            "from gensim.models import Word2Vec\nm = Word2Vec(docs)\nwords = list(m.wv.vocab)\nnames = m.wv.index2word\n",
            ("AttributeError", "The vocab attribute was removed from KeyedVector in Gensim 4.0.0."),
            "from gensim.models import Word2Vec\nm = Word2Vec(docs)\nwords = list(m.wv.key_to_index)\nnames = m.wv.index_to_key\n",
        ),
    )
    .certain(),
    Rule::new(
        "gensim-word-vectors",
        ("gensim", "4.0.0"),
        "the word vectors and questions of a model are those of its wv",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'most_similar'"),
            sig("AttributeError", "object has no attribute 'index_to_key'"),
            sig("AttributeError", "2Vec' object has no attribute 'vectors'"),
            sig("AttributeError", "object has no attribute 'similarity'"),
            sig("AttributeError", "object has no attribute 'doesnt_match'"),
            sig("AttributeError", "object has no attribute 'n_similarity'"),
            sig("AttributeError", "object has no attribute 'wmdistance'"),
            sig("TypeError", "object is not subscriptable"),
            sig("TypeError", "argument of type '*' is not iterable"),
            sig("TypeError", "is not a container or iterable"),
        ]),
        Rewrite::Code(word_vectors),
        example(
            "from gensim.models import Word2Vec\nm = Word2Vec(docs)\na = m['a']\nb = m.most_similar('a')\nc = 'a' in m\n",
            ("TypeError", "'Word2Vec' object is not subscriptable"),
            "from gensim.models import Word2Vec\nm = Word2Vec(docs)\na = m.wv['a']\nb = m.wv.most_similar('a')\nc = 'a' in m.wv\n",
        ),
    )
    .certain(),
];

/// Questions that a model answered itself, and what it held, by the names that another rule gives it before.
const QUESTIONS: [&str; 11] = [
    "most_similar",
    "most_similar_cosmul",
    "similarity",
    "doesnt_match",
    "n_similarity",
    "wmdistance",
    "similar_by_word",
    "similar_by_vector",
    "vocab",
    "index_to_key",
    "vectors",
];

/// Models that hold word vectors.
const MODELS: [&str; 3] = ["Word2Vec", "FastText", "Doc2Vec"];

/// What is known for a model, and the name that an error takes for one.
fn phrase_delimiter(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(delimiter) = shape::keyword(call, "delimiter").filter(|_| view.is_call_of(of("Phrases"), place, call))
        else {
            return;
        };
        let text = view.parsed(place).text(delimiter.value.range());
        if let Some(text) = text.strip_prefix('b').filter(|_| delimiter.value.is_bytes_literal_expr()) {
            change.replace(place, delimiter.value.range(), text);
        }
    });
}

fn word_vectors(view: &View<'_>, change: &mut Change<'_>) {
    let is_told =
        view.errors.iter().any(|error| MODELS.iter().any(|model| error.evalue.contains(&format!("'{model}'"))));
    view.expressions(|place, expression, _| {
        let is_model = |model: &Expr| {
            let is_blamed = || is_told && model.is_name_expr() && view.at_fault(place, expression.range());
            is_model(view, model) || may_be_model(view, model) && is_blamed()
        };
        match expression {
            Expr::Attribute(attribute)
                if QUESTIONS.contains(&attribute.attr.as_str())
                    && view.qualified(expression).is_none()
                    && is_model(&attribute.value) =>
            {
                change.edit(place, attribute.value.end(), vec![insertion(attribute.value.end(), ".wv")]);
            }
            Expr::Subscript(subscript) if is_model(&subscript.value) => {
                change.edit(place, subscript.value.end(), vec![insertion(subscript.value.end(), ".wv")]);
            }
            Expr::Compare(compare) => {
                for (op, value) in compare.ops.iter().zip(&compare.comparators) {
                    if (op.is_in() || op.is_not_in()) && is_model(value) && shape::is_primary(value) {
                        change.edit(place, value.end(), vec![insertion(value.end(), ".wv")]);
                    }
                }
            }
            _ => {}
        }
    });
}

/// Whether it is a model of word vectors for certain.
fn is_model(view: &View<'_>, expression: &Expr) -> bool {
    let kinds = view.kinds(expression);
    !kinds.is_empty() && kinds.iter().all(is_model_kind)
}

/// Whether it may be one, among others of its name.
fn may_be_model(view: &View<'_>, expression: &Expr) -> bool {
    let kinds = view.kinds(expression);
    kinds.is_empty() || kinds.iter().any(is_model_kind)
}

fn is_model_kind(kind: &Kind) -> bool {
    let Kind::Instance(class) = kind else { return false };
    class.starts_with("gensim") && MODELS.contains(&class.rsplit('.').next().unwrap_or_default())
}

/// `wv.vocab[word].count`, also where another rule has renamed `vocab` before.
fn word_counts(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Expr::Attribute(attribute) = expression else { return };
        let Expr::Subscript(word) = attribute.value.as_ref() else { return };
        let Expr::Attribute(vocabulary) = word.value.as_ref() else { return };
        let is_called = matches!(around.parent(), Some(Expr::Call(call)) if call.func.range() == expression.range());
        if is_called || !matches!(vocabulary.attr.as_str(), "vocab" | "key_to_index") {
            return;
        }
        let vectors = receiver_text(view.parsed(place), vocabulary);
        let word = view.parsed(place).text(word.slice.range());
        let text = match attribute.attr.as_str() {
            "count" => format!("{vectors}.get_vecattr({word}, 'count')"),
            "index" => format!("{vectors}.key_to_index[{word}]"),
            _ => return,
        };
        change.replace(place, expression.range(), text);
    });
}
