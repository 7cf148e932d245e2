import { inspect } from 'node:util';

import type { AuthCredential } from './auth-config.js';
import { guardedCredential } from './guarded-credential.js';

const CREDENTIALS: readonly AuthCredential[] = [
  { type: 'apiKey', apiKey: 'canary' },
  { type: 'bearer', token: 'canary' },
  { type: 'basic', username: 'canary', password: 'canary' },
];

/** How an object comes to be text in logs and messages. */
const PRINTERS: readonly ((value: unknown) => string)[] = [
  (value) => inspect(value),
  (value) => JSON.stringify(value),
  (value) => String(value),
];

describe.each(CREDENTIALS)('S15 a guarded credential of type $type', (credential) => {
  it('reads as what it is', () => {
    const guarded = guardedCredential(credential);

    expect(guarded).toEqual(credential);
    expect({ ...guarded }).toStrictEqual(credential);
  });

  it('prints and turns into JSON without its secret, wherever it stands', () => {
    const guarded = guardedCredential(credential);

    for (const print of PRINTERS) {
      expect(print(guarded)).not.toContain('canary');
      expect(print({ context: { list: [guarded] } })).not.toContain('canary');
    }
    expect(JSON.stringify(guarded)).toBe(`{"type":"${credential.type}","secret":"[redacted]"}`);
    expect(inspect(guarded, { showHidden: true, depth: null })).not.toContain('canary');
  });
});
