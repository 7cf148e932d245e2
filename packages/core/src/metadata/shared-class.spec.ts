/** @isolated */
import { readFileSync } from 'node:fs';

import type * as Backend from '../backend.js';
import type * as Core from '../index.js';
import type { PackageCopy } from './shared-class.js';

const copies = (): { version: string }[] =>
  Reflect.get(globalThis, Symbol.for('adorn:copies')) as PackageCopy[];

/** Another copy of this package, as a second installation of it is. */
async function anotherCopy(): Promise<typeof Core & typeof Backend> {
  jest.resetModules();
  return { ...(await import('../index.js')), ...(await import('../backend.js')) };
}

describe('the shared classes of two copies', () => {
  it('recognise the instances of each other', async () => {
    const { Agent: One, ...one } = withAgent(await anotherCopy());
    const { Agent: Two, ...two } = withAgent(await anotherCopy());

    expect(One.prototype instanceof two.BaseAgent).toBe(true);
    expect(Two.prototype instanceof one.LlmAgent).toBe(true);

    expect(one.googleSearch() instanceof two.Tool).toBe(true);
    expect(new one.SystemClock() instanceof two.Clock).toBe(true);
  });

  it('keep subclasses apart, and refuse what is no instance', async () => {
    const { SystemClock, Clock, Logger } = await anotherCopy();
    class Other extends Clock {
      now(): number {
        return 0;
      }
    }

    expect(new Other() instanceof SystemClock).toBe(false);
    expect(new SystemClock() instanceof SystemClock).toBe(true);
    expect(
      [undefined, null, 1, 'Clock', {}, Clock, Other].some((value) => (value as object) instanceof Clock),
    ).toBe(false);
    expect(new SystemClock() instanceof Logger).toBe(false);
  });

  it('are of the version that package.json states', async () => {
    await anotherCopy();
    const manifest = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as PackageCopy;

    expect(copies().at(-1)?.version).toBe(manifest.version);
  });

  it('refuse the instances of an incompatible version, and name both', async () => {
    const older = await anotherCopy();
    Object.assign(copies().at(-1) ?? {}, { version: '0.0.9' });
    const { Tool } = await anotherCopy();

    expect(() => older.googleSearch() instanceof Tool).toThrow(
      /^A Tool of @adorn\/core 0\.0\.9 \(\S+shared-class\S*\) was given to @adorn\/core [\d.]+ \(\S+shared-class\S*\), which/,
    );
  });
});

/** A copy with an agent class of its own. */
function withAgent<Copy extends typeof Core>(copy: Copy) {
  class Agent extends copy.LlmAgent {}
  return { ...copy, Agent };
}
