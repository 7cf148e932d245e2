import type { GetSessionOptions } from '@adorn/core';
import { describe, expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { appendAll, KEY, said, textsOf } from './conversation.js';

/** Texts `a` to `e` at the places 0 to 4, and not in the order of their times. */
const LOG = [said('a', 100.5), said('b', 300.25), said('c', 200.75), said('d', 300.25), said('e', 400)];

const FILTERS: readonly (readonly [GetSessionOptions, string])[] = [
  [{}, 'abcde'],
  [{ numRecentEvents: 2 }, 'de'],
  [{ numRecentEvents: 5 }, 'abcde'],
  [{ numRecentEvents: 99 }, 'abcde'],
  [{ numRecentEvents: 0 }, ''],
  [{ afterSeq: 0 }, 'bcde'],
  [{ afterSeq: 3 }, 'e'],
  [{ afterSeq: 4 }, ''],
  [{ afterSeq: 99 }, ''],
  [{ afterSeq: -1 }, 'abcde'],
  [{ afterSeq: -3 }, 'abcde'],
  [{ afterTimestamp: 300.25 }, 'bde'],
  [{ afterTimestamp: 300.26 }, 'e'],
  [{ afterTimestamp: 0 }, 'abcde'],
  [{ afterTimestamp: 401 }, ''],
  [{ afterSeq: 1, numRecentEvents: 2 }, 'de'],
  [{ afterSeq: 3, numRecentEvents: 2 }, 'e'],
  [{ afterTimestamp: 200.75, numRecentEvents: 3 }, 'cde'],
  [{ afterTimestamp: 300.25, numRecentEvents: 99 }, 'bde'],
  [{ afterSeq: 1, afterTimestamp: 300.25 }, 'de'],
  [{ afterSeq: 0, afterTimestamp: 200.75, numRecentEvents: 3 }, 'cde'],
  [{ afterSeq: 1, afterTimestamp: 300.25, numRecentEvents: 1 }, 'e'],
];

/** A part of the log; the state and the count stay those of the whole. */
export function promisesOfFilters(open: OpenSessions): void {
  describe('of the events abcde loads', () => {
    it.each(FILTERS)('for %j only "%s"', async (options, expected) => {
      const sessions = await open();
      await appendAll(sessions, await sessions.createSession(KEY, { city: 'Oslo' }), LOG);

      const found = await sessions.getSession(KEY, options);

      expect(textsOf(found)?.join('')).toBe(expected);
      expect(found).toMatchObject({ appName: 'app', userId: 'ada', id: 's1', nextSeq: 5 });
      expect({ ...found?.state }).toEqual({ city: 'Oslo' });
    });
  });

  it('finds no session by any filter where there is none', async () => {
    const sessions = await open();

    expect(await sessions.getSession(KEY, { numRecentEvents: 1, afterSeq: 0 })).toBeUndefined();
  });
}
