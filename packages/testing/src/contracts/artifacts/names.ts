import { expect, it } from '../test-runner.js';

import type { OpenArtifacts } from '../describe-artifact-service.js';
import { HOSTILE_NAMES, isPrototypeClean, longestName } from '../hostile-names.js';
import { KEY } from '../sessions/conversation.js';

/** Names of files, users and sessions. */
export function promisesOfNames(open: OpenArtifacts): void {
  it.each(['', 'user:'])('takes any name behind "%s", and none collides with another', async (prefix) => {
    const artifacts = await open();
    const names = HOSTILE_NAMES.map((name) => `${prefix}${name}`);

    for (const name of names) expect(await artifacts.save(KEY, name, { text: name })).toBe(0);

    for (const name of names) expect(await artifacts.load(KEY, name)).toEqual({ text: name });
    expect([...(await artifacts.list(KEY))].sort()).toEqual([...names].sort());
    expect(isPrototypeClean()).toBe(true);
  });

  it.each(['appName', 'userId', 'sessionId'] as const)('takes any %s, and none collides', async (field) => {
    const artifacts = await open();
    const scopes = HOSTILE_NAMES.map((name) => ({ ...KEY, [field]: name }));

    for (const scope of scopes) expect(await artifacts.save(scope, 'a.txt', { text: scope[field] })).toBe(0);

    for (const scope of scopes) expect(await artifacts.load(scope, 'a.txt')).toEqual({ text: scope[field] });
    expect(isPrototypeClean()).toBe(true);
  });

  it.each(['', 'user:'])('takes names behind "%s" that are as long as names may be', async (prefix) => {
    const artifacts = await open();
    const scope = {
      appName: longestName('app'),
      userId: longestName('user'),
      sessionId: longestName('session'),
    };
    const name = `${prefix}${longestName('file').slice(prefix.length)}`;

    await artifacts.save(scope, name, { text: 'one' });

    expect(await artifacts.load(scope, name)).toEqual({ text: 'one' });
    expect(await artifacts.list(scope)).toEqual([name]);
  });
}
