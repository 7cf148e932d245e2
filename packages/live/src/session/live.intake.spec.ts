import {
  callsLive,
  endsTurn,
  type LiveStep,
  refuses,
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
  type Event,
  type Guardrail,
  LlmAgent,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import type { LiveRunInput, LiveSession } from '@adorn/core/backend';
import { createRunner, isTurnEnd, KEY, look, settled, storedOf, until } from './live.fixture.js';

const NO_DARN: Guardrail = {
  name: 'no-darn',
  check: (text) => (text.includes('darn') ? new Deny('swears') : undefined),
};

describe('what a live model says', () => {
  it('passes onModelPiece piece by piece, which may replace or drop it, with the context of afterModel', async () => {
    const contexts = new Set<unknown>();
    class Clerk extends LlmAgent {
      override onModelPiece({ content }: ModelResponse, context: object): ModelResponse | false | undefined {
        contexts.add(context);
        const text = content?.parts?.[0]?.text ?? '';
        if (text === 'two ') return false;
        return text === 'three.' ? { content: { role: 'model', parts: [{ text: '3.' }] } } : undefined;
      }
      override afterModel(_response: ModelResponse, context: object): undefined {
        contexts.add(context);
      }
    }
    const { live, runner } = await call(Clerk, {}, speaks('One two three.'));
    live.sendText('Count.');
    const shown = await until(live, isTurnEnd);
    await live.close();

    expect(wordsIn(shown)).toEqual(['One ', '3.']);
    expect(await storedOf(runner)).toEqual(['user: Count.', 'clerk: One two three.']);
    expect(contexts.size).toBe(1);
    await runner.close();
  });

  it('is stored with the transcript that afterModel leaves', async () => {
    class Clerk extends LlmAgent {
      override afterModel(): ModelResponse {
        return { content: { role: 'model', parts: [{ text: '(removed)' }] } };
      }
    }
    const { live, runner } = await call(Clerk, {}, speaks('The code is 1234.'));
    live.sendText('The code?');
    const last = (await until(live, isTurnEnd)).at(-1);
    await live.close();

    expect(last?.outputTranscription).toEqual({ text: '(removed)', finished: true });
    await runner.close();
  });

  it('passes onModelError if it fails, whose answer is stored in the place of the failure', async () => {
    class Clerk extends LlmAgent {
      override onModelError(error: unknown): ModelResponse {
        return { content: { role: 'model', parts: [{ text: `Sorry: ${(error as Error).message}` }] } };
      }
    }
    const { live, runner } = await call(Clerk, {}, [
      { kind: 'error', code: 'QUOTA', message: 'Slow down.', fatal: false },
    ]);
    live.sendText('Hello?');
    await until(live, isTurnEnd);
    await live.close();
    const refused = runner.live({
      ...KEY,
      sessionId: 'other',
      model: new ScriptedLive(...refuses(new Error('No line.'))),
    });
    const { text } = await refused.ended;

    expect(await storedOf(runner)).toEqual(['user: Hello?', 'clerk: Sorry: Slow down.']);
    expect(text).toBe('Sorry: No line.');
    await runner.close();
  });
});

describe('speech that is held back', () => {
  it('is not heard if its transcript is refused, and the session ends', async () => {
    const { live, runner } = await call(LlmAgent, { holdSpeech: true }, speaks('Oh darn it.'), [NO_DARN]);
    live.sendText('Hello.');
    const shown: Event[] = [];
    for await (const event of live) shown.push(event);

    expect(shown.filter(({ audio }) => audio !== undefined)).toEqual([]);
    expect(wordsIn(shown)).toEqual([]);
    expect(await storedOf(runner)).toEqual(['user: Hello.', 'clerk ! GUARDRAIL_TRIPPED']);
    await runner.close();
  });

  it('is heard before its answer is stored if it passes', async () => {
    const { live, runner } = await call(LlmAgent, { holdSpeech: true }, speaks('Good day.'), [NO_DARN]);
    live.sendText('Hello.');
    const shown = await until(live, isTurnEnd);
    await live.close();

    expect(shown.filter(({ audio }) => audio !== undefined)).toHaveLength(2);
    expect(shown.at(-1)?.text).toBe('Good day.');
    await runner.close();
  });

  it('is refused if nothing of it is transcribed', async () => {
    const { live, runner } = await call(LlmAgent, { holdSpeech: true, transcribe: { output: false } }, []);
    await live.ended;

    expect(await storedOf(runner)).toEqual(['clerk ! LIVE_NOT_SUPPORTED']);
    await runner.close();
  });
});

describe('an answer that is refused', () => {
  it.each<[string, boolean]>([
    ['at its end', false],
    ['while it is held back', true],
  ])('ends only itself, if the session is to go on: %s', async (_what, holdSpeech) => {
    const steps = [...speaks('Oh darn it.'), untilText(), ...speaks('Good day.')];
    const { live, runner } = await call(LlmAgent, { onTripwire: 'continue', holdSpeech }, steps, [NO_DARN]);
    live.sendText('Hello.');
    await until(live, ({ errorCode }) => errorCode === 'GUARDRAIL_TRIPPED');
    await settled();
    live.sendText('Again?');
    const shown = await until(live, ({ text }) => text === 'Good day.');
    await live.close();

    expect(shown.filter(({ audio }) => audio !== undefined)).toHaveLength(2);
    expect(await storedOf(runner)).toEqual([
      ...['user: Hello.', 'clerk ! GUARDRAIL_TRIPPED', 'user: Again?', 'clerk: Good day.'],
    ]);
    await runner.close();
  });
});

describe('the calls of an answer that is refused', () => {
  it('do not run, and are not stored: the model reads that the answer was not accepted', async () => {
    const ran: string[] = [];
    const Clerk = defineAgent({
      name: 'clerk',
      tools: [look(() => ran.push('look'))],
      outputGuardrails: [NO_DARN],
    });
    const runner = await createRunner(Clerk, { model: new ScriptedModel() });
    const model = new ScriptedLive(
      ...[
        untilText(),
        ...speech('Oh darn it.'),
        callsLive('look', {}, 'c1'),
        untilResponse('c1'),
        endsTurn(),
      ],
      ...[untilText(), ...speaks('Good day.')],
    );
    const live = runner.live({ ...KEY, model, onTripwire: 'continue' });
    live.sendText('Hello.');
    await until(live, ({ partial, turnComplete }) => partial && turnComplete);
    live.sendText('Again?');
    await until(live, ({ text }) => text === 'Good day.');
    await live.close();

    expect(ran).toEqual([]);
    expect(model.connection.responses).toMatchObject([
      { id: 'c1', response: { error: expect.stringContaining('not accepted') as string } },
    ]);
    expect(await storedOf(runner)).toEqual([
      ...['user: Hello.', 'clerk ! GUARDRAIL_TRIPPED', 'user: Again?', 'clerk: Good day.'],
    ]);
    await runner.close();
  });
});

function wordsIn(events: readonly Event[]): string[] {
  return events.flatMap(({ partial, outputTranscription }) =>
    partial && outputTranscription ? [(outputTranscription as { readonly text: string }).text] : [],
  );
}

async function call(
  Base: abstract new () => LlmAgent,
  input: LiveRunInput,
  steps: readonly LiveStep[],
  outputGuardrails: readonly Guardrail[] = [],
): Promise<{ live: LiveSession; runner: Runner<unknown> }> {
  class Clerk extends Base {}
  agent({ name: 'clerk', ...(outputGuardrails.length > 0 && { outputGuardrails }) })(Clerk);
  const runner = await createRunner(Clerk, { model: new ScriptedModel() });
  const model = new ScriptedLive(untilText(), ...steps);
  return { live: runner.live({ ...KEY, model, ...input }), runner };
}
