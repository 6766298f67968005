/** Whether a dialog or an explanation lies over the page and has the keys. Falling pennants have none. */
export const covered = (): boolean =>
  document.querySelector("dialog[open], :popover-open:not([aria-hidden])") !== null;
