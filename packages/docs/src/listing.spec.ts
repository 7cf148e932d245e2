import { REPOSITORY } from './folders.js';
import { findListing } from './listing.js';

describe('findListing', () => {
  it('finds the file of a program', () => {
    expect(findListing('ts file=samples/guides/src/a2a.ts')).toEqual({
      language: 'ts',
      href: `${REPOSITORY}samples/guides/src/a2a.ts`,
      caption: 'samples/guides/src/a2a.ts',
    });
  });

  it('finds the sample whose output is shown', () => {
    expect(findListing('console of=samples/guides')).toEqual({
      language: 'console',
      href: `${REPOSITORY}samples/guides`,
      caption: 'Output of samples/guides',
    });
  });

  it.each(['', 'ts', 'text', 'ts file=', 'ts other=a.ts', 'ts file=a.ts more', 'ts file="><b>'])(
    'finds nothing in %p',
    (info) => {
      expect(findListing(info)).toBeUndefined();
    },
  );
});
