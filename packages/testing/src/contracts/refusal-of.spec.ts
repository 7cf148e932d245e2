import { AdornError } from '@adorn/core';

import { refusalOf } from './refusal-of.js';

class NameRefused extends AdornError {
  readonly code = 'NAME_INVALID';
}

describe('the refusal that a contract suite prints', () => {
  it('has the code, and the beginning of a message that repeats a long name', async () => {
    const refusal = await refusalOf(() => Promise.reject(new NameRefused('f'.repeat(100_000))));

    expect(refusal).toEqual({ code: 'NAME_INVALID', message: 'f'.repeat(200) });
  });

  it('says so where nothing was refused, and throws what is no refusal', async () => {
    expect(await refusalOf(Promise.resolve())).toEqual({ code: 'NONE', message: 'It was not refused.' });
    await expect(refusalOf(Promise.reject(new TypeError('broken')))).rejects.toThrow('broken');
  });
});
