() => {
  // Says what runs out of the window or of its box, is cut off, or lies under something: a sentence for each.
  const found = [];
  const root = document.documentElement;
  // Not innerWidth: on a phone that grows with what is too wide.
  const width = root.clientWidth;
  const wide = Math.max(root.scrollWidth, document.body.scrollWidth);
  if (wide > width) found.push(`the page is ${wide} wide`);

  const named = (one) => (one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40);
  const shown = (one) =>
    one.checkVisibility({ visibilityProperty: true }) &&
    one.getBoundingClientRect().width > 0 &&
    !one.closest(".quiet") &&
    getComputedStyle(one).clipPath === "none";

  /** What is left of a box in the window, and whether a box around it cuts it off where nobody can scroll. */
  function seen(one) {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const box = { left, right, top, bottom };
    let cut = false;
    for (let at = one.parentElement; at && at !== root; at = at.parentElement) {
      const style = getComputedStyle(at);
      const frame = at.getBoundingClientRect();
      for (const [way, low, high] of [[style.overflowX, "left", "right"], [style.overflowY, "top", "bottom"]]) {
        if (way === "visible") continue;
        if (/hidden|clip/.test(way) && (box[low] < frame[low] - 1 || box[high] > frame[high] + 1)) cut = true;
        box[low] = Math.max(box[low], frame[low]);
        box[high] = Math.min(box[high], frame[high]);
      }
    }
    if (box.left < -1 || box.right > width + 1) cut = true;
    return { box, cut };
  }

  /** What lies over the middle of a box, or over its ends. */
  function over(box, isOwn) {
    for (const part of [0.5, 0.15, 0.85]) {
      const x = box.left + (box.right - box.left) * part;
      const y = (box.top + box.bottom) / 2;
      const inside = x >= 0 && x < width && y >= 0 && y < root.clientHeight;
      if (!inside || box.right - box.left < 2 || box.bottom - box.top < 2) continue;
      const hit = document.elementFromPoint(x, y);
      if (hit && !isOwn(hit)) return `${hit.tagName} ${hit.className}`.replace(/ svelte-\w+/, "");
    }
    return "";
  }

  /** Whether something stays in sight while the page is scrolled: what lies under it comes out by scrolling. */
  function stays(one) {
    for (let at = one; at && at !== root; at = at.parentElement) if (getComputedStyle(at).position === "sticky") return true;
    return false;
  }

  // Behind a dialog nothing can be used.
  const page = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const words = "button, a, input, select, textarea, summary, label, p, h1, h2, h3, dl, dt, dd, kbd";
  for (const one of page.querySelectorAll(words)) {
    if (!shown(one) || one.closest(".felt")) continue;
    const { box, cut } = seen(one);
    if (cut) found.push(`${one.tagName} ${named(one)} is cut off`);
    // What is said lies over the log until it is put away.
    if (one.matches("button, a, input, select, textarea, summary") && !one.closest(".log")) {
      const lid = over(box, (hit) => one.contains(hit) || hit.contains(one) || stays(hit));
      if (lid) found.push(`${one.tagName} ${named(one)} is covered by ${lid}`);
    }
    const style = getComputedStyle(one);
    if (style.overflowX === "visible" && one.clientWidth && one.scrollWidth > one.clientWidth + 1) {
      found.push(`${one.tagName} ${named(one)} runs out of its box`);
    }
  }

  // Cards may lie over one another, but nothing else over them.
  const felt = page.querySelector(".felt");
  if (felt && felt.scrollWidth > felt.clientWidth) found.push(`the felt is ${felt.scrollWidth} wide`);
  for (const one of felt?.querySelectorAll("button") ?? []) {
    if (!shown(one)) continue;
    const lid = over(seen(one).box, (hit) => felt.contains(hit) || hit.contains(felt));
    if (lid) found.push(`${named(one)} is covered by ${lid}`);
  }
  return found;
}
