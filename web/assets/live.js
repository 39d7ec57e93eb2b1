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

  let loading = false;
  let stale = false;
  const refresh = async () => {
    stale = true;
    if (loading || document.hidden) return;
    loading = true;
    while (stale && !document.hidden) {
      stale = false;
      try {
        const answer = await fetch(location.href, { cache: "no-store" });
        const text = await answer.text();
        const next = new DOMParser().parseFromString(text, "text/html").getElementById("page");
        if (answer.ok && next) swap(next);
      } catch {
        break; // the connection tells when it is back
      }
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
  const source = new EventSource(changes);
  let lost = false;
  source.addEventListener("open", () => {
    note.textContent = "";
    if (lost) refresh();
    lost = false;
  });
  source.addEventListener("error", () => {
    lost = true;
    note.textContent = "Not connected to the loop. Trying again…";
  });
  for (const topic of new URL(source.url).searchParams.getAll("topics")) {
    source.addEventListener(topic, (event) => {
      if (concerns(event)) refresh();
    });
  }
  addEventListener("pagehide", () => source.close());
})();
