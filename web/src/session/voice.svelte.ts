/** Speak to who cannot see the table. */

export class Voice {
  /** What the one live region says. */
  text = $state("");
  /** A sentence about something that went wrong, no rule of the game. */
  fault = $state("");

  say(text: string): void {
    // The same sentence twice has to differ for a screen reader to say it twice.
    this.text = text === this.text ? `${text}\u00a0` : text;
  }

  fail(text: string): void {
    this.fault = text;
    this.say(text);
  }
}
