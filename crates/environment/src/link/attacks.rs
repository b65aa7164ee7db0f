//! Hosts that are allowed, and attack who fetches from them.
//!
//! The name resolves to loopback, where a server answers over plain HTTP; all else is what runs.

use std::cell::Cell;
use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::thread;

use super::fetch::Ways;
use super::public::is_public;
use super::*;
use crate::home::Home;

const WHEEL: &str = "https://files.example.org/a/nbx-1.0-py3-none-any.whl";

fn hosts() -> Vec<HostName> {
    vec![HostName::try_from("files.example.org".to_owned()).unwrap()]
}

fn link(text: &str) -> Link {
    Link::parse(text, &hosts()).unwrap()
}

/// A wheel that says that it is of that name and version.
fn wheel(name: &str, version: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let about = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: six\n");
    archive
        .start_file(format!("{name}-{version}.dist-info/METADATA"), zip::write::SimpleFileOptions::default())
        .unwrap();
    archive.write_all(about.as_bytes()).unwrap();
    archive.finish().unwrap().into_inner()
}

/// Answers every request by its path; gives its port.
fn serve(listener: TcpListener, answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> u16 {
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut lines: Vec<String> = Vec::new();
            while lines.last().is_none_or(|line| line.len() > 2) {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 {
                    break;
                }
                lines.push(line);
            }
            let path = lines.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
            answer(&path, &mut stream);
        }
    });
    port
}

fn listener() -> TcpListener {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()
}

fn body(bytes: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", bytes.len());
    [head.as_bytes(), bytes].concat()
}

fn redirect(to: &str) -> Vec<u8> {
    format!("HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: {to}\r\n\r\n").into_bytes()
}

/// A network in which the host is this machine.
fn local(port: u16) -> Ways {
    let resolve = |_: &str| Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]);
    Ways { resolve: Box::new(resolve), admits: |_| true, plain: Some(port), longest: 1 << 20 }
}

fn fetched(ways: &Ways, text: &str) -> Result<Fetched, String> {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let fetched = ways.fetch(&home, &link(text)).map_err(|error| error.why);
    if fetched.is_err() {
        assert_eq!(std::fs::read_dir(home.builds()).into_iter().flatten().count(), 0, "something is left");
    }
    fetched
}

fn refused(ways: &Ways, text: &str, words: &str) {
    match fetched(ways, text) {
        Err(why) => assert!(why.contains(words), "{why}"),
        Ok(fetched) => panic!("it was taken: {fetched:?}"),
    }
}

#[test]
fn addresses_are_of_allowed_hosts_over_https_and_name_an_archive() {
    let good = [
        WHEEL,
        "nbx @ https://files.example.org/nbx-1.0.tar.gz",
        "https://files.example.org/nb-x-1.0.zip",
        "https://FILES.example.org:443/nbx-1.0%2Bcu1-cp312-cp312-linux_x86_64.whl",
    ];
    for text in good {
        assert!(Link::parse(text, &hosts()).is_some(), "{text}");
        assert!(Link::parse(text, &[]).is_none(), "{text}");
    }
    let file = "nbx-1.0-py3-none-any.whl";
    let bad = [
        "http://files.example.org/F",
        "ftp://files.example.org/F",
        "git+https://files.example.org/F",
        "https://example.org/F",
        "https://evil.files.example.org/F",
        "https://files.example.org.evil.example/F",
        "https://files.example.org./F",
        "https://evil.example\\@files.example.org/F",
        "https://user@files.example.org/F",
        "https://user:word@files.example.org/F",
        "https://:word@files.example.org/F",
        "https://files.example.org@evil.example/F",
        "https://files.example.org:8443/F",
        "https://127.0.0.1/F",
        "https://2130706433/F",
        "https://[::1]/F",
        "https://files.example.org/F?x=y",
        "https://files.example.org/F#egg=nbx",
        "https://files.example.org/F#sha256=12",
        "https://files.example.org/F -i https://evil.example",
        "https://files.example.org/F\n-i",
        "other @ https://files.example.org/F",
        "nbx[all] @ https://files.example.org/F",
        "-e https://files.example.org/F",
        "https://files.example.org/",
        "https://files.example.org/nbx.whl",
        "https://files.example.org/nbx.tar.gz",
        "https://files.example.org/nbx-1.0.exe",
        "https://files.example.org/nbx-one.tar.gz",
        "https://files.example.org/..%2Fnbx-1.0.tar.gz",
        "https://files.example.org/nbx-1.0-py3-none-any.whl/",
    ];
    for text in bad {
        assert_eq!(Link::parse(&text.replace('F', file), &hosts()), None, "{text}");
    }
}

#[test]
fn hosts_are_plain_names() {
    assert!(HostName::try_from("files.example.org".to_owned()).is_ok());
    let bad = "localhost|127.0.0.1|0x7f.1|2130706433|[::1]|files.example.org:443|https://files.example.org|files.example.org/|\
               *.example.org|Files.example.org|files.example.org.|.org|a@files.example.org||a b.org|127.1";
    for text in bad.split('|') {
        assert!(HostName::try_from(text.to_owned()).is_err(), "{text}");
    }
}

