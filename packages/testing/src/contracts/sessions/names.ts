import type { SessionKey, SessionService } from '@adorn/core';
import { keyOf } from '@adorn/core/backend';
import { describe, expect, it } from '../test-runner.js';

import type { OpenSessions } from '../describe-session-service.js';
import { HOSTILE_NAMES, isPrototypeClean } from '../hostile-names.js';
import { KEY, pairsOf, said, sessionOf, textsOf, wrote } from './conversation.js';

const OWNED_BY: readonly (readonly [string, (name: string) => SessionKey])[] = [
  ['session ids', sessionOf],
  ['user ids', (userId) => ({ ...KEY, userId })],
  ['application names', (appName) => ({ ...KEY, appName })],
];

/** Names and keys are data, never paths, statements or properties of `Object.prototype`. */
export function promisesOfNames(open: OpenSessions): void {
  describe.each(OWNED_BY)('takes any %s:', (_what, keyOfName) => {
    it('none collides with another', async () => {
      const sessions = await open();
      for (const name of HOSTILE_NAMES) await tell(sessions, keyOfName(name), name);

      for (const name of HOSTILE_NAMES) {
        const found = await sessions.getSession(keyOfName(name));
        expect(found === undefined ? undefined : keyOf(found)).toEqual(keyOfName(name));
        expect(pairsOf(found)).toEqual([
          ['name', name],
          ['user:name', keyOfName(name).userId],
        ]);
        expect(textsOf(found)).toEqual([name]);
      }
      expect(isPrototypeClean()).toBe(true);
    });
  });

  it('keeps apart what reads the same when it is joined', async () => {
    const sessions = await open();
    const keys = ['/', ':', '|', '.', '\u0000', '","'].flatMap((joint) => [
      { appName: 'a', userId: `b${joint}c`, sessionId: 'd' },
      { appName: `a${joint}b`, userId: 'c', sessionId: 'd' },
      { appName: 'a', userId: 'b', sessionId: `c${joint}d` },
    ]);

    for (const [index, key] of keys.entries())
      await sessions.createSession(key, { index, 'user:index': index });

    for (const [index, key] of keys.entries()) {
      const found = await sessions.getSession(key);
      expect(found?.state['index']).toBe(index);
    }
    expect(await sessions.listSessions({ appName: 'a', userId: 'b/c' })).toHaveLength(1);
  });

  it.each(['', 'user:', 'app:'])('takes any key of the state behind "%s"', async (prefix) => {
    const sessions = await open();
    const delta = deltaOf(HOSTILE_NAMES.map((name) => `${prefix}${name}`));
    const expected = Object.entries(delta).sort(([a], [b]) => (a < b ? -1 : 1));
    const session = await sessions.createSession(KEY, delta);
    expect(pairsOf(session)).toEqual(expected);

    const event = wrote(delta);
    await sessions.appendEvent(session, event);

    const found = await sessions.getSession(KEY);
    expect(pairsOf(found)).toEqual(expected);
    expect(Object.entries(found?.events[0]?.actions.stateDelta ?? {}).sort()).toEqual(expected.sort());
    await sessions.updateSession(KEY, deltaOf(Object.keys(delta), null));
    expect(pairsOf(await sessions.getSession(KEY))).toEqual([]);
    expect(isPrototypeClean()).toBe(true);
  });

  it('lets no value of the state reach the prototype of all objects', async () => {
    const sessions = await open();
    const delta = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ) as object;

    const session = await sessions.createSession(KEY, { ...delta });
    await sessions.appendEvent(session, wrote({ ...delta }));

    expect(isPrototypeClean()).toBe(true);
    expect(JSON.parse(JSON.stringify((await sessions.getSession(KEY))?.state))).toEqual(delta);
  });
}

async function tell(sessions: SessionService, key: SessionKey, name: string): Promise<void> {
  const session = await sessions.createSession(key, { name, 'user:name': key.userId });
  await sessions.appendEvent(session, said(name));
}

/** The keys with a value each: a different one, or the one that is given. */
function deltaOf(keys: readonly string[], value?: null): Record<string, unknown> {
  return Object.fromEntries(
    keys.map((key, index) => [key, value === undefined ? `value ${String(index)}` : value]),
  );
}
