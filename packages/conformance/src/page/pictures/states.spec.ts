import { readdirSync } from 'node:fs';

import { STATES } from './states.js';

const FOLDER = 'packages/docs/images/studio';

describe('the pictures of the studio in the documents', () => {
  it('are those of the states that Chromium takes, and no others', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(
      Object.keys(STATES)
        .map((name) => `${name}.webp`)
        .sort(),
    );
  });

  it('show a waiting approval, the inbox of a second approver, a run of two agents, and evals', () => {
    expect(Object.keys(STATES)).toEqual(['approval', 'inbox', 'run', 'evals']);
  });

  it('show both themes', () => {
    expect(new Set(Object.values(STATES).map(({ theme }) => theme))).toEqual(new Set(['light', 'dark']));
  });
});
