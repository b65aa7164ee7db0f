//! Messages of a kernel that want to break their readers; see the crate `fuzz`.

use bytes::Bytes;
use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};
use nbrevive_notebook::{Cell, CellKind, Notebook, read, write};

use crate::collector::{Collector, error_parts};
use crate::settings::ExecutionSettings;
use crate::sieve::Sieve;
use crate::traceback::cell_line;
use crate::wire::{Signer, decode};

const STREAM: &[u8] = br#"{"msg_type": "stream", "date": "2020-01-02T03:04:05.000006Z"}	{"msg_id": "a_1"}	{}	{"name": "stdout", "text": "a\rb\u0008\n"}
{"msg_type": "display_data"}	{}	{}	{"data": {"text/plain": "x", "a/b+json": [{"a": NaN}]}, "metadata": {}, "transient": {"display_id": "i"}}
{"msg_type": "update_display_data"}	{}	{}	{"data": {"text/plain": "y"}, "transient": {"display_id": "i"}}
{"msg_type": "clear_output"}	{}	{}	{"wait": true}"#;
const ERROR: &[u8] = br#"{"msg_type": "error"}	{}	{}	{"ename": "E", "evalue": "v (3.py, line 2)", "traceback": ["\u001b[31mCell In[1], line 3\u001b[0m\n---> 3 x"]}
{"msg_type": "execute_result"}	{}	{}	{"execution_count": 3, "data": {"text/html": "<script>"}, "metadata": {"a": []}}"#;

/// Most parts of a message here: what millions of empty ones cost is the wire's affair.
const MOST_PARTS: usize = 1000;

/// Takes every line as a message of four parts, rightly signed, and writes the notebook that comes of it.
fn messages(bytes: &[u8]) -> u64 {
    let signer = Signer::new("key").expect("a key of any length serves");
    let mut collector = Collector::new(2, &ExecutionSettings::default());
    let mut code = 0_u64;
    // To sign millions of empty ones would be all that they cost.
    for (number, line) in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let parts: Vec<Bytes> = line.splitn(MOST_PARTS, |byte| *byte == b'\t').map(Bytes::copy_from_slice).collect();
        let signature = Bytes::from(signer.sign(&parts));
        let frames =
            [vec![Bytes::from_static(b"identity"), Bytes::from_static(b"<IDS|MSG>"), signature], parts].concat();
        let Some(message) = decode(&signer, &frames) else { continue };
        collector.take(number % 2, &message.kind, &message.content);
        let (_, evalue, traceback) = error_parts(&message.content);
        let place = cell_line(&evalue, &traceback).map_or(0, |line| u64::from(line.min(3)));
        code = code.rotate_left(5) ^ code_of(&message.kind) ^ place;
    }
    let mut cell = Cell::code("x");
    cell.kind = CellKind::Code { execution_count: None, outputs: [collector.finish(0), collector.finish(1)].concat() };
    let written = write(&Notebook::from_cells(vec![cell]));
    read(written.as_bytes()).expect("an executed notebook is read again");
    code
}

/// Messages of one kind.
fn many(kind: &str, content: &str, size: usize) -> Vec<u8> {
    let line = format!("{{\"msg_type\": \"{kind}\"}}\t{{}}\t{{}}\t{content}\n");
    line.repeat(size / line.len()).into_bytes()
}

#[test]
fn of_the_protocol() {
    attack(&FuzzTarget {
        name: "message",
        test: "fuzz::of_the_protocol",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[STREAM, ERROR],
        words: &[
            b"[",
            b"]",
            b"{",
            b"}",
            b"{\"a\":",
            b"\"",
            b"\\",
            b",",
            b"\t",
            b"\n",
            b"\\r",
            b"\\u0008",
            b"\\ud83d",
            b"\\u001b[",
            b"Cell In[",
            b"NaN",
            b"1e9",
            b"{\"\":0}",
        ],
        shapes: &[
            Shape { name: "streams", make: |size| many("stream", r#"{"text": "x\r"}"#, size) },
            Shape {
                name: "displays",
                make: |size| many("display_data", r#"{"data": {}, "transient": {"display_id": "i"}}"#, size),
            },
            Shape {
                name: "displays cleared",
                make: |size| {
                    let both = [
                        many("display_data", r#"{"transient": {"display_id": "i"}}"#, 1),
                        many("display_data", r#"{"data": {}, "transient": {"display_id": "i"}}"#, 90),
                        many("display_data", r#"{"data": {}, "transient": {"display_id": "i"}}"#, 90),
                        many("clear_output", "{}", 60),
                    ];
                    both.concat().repeat(size / 240)
                },
            },
            Shape { name: "errors", make: |size| many("error", r#"{"ename": "E", "traceback": ["a", "b"]}"#, size) },
            Shape {
                name: "objects",
                make: |size| {
                    let objects = vec![r#"{"":0}"#; size / 7].join(",");
                    many("display_data", &format!(r#"{{"data": {{"a/b+json": [{objects}]}}}}"#), size)
                },
            },
            Shape {
                name: "a long id",
                make: |size| {
                    many("display_data", &format!(r#"{{"transient": {{"display_id": "{}"}}}}"#, "i".repeat(size)), size)
                },
            },
            Shape {
                name: "a long traceback",
                make: |size| {
                    many("error", &format!(r#"{{"traceback": ["{}"]}}"#, "Cell In[1]\\n".repeat(size / 12)), size)
                },
            },
            Shape {
                name: "a frame in a frame",
                make: |size| many("error", &format!(r#"{{"evalue": "{}"}}"#, "(, line ".repeat(size / 8)), size),
            },
        ],
        bytes_per_byte: 500,
        most_bytes: 2 << 30,
        mutations: 8000,
        parse: messages,
    });
}

/// Most bytes of a message that the sieve lets through here.
const MOST: u64 = 1000;

/// Sifts bytes whole and in pieces, which must make no difference; the first byte says how large the pieces are.
fn sift(bytes: &[u8]) -> u64 {
    let pieces = bytes.first().map_or(1, |byte| usize::from(*byte) + 1);
    let sifted = |size: usize| {
        let (mut sieve, mut out) = (Sieve::new(MOST), Vec::new());
        let cuts = bytes.chunks(size).map(|chunk| sieve.pass(chunk, &mut out)).filter(|cut| *cut).count();
        (out, cuts)
    };
    let (whole, cuts) = sifted(bytes.len().max(1));
    assert_eq!(sifted(pieces).0, whole);
    assert!(whole.len() <= bytes.len() + 2, "no more comes out than went in, but for the end of a message");
    whole.len().min(100) as u64 ^ (cuts as u64) << 32
}

#[test]
fn of_the_wire() {
    let greeting = [0xff; 64];
    let message = [&greeting[..], b"\x04\x06\x05READY\x01\x00\x01\x05frame\x00\x03end"].concat();
    let large = [&greeting[..], b"\x03\x00\x00\x00\x00\x00\x00\x07\xd0", &[7; 2000], b"\x00\x03end"].concat();
    attack(&FuzzTarget {
        name: "wire",
        test: "fuzz::of_the_wire",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[&message, &large],
        words: &[
            b"\x00\x00",
            b"\x01\x00",
            b"\x01\x01a",
            b"\x02",
            b"\x03\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x04\x00",
            b"\x07",
            b"\xff",
        ],
        shapes: &[Shape {
            name: "empty frames",
            make: |size| [&[0xff; 64][..], &b"\x01\x00".repeat(size / 2)].concat(),
        }],
        bytes_per_byte: 10,
        most_bytes: usize::MAX,
        mutations: 15_000,
        parse: sift,
    });
}
