import type { ts } from '../typescript.js';

/** The maximum nesting of one declaration in itself with different type arguments, as in `Box<Box<string>>`. */
const DEEPEST_IN_ITSELF = 40;

/** The maximum nesting of types. Each level takes about a dozen stack frames. */
const DEEPEST = 150;

/** The maximum number of types in one schema. */
const MOST = 20_000;

/** The reason why a walk through types ends early, and the cure. */
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

/** The position of a walk through types, with limits for types that expand without end. */
export class Nesting {
  private readonly open = new Map<ts.Symbol, number>();
  private depth = 0;
  private visited = 0;

  /** Runs `work` inside the type. Throws the error of `giveUp` at a limit. */
  inside<Result>(type: ts.Type, work: () => Result, giveUp: (tooMuch: TooMuch) => Error): Result {
    const symbol = symbolOf(type);
    const times = symbol ? (this.open.get(symbol) ?? 0) : 0;
    const tooMuch = this.tooMuch(times);
    if (tooMuch) throw giveUp(tooMuch);
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
    if (symbol) this.open.set(symbol, times);
  }
}

function symbolOf(type: ts.Type): ts.Symbol | undefined {
  return type.aliasSymbol ?? type.symbol;
}
