/** Several keys of one table in one link: who holds them plays several seats at one screen. */

export const keysOf = (token: string): string[] => token.split(".");
export const joinKeys = (keys: readonly string[]): string => keys.join(".");
