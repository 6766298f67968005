/** Talk to a table with one key: a seat's, to play there, or a spectator's, to watch. */

import { type Connection, socketUrl, TableSocket } from "../net/socket";
import { store } from "../net/store";
import type { Agreement, Fair, LogLine, Request, Scene, ServerMessage, Setting, Sync } from "../net/wire";
import { mergeLog } from "../speech/log";

export class TableClient {
  /** What stays the same through the whole table; it comes before the first sync. */
  setting = $state.raw<Setting | null>(null);
  seedHash = $state("");
  agreement = $state.raw<Agreement | null>(null);
  /** What the menu's buttons say for requests, named as in `Sync.allowed`. */
  buttons = $state.raw<Readonly<Record<string, string>>>({});
  /** How the deal comes about; null where nothing is left to chance. */
  fair = $state.raw<Fair | null>(null);
  /** The table as the server showed it last. */
  sync = $state.raw<Sync | null>(null);
  connection = $state<Connection>("connecting");
  /** How many entries the table's log has: more than decisions, as what was taken back is in it too. */
  version = $state(0);
  /** The check value of the log: what the table was at last; "" where it has none. */
  head = $state("");
  /** All lines of this line of play since the page was opened. */
  log = $state.raw<LogLine[]>([]);

  private readonly socket: TableSocket;
  private readonly views = new Map<number, Scene>();

  constructor(
    readonly table: string,
    readonly key: string,
    hear: (message: ServerMessage, client: TableClient) => void,
  ) {
    this.socket = new TableSocket({
      url: socketUrl(window.location, table),
      key,
      invitation: store.entry(table, key).invitation,
      browser: store.browser(),
      onmessage: (message) => {
        if (message.type === "opened") {
          this.setting = message.setting;
          this.seedHash = message.seed_hash;
          this.agreement = message.agreement;
          this.buttons = message.buttons;
        } else if (message.type === "fair") this.fair = message;
        else if (message.type === "sync") {
          this.sync = message;
          this.log = mergeLog(this.log, message.scene.log, message.scene.status.ply);
        }
        if (message.type === "sync" || message.type === "tick") {
          this.version = message.version;
          this.head = message.head;
        }
        hear(message, this);
      },
      onconnection: (state) => {
        this.connection = state;
      },
    });
  }

  get scene(): Scene | null {
    return this.sync?.scene ?? null;
  }

  get seat(): number {
    return this.scene?.seat ?? this.fair?.seat ?? 0;
  }

  ask(request: Request): Promise<ServerMessage> {
    return this.socket.request(request);
  }

  /** Fetch the table as this seat saw it at an earlier version; a sentence where that is not possible. */
  async view(version: number): Promise<Scene | string> {
    const view = this.views.get(version);
    if (view) return view;
    const answer = await this.ask({ type: "at", version });
    if (answer.type !== "view") return answer.type === "error" ? answer.sentence : "";
    this.views.set(version, answer.scene);
    return answer.scene;
  }

  retry(): void {
    this.socket.retry();
  }

  close(): void {
    this.socket.close();
  }
}
