import { AssertionError } from 'node:assert';

import {
  type Content,
  createRunner,
  defineAgent,
  defineTool,
  type RunResult,
  type Runner,
} from '@adorn/core';

import '../jest.js';
import { callsTool, callsTools, says, type ScriptedStep } from '../scripted/scripted-step.js';
import { ScriptedModel } from '../scripted/scripted.model.js';
import { expectRun } from './expect-run.js';

const ORDER = {
  type: 'object',
  properties: { order: { type: 'string' }, cents: { type: 'number' } },
} as const;

const refund = defineTool({
  name: 'refund',
  description: 'Refunds.',
  parameters: ORDER,
  confirm: ({ cents }) => Number(cents) > 1000 && 'Refund so much?',
  run: ({ cents }) => ({ refunded: cents }),
});

const small = { order: 'A-17', cents: 500 };

let runner: Runner;

afterEach(() => runner.close());

describe('toHaveCalledTool', () => {
  it('finds a call by its name, some of its arguments, and how often', async () => {
    const result = await run(
      callsTools({ name: 'refund', args: small }, { name: 'refund', args: { cents: 1 } }),
      says('Done.'),
    );

    expect(result).toHaveCalledTool('refund');
    expect(result).toHaveCalledTool('refund', { order: 'A-17' });
    expect(result).toHaveCalledTool('refund', { cents: expect.any(Number) }, { times: 2 });
    expect(result).not.toHaveCalledTool('refund', { order: 'A-18' });
    expect(result).not.toHaveCalledTool('refund', {}, { times: 1 });
    expect(result).toHaveCalledTool('look', {}, { times: 0 });
  });

  it('fails with what was expected, what was found, and the conversation', async () => {
    const result = await run(callsTool('refund', small), says('Done.'));

    expect(
      messageOf(() => {
        expect(result).toHaveCalledTool('refund', { order: 'A-18' });
      }),
    ).toBe(
      [
        'Expected a call of refund with {"order":"A-18"}, but there were none.',
        '',
        'The conversation:',
        '  desk calls refund({"order":"A-17","cents":500})',
        '  refund returns {"refunded":500}',
        '  desk: Done.',
      ].join('\n'),
    );
    expect(
      messageOf(() => {
        expect(result).not.toHaveCalledTool('refund');
      }),
    ).toContain('Expected no call of refund, but there was 1.\n\nThe conversation:\n');
    expect(
      messageOf(() => {
        expect(result).toHaveCalledTool('refund', {}, { times: 2 });
      }),
    ).toContain('Expected 2 calls of refund, but there was 1.');
  });
});

describe('toHaveToolResult', () => {
  it('finds what a tool has answered by its name, some of its response, and how often', async () => {
    const result = await run(
      callsTools({ name: 'refund', args: small }, { name: 'refund', args: { order: 'A-18', cents: 1 } }),
      says('Done.'),
    );
    const session = await runner.sessions.getSession(result);

    expect(result).toHaveToolResult('refund');
    expect(session).toHaveToolResult('refund', { refunded: 500 });
    expect(result).toHaveToolResult('refund', { refunded: expect.any(Number) }, { times: 2 });
    expect(result).not.toHaveToolResult('refund', { refunded: 501 });
    expect(result).not.toHaveToolResult('refund', {}, { times: 1 });
    expect(result).not.toHaveToolResult('look');
    expectRun(result).toHaveToolResult('refund', { refunded: 1 });
    expectRun(result).not.toHaveToolResult('refund', { error: 'none' });
  });

  it('fails with what was expected, what was found, and the conversation', async () => {
    const result = await run(callsTool('refund', small), says('Done.'));

    expect(
      messageOf(() => {
        expect(result).toHaveToolResult('refund', { refunded: 1 });
      }),
    ).toBe(
      [
        'Expected a result of refund with {"refunded":1}, but there were none.',
        '',
        'The conversation:',
        '  desk calls refund({"order":"A-17","cents":500})',
        '  refund returns {"refunded":500}',
        '  desk: Done.',
      ].join('\n'),
    );
    expect(
      messageOf(() => {
        expect(result).not.toHaveToolResult('refund');
      }),
    ).toContain('Expected no result of refund, but there was 1.');
  });
});

describe('toBeWaitingFor', () => {
  it('finds a request by its kind or some of its fields, in a result and in a session', async () => {
    const result = await run(callsTool('refund', { order: 'A-17', cents: 5000 }));
    const session = await runner.sessions.getSession(result);

    expect(result).toBeWaitingFor('confirmation');
    expect(result).toBeWaitingFor({
      tool: 'refund',
      args: { cents: 5000 },
      hint: expect.stringContaining('much'),
    });
    expect(result).not.toBeWaitingFor('credential');
    expect(session).toBeWaitingFor({ tool: 'refund' });
    expect(
      messageOf(() => {
        expect(result).toBeWaitingFor('input');
      }),
    ).toBe(
      [
        'Expected a request with {"kind":"input"} to wait, but 1 request waits.',
        '',
        'The conversation:',
        '  desk calls refund({"order":"A-17","cents":5000})',
        '  refund returns {"status":"pending"}',
        '  waits for confirmation of refund: Refund so much?',
      ].join('\n'),
    );
    expect(
      messageOf(() => {
        expect(result).not.toBeWaitingFor('confirmation');
      }),
    ).toContain('Expected no request with {"kind":"confirmation"} to wait, but 1 request waits.');
  });

  it('finds none where a result has none', async () => {
    expect(await run(says('Done.'))).not.toBeWaitingFor('confirmation');
  });
});

