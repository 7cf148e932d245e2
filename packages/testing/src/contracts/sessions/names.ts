import { Event, type SessionKey, type SessionService } from '@adorn/core';
import { keyOf } from '@adorn/core/backend';

import type { OpenSessions, OptionalSessionMethod } from '../describe-session-service.js';
import {
  HOSTILE_NAMES,
  isPrototypeClean,
  longestName,
  NOT_A_NAME,
  NOT_NAMES,
  REFUSAL,
  TOO_LONG,
} from '../hostile-names.js';
import { refusalOf } from '../refusal-of.js';
import { describe, expect, it } from '../test-runner.js';
import { asked, KEY, pairsOf, said, sessionOf, textsOf, wrote } from './conversation.js';

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
        expect(found && keyOf(found)).toEqual(keyOfName(name));
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

/** All stores have the same limits of names, so data can be moved between them. */
export function promisesOfNameLengths(open: OpenSessions, lacks: readonly OptionalSessionMethod[]): void {
  it('takes names and keys of the state that are as long as names may be', async () => {
    const sessions = await open();
    const key = {
      appName: longestName('app'),
      userId: longestName('user'),
      sessionId: longestName('session'),
    };
    const state = Object.fromEntries(
      ['', 'user:', 'app:'].map((prefix) => [longestName(`${prefix}key`).replace(/^.{5}/, prefix), prefix]),
    );

    const session = await sessions.createSession(key, state);
    await sessions.appendEvent(session, said('Hello.'));
    await sessions.appendEvent(session, wrote(state));

    const found = await sessions.getSession(key);
    expect(textsOf(found)).toEqual(['Hello.', '']);
    expect(found?.state).toMatchObject(state);
    expect(await sessions.listSessions(key)).toHaveLength(1);
  });

  it('takes ids of requests, asked and answered, that are as long as names may be', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    const id = longestName('call');

    await sessions.appendEvent(session, asked(id));
    await sessions.appendEvent(session, said('Yes.'), { consumes: [id] });

    expect((await sessions.getSession(KEY))?.events).toHaveLength(2);
  });

  describe.each(TOO_LONG)('refuses %s', (_what, name) => {
    it('in the id of a request, asked or answered, and writes nothing', async () => {
      const sessions = await open();
      const session = await sessions.createSession(KEY);

      expect(await refusalOf(sessions.appendEvent(session, asked(name)))).toMatchObject(REFUSAL);
      const answer = sessions.appendEvent(session, said('Yes.'), { consumes: [name] });
      expect(await refusalOf(answer)).toMatchObject(REFUSAL);

      expect((await sessions.getSession(KEY))?.events).toEqual([]);
    });

    it.each(['appName', 'userId', 'sessionId'] as const)('in %s, and writes nothing', async (field) => {
      const sessions = await open();
      const key: SessionKey = { ...KEY, [field]: name };

      expect(await refusalOf(sessions.createSession(key, { 'app:seen': true }))).toMatchObject(REFUSAL);
      expect(await refusalOf(sessions.importSession(key, { state: {}, events: [] }))).toMatchObject(REFUSAL);

      expect(await sessions.getSession(key)).toBeUndefined();
      expect(await sessions.listSessions(key)).toEqual([]);
      expect((await sessions.createSession(KEY)).state['app:seen']).toBeUndefined();
    });

    it.each(['', 'user:', 'app:'])(
      'as a key of the state behind "%s", and writes nothing',
      async (prefix) => {
        const sessions = await open();
        const delta = { [`${prefix}${name}`]: 1 };
        expect(await refusalOf(sessions.createSession(KEY, delta))).toMatchObject(REFUSAL);
        const session = await sessions.createSession(KEY);

        expect(await refusalOf(sessions.updateSession(KEY, delta))).toMatchObject(REFUSAL);
        expect(await refusalOf(sessions.appendEvent(session, wrote(delta)))).toMatchObject(REFUSAL);

        const found = await sessions.getSession(KEY);
        expect(found?.events).toEqual([]);
        expect(Object.keys(found?.state ?? {})).toEqual([]);
      },
    );
  });

  describe.each(NOT_NAMES)('refuses %s', (_what, name) => {
    it.each(['appName', 'userId', 'sessionId'] as const)('as %s, in every method', async (field) => {
      const sessions = await open();
      await sessions.createSession(KEY);
      const key: SessionKey = { ...KEY, [field]: name };
      const calls: (() => Promise<unknown>)[] = [
        async () => sessions.createSession(key),
        async () => sessions.getSession(key),
        async () => sessions.getSession(key, { numRecentEvents: 1 }),
        async () => sessions.updateSession(key, { a: 1 }),
        async () => sessions.importSession(key, { state: {}, events: [] }),
        async () => sessions.deleteSession(key),
      ];
      if (!lacks.includes('renameSession')) calls.push(async () => sessions.renameSession(key, 'New'));
      if (!lacks.includes('openRun'))
        calls.push(async () => sessions.openRun(key, { id: 'e-1', after: 0, at: 1 }));
      if (field !== 'sessionId') calls.push(async () => sessions.listSessions(key));

      for (const call of calls) expect(await refusalOf(call())).toMatchObject(NOT_A_NAME);

      expect(await sessions.getSession(KEY)).toBeDefined();
    });

    it.each(['id', 'invocationId', 'author'] as const)('as %s of an event', async (field) => {
      const sessions = await open();
      const session = await sessions.createSession(KEY);
      const event = new Event({ invocationId: 'e-1', author: 'user', id: 'a1' });
      Object.assign(event, { [field]: name });

      expect(await refusalOf(async () => sessions.appendEvent(session, event))).toMatchObject(NOT_A_NAME);

      expect((await sessions.getSession(KEY))?.events).toEqual([]);
    });

    it('as the id of a request, of a run, and as a title', async () => {
      const sessions = await open();
      const session = await sessions.createSession(KEY);

      const answer = sessions.appendEvent(session, said('Yes.'), { consumes: [name] });
      expect(await refusalOf(answer)).toMatchObject(NOT_A_NAME);
      if (!lacks.includes('openRun')) {
        const opening = sessions.openRun(KEY, { id: name, after: 0, at: 1 });
        expect(await refusalOf(opening)).toMatchObject(NOT_A_NAME);
      }
      if (name !== '' && !lacks.includes('renameSession'))
        expect(await refusalOf(sessions.renameSession(KEY, name))).toMatchObject(NOT_A_NAME);

      expect((await sessions.getSession(KEY))?.events).toEqual([]);
    });
  });

  it('takes a key of the state that lasts no longer than its invocation at any length', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);

    await sessions.appendEvent(session, wrote({ [`temp:${'k'.repeat(10_000)}`]: 1 }));

    expect((await sessions.getSession(KEY))?.events).toHaveLength(1);
  });
}
