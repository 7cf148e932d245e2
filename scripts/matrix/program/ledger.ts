/** Keeps what the tools were called with. */
export class Ledger {
  readonly entries: unknown[] = [];

  note(method: string, ...received: unknown[]): void {
    this.entries.push([method, ...received]);
  }
}