describe('toEmit', () => {
  it('finds an event by some of its fields', async () => {
    const { events } = await run(says('It has shipped.'));

    expect(events).toEmit({ author: 'desk', text: expect.stringMatching(/shipped/) });
    expect(events).not.toEmit({ author: 'courier' });
    expect(events).not.toEmit({ errorCode: expect.any(String) });
  });

  it('shows a failure of the run', async () => {
    const result = await run(() => {
      throw new Error('no key');
    });

    expect(result).toEmit({ errorMessage: 'no key' });
    expect(
      messageOf(() => {
        expect(result).toEmit({ text: 'Hello.' });
      }),
    ).toMatch(
      /^Expected an event with \{"text":"Hello\."\}, but none of 1 event is one\.\n\nThe conversation:\n {2}desk fails: \w+ no key$/,
    );
  });
});

describe('toStayWithin', () => {
  const usage = { promptTokenCount: 900, candidatesTokenCount: 100, totalTokenCount: 1000 };
  const costly = (content: Content | undefined) => ({
    content,
    usageMetadata: usage,
    modelVersion: 'gpt-5-mini',
  });

  it('counts calls of models and tools, tokens, dollars and time', async () => {
    const result = await run(costly(callsTool('refund', small).content), costly(says('Done.').content));

    expect(result).toStayWithin({ modelCalls: 2, toolCalls: 1, tokens: 2000, dollars: 0.000_85, ms: 60_000 });
    expect(result).not.toStayWithin({ modelCalls: 1 });
    expect(result).not.toStayWithin({ toolCalls: 0 });
    expect(result).not.toStayWithin({ tokens: 1999 });
    expect(result).not.toStayWithin({ dollars: 0.000_84 });
    expect(
      messageOf(() => {
        expect(result).toStayWithin({ tokens: 10, toolCalls: 5 });
      }),
    ).toContain('Expected no more than {"tokens":10,"toolCalls":5}, but there were tokens: 2000.');
  });

  it('fails where a model has no price', async () => {
    const result = await run({ ...costly(says('Done.').content), modelVersion: 'own' });

    expect(
      messageOf(() => {
        expect(result).toStayWithin({ dollars: 1 });
      }),
    ).toContain('a model has no price');
    expect(result).toStayWithin({ dollars: 0.01, prices: { own: { input: 1, output: 1 } } });
  });
});

describe('every matcher', () => {
  it.each([
    ['a promise', () => runner.run({ userId: 'ada', message: 'Hi' })],
    ['a text', () => 'Done.'],
    ['absent', () => undefined],
    ['null', () => null],
    ['a list of something else', () => [{ author: 'desk' }]],
  ])('says what it was given instead of a run: %s', async (what, given) => {
    await run(says('a'), says('b'));
    const value: unknown = given();

    expect(
      messageOf(() => {
        expect(value).toEmit({});
      }),
    ).toContain(`toEmit was given ${what}, not the result of a run`);
    await value;
  });

  it('is there for a runner without expect, and its opposite', async () => {
    const result = await run(callsTool('refund', small), says('Done.'));

    expectRun(result).toHaveCalledTool('refund', small);
    expectRun(result).toStayWithin({ modelCalls: 2 });
    expectRun(result).not.toBeWaitingFor('confirmation');
    expectRun(result).toEmit({ text: 'Done.' });
    expect(() => {
      expectRun(result).not.toEmit({ text: 'Done.' });
    }).toThrow(AssertionError);
    expect(() => {
      expectRun(result).toBeWaitingFor('input');
    }).toThrow('The conversation:');
  });

  it('shows the last lines of a long conversation, and shortens long ones', async () => {
    const steps = Array.from({ length: 30 }, () => callsTool('refund', { order: 'x'.repeat(500), cents: 1 }));
    const result = await run(...steps, says('Done.'));

    const message = messageOf(() => {
      expect(result).toEmit({ text: 'No.' });
    });

    expect(message).toContain('… 21 earlier lines');
    expect(Math.max(...message.split('\n').map(({ length }) => length))).toBeLessThan(260);
  });
});

async function run(...steps: readonly ScriptedStep[]): Promise<RunResult> {
  const desk = defineAgent({ name: 'desk', description: 'Refunds.', tools: [refund] });
  runner = await createRunner(desk, { model: new ScriptedModel(...steps) });
  return await runner.run({ userId: 'ada', message: 'Refund A-17' });
}

function messageOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'It passed.';
}
