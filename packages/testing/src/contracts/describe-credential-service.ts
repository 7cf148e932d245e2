import { inspect } from 'node:util';

import type { AuthCredential, CredentialService } from '@adorn/core';
import { describe, expect, it } from './test-runner.js';
import { refusalOf } from './refusal-of.js';

import {
  HOSTILE_NAMES,
  isPrototypeClean,
  longestName,
  NOT_A_NAME,
  NOT_NAMES,
  REFUSAL,
  TOO_LONG,
} from './hostile-names.js';

const ADA = { appName: 'app', userId: 'ada' };

const CREDENTIALS: readonly AuthCredential[] = [
  { type: 'apiKey', apiKey: 'k\'"\u0000\u{1f680}' },
  { type: 'bearer', token: 't'.repeat(8_192) },
  { type: 'basic', username: 'ada', password: 'p w' },
  {
    type: 'oauth2',
    accessToken: 'a-1',
    refreshToken: 'r-1',
    expiresAt: 1_700_000_000.5,
    scope: 'read write',
  },
  { type: 'custom', values: { shown: '{"state":"s-1"}', secrets: '{}' } },
];

const CANARIES: readonly AuthCredential[] = [
  { type: 'apiKey', apiKey: 'canary' },
  { type: 'bearer', token: 'canary' },
  { type: 'basic', username: 'canary', password: 'canary' },
  { type: 'oauth2', accessToken: 'canary', refreshToken: 'canary', idToken: 'canary' },
  { type: 'custom', values: { any: 'canary' } },
];

/** How an object comes to be text in logs and messages. */
const PRINTERS: readonly ((value: unknown) => string)[] = [
  (value) => inspect(value),
  (value) => JSON.stringify(value),
  (value) => String(value),
];

