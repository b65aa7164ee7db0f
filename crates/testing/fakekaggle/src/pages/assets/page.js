"use strict";
// What the viewer and the list share: elements, calls of the internal service, texts of dates.
window.page = (() => {
  const root = document.documentElement;
  const layout = root.dataset.layout;
  const now = new Date(root.dataset.now);
  let drawn = 0;

  // Class names change with each deployment of the real site; nobody must rely on them.
  const hashed = () => {
    drawn += 1;
    const number = (drawn * 2654435761 + layout.length * 40503) >>> 0;
    return `sc-${number.toString(36)} ${(number ^ 0x5bd1e995).toString(36).replace("-", "x")}`;
  };

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    element.className = hashed();
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "onclick") element.addEventListener("click", value);
      else element.setAttribute(key, value);
    }
    for (const child of children.flat()) {
      if (child !== null && child !== undefined) element.append(child);
    }
    return element;
  };

  const cookie = (name) => {
    const pair = document.cookie.split("; ").find((text) => text.startsWith(`${name}=`));
    return pair ? pair.slice(name.length + 1) : "";
  };

  const call = async (method, body) => {
    const response = await fetch(`/api/i/${method}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-XSRF-TOKEN": cookie("XSRF-TOKEN"),
        "x-kaggle-build-version": "fake",
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method}: ${response.status}`);
    return response.json();
  };

  const ago = (moment) => {
    const minutes = Math.max(0, Math.floor((now - moment) / 60000));
    if (minutes < 60) return `${minutes}m ago`;
    if (minutes < 1440) return `${Math.floor(minutes / 60)}h ago`;
    if (minutes < 43200) return `${Math.floor(minutes / 1440)}d ago`;
    return minutes < 525600 ? `${Math.floor(minutes / 43200)}mo ago` : `${Math.floor(minutes / 525600)}y ago`;
  };

  const overlay = () => {
    const style = "position:fixed;inset:0;z-index:9999;background:rgba(0,0,0,.5)";
    return make(
      "div",
      { style, role: "dialog", "aria-label": "Sign in" },
      make("p", {}, "Kaggle uses cookies from Google to deliver and enhance the quality of its services."),
      make("button", { onclick: (event) => event.target.closest("[role=dialog]").remove() }, "OK, Got it."),
    );
  };

  const show = (...children) => {
    document.getElementById("site-content").replaceChildren(...children);
    if (root.dataset.overlay === "on") document.body.append(overlay());
  };

  const fail = (error) => show(make("h1", {}, "Something went wrong"), make("p", {}, String(error.message)));

  return { layout, make, call, ago, show, fail };
})();
