/** The body of a request to Anthropic's Messages API. */
export interface MessagesBody {
  readonly tools?: readonly object[];
  readonly system?: string | readonly object[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[];
}

/** What of one request was read from the cache. */
export interface CachedRequest {
  /** The size of the request, in bytes of tools, system and messages. */
  readonly size: number;
  /** The bytes that were found in the cache. */
  readonly read: number;
  readonly marks: number;
}

/** How many blocks before a mark are searched for what was cached. */
const LOOK_BACK = 20;

/** The largest number of marks in a request. */
const MOST_MARKS = 4;

/**
 * Anthropic's prompt cache, by its published rules: a request is a list of blocks, of tools, system and messages in this
 * order. An entry is written at each marked block, for all blocks up to there, and read at a marked block or one of the
 * twenty before it.
 */
export class AnthropicCache {
  private readonly entries = new Set<string>();

  send(body: MessagesBody): CachedRequest {
    const blocks = blocksOf(body);
    const ends: { readonly key: string; readonly size: number }[] = [];
    let key = '';
    for (const { text } of blocks) ends.push({ key: (key += `${text}\n`), size: key.length });
    const marks = blocks.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
    if (marks.length > MOST_MARKS) throw new Error(`there are ${String(marks.length)} marks`);
    const read = Math.max(0, ...marks.map((mark) => this.sizeAt(ends.slice(0, mark + 1))));
    for (const mark of marks) this.entries.add(ends[mark]?.key ?? '');
    return { size: key.length, read, marks: marks.length };
  }

  private sizeAt(ends: readonly { readonly key: string; readonly size: number }[]): number {
    return ends.slice(-LOOK_BACK - 1).findLast(({ key }) => this.entries.has(key))?.size ?? 0;
  }
}

interface Block {
  readonly text: string;
  readonly isMarked: boolean;
}

function blocksOf({ tools = [], system = [], messages }: MessagesBody): Block[] {
  const texts = typeof system === 'string' ? [{ text: system }] : system;
  const said = messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ text: content }] : content).map((part) => ({ role, ...part })),
  );
  return [...tools, ...texts, ...said].map((block) => {
    const { cache_control: mark, ...rest } = block as { readonly cache_control?: unknown };
    return { text: JSON.stringify(rest), isMarked: mark !== undefined };
  });
}
