/** A state that can be reused until it ends. */
interface KeptState {
  readonly isUsable: boolean;
  terminate(): void;
}

/** The states of sessions: of the last 16 that were used, for 10 minutes each. Executions of one session take turns. */
export class KeptStates<State extends KeptState> {
  private readonly states = new Map<string, { state: State; expiry: NodeJS.Timeout | undefined }>();
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly most = 16,
    private readonly keptMs = 600_000,
  ) {}

  async use<Result>(
    id: string,
    start: () => State,
    work: (state: State) => Promise<Result>,
  ): Promise<Result> {
    const before = this.turns.get(id) ?? Promise.resolve();
    const turn = before.then(() => this.useNow(id, start, work));
    const settled = turn
      .catch(() => undefined)
      .then(() => {
        if (this.turns.get(id) === settled) this.turns.delete(id);
      });
    this.turns.set(id, settled);
    return turn;
  }

  close(): void {
    for (const id of [...this.states.keys()]) this.end(id);
  }

  private async useNow<Result>(
    id: string,
    start: () => State,
    work: (state: State) => Promise<Result>,
  ): Promise<Result> {
    const known = this.states.get(id);
    clearTimeout(known?.expiry);
    const state = known?.state.isUsable === true ? known.state : start();
    this.states.delete(id);
    this.states.set(id, { state, expiry: undefined });
    try {
      return await work(state);
    } finally {
      if (state.isUsable) this.keep(id, state);
      else this.states.delete(id);
    }
  }

  private keep(id: string, state: State): void {
    const expiry = setTimeout(() => {
      this.end(id);
    }, this.keptMs);
    expiry.unref();
    this.states.set(id, { state, expiry });
    for (const [oldest] of this.states) {
      if (this.states.size <= this.most) break;
      if (!this.turns.has(oldest) || oldest === id) this.end(oldest);
    }
  }

  private end(id: string): void {
    const known = this.states.get(id);
    clearTimeout(known?.expiry);
    known?.state.terminate();
    this.states.delete(id);
  }
}
