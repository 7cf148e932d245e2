import { RunnerClosedError } from '../errors.js';
import { followInbox } from './follow-inbox.js';
import type { InboxChange } from './watch-inbox.js';

/** An inbox whose store fails behind the first change that is read, and which its runner closes behind the second reading. */
function failingInbox() {
  let reads = 0;
  return {
    appName: 'desk',
    async *watchInbox(): AsyncGenerator<InboxChange, void, undefined> {
      if (++reads > 2) throw new RunnerClosedError();
      yield await Promise.resolve(changeOf(`q${String(reads)}`));
      throw new Error('The store does not answer.');
    },
  };
}

function changeOf(id: string): InboxChange {
  return { kind: 'opened', request: { id } as InboxChange['request'] };
}

describe('followInbox', () => {
  it('goes on when the store or its reader has failed, and ends with the runner', async () => {
    const told: string[] = [];
    const logged: string[] = [];
    await followInbox(failingInbox(), {
      onChange: ({ request }) => {
        told.push(request.id);
        return told.length === 1 ? Promise.reject(new Error('Not now.')) : Promise.resolve();
      },
      signal: new AbortController().signal,
      logger: {
        warn: (message) => logged.push(`warn ${message}`),
        error: (message) => logged.push(`error ${message}`),
      },
      name: 'the desk',
    });

    expect(told).toEqual(['q1', 'q2']);
    expect(logged).toEqual([
      'warn the desk cannot follow the inbox, and tries again',
      'warn the desk cannot follow the inbox, and tries again',
      'error the desk has ended',
    ]);
  });

  it('ends with its signal, and logs nothing then', async () => {
    const ending = new AbortController();
    const logged: string[] = [];
    const told: string[] = [];
    await followInbox(failingInbox(), {
      onChange: ({ request }) => {
        told.push(request.id);
        ending.abort();
        return Promise.resolve();
      },
      signal: ending.signal,
      logger: { warn: (message) => logged.push(message), error: (message) => logged.push(message) },
      name: 'the desk',
    });

    expect(told).toEqual(['q1']);
    expect(logged).toEqual([]);
  });
});
