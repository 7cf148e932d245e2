import { tmpdir } from 'node:os';

import { checkKeys } from './check-keys.js';

describe('checkKeys', () => {
  it('notes in development that the offline model answers', () => {
    expect(checkKeys(tmpdir(), {})).toEqual([
      expect.objectContaining({
        about: 'model',
        status: 'note',
        text: expect.stringMatching(/^offline/) as string,
      }),
    ]);
  });

  it('finds a fault in production, and says how the offline model is meant', () => {
    const production = { NODE_ENV: 'production' };

    expect(checkKeys(tmpdir(), production)).toEqual([
      {
        about: 'model',
        status: 'fault',
        text: expect.stringMatching(/ADORN_MODEL: .* or offline if/) as string,
      },
    ]);
    expect(checkKeys(tmpdir(), { ...production, ADORN_MODEL: 'offline' })).toMatchObject([
      { status: 'note' },
    ]);
    expect(checkKeys(tmpdir(), { ...production, GEMINI_API_KEY: 'k' })).toMatchObject([{ status: 'fine' }]);
  });
});
