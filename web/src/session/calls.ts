/**
 * Call someone to the table when it is their turn: by the page's title and icon, by ear, and where allowed
 * by a notification.
 */

import * as t from "../speech/session";
import { store } from "../net/store";
import { play as sound } from "../ui/sound";

export const CALL = t.yourTurnInTitle;

const link = (): HTMLLinkElement | null => document.querySelector('link[rel="icon"]');
/** The page's icon with a mark on it. */
const MARKED = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">' +
    '<rect width="64" height="64" rx="14" fill="#27493d"/>' +
    '<path d="M18 15h6v6h5v-6h6v6h5v-6h6v15l-5 5v9l-4 8H27l-4-8v-9l-5-5z" fill="#f3e7c9"/>' +
    '<circle cx="50" cy="14" r="14" fill="#e2503f"/></svg>',
)}`;

export const canNotify = (): boolean => typeof Notification !== "undefined";

/** Ask the browser whether it may call; only a button does that, never the page by itself. */
export async function allowCalls(): Promise<boolean> {
  const allowed = canNotify() && (await Notification.requestPermission()) === "granted";
  store.set({ calls: allowed });
  return allowed;
}

export const callsAllowed = (): boolean =>
  canNotify() && Notification.permission === "granted" && (store.settings().calls ?? false);

export class Calls {
  private plain = "";
  private shown: Notification | null = null;
  private titles: MutationObserver | null = null;
  private calling = false;

  /** Call, or be quiet; `news` says that the turn has just come. */
  call(calling: boolean, news: boolean, game: string): void {
    this.calling = calling;
    const icon = link();
    if (icon) {
      this.plain ||= icon.href;
      icon.href = calling ? MARKED : this.plain;
      icon.type = "image/svg+xml";
    }
    // The page writes its title again as it likes: what is put before it has to be put there again.
    this.titles ??= new MutationObserver(() => this.entitle());
    this.titles.observe(document.head, { subtree: true, childList: true, characterData: true });
    this.entitle();
    if (!calling) this.shown?.close();
    if (!calling || !news) return;
    sound("turn");
    if (document.hidden && callsAllowed()) this.notify(game);
  }

  private entitle(): void {
    const plain = document.title.replace(CALL, "");
    const title = this.calling ? CALL + plain : plain;
    if (document.title !== title) document.title = title;
  }

  private notify(game: string): void {
    try {
      this.shown = new Notification(t.yourTurn, { body: game, tag: "bartizan turn" });
      this.shown.onclick = () => {
        window.focus();
        this.shown?.close();
      };
    } catch {
      // Some phones allow it to service workers only.
    }
  }

  rest(): void {
    this.calling = false;
    this.titles?.disconnect();
    this.titles = null;
    this.shown?.close();
    document.title = document.title.replace(CALL, "");
    const icon = link();
    if (icon && this.plain) icon.href = this.plain;
  }
}
