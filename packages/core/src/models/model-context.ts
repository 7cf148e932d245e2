import type { ContextSizes } from './context-too-long.js';
import type { Model } from './model.js';

/** Bytes of English text are about a quarter of a token. */
const TOKENS_PER_BYTE = 0.25;

/** A refusal that names no window teaches that it is smaller than this share of the request. */
const SHARE_OF_REFUSED = 0.5;

/** The smallest window that is learned from refusals without numbers, in tokens. */
const SMALLEST_WINDOW = 2_000;

/** What is known of the context of one model: from its name, its answers and its refusals. */
export class ModelContext {
  /** From refusals. */
  private learned: number | undefined;
  private ratio: number | undefined;
  /** The largest request that was answered, in tokens. */
  private accepted = 0;

  constructor(private readonly published: number | undefined) {}

  /** The window in tokens; undefined if nothing is known of it. */
  windowOf(stated: number | undefined): number | undefined {
    return this.learned ?? stated ?? this.published;
  }

  /** True if the model has refused a request. */
  get hasRefused(): boolean {
    return this.learned !== undefined;
  }

  /** The estimate for a request, in tokens. */
  tokensOf(bytes: number): number {
    return bytes * this.tokensPerByte;
  }

  /** Tokens for each byte: measured, or 0.25. */
  get tokensPerByte(): number {
    return this.ratio ?? TOKENS_PER_BYTE;
  }

  /** Notes the tokens that a provider counted for a request. A larger share counts at once, a smaller one slowly. */
  noteTokens(bytes: number, tokens: number): void {
    if (bytes <= 0 || tokens <= 0) return;
    const found = tokens / bytes;
    const { ratio } = this;
    this.ratio = ratio === undefined || found > ratio ? found : ratio * 0.9 + found * 0.1;
    this.accepted = Math.max(this.accepted, tokens);
  }

  /** Notes that a request was refused, and the sizes that the refusal names. */
  noteRefusal(bytes: number, { window, requested }: ContextSizes, stated: number | undefined): void {
    if (requested !== undefined && bytes > 0) this.ratio = Math.max(this.ratio ?? 0, requested / bytes);
    if (window !== undefined) {
      this.learned = window;
      return;
    }
    const known = this.windowOf(stated);
    const asked = this.tokensOf(bytes);
    const isWrong = known !== undefined && asked > known;
    const guess = isWrong ? known : Math.max(asked * SHARE_OF_REFUSED, this.accepted, SMALLEST_WINDOW);
    this.learned = known !== undefined && this.hasRefused ? Math.min(known * SHARE_OF_REFUSED, guess) : guess;
    this.learned = Math.max(SMALLEST_WINDOW, this.learned);
  }
}

const known = new WeakMap<Model, ModelContext>();

/** What is known of a model's context, for all runners of the process that ask this model. */
export function contextOfModel(model: Model): ModelContext {
  let context = known.get(model);
  if (!context) known.set(model, (context = new ModelContext(model.contextWindow)));
  return context;
}
