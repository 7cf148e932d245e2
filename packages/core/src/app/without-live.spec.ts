import { ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent } from '../index.js';
import { LiveSessionsMissingError } from '../runner/errors.js';

describe('a runner without the module for live sessions', () => {
  it('refuses runner.live, and names the package and the module', async () => {
    await using runner = await createRunner(defineAgent({ name: 'desk' }), { model: new ScriptedModel() });

    expect(() => runner.live()).toThrow(LiveSessionsMissingError);
    expect(() => runner.live()).toThrow('pass the module liveSessions of @adorn/live');
  });
});
