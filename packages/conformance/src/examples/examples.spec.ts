import { failuresOf } from '../check.js';
import { DOCUMENTS } from './documents.js';
import { playExample } from './example.js';
import { examplesConformance } from './examples.conformance.js';

const EXAMPLES = DOCUMENTS.flatMap(({ name, examples }) =>
  examples.map((example) => [`${name}: ${example.name}`, example] as const),
);

describe('the example programs of the documents that Adorn implements', () => {
  it.each(EXAMPLES)('do what is promised of them: %s', async (_name, example) => {
    expect(failuresOf(await playExample(example))).toEqual([]);
  });

  it('are 29, each with a marked program and each difference on its page', async () => {
    const sections = [];
    for await (const section of examplesConformance.run('')) sections.push(section);

    const faults = sections.flatMap(({ groups }) => groups.flatMap(({ checks }) => failuresOf(checks)));
    expect(faults).toEqual([]);
    expect(sections.at(-1)?.name).toContain('29 examples');
  });
});

describe('an example', () => {
  it('fails by a promise that is not kept, and the others are checked', async () => {
    const checks = await playExample({
      play: (promise) => {
        promise('one is one', () => {
          expect(1).toBe(1);
        });
        promise('one is two', () => {
          expect(1).toBe(2);
        });
        return Promise.resolve();
      },
    });

    expect(checks).toEqual([
      { what: 'one is one' },
      { what: 'one is two', fault: expect.stringContaining('Expected: 2 Received: 1') as unknown },
    ]);
  });

  it('fails if it waits for what never comes', async () => {
    const checks = await playExample({ play: () => new Promise(() => undefined) }, 10);

    expect(checks).toEqual([{ what: 'runs to its end', fault: 'It has not ended within 10 ms.' }]);
  });

  it('fails where its program breaks, and where nothing is promised', async () => {
    const broken = await playExample({ play: () => Promise.reject(new Error('down')) });
    const silent = await playExample({ play: () => Promise.resolve() });

    expect(broken).toEqual([{ what: 'runs to its end', fault: 'down' }]);
    expect(failuresOf(silent)).toHaveLength(1);
  });
});
