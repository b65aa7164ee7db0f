//! The frame of all pages: a title, meta tags, cookies, and the script that does the rest.

use nbrevive_loopback::{Reply, Request};
use serde_json::Value;

use crate::faults::{Effects, Layout};
use crate::random::Purpose;
use crate::shared::Shared;
use crate::world::FakeWorld;
use nbrevive_loopback::RandomStream;

/// A page with a script and the state that the script starts from.
pub(super) fn page(
    shared: &Shared,
    request: &Request,
    effects: &Effects,
    title: &str,
    script: Option<(&str, Value)>,
) -> Reply {
    let layout = match effects.layout {
        Layout::Current => "current",
        Layout::Embedded => "embedded",
        Layout::Changed => "changed",
    };
    let overlay = if effects.has_overlay { " data-overlay=\"on\"" } else { "" };
    let scripts = script.map(|(file, state)| scripts(file, &state, effects.layout)).unwrap_or_default();
    let (title, now) = (escaped(title), FakeWorld::now().iso());
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\" data-layout=\"{layout}\" data-now=\"{now}\"{overlay}>\n<head>\n\
         <meta charset=\"utf-8\">\n<title>{title}</title>\n<meta property=\"og:title\" content=\"{title}\">\n\
         <meta name=\"robots\" content=\"index, follow\">\n</head>\n<body>\n<main><div id=\"site-content\"></div></main>\n\
         {scripts}</body>\n</html>\n"
    );
    with_cookies(shared, request, Reply::html(200, page))
}

fn scripts(file: &str, state: &Value, layout: Layout) -> String {
    // A title may hold `</script>`: escaped as the real pages do.
    let state = state.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028");
    let start = if layout == Layout::Embedded {
        format!(
            "<script class=\"kaggle-component\">var Kaggle=window.Kaggle||{{}};window.Kaggle=Kaggle;\
             Kaggle.State=Kaggle.State||[];Kaggle.State.push({state});performance && \
             performance.mark(\"KernelViewer.end\");</script>\n"
        )
    } else {
        format!("<script>window.__route={state};</script>\n")
    };
    format!("{start}<script src=\"/static/page.js\"></script>\n<script src=\"/static/{file}\"></script>\n")
}

/// Gives a visitor without cookies those of an anonymous session.
fn with_cookies(shared: &Shared, request: &Request, reply: Reply) -> Reply {
    if request.cookie("XSRF-TOKEN").is_some() {
        return reply;
    }
    let mut stream = RandomStream::of(shared.site.world.spec().seed, Purpose::Secret, 1);
    let reply = reply
        .with("Set-Cookie", &format!("CSRF-TOKEN={}; path=/; samesite=lax; httponly", stream.hex(48)))
        .with("Set-Cookie", &format!("XSRF-TOKEN={}; path=/; samesite=lax", stream.hex(48)));
    if request.cookie("ka_sessionid").is_some() {
        return reply;
    }
    reply.with("Set-Cookie", &format!("ka_sessionid={}; path=/; samesite=lax; httponly", stream.hex(32)))
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Where the site sends visitors for what needs a session: pages to the sign-in page, methods a refusal.
pub(crate) fn login_wall(request: &Request) -> Reply {
    use crate::refusal::{Generation, Refusal};
    let generation = Generation::of(request);
    if generation != Generation::Page {
        return Refusal::new(401, "The session is missing or has ended").reply(generation);
    }
    let back: String = request.target.bytes().map(|byte| format!("%{byte:02X}")).collect();
    Reply::redirect(&format!("/account/login?phase=startSignInTab&returnUrl={back}"))
}

pub(super) fn sign_in() -> Reply {
    Reply::html(
        200,
        "<!DOCTYPE html><html lang=\"en\"><head><title>Login | Kaggle</title></head><body><main>\
         <h1>Welcome back!</h1><form method=\"post\"><button>Sign in with Google</button>\
         <button>Sign in with Email</button></form></main></body></html>",
    )
}
