import fc from 'fast-check';

import { WireNames } from './wire-names.js';

const RULE = { pattern: /^[a-zA-Z0-9_-]+$/, longest: 64 };

/** Names near each other: of the same letters, with and without what providers refuse, and beyond the limit. */
const name = fc.oneof(
  fc.stringMatching(/^[a-c_.:/-]{0,6}$/),
  fc.string({ maxLength: 80 }),
  fc.stringMatching(/^a{60,70}$/),
);

describe('names of tools on a wire', () => {
  it('are accepted, distinct, and lead back to their tools, whatever the tools are called', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (originals) => {
        // A tool may have the very name that another one would be sent with.
        const first = new WireNames(RULE, originals);
        const all = [...new Set([...originals, ...originals.map((one) => first.toSent(one))])];
        const names = new WireNames(RULE, all);
        const sent = all.map((one) => names.toSent(one));

        expect(new Set(sent).size).toBe(all.length);
        for (const one of sent) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(sent.map((one) => names.toOriginal(one))).toEqual(all);
      }),
    );
  });

  it('do not change without need', () => {
    fc.assert(
      fc.property(fc.array(name), fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/), (others, accepted) => {
        expect(new WireNames(RULE, [...others, accepted]).toSent(accepted)).toBe(accepted);
      }),
    );
  });

  it('do not depend on their order, nor on other tools', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-c.]{1,6}$/)), name, (others, one) => {
        const alone = new WireNames(RULE, [one]).toSent(one);

        expect(new WireNames(RULE, [one, ...others]).toSent(one)).toBe(alone);
        expect(new WireNames(RULE, [...others.reverse(), one]).toSent(one)).toBe(alone);
      }),
    );
  });

  it('can be recognised: the letters stay', () => {
    expect(new WireNames(RULE, ['gmail.send']).toSent('gmail.send')).toMatch(/^gmail_send_[0-9a-f]{8}$/);
  });

  it('are those of the tools in a text of the provider', () => {
    const names = new WireNames(RULE, ['a.b', 'a_b']);

    expect(names.inText(`Invalid schema for "${names.toSent('a.b')}", not for "a_b".`)).toBe(
      'Invalid schema for "a.b", not for "a_b".',
    );
  });
});
