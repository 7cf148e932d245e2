import fc from 'fast-check';

import { checkArtifact } from './artifact.service.js';

/** Groups of base64, of which some characters may be of another alphabet, padding, or none at all. */
const texts = fc.oneof(
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.string({ unit: fc.constantFrom(...Array.from('AZaz09+/-_=\n é')), maxLength: 12 }),
  fc
    .tuple(fc.base64String({ maxLength: 12 }), fc.nat(12), fc.constantFrom(...Array.from('=-_ B\né')))
    .map(([text, at, character]) => text.slice(0, at) + character + text.slice(at + 1)),
);

describe('the data of an artifact', () => {
  it('is accepted if, and only if, decoding and encoding it again gives the same', () => {
    fc.assert(
      fc.property(texts, (data) => {
        const check = (): void => {
          checkArtifact('a', { inlineData: { mimeType: 'text/plain', data } });
        };
        const isSame = data.length % 4 === 0 && Buffer.from(data, 'base64').toString('base64') === data;
        if (isSame) expect(check).not.toThrow();
        else expect(check).toThrow('has data that is not base64');
      }),
      { numRuns: 2_000 },
    );
  });
});
