import { createHash } from 'node:crypto';

/** A call in a prompt. */
export interface KnownCall {
  readonly name: string;
  readonly id: string;
}

interface Named {
  readonly id?: string;
  readonly name?: string;
}

/** The ids of calls that a provider accepts. */
export type CallIdRule = keyof typeof ACCEPTED;

const ACCEPTED = {
  /** Anthropic: letters, digits, `_` and `-`. Bedrock and OpenAI's Responses API: at most 64 of them. */
  'up to 64': /^[\w-]{1,64}$/,
  /** OpenAI's chat completions, and servers of that API, which may pass requests on to it. */
  'up to 40': /^[\w-]{1,40}$/,
  /** Mistral. */
  'nine alphanumerics': /^[A-Za-z0-9]{9}$/,
} as const;

/**
 * The ids of the calls of one prompt, unique in it. Providers require an id; the history has none for calls of models
 * without ids, such as Gemini. Ids that the provider would refuse are replaced by a digest, in calls and responses
 * alike. An id depends on the calls before it only, so it stays the same from turn to turn and in another process.
 */
export class CallIds {
  private missing = 0;
  private readonly assigned = new Map<string, string>();
  private readonly taken = new Set<string>();

  constructor(private readonly rule: CallIdRule) {}

  ofCall({ id }: Named): string {
    if (id !== undefined && id !== '') return this.assign(`given ${id}`, id);
    this.missing += 1;
    return this.assign(`missing ${String(this.missing)}`, `call_${String(this.missing)}`);
  }

  /** Pairs the responses of one content with the calls before it: by id, else by name and order. */
  ofResponses(calls: readonly KnownCall[]): (response: Named) => string {
    const open = [...calls];
    return ({ id, name = '' }) => {
      if (id !== undefined && id !== '') return this.ofCall({ id });
      const index = open.findIndex((call) => call.name === name);
      const [call] = index === -1 ? [] : open.splice(index, 1);
      return call?.id ?? calls.find((one) => one.name === name)?.id ?? this.ofCall({});
    };
  }

  /** @param key the identity of the call in the history; the same key gets the same id */
  private assign(key: string, preferred: string): string {
    const known = this.assigned.get(key);
    if (known !== undefined) return known;
    let id = preferred;
    for (let salt = 0; !ACCEPTED[this.rule].test(id) || this.taken.has(id); salt += 1)
      id = digestOf(`${key} ${String(salt)}`, this.rule);
    this.assigned.set(key, id);
    this.taken.add(id);
    return id;
  }
}

function digestOf(text: string, rule: CallIdRule): string {
  const hash = createHash('sha256').update(text).digest('hex');
  if (rule !== 'nine alphanumerics') return `call_${hash.slice(0, 32)}`;
  // Base 36 has more digests of this length than hexadecimal digits would have.
  return BigInt(`0x${hash}`).toString(36).slice(0, 9).padEnd(9, '0');
}
