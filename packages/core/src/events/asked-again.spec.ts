import { readFile } from 'node:fs/promises';

import { AGAIN_REASONS, readAskedAgain } from './asked-again.js';

describe('the reasons for which a call asks again', () => {
  it('are all in the table of the documentation, and no others', async () => {
    const page = await readFile(new URL('../../../docs/confirmation.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## Why a call asks again');
    const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
      ([, reason]) => reason,
    );

    expect(listed.toSorted()).toEqual(Object.keys(AGAIN_REASONS).toSorted());
  });

  it.each([
    undefined,
    null,
    'EXPIRED',
    {},
    { reason: 7 },
    { reason: 'toString' },
    { reason: 'OF_A_LATER_VERSION' },
  ])('are read from a log only where they are known: %j', (stored) => {
    expect(readAskedAgain(stored)).toBeUndefined();
  });
});
