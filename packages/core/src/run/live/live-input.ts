import { Channel } from '../../runtime/channel.js';

/** Something that the user sends during a live session. */
export type LiveInputPiece =
  /** Speech: PCM16, mono, little-endian, at the input rate of the session's model. */
  | { readonly kind: 'audio'; readonly data: Uint8Array }
  | { readonly kind: 'video'; readonly data: Uint8Array; readonly mimeType: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'activity'; readonly activity: 'start' | 'end' };

/** The most pieces that wait for one reader; then the oldest is dropped. */
const MAX_WAITING = 256;

/**
 * What the user sends while a tool runs: a parameter of a tool of this type is filled in, like `ToolContext`.
 *
 * ```ts
 * @tool
 * async *listen(input: LiveInput): AsyncGenerator<{ loud: boolean }> {
 *   for await (const chunk of input.audio) yield { loud: isLoud(chunk) };
 * }
 * ```
 *
 * It yields what is sent from the moment of its iteration on. It ends with the call or the session: what the tool returns then is
 * its result. A piece is copied only while somebody iterates. A reader that is 256 pieces behind loses the oldest ones: the conversation does not wait for it.
 * In a text run it yields the message of the user, and ends.
 */
export class LiveInput implements AsyncIterable<LiveInputPiece> {
  /** @param source where the pieces come from; undefined in a text run @param text the message of the user there */
  constructor(
    private readonly source: LiveInputSource | undefined,
    private readonly signal: AbortSignal,
    private readonly message = '',
  ) {}

  /** Speech only. */
  get audio(): AsyncIterable<Uint8Array> {
    return only(this, (piece) => (piece.kind === 'audio' ? piece.data : undefined));
  }

  /** Images only. */
  get video(): AsyncIterable<{ readonly data: Uint8Array; readonly mimeType: string }> {
    return only(this, (piece) => (piece.kind === 'video' ? piece : undefined));
  }

  /** Texts only. */
  get text(): AsyncIterable<string> {
    return only(this, (piece) => (piece.kind === 'text' ? piece.text : undefined));
  }

  /** Begins and ends of the user's speech, as far as the application or the provider says. */
  get activity(): AsyncIterable<'start' | 'end'> {
    return only(this, (piece) => (piece.kind === 'activity' ? piece.activity : undefined));
  }

  /** All pieces, of every kind, in the order in which they are sent. */
  [Symbol.asyncIterator](): AsyncIterator<LiveInputPiece, void, undefined> {
    return this.source ? this.source.listen(this.signal) : textOnly(this.message);
  }
}

async function* only<Value>(
  pieces: AsyncIterable<LiveInputPiece>,
  valueOf: (piece: LiveInputPiece) => Value | undefined,
): AsyncGenerator<Value, void, undefined> {
  for await (const piece of pieces) {
    const value = valueOf(piece);
    if (value !== undefined) yield value;
  }
}

async function* textOnly(text: string): AsyncGenerator<LiveInputPiece, void, undefined> {
  if (text !== '') yield await Promise.resolve({ kind: 'text', text });
}

/** The tools that listen to what the user sends. */
export class LiveInputSource {
  private readonly listeners = new Set<LiveListener>();
  private isOver = false;

  /** True if somebody listens: only then is a piece made. */
  get isHeard(): boolean {
    return this.listeners.size > 0;
  }

  /** Passes a piece on to all who listen. Its bytes are copied once. */
  publish(piece: LiveInputPiece): void {
    if (!this.isHeard) return;
    const own = 'data' in piece ? { ...piece, data: piece.data.slice() } : piece;
    for (const listener of this.listeners) listener.push(own);
  }

  /** The pieces that are sent from now on. Ends when the signal is aborted, or the source ends. */
  listen(signal: AbortSignal): AsyncIterator<LiveInputPiece, void, undefined> {
    const listener = new LiveListener(signal, () => this.listeners.delete(listener));
    if (this.isOver) listener.end();
    else if (!signal.aborted) this.listeners.add(listener);
    return listener;
  }

  /** Ends all iterations, also those that begin later. */
  end(): void {
    this.isOver = true;
    for (const listener of [...this.listeners]) listener.end();
  }
}

class LiveListener implements AsyncIterator<LiveInputPiece, void, undefined> {
  private readonly pieces = Channel.unbounded<LiveInputPiece>({ size: MAX_WAITING });

  constructor(
    private readonly signal: AbortSignal,
    private readonly leave: () => void,
  ) {
    if (signal.aborted) this.pieces.end();
    else signal.addEventListener('abort', this.end, { once: true });
  }

  push(piece: LiveInputPiece): void {
    this.pieces.push(piece);
  }

  next(): Promise<IteratorResult<LiveInputPiece, void>> {
    return this.pieces.next();
  }

  return(): Promise<IteratorResult<LiveInputPiece, void>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  readonly end = (): void => {
    this.signal.removeEventListener('abort', this.end);
    this.leave();
    this.pieces.end();
  };
}
