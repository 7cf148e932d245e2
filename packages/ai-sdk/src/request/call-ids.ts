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

/** Accepted by all providers. */
const ACCEPTED = /^[\w-]{1,64}$/;

/**
 * The ids of calls in prompts. Providers require one; the history has none for calls of models without ids, such as
 * Gemini. Ids that a provider would refuse are replaced by their digest, in calls and responses alike.
 */
export class CallIds {
  private made = 0;

  ofCall({ id }: Named): string {
    if (id !== undefined && id !== '') return acceptedId(id);
    this.made += 1;
    return `call_${String(this.made)}`;
  }

  /** Pairs the responses of one content with the calls before it: by id, else by name and order. */
  ofResponses(calls: readonly KnownCall[]): (response: Named) => string {
    const open = [...calls];
    return ({ id, name = '' }) => {
      if (id !== undefined && id !== '') return acceptedId(id);
      const index = open.findIndex((call) => call.name === name);
      const [call] = index === -1 ? [] : open.splice(index, 1);
      return call?.id ?? calls.find((one) => one.name === name)?.id ?? this.ofCall({});
    };
  }
}

function acceptedId(id: string): string {
  return ACCEPTED.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
