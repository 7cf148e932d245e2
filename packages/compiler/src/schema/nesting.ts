import type { ts } from '../typescript.js';

/** How deep one declaration may lie in itself with other arguments each time, as in `Box<Box<string>>`. */
const DEEPEST_IN_ITSELF = 40;

/** How deep types may lie in one another at all; each costs a dozen calls of the stack. */
const DEEPEST = 150;

/** How many types one schema may be written of. */
const MOST = 20_000;

/** Why a walk is given up, and what to do about it. */
export interface TooMuch {
  readonly reason: string;
  readonly cure: string;
}

const ENDLESS: TooMuch = { reason: 'it expands without an end.', cure: 'Write a type that ends.' };
const DEEP: TooMuch = { reason: 'it is nested too deeply.', cure: 'Write a flatter type.' };
const LARGE: TooMuch = {
  reason: 'its schema would be larger than any model reads.',
  cure: 'Write an interface of what the tool needs of it.',
};

/** Where a walk through types is. Types may expand for ever, so it tells when to give up. */
export class Nesting {
  private readonly open = new Map<ts.Symbol, number>();
  private depth = 0;
  private visited = 0;

  /** Does `work` inside the type; `giveUp` makes the error to throw where that goes on for too long. */
  inside<Result>(type: ts.Type, work: () => Result, giveUp: (tooMuch: TooMuch) => Error): Result {
    const symbol = symbolOf(type);
    const times = symbol === undefined ? 0 : (this.open.get(symbol) ?? 0);
    const tooMuch = this.tooMuch(times);
    if (tooMuch !== undefined) throw giveUp(tooMuch);
    this.enter(symbol, times + 1, 1);
    try {
      return work();
    } finally {
      this.enter(symbol, times, -1);
    }
  }

  private tooMuch(times: number): TooMuch | undefined {
    this.visited += 1;
    if (times > DEEPEST_IN_ITSELF) return ENDLESS;
    if (this.depth > DEEPEST) return DEEP;
    return this.visited > MOST ? LARGE : undefined;
  }

  private enter(symbol: ts.Symbol | undefined, times: number, step: 1 | -1): void {
    this.depth += step;
    if (symbol !== undefined) this.open.set(symbol, times);
  }
}

function symbolOf(type: ts.Type): ts.Symbol | undefined {
  return type.aliasSymbol ?? type.symbol;
}
