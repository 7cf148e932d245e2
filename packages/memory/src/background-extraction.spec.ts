import { agent, createRunner, LlmAgent } from '@adorn/core';
import { liveSessions } from '@adorn/live';
import {
  callsTool,
  says,
  ScriptedLive,
  ScriptedModel,
  type ScriptedStep,
  speaks,
  untilText,
} from '@adorn/testing';

import { backgroundExtraction, type BackgroundExtractionOptions, workingMemory } from './index.js';

const memory = () =>
  workingMemory({
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Where the user lives.' },
      children: { type: 'integer', minimum: 0, default: 0 },
    },
  });

/** A model that reads conversations, and answers when the spec lets it. */
function heldReader(answer: string) {
  const asked = new Gate();
  const opened = new Gate();
  const model = new ScriptedModel(async () => {
    asked.open();
    await opened.passed;
    return says(answer);
  });
  return { model, asked, opened };
}

class Gate {
  open: () => void = () => undefined;
  readonly passed = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

async function conversation(reader: ScriptedModel, options: BackgroundExtractionOptions = {}) {
  const profile = memory();

  @agent({ instruction: 'Help.', tools: [profile], description: 'Helps.' })
  class Concierge extends LlmAgent {}

  const model = new ScriptedModel(says('Nice.'), says('Good.'));
  const modules = [backgroundExtraction(profile, { model: reader, ...options })];
  const runner = await createRunner(Concierge, { model, modules });
  return { runner, profile, ada: profile.of(runner, 'ada') };
}

const TALK = { userId: 'ada', sessionId: 's1', message: 'I live in Oslo.' };

describe('backgroundExtraction', () => {
  it('fills the profile of what was said in a run, and the answer does not wait for it', async () => {
    const reader = heldReader('{"city":"Oslo","children":null}');
    const { runner, ada } = await conversation(reader.model);

    const { text } = await runner.run(TALK);

    expect(text).toBe('Nice.');
    expect(await ada.read()).toEqual({});
    reader.opened.open();
    await runner.close();
    expect(await ada.read()).toEqual({ city: 'Oslo' });
    const prompt = JSON.stringify(reader.model.requests[0]?.contents);
    expect(prompt).toContain('<conversation>\\nuser: I live in Oslo.\\nconcierge: Nice.\\n</conversation>');
  });

  it('reads each run once, so that what was corrected stays corrected', async () => {
    const reader = new ScriptedModel(says('{"city":"Oslo"}'), says('{}'));
    const { runner, ada } = await conversation(reader);
    await runner.run(TALK);
    while ((await ada.read()).city === undefined) await new Promise(setImmediate);
    await ada.correct({ city: 'Bergen' });

    await runner.run({ ...TALK, message: 'Thank you.' });

    await runner.close();
    expect(JSON.stringify(reader.requests[1])).not.toContain('Oslo');
    expect(await ada.read()).toEqual({ city: 'Bergen' });
  });

  it('leaves a field alone that somebody has changed meanwhile', async () => {
    const reader = heldReader('{"city":"Oslo","children":2}');
    const { runner, ada } = await conversation(reader.model);
    await runner.run(TALK);
    await reader.asked.passed;

    await ada.correct({ city: 'Bergen' });
    reader.opened.open();

    await runner.close();
    expect(await ada.read()).toEqual({ city: 'Bergen', children: 2 });
  });

  it('writes nothing of a user who was forgotten meanwhile', async () => {
    const reader = heldReader('{"city":"Oslo"}');
    const { runner, ada } = await conversation(reader.model);
    await runner.run(TALK);
    await reader.asked.passed;

    await runner.forget('ada');
    reader.opened.open();

    await runner.close();
    expect(await ada.read()).toEqual({});
  });

  it.each<[string, ScriptedStep]>([
    ['no JSON', says('He lives in Oslo.')],
    ['what does not fit', says('{"city":"Oslo","children":-1}')],
    ['nothing', { errorCode: 'MODEL_FAILED', errorMessage: 'down' }],
  ])('writes nothing, and logs a warning, where the model answers %s', async (_what, step) => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const { runner, ada } = await conversation(new ScriptedModel(step));

    await runner.run(TALK);

    await runner.close();
    expect(await ada.read()).toEqual({});
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('nothing was extracted of a run'));
    warn.mockRestore();
  });