/** The contract of credential services. A new backend is complete when this suite passes. */
export function describeCredentialService(
  name: string,
  open: () => Promise<CredentialService>,
  { lacks = [] }: { readonly lacks?: readonly 'deleteUser'[] } = {},
): void {
  describe(`${name} as a CredentialService`, () => {
    it.each(CREDENTIALS)('gives back a credential of type $type as it was saved', async (credential) => {
      const credentials = await open();

      await credentials.save(ADA, 'weather', credential);

      expect(await credentials.load(ADA, 'weather')).toEqual(credential);
    });

    it('finds nothing where nothing was saved', async () => {
      const credentials = await open();
      await credentials.save(ADA, 'weather', bearer('t-1'));

      expect(await credentials.load(ADA, 'calendar')).toBeUndefined();
      expect(await credentials.load(ADA, 'WEATHER')).toBeUndefined();
    });

    it('replaces what was saved under the key', async () => {
      const credentials = await open();
      await credentials.save(ADA, 'weather', bearer('t-1'));

      await credentials.save(ADA, 'weather', { type: 'apiKey', apiKey: 'k-2' });

      expect(await credentials.load(ADA, 'weather')).toEqual({ type: 'apiKey', apiKey: 'k-2' });
    });

    it('keeps what it gave, once that is saved again', async () => {
      const credentials = await open();
      await credentials.save(ADA, 'weather', bearer('t-1'));

      const loaded = await credentials.load(ADA, 'weather');
      await credentials.save(ADA, 'calendar', loaded ?? bearer('none'));

      expect(await credentials.load(ADA, 'calendar')).toEqual(bearer('t-1'));
    });

    it('S15 gives what prints, and turns into JSON, without its secret', async () => {
      const credentials = await open();
      for (const credential of CANARIES) await credentials.save(ADA, credential.type, credential);

      for (const { type } of CANARIES) {
        const loaded = await credentials.load(ADA, type);
        for (const print of PRINTERS) {
          expect(print({ credential: loaded })).not.toContain('canary');
        }
      }
      expect(inspect(credentials, { depth: null, showHidden: true })).not.toContain('canary');
    });

    it('forgets what is deleted, and what is not there already is', async () => {
      const credentials = await open();
      await credentials.save(ADA, 'weather', bearer('t-1'));
      await credentials.save(ADA, 'calendar', bearer('t-2'));

      await credentials.delete(ADA, 'weather');
      await expect(credentials.delete(ADA, 'weather')).resolves.toBeUndefined();

      expect(await credentials.load(ADA, 'weather')).toBeUndefined();
      expect(await credentials.load(ADA, 'calendar')).toEqual(bearer('t-2'));
    });

    it.each([
      ['users', { ...ADA, userId: 'bob' }],
      ['applications', { ...ADA, appName: 'other' }],
    ])('keeps the credentials of two %s apart', async (_who, neighbour) => {
      const credentials = await open();
      await credentials.save(ADA, 'weather', bearer('mine'));
      expect(await credentials.load(neighbour, 'weather')).toBeUndefined();
      await credentials.save(neighbour, 'weather', bearer('theirs'));

      await credentials.delete(neighbour, 'weather');

      expect(await credentials.load(ADA, 'weather')).toEqual(bearer('mine'));
    });

    it.each(['appName', 'userId', 'key'] as const)('takes any %s, and none collides', async (field) => {
      const credentials = await open();
      const places = HOSTILE_NAMES.map((name) => ({ ...ADA, key: 'weather', [field]: name }));

      for (const place of places) await credentials.save(place, place.key, bearer(place[field]));

      for (const place of places)
        expect(await credentials.load(place, place.key)).toEqual(bearer(place[field]));
      expect(isPrototypeClean()).toBe(true);
    });

    it('takes names and a key that are as long as names may be', async () => {
      const credentials = await open();
      const scope = { appName: longestName('app'), userId: longestName('user') };

      await credentials.save(scope, longestName('key'), bearer('t-1'));

      expect(await credentials.load(scope, longestName('key'))).toEqual(bearer('t-1'));
    });

    it.each(NOT_NAMES)('refuses %s as a name or a key, in every method', async (_what, name) => {
      const credentials = await open();

      for (const field of ['appName', 'userId', 'key']) {
        const place = { ...ADA, key: 'weather', [field]: name };
        expect(await refusalOf(credentials.save(place, place.key, bearer('t-1')))).toMatchObject(NOT_A_NAME);
        expect(await refusalOf(credentials.load(place, place.key))).toMatchObject(NOT_A_NAME);
        expect(await refusalOf(credentials.delete(place, place.key))).toMatchObject(NOT_A_NAME);
      }
    });

    it(`${lacks.includes('deleteUser') ? 'does without deleting' : 'deletes'} all credentials of a user`, async () => {
      const credentials = await open();
      const bob = { ...ADA, userId: 'bob' };
      for (const [owner, key] of [
        [ADA, 'weather'],
        [ADA, 'mail'],
        [bob, 'mail'],
      ] as const)
        await credentials.save(owner, key, bearer('t-1'));
      if (lacks.includes('deleteUser')) {
        expect(await refusalOf(credentials.deleteUser(ADA))).toMatchObject({ code: 'NOT_SUPPORTED' });
        return;
      }

      expect(await credentials.deleteUser(ADA)).toBe(2);
      expect(await credentials.deleteUser(ADA)).toBe(0);

      expect(await credentials.load(ADA, 'mail')).toBeUndefined();
      expect(await credentials.load(bob, 'mail')).toBeDefined();
    });

    it.each(TOO_LONG)('refuses %s in each of them, and finds nothing there', async (_what, long) => {
      const credentials = await open();

      for (const field of ['appName', 'userId', 'key']) {
        const place = { ...ADA, key: 'weather', [field]: long };
        expect(await refusalOf(credentials.save(place, place.key, bearer('t-1')))).toMatchObject(REFUSAL);
        expect(await credentials.load(place, place.key)).toBeUndefined();
        await credentials.delete(place, place.key);
      }
    });
  });
}

function bearer(token: string): AuthCredential {
  return { type: 'bearer', token };
}
