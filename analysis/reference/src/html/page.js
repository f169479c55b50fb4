(() => {
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const named = [...document.querySelectorAll("[data-name]")];
  const groups = [...document.querySelectorAll("[data-group]")];
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const it of named) {
      const name = it.dataset.name.toLowerCase();
      it.hidden = !words.every((word) => name.includes(word));
      if (it.tagName === "LI" && !it.hidden) count += 1;
    }
    for (const it of groups) it.hidden = !it.querySelector("[data-name]:not([hidden])");
    found.textContent = words.length === 0 ? "" : count === 1 ? "1 match" : `${count} matches`;
  };
  search.addEventListener("input", filter);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && document.activeElement === search) {
      search.value = "";
      filter();
    }
  });
  // A link to a definition that the search hides shows it again.
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      search.value = "";
      filter();
      target.scrollIntoView();
    }
  });
  filter();
})();