#[test]
fn a_wheel_is_fetched_over_a_redirect_on_its_host_and_known_by_its_content() {
    let bytes = wheel("nbx", "1.0");
    let port = serve(listener(), move |path, stream| {
        let reply = if path.starts_with("/a/") { redirect("/b/other") } else { body(&bytes) };
        let _ = stream.write_all(&reply);
    });
    let one = fetched(&local(port), WHEEL).unwrap();
    assert_eq!(one.requires.as_deref(), Some(["six".to_owned()].as_slice()));
    let digest = one.sha256;
    assert!(one.requested().contains(&digest.to_string()));
    assert_eq!(fetched(&local(port), &format!("{WHEEL}#sha256={digest}")).unwrap().sha256, digest);
    let port = serve(listener(), move |_, stream| drop(stream.write_all(&body(&wheel("nbx", "1")))));
    assert_ne!(fetched(&local(port), WHEEL).unwrap().requested(), one.requested());
}

#[test]
fn another_digest_is_refused() {
    let port = serve(listener(), |_, stream| drop(stream.write_all(&body(&wheel("nbx", "1.0")))));
    refused(&local(port), &format!("{WHEEL}#sha256={}", "0".repeat(64)), "its digest is");
}

#[test]
fn a_wheel_that_lies_about_its_name_or_version_is_refused() {
    for (name, version) in [("six", "1.0"), ("nbx", "2.0")] {
        let port = serve(listener(), move |_, stream| drop(stream.write_all(&body(&wheel(name, version)))));
        refused(&local(port), WHEEL, "no wheel of nbx 1.0");
    }
    let port = serve(listener(), |_, stream| drop(stream.write_all(&body(b"<html>"))));
    assert!(fetched(&local(port), WHEEL).is_err());
}

#[test]
fn a_redirect_leads_nowhere_else() {
    let target = listener();
    target.set_nonblocking(true).unwrap();
    let away = target.local_addr().unwrap();
    for to in [
        format!("http://{away}/nbx-1.0-py3-none-any.whl"),
        format!("http://evil.example:{}/x", away.port()),
        format!("http://files.example.org:{}/x", away.port()),
        "https://files.example.org/x".to_owned(),
        format!("//evil.example:{}/x", away.port()),
        "file:///etc/passwd".to_owned(),
        "http://user@files.example.org:PORT/x".to_owned(),
    ] {
        let listener = listener();
        let to = to.replace("PORT", &listener.local_addr().unwrap().port().to_string());
        let port = serve(listener, move |_, stream| drop(stream.write_all(&redirect(&to))));
        refused(&local(port), WHEEL, "redirects elsewhere");
    }
    assert!(target.accept().is_err(), "it reached out");
    let port = serve(listener(), |_, stream| drop(stream.write_all(&redirect("/again"))));
    refused(&local(port), WHEEL, "again and again");
}

#[test]
fn a_redirect_to_plain_http_is_refused() {
    let port = serve(listener(), |_, stream| drop(stream.write_all(&body(b""))));
    // Over HTTPS nothing is sent to a server without it, and nothing in the open.
    let secure = Ways { plain: None, ..local(port) };
    assert!(fetched(&secure, WHEEL).is_err());
    let (https, http) = ("https://files.example.org/x", "http://files.example.org/x");
    assert!(fetch::next(&https.parse().unwrap(), http).is_err());
    assert!(fetch::next(&https.parse().unwrap(), "/y").is_ok());
}

#[test]
fn a_name_that_resolves_to_this_machine_is_refused_before_anything_is_connected() {
    let target = listener();
    target.set_nonblocking(true).unwrap();
    let port = target.local_addr().unwrap().port();
    for addresses in
        [vec!["127.0.0.1"], vec!["::ffff:127.0.0.1"], vec!["93.184.215.14", "127.0.0.1"], vec!["169.254.169.254"]]
    {
        let resolve = move |_: &str| Ok(addresses.iter().map(|text| text.parse().unwrap()).collect());
        let ways = Ways { resolve: Box::new(resolve), admits: is_public, ..local(port) };
        refused(&ways, WHEEL, "not one of the public network");
    }
    assert!(target.accept().is_err(), "it was reached");
    // The way is open without the check.
    thread::spawn(move || fetched(&local(port), WHEEL));
    while target.accept().is_err() {
        thread::yield_now();
    }
}

#[test]
fn a_name_that_resolves_otherwise_later_is_resolved_once() {
    let first = listener();
    let port = first.local_addr().unwrap().port();
    // The second answer's machine has the same port.
    let second = TcpListener::bind((Ipv4Addr::new(127, 0, 0, 2), port)).unwrap();
    second.set_nonblocking(true).unwrap();
    serve(first, |path, stream| {
        let reply = if path == "/b" { body(&wheel("nbx", "1.0")) } else { redirect("/b") };
        drop(stream.write_all(&reply));
    });
    let asked = std::rc::Rc::new(Cell::new(0));
    let count = std::rc::Rc::clone(&asked);
    let resolve = move |_: &str| {
        count.set(count.get() + 1);
        Ok(vec![IpAddr::V4(Ipv4Addr::new(127, 0, 0, count.get()))])
    };
    let admits = |address: IpAddr| address == IpAddr::V4(Ipv4Addr::LOCALHOST);
    let ways = Ways { resolve: Box::new(resolve), admits, ..local(port) };
    fetched(&ways, WHEEL).unwrap();
    assert_eq!(asked.get(), 1);
    assert!(second.accept().is_err(), "it was reached");
    // Asked again, the name has another address, which is refused.
    refused(&ways, WHEEL, "127.0.0.2");
}

#[test]
fn a_body_without_end_is_cut() {
    let port = serve(listener(), |_, stream| {
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        while sent.is_ok() {
            sent = stream.write_all(&[0; 4096]);
        }
    });
    refused(&local(port), WHEEL, "longer than");
}
