/** Ask for the analysis of a finished game, until it is all there or no one looks any more. */

import { analysis } from "../net/http";
import type { Analysed } from "../net/wire";

/** Milliseconds before it is asked again; the server itself waits for news. */
const PAUSE_MS = 150;

export class AnalysisJob {
  progress = $state.raw<Analysed | null>(null);
  fault = $state("");
  private closed = false;

  constructor(
    private readonly table: string,
    private readonly token: string,
  ) {}

  async run(): Promise<void> {
    this.fault = "";
    try {
      while (!this.closed && !this.progress?.analysis) {
        this.progress = await analysis(this.table, this.token);
        if (!this.progress.analysis) await new Promise((resume) => setTimeout(resume, PAUSE_MS));
      }
    } catch (error) {
      this.fault = (error as Error).message;
    }
  }

  close(): void {
    this.closed = true;
  }
}