  it('gives an extraction up that takes longer than its timeout', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const reader = heldReader('{"city":"Oslo"}');
    const { runner, ada } = await conversation(reader.model, { timeout: 20 });
    await runner.run(TALK);

    await runner.close();

    expect(await ada.read()).toEqual({});
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('did not answer in time'));
    warn.mockRestore();
    reader.opened.open();
  });

  it('gives an extraction up when the runner is closed and the grace is over', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const reader = heldReader('{"city":"Oslo"}');
    const { runner, ada } = await conversation(reader.model, { grace: 20 });
    await runner.run(TALK);

    await runner.close();

    expect(await ada.read()).toEqual({});
    warn.mockRestore();
    reader.opened.open();
  });

  it('asks nothing where the user said nothing, or the run failed', async () => {
    const profile = memory();
    const reader = new ScriptedModel();

    @agent({ instruction: 'Help.', tools: [profile], description: 'Helps.' })
    class Concierge extends LlmAgent {}

    const model = new ScriptedModel(says('Nice.'), { errorCode: 'MODEL_FAILED', errorMessage: 'down' });
    await using runner = await createRunner(Concierge, {
      model,
      modules: [backgroundExtraction(profile, { model: reader })],
    });
    const file = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };

    await runner.run({ ...TALK, message: { role: 'user', parts: [file] } });
    await runner.run(TALK).catch(() => undefined);

    expect(reader.requests).toHaveLength(0);
  });

  it('reads a spoken conversation when it is over', async () => {
    const profile = memory();
    const reader = new ScriptedModel(says('{"city":"Oslo"}'));

    @agent({ instruction: 'Help.', tools: [profile], description: 'Helps.' })
    class Concierge extends LlmAgent {}

    const runner = await createRunner(Concierge, {
      model: new ScriptedModel(),
      modules: [liveSessions, backgroundExtraction(profile, { model: reader })],
    });
    const live = runner.live({
      userId: 'ada',
      sessionId: 's1',
      model: new ScriptedLive(untilText(), speaks('Nice.')),
    });
    live.sendText('I live in Oslo.');
    for await (const event of live) if (event.author !== 'user' && event.turnComplete) break;
    await live.close();

    await runner.close();
    expect(JSON.stringify(reader.requests[0]?.contents)).toContain('user: I live in Oslo.');
    expect(await profile.of(runner, 'ada').read()).toEqual({ city: 'Oslo' });
  });

  it('asks the model of the root agent by default', async () => {
    const profile = memory();

    @agent({ instruction: 'Help.', tools: [profile], description: 'Helps.' })
    class Concierge extends LlmAgent {}

    const model = new ScriptedModel(callsTool('update_profile', { city: 'Oslo' }), says('Ok.'), says('{}'));
    const runner = await createRunner(Concierge, { model, modules: [backgroundExtraction(profile)] });

    await runner.run(TALK);

    await runner.close();
    expect(model.requests).toHaveLength(3);
    expect(await profile.of(runner, 'ada').read()).toEqual({ city: 'Oslo' });
  });

  it.each([[null], [{}], [() => undefined]])('refuses %p as a memory', (given) => {
    expect(() => backgroundExtraction(given as never)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }) as Error,
    );
  });

  it.each([[{ model: 'gemini' }], [{ timeout: -1 }], [{ grace: 'long' }], [{ every: 2 }]])(
    'refuses the options %j',
    (options) => {
      expect(() => backgroundExtraction(memory(), options as never)).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID' }) as Error,
      );
    },
  );
});
