/** Several keys of one table in one link: who holds them plays several seats at one screen. */

export const keysOf = (token: string): string[] => token.split(".");
export const joinKeys = (keys: readonly string[]): string => keys.join(".");

/** Whether a link holds an invitation, which one browser exchanges for a key of its own. */
export const isInvitation = (token: string): boolean => /^join-[\w-]{22}$/.test(token);

/** A new key, which no one else has seen: letters, digits, - and _. */
export const drawKey = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
