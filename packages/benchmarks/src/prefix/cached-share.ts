/** The body of a request on any of the three wires. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** How a provider finds the beginning of a request in its cache. */
export type CacheRule = 'common beginning' | 'marked blocks';

/** What the requests of a conversation cost. */
export interface PrefixCost {
  /** Bytes of all requests, in JSON as they were sent. */
  readonly bytes: number;
  /** The share of the second turn's requests and all later ones that was found in the cache, from 0 to 1. */
  readonly share: number;
}

/** How many blocks before a mark Anthropic searches for what it has cached. */
const LOOK_BACK = 20;

/** @param first the index of the first request of the second turn */
export function costOfRequests(bodies: readonly RequestBody[], rule: CacheRule, first: number): PrefixCost {
  const requests = bodies.map(blocksOf);
  const found = rule === 'marked blocks' ? foundByMarks(requests) : foundInCommon(requests);
  const later = requests.slice(first).map((blocks) => textOf(blocks).length);
  return {
    bytes: sum(bodies.map((body) => Buffer.byteLength(JSON.stringify(body)))),
    share: sum(found.slice(first)) / sum(later),
  };
}

interface Block {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A request in the order in which all providers cache it: tools, system, messages; without its marks. */
function blocksOf(body: RequestBody): Block[] {
  const tools = listOf(body['tools']).flatMap((tool) =>
    listOf((tool as RequestBody)['functionDeclarations'] ?? tool),
  );
  const system = listOf(body['system'] ?? body['systemInstruction'] ?? body['instructions']);
  const said = listOf(body['messages'] ?? body['contents'] ?? body['input']).flatMap(partsOf);
  return [...tools, ...system, ...said].map((block) => {
    const { cache_control: mark, ...rest } = (typeof block === 'object' ? block : { block }) as RequestBody;
    return { text: `${JSON.stringify(rest)}\n`, isMarked: mark !== undefined };
  });
}

/** The parts of a message, each with its role: Anthropic marks parts. */
function partsOf(message: unknown): unknown[] {
  const { role, content } = message as RequestBody;
  return Array.isArray(content) ? content.map((part: object) => ({ role, ...part })) : [message];
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('');
}

/** What of each request an earlier one began with. */
function foundInCommon(requests: readonly (readonly Block[])[]): number[] {
  const texts = requests.map(textOf);
  return texts.map((text, index) =>
    Math.max(0, ...texts.slice(0, index).map((earlier) => commonLength(earlier, text))),
  );
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** What of each request was written at a mark of an earlier one, and is read at a mark or one of the blocks before it. */
function foundByMarks(requests: readonly (readonly Block[])[]): number[] {
  const written = new Set<string>();
  return requests.map((blocks) => {
    const beginnings: string[] = [];
    for (const { text } of blocks) beginnings.push((beginnings.at(-1) ?? '') + text);
    const marked = blocks.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
    const read = marked.map((mark) => {
      const near = beginnings.slice(Math.max(0, mark - LOOK_BACK), mark + 1);
      return near.findLast((beginning) => written.has(beginning))?.length ?? 0;
    });
    for (const mark of marked) written.add(beginnings[mark] ?? '');
    return Math.max(0, ...read);
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
