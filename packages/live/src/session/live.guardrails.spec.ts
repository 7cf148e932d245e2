import {
  callsLive,
  endsTurn,
  type LiveStep,
  ScriptedLive,
  ScriptedModel,
  speaks,
  speech,
  untilResponse,
  untilText,
} from '@adorn/testing';

import {
  agent,
  defineAgent,
  Deny,
  type Guardrail,
  GuardrailsPlugin,
  LlmAgent,
  type ModelRequest,
  type ModelResponse,
  type Plugin,
  type Runner,
  type ToolGuardrail,
} from '@adorn/core';
import type { DefinedAgentOptions } from '@adorn/core/backend';
import { createRunner, isTurnEnd, KEY, look, storedOf, until } from './live.fixture.js';

const NO_ADDRESSES: Guardrail = {
  name: 'no addresses',
  check: (text) => (text.includes('@') ? new Deny('Addresses are not taken.') : undefined),
};

const HOURS: ModelResponse = { content: { role: 'model', parts: [{ text: 'From 9 to 5.' }] } };

const NO_RESULTS: ToolGuardrail = { name: 'no results', checkResult: () => new Deny('Not this one.') };

describe('a guardrail in a live session', () => {
  it.each([false, true])(
    'refuses a typed message, and ends the session (runInParallel: %s)',
    async (runInParallel) => {
      const { live, model, runner } = await started(
        { inputGuardrails: [{ ...NO_ADDRESSES, runInParallel }] },
        [untilText()],
      );
      live.sendText('I am ada@example.org.');
      await live.ended;

      expect((await storedOf(runner)).at(-1)).toBe('clerk ! GUARDRAIL_TRIPPED');
      if (!runInParallel) expect(model.connection.texts).toEqual([]);
      await runner.close();
    },
  );

  it('of all agents refuses a typed message before the model gets it', async () => {
    const plugins = [new GuardrailsPlugin({ inputGuardrails: [NO_ADDRESSES] })];
    const { live, model, runner } = await started({}, [untilText()], plugins);
    live.sendText('I am ada@example.org.');
    await live.ended;

    const stored = await storedOf(runner);
    expect(stored.at(-1)).toBe('clerk ! GUARDRAIL_TRIPPED');
    expect(JSON.stringify([stored, model.connection.sent])).not.toContain('ada@example.org');
    await runner.close();
  });

  it('lets a message pass that it does not refuse, and sends the model what it makes of one', async () => {
    const masked: Guardrail = {
      name: 'masked',
      check: (text) => text.replace('4711', '****'),
    };
    const { live, model, runner } = await started({ inputGuardrails: [NO_ADDRESSES, masked] }, [
      untilText(),
      speaks('Thank you.'),
    ]);
    live.sendText('My card is 4711.');
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.texts).toEqual(['My card is ****.']);
    await runner.close();
  });

  it('refuses what was said, once it is transcribed', async () => {
    const { live, runner } = await started({ inputGuardrails: [NO_ADDRESSES] }, [
      { kind: 'inputTranscript', text: 'I am ada@example.org.', finished: true },
      ...[speaks('Thank you, ada.')].flat(),
    ]);
    await live.ended;

    expect((await storedOf(runner)).slice(-2)).toEqual([
      'user: I am ada@example.org.',
      'clerk ! GUARDRAIL_TRIPPED',
    ]);
    await runner.close();
  });

  it.each(['end', 'deny'] as const)(
    'refuses an answer, which is not stored, and ends: %s',
    async (onTripwire) => {
      const { live, runner } = await started({ outputGuardrails: [{ ...NO_ADDRESSES, onTripwire }] }, [
        untilText(),
        speaks('Write to ada@example.org.'),
      ]);
      live.sendText('Where to?');
      await live.ended;

      expect(await storedOf(runner)).toEqual(['user: Where to?', 'clerk ! GUARDRAIL_TRIPPED']);
      await runner.close();
    },
  );

  it('refuses the result of a tool, and the model is not heard again', async () => {
    const { live, model, runner } = await started({ tools: [look()], toolGuardrails: [NO_RESULTS] }, [
      untilText(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      speaks('One.'),
    ]);
    live.sendText('Look.');
    await live.ended;

    expect((await storedOf(runner)).at(-1)).toBe('clerk ! GUARDRAIL_TRIPPED');
    expect(JSON.stringify(model.connection.responses)).not.toContain('"result":1');
    await runner.close();
  });
});

describe('beforeModel in a live session', () => {
  it('answers spoken words, too: the answer of the model is dropped, its calls do not run, and the model is told', async () => {
    const ran: string[] = [];
    @agent({ name: 'clerk', tools: [look(() => ran.push('look'))] })
    class Clerk extends LlmAgent {
      override beforeModel({ contents }: ModelRequest): ModelResponse | undefined {
        return contents.at(-1)?.parts?.[0]?.text === 'Hours?' ? HOURS : undefined;
      }
    }
    const model = new ScriptedLive(
      { kind: 'inputTranscript', text: 'Hours?', finished: true },
      ...[...speech('Always.'), callsLive('look', {}, 'c1'), untilResponse('c1'), endsTurn()],
      ...[untilText(), speaks('Good day.')],
    );
    const runner: Runner<unknown> = await createRunner(Clerk, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    const shown = await until(live, ({ partial, turnComplete }) => partial && turnComplete);
    live.sendText('Hello.');
    shown.push(...(await until(live, ({ text }) => text === 'Good day.')));
    await live.close();

    expect(await storedOf(runner)).toEqual([
      ...['user: Hours?', 'clerk: From 9 to 5.', 'user: Hello.', 'clerk: Good day.'],
    ]);
    expect(JSON.stringify(shown)).not.toContain('Always');
    expect(ran).toEqual([]);
    expect(model.connection.contexts).toEqual(['From 9 to 5.']);
    await runner.close();
  });

  it('is asked for each message, and its answer stands in the place of the model’s', async () => {
    const asked: unknown[] = [];
    @agent({ name: 'clerk' })
    class Clerk extends LlmAgent {
      override beforeModel({ contents }: ModelRequest): ModelResponse | undefined {
        const text = contents.at(-1)?.parts?.[0]?.text;
        asked.push(text);
        return text === 'Hours?' ? HOURS : undefined;
      }
    }
    const model = new ScriptedLive(untilText(), speaks('Good day.'));
    const runner: Runner<unknown> = await createRunner(Clerk, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    live.sendText('Hours?');
    const answered = await until(live, isTurnEnd);
    live.sendText('Hello.');
    await until(live, isTurnEnd);
    await live.close();

    expect(answered.at(-1)?.text).toBe('From 9 to 5.');
    expect(asked).toEqual(expect.arrayContaining(['Hours?', 'Hello.']));
    expect(await storedOf(runner)).toEqual([
      ...['user: Hours?', 'clerk: From 9 to 5.', 'user: Hello.', 'clerk: Good day.'],
    ]);
    expect(model.connection.contexts).toEqual(['Hours?\nFrom 9 to 5.']);
    await runner.close();
  });
});

async function started(
  options: Partial<Omit<DefinedAgentOptions, 'name'>>,
  steps: readonly LiveStep[],
  plugins: readonly Plugin[] = [],
): Promise<{ runner: Runner; model: ScriptedLive; live: ReturnType<Runner['live']> }> {
  const model = new ScriptedLive(...steps);
  const runner = await createRunner(defineAgent({ name: 'clerk', ...options }), {
    model: new ScriptedModel(),
    plugins,
  });
  return { runner, model, live: runner.live({ ...KEY, model }) };
}
