import { says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  agentTool,
  createRunner,
  defineAgent,
  defineTool,
  FunctionTool,
  LlmAgent,
  tool,
  workflow,
} from '../index.js';

const FIELDS = { name: 'rain', description: 'Rain.', parameters: {}, run: () => 'none' };
const ofTool = (options: object) => () => defineTool({ ...FIELDS, ...options });
const ofFunctionTool = (options: object) => () => new FunctionTool({ ...FIELDS, ...options });
const ofAgentTool = (options: object) => () => agentTool(worker(), options);

/** Values of every kind but the valid ones, and how a message shows them. */
const TEXTS = [5, true, null, {}, [], () => 1, Symbol('s'), 5n];
const FLAGS = [5, 'yes', '', null, {}, [], () => 1, Symbol('s'), 5n];
const LIMITS = [-1, NaN, '5', true, null, {}, [], () => 1, Symbol('s'), 5n];

describe('the value of an option', () => {
  it.each([
    ['agentTool', ofAgentTool, { name: TEXTS, description: TEXTS, skipSummarization: FLAGS }],
    ['agentTool', ofAgentTool, { confirm: [5, null, {}, () => true] }],
    ['defineTool', ofTool, { name: TEXTS, description: TEXTS, confirm: [5, null, {}], reconcile: [5, 'no'] }],
    ['defineTool', ofTool, { timeout: LIMITS, sequential: FLAGS, idempotent: [5, 'yes', null] }],
    [
      'FunctionTool',
      ofFunctionTool,
      { description: TEXTS, confirm: [5, null, {}], effect: [5, null, 'reed'] },
    ],
  ])('of another type is refused by %s', (_door, make, cases) => {
    for (const [option, values] of Object.entries(cases)) {
      for (const value of values) {
        expect(make({ [option]: value })).toThrow(
          expect.objectContaining({
            code: 'TOOL_CONFIG_INVALID',
            message: expect.stringMatching(`: ${option} is .+\\. (Pass|Did you mean|Valid)`) as string,
          }) as Error,
        );
      }
    }
  });

  it.each(['name', 'description', 'confirm'])(
    'of another type is refused of a method: %s',
    async (option) => {
      class Weather {
        @tool({ parameters: {}, [option]: 5 } as object)
        rain(): string {
          return 'none';
        }
      }
      await expect(start(defineAgent({ name: 'desk', tools: [Weather] }))).rejects.toMatchObject({
        code: 'TOOL_CONFIG_INVALID',
        message: expect.stringContaining(`${option} is 5. Pass `) as string,
      });
    },
  );

  it('of another type is refused of an agent', async () => {
    const cases: Record<string, readonly unknown[]> = {
      description: TEXTS,
      outputKey: TEXTS,
      disableTransfer: FLAGS,
      disallowTransferToParent: FLAGS,
      disallowTransferToPeers: FLAGS,
      maxIterations: LIMITS,
      delegation: TEXTS,
      includeContents: ['nothing', ...TEXTS],
      instruction: [5, null, {}],
      globalInstruction: [5, null, {}],
      staticInstruction: [5, null, []],
      generateContentConfig: [5, null, 'hot', []],
    };
    for (const [option, values] of Object.entries(cases)) {
      for (const value of values) {
        const made = defineAgent({ name: 'desk', [option]: value });
        await expect(start(made)).rejects.toMatchObject({
          code: 'AGENT_CONFIG_INVALID',
          message: expect.stringMatching(
            `^@agent of desk: ${option} is .+\\. (Pass|Did you mean|Valid)`,
          ) as string,
        });
      }
    }
  });

  it('of another type is refused of a workflow', async () => {
    const tree = workflow.map(worker(), { itemsKey: 'items', outputKey: 5 as never });
    await expect(start(tree)).rejects.toMatchObject({
      message: expect.stringContaining('outputKey is 5. Pass a text.') as string,
    });
  });

  it('that is no list is refused where the class is declared', () => {
    for (const option of ['tools', 'subAgents'])
      for (const value of [5, true, {}, 'all', () => 1, Symbol('s')])
        expect(() => {
          class Desk extends LlmAgent {}
          agent({ [option]: value } as object)(Desk);
        }).toThrow(expect.objectContaining({ code: 'AGENT_CONFIG_INVALID' }) as Error);
  });

  it('may be left out as undefined', async () => {
    const tools = [agentTool(worker(), { confirm: undefined })];
    await expect(
      start(defineAgent({ name: 'desk', description: undefined, tools })),
    ).resolves.toBeUndefined();
  });
});

describe('options that are no object', () => {
  it.each([null, 5, 'desk', true, []])('are refused with words: %s', (options) => {
    const given = options as never;
    expect(() => agentTool(worker(), given)).toThrow(
      /^A tool: the options of agentTool are .+\. Pass an object/,
    );
    expect(() => defineAgent(given)).toThrow(/^@agent of defineAgent: its options are .+\. Pass an object/);
    expect(() => {
      agent(given)(class Desk extends LlmAgent {});
    }).toThrow(/^@agent of Desk: its options are .+\. Pass an object/);
  });

  it.each([undefined, null, 5, Symbol('s')])('are refused by defineAgent without a name: %p', (name) => {
    expect(() => defineAgent({ name } as never)).toThrow(
      /^@agent of defineAgent: name is .+\. Pass an object with/,
    );
  });
});

function worker() {
  return defineAgent({ name: 'worker', description: 'Works.' });
}

async function start(root: Parameters<typeof createRunner>[0]): Promise<void> {
  const runner = await createRunner(root, { model: new ScriptedModel(says('Done.')) });
  await runner.close();
}
