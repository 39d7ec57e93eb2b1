"use strict";

// Keeps the page as the server would show it now, and gives the keyboard a way to search.
// Without it every page works, and is as it was when it was loaded.
(() => {
  const page = document.getElementById("page");
  const note = document.getElementById("connection");
  const { changes, kinds, every } = page ? page.dataset : {};

  const here = document.querySelector("nav [aria-current]");
  if (here) here.scrollIntoView({ block: "nearest", inline: "nearest" });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const search = document.querySelector("input[type=search]");
    if (search) {
      event.preventDefault();
      search.focus();
      search.select();
    }
  });

  if (!changes && !every) return;

  // inUse tells whether somebody is at work within a part of the page.
  const inUse = (part) =>
    part.querySelector("details[open]") !== null ||
    (part.contains(document.activeElement) && document.activeElement.matches("input, textarea, select, button")) ||
    [...part.querySelectorAll("input, textarea")].some((field) =>
      field.type === "checkbox" ? field.checked !== field.defaultChecked : field.type !== "hidden" && field.value !== field.defaultValue);

  // swap replaces the parts that are not as before.
  const swap = (next) => {
    const old = [...page.children];
    const fresh = [...next.children];
    if (old.length !== fresh.length) {
      if (!inUse(page)) page.replaceChildren(...fresh);
      return;
    }
    old.forEach((part, i) => {
      if (part.outerHTML !== fresh[i].outerHTML && !inUse(part)) part.replaceWith(fresh[i]);
    });
  };

  // say shows what is wrong with the connection and with the page, the worse first.
  const wrong = { out: false, stream: "", page: "" };
  const say = (news) => {
    Object.assign(wrong, news);
    if (wrong.out) {
      if (note.querySelector("a")) return;
      const link = document.createElement("a");
      link.href = "/signin";
      link.textContent = "Sign in";
      note.replaceChildren("Signed out. ", link);
      return;
    }
    const text = wrong.stream || wrong.page;
    if (note.textContent !== text) note.textContent = text;
  };
  const gone = "Not connected to the loop. Trying again…";
  const rest = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

  // load asks for the page once, and tells whether it could.
  const load = async () => {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const text = await answer.text();
      if (answer.ok) {
        const next = new DOMParser().parseFromString(text, "text/html").getElementById("page");
        if (next) swap(next);
      }
      say({ out: answer.status === 401, page: answer.ok ? "" : `The loop answers ${answer.status} for this page. Trying again…` });
      return answer.ok;
    } catch {
      say({ page: gone });
      return false;
    }
  };

  let loading = false;
  let stale = false;
  const refresh = async () => {
    stale = true;
    if (loading || wrong.out) return;
    loading = true;
    while (stale && !document.hidden && !wrong.out) {
      stale = false;
      const done = await load();
      if (!done) stale = true;
      await rest(done ? 1 : 5);
    }
    loading = false;
  };

  document.addEventListener("visibilitychange", () => {
    if (stale) refresh();
  });
  if (every) setInterval(refresh, Number(every));
  if (!changes) return;

  // concerns tells whether what changed is something that the page shows.
  const concerns = (event) => {
    const { changes, more } = JSON.parse(event.data);
    return event.type !== "contexts" || more || changes.some(({ kind }) => kinds.split(" ").includes(kind));
  };

  let source;
  let lost = false;
  const listen = () => {
    if (wrong.out) return;
    source = new EventSource(changes);
    source.addEventListener("open", () => {
      say({ stream: "" });
      if (lost) refresh();
      lost = false;
    });
    source.addEventListener("error", async () => {
      lost = true;
      say({ stream: gone });
      if (source.readyState !== EventSource.CLOSED) return; // it tries again itself
      refresh(); // tells whether somebody is signed in
      await rest(5);
      listen();
    });
    for (const topic of new URL(source.url).searchParams.getAll("topics")) {
      source.addEventListener(topic, (event) => {
        if (concerns(event)) refresh();
      });
    }
  };
  listen();
  addEventListener("pagehide", () => source.close());
})();
