import { type Content, createRunner, defineAgent, FunctionTool, type ModelRequest } from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import fc from 'fast-check';

import { type ContextFilterOptions, ContextFilterPlugin } from './context-filter.plugin.js';

describe('ContextFilterPlugin', () => {
  it('shows the model the last turns, with all calls and responses in them', async () => {
    const { say, requests } = await start(
      { turns: 2 },
      says('one'),
      callsTool('look'),
      says('two'),
      callsTool('look'),
      says('three'),
    );

    await say('First?');
    await say('Second?');
    await say('Third?');

    expect(requests().map(shape)).toEqual([
      ['First?'],
      ['First?', 'one', 'Second?'],
      ['First?', 'one', 'Second?', 'call', 'response'],
      ['Second?', 'call', 'response', 'two', 'Third?'],
      ['Second?', 'call', 'response', 'two', 'Third?', 'call', 'response'],
    ]);
  });

  it('counts neither an instruction that follows the conversation nor what other agents said', async () => {
    const look = new FunctionTool({ name: 'look', description: '', run: () => 'seen' });
    const model = new ScriptedModel(
      says('one'),
      callsTool('transfer_to_agent', { agentName: 'expert' }),
      callsTool('look'),
      says('two'),
    );
    const expert = defineAgent({
      name: 'expert',
      description: 'Looks.',
      tools: [look],
      staticInstruction: 'Look closely.',
      instruction: 'Answer in a word.',
    });
    const root = defineAgent({ name: 'clerk', model, subAgents: [expert] });
    const plugins = [new ContextFilterPlugin({ turns: 1 })];
    await using runner = await createRunner(root, { plugins });
    await eventsOf(runner.run({ ...address, message: 'First?' }));
    await eventsOf(runner.run({ ...address, message: 'Second?' }));

    const last = shape(model.requests.at(-1) as ModelRequest);

    expect(last.filter((one) => one !== 'context')).toEqual([
      'Second?',
      'call',
      'response',
      'Answer in a word.',
    ]);
  });

  it('leaves out what the filter refuses, but never the last content', async () => {
    const isKept = ({ parts = [] }: Content): boolean => !parts.some(({ text }) => text?.includes('noise'));
    const { say, requests } = await start({ filter: isKept }, says('noise'), says('two'), says('three'));

    await say('First?');
    await say('Second noise?');
    await say('Third?');

    expect(requests().map(shape)).toEqual([
      ['First?'],
      ['First?', 'Second noise?'],
      ['First?', 'two', 'Third?'],
    ]);
  });

  it('keeps everything in the log, and in later requests without it', async () => {
    const { say, runner } = await start({ turns: 1 }, says('one'), says('two'));
    await say('First?');
    await say('Second?');

    const session = await runner.sessions.getSession({ appName: runner.appName, ...address });

    expect(session?.events).toHaveLength(4);
  });

  it('never separates a call from its response, whatever the filter says', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1 }), fc.array(fc.boolean()), (calls, answers) => {
        const contents = calls.flatMap((isCall) => (isCall ? [CALL, RESPONSE] : [MESSAGE, ANSWER]));
        let asked = 0;
        const plugin = new ContextFilterPlugin({ filter: () => answers[asked++] ?? false });
        const request = { contents, config: {}, stream: false, signal: new AbortController().signal };

        plugin.beforeModel(request, { userContent: undefined } as never);

        const kept = request.contents;
        expect(kept.length).toBeGreaterThan(0);
        kept.forEach((content, index) => {
          if (content === CALL) expect(kept[index + 1]).toBe(RESPONSE);
          if (content === RESPONSE) expect(kept[index - 1]).toBe(CALL);
        });
      }),
    );
  });

  it.each<[unknown, string]>([
    [{}, 'it has nothing to filter by. Pass turns or filter.'],
    [{ turns: 0 }, 'turns is 0. Pass a whole number of at least 1.'],
    [{ turns: 1.5 }, 'turns is 1.5.'],
    [{ turns: '3' }, 'turns is "3".'],
    [{ turns: null }, 'turns is null.'],
    [{ filter: true }, 'filter is true.'],
    [{ turn: 3 }, 'there is no option turn. Did you mean turns?'],
    [null, 'its options are null.'],
  ])('refuses the options %j', (options, fault) => {
    expect(() => new ContextFilterPlugin(options as ContextFilterOptions)).toThrow(
      `ContextFilterPlugin: ${fault}`,
    );
  });
});

const address = { userId: 'ada', sessionId: 's1' };
const CALL: Content = { role: 'model', parts: [{ functionCall: { id: 'c', name: 'look' } }] };
const RESPONSE: Content = { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'look' } }] };
const MESSAGE: Content = { role: 'user', parts: [{ text: 'Hello?' }] };
const ANSWER: Content = { role: 'model', parts: [{ text: 'Hello.' }] };

async function start(options: ContextFilterOptions, ...steps: readonly ScriptedStep[]) {
  const model = new ScriptedModel(...steps);
  const look = new FunctionTool({ name: 'look', description: '', run: () => 'seen' });
  const runner = await createRunner(defineAgent({ name: 'clerk', model, tools: [look] }), {
    plugins: [new ContextFilterPlugin(options)],
  });
  const say = (message: string) => eventsOf(runner.run({ ...address, message }));
  return { runner, say, requests: () => model.requests };
}

/** The contents of a request: texts as they are, and the kinds of the others. */
function shape({ contents }: Pick<ModelRequest, 'contents'>): string[] {
  return contents.map(({ parts: [part, next] = [] }) => {
    if (part?.functionCall !== undefined) return 'call';
    if (part?.functionResponse !== undefined) return 'response';
    return next === undefined ? (part?.text ?? '') : 'context';
  });
}
