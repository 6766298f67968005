/** Be notified of a turn by the browser's push service while no page is open. */

import { at } from "./base";
import { complete } from "./complete";
import { ask } from "./http";
import type { components } from "./schema";
import { keysOf } from "./tokens";

type State = components["schemas"]["PushState"];

/** What this browser notifies with; none where it can't, as in a private window. */
const manager = async (): Promise<PushManager | undefined> =>
  (await navigator.serviceWorker?.getRegistration(at("/")))?.pushManager;

/** Say to the table what is wanted at all seats of this screen, or with null ask how it stands. */
async function settle(
  table: string,
  token: string,
  on: boolean | null,
  subscription: PushSubscription | null,
): Promise<State> {
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription?.toJSON() ?? {};
  const path = `/api/tables/${encodeURIComponent(table)}/push`;
  const wish = { on, endpoint, p256dh, auth };
  const states = keysOf(token).map(async (key) =>
    complete("PushState", await (await ask(path, wish, key)).json()),
  );
  return (await Promise.all(states))[0]!;
}

/** How it stands; null where the server or the browser offers nothing. */
export async function pushState(table: string, token: string): Promise<State | null> {
  const push = await manager();
  const state = push && (await settle(table, token, null, await push.getSubscription()));
  return state?.key ? state : null;
}

/** Turn it on or off; permission has been given. */
export async function setPush(table: string, token: string, key: string, on: boolean): Promise<State> {
  const push = (await manager())!;
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  const subscribe = async (): Promise<PushSubscription> => {
    try {
      return await push.subscribe(wanted);
    } catch {
      await (await push.getSubscription())?.unsubscribe(); // the server's key may be a new one
      return push.subscribe(wanted);
    }
  };
  return settle(table, token, on, on ? await subscribe() : await push.getSubscription());
}
