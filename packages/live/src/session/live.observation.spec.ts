import {
  callsLive,
  hears,
  isInterrupted,
  type LiveStep,
  ScriptedLive,
  ScriptedModel,
  speaks,
  speech,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { defineAgent, FunctionTool, Plugin } from '@adorn/core';
import type { ObservedFact, Operation, OperationEnd } from '@adorn/core/backend';
import { createRunner, isTurnEnd, KEY, until } from './live.fixture.js';

describe('the answers of a live model', () => {
  it('are observed one by one as requests to it: what they answer, what was said, and how they ended', async () => {
    const watch = await converse(
      [untilText(), speaks('Hello Ada.'), hears('And the time?'), speaks('Noon.')],
      2,
    );

    expect(watch.seen).toEqual([
      ['clerk asks scripted-live: Hi.', ['Hello Ada.'], { status: 'completed' }],
      ['clerk asks scripted-live: And the time?', ['Noon.'], { status: 'completed' }],
    ]);
  });

  it('end with their calls; what follows the responses is another one', async () => {
    const watch = await converse(
      [
        untilText(),
        ...speech('Let me look.'),
        callsLive('look', {}, 'c1'),
        untilResponse('c1'),
        speaks('One.'),
      ],
      1,
    );

    expect(watch.seen).toEqual([
      ['clerk asks scripted-live: Hi.', ['Let me look. → look'], { status: 'completed' }],
      ['clerk asks scripted-live: ', ['One.'], { status: 'completed' }],
    ]);
  });

  it('are completed by an interruption, failed by an error, and cancelled by the end of the session', async () => {
    const watch = await converse(
      [
        untilText(),
        ...speech('One two'),
        isInterrupted(),
        ...speech('three'),
        { kind: 'error', code: 'QUOTA', message: 'Slow down.', fatal: false },
        { kind: 'turnComplete' },
        { kind: 'outputTranscript', text: 'four' },
      ],
      1,
    );

    expect(watch.seen.map(([, , end]) => end)).toEqual([
      { status: 'completed' },
      { status: 'failed', errorCode: 'QUOTA' },
      { status: 'cancelled' },
    ]);
  });
});

class Watch extends Plugin {
  readonly name = 'watch';
  /** What each request is about, its responses, and its end. */
  readonly seen: [string, string[], OperationEnd | undefined][] = [];

  override observe(operation: Operation) {
    if (operation.kind !== 'model') return undefined;
    const { request, agentName = '', model } = operation;
    const about = request.contents.map(({ parts }) => parts?.map(({ text }) => text).join('')).join(' | ');
    const entry: (typeof this.seen)[number] = [`${agentName} asks ${model.name}: ${about}`, [], undefined];
    this.seen.push(entry);
    return {
      within: (work: () => void) => {
        work();
      },
      note: (fact: ObservedFact) => {
        if (fact.kind !== 'response') return;
        const parts = fact.response.content?.parts ?? [];
        entry[1].push(parts.map(({ text, functionCall: call }) => text ?? ` → ${call?.name ?? ''}`).join(''));
      },
      end: (end: OperationEnd) => {
        entry[2] = end;
      },
    };
  }
}

async function converse(script: readonly LiveStep[], turns: number): Promise<Watch> {
  const watch = new Watch();
  const look = new FunctionTool({
    name: 'look',
    description: '',
    parameters: { type: 'object' },
    run: () => 1,
  });
  const model = new ScriptedLive(...script);
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [look] }), {
    model: new ScriptedModel(),
    plugins: [watch],
  });
  const live = runner.live({ ...KEY, model });
  live.sendText('Hi.');
  for (let turn = 0; turn < turns; turn++) await until(live, isTurnEnd);
  await live.close();
  return watch;
}
