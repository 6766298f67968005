/** Look at a table through one key: a seat's eyes and voice, or a spectator's eyes. */

import { socketUrl } from "../net/socket";
import { type Connection, TableSocket } from "../net/socket";
import type { LogLine, Request, Scene, ServerMessage, Sync } from "../net/wire";
import { mergeLog } from "../speech/log";

export class Chair {
  told = $state.raw<Sync | null>(null);
  connection = $state<Connection>("connecting");
  /** The table's ply: how many entries its log has. */
  ply = $state(0);
  /** All that was told of this line of play since the page was opened. */
  log = $state.raw<LogLine[]>([]);

  private readonly socket: TableSocket;
  private readonly views = new Map<number, Scene>();

  constructor(
    table: string,
    readonly key: string,
    hear: (message: ServerMessage) => void,
  ) {
    this.socket = new TableSocket({
      url: socketUrl(window.location, table, key),
      onmessage: (message) => {
        if (message.type === "sync") {
          this.told = message;
          this.log = mergeLog(this.log, message.scene.log, message.scene.status.ply);
        }
        if (message.type === "sync" || message.type === "tick") this.ply = message.ply;
        hear(message);
      },
      onconnection: (state) => {
        this.connection = state;
      },
    });
  }

  get seat(): number {
    return this.told?.scene.seat ?? 0;
  }

  ask(request: Request): Promise<ServerMessage> {
    return this.socket.request(request);
  }

  /** Fetch the table as this seat saw it at an earlier ply; a sentence where that is not possible. */
  async view(ply: number): Promise<Scene | string> {
    const known = this.views.get(ply);
    if (known) return known;
    const answer = await this.ask({ type: "at", ply });
    if (answer.type !== "view") return answer.type === "error" ? answer.sentence : "";
    this.views.set(ply, answer.scene);
    return answer.scene;
  }

  retry(): void {
    this.socket.retry();
  }

  close(): void {
    this.socket.close();
  }
}
