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
const SCHEMAS = [5, 'city', true, null, [], Symbol('s'), 5n];
const LIMITS = [-1, NaN, '5', true, null, {}, [], () => 1, Symbol('s'), 5n];

describe('the value of an option', () => {
  it.each([
    ['agentTool', ofAgentTool, { name: TEXTS, description: TEXTS, skipSummarization: FLAGS }],
    ['agentTool', ofAgentTool, { confirm: [5, null, {}, () => true] }],
    ['defineTool', ofTool, { name: TEXTS, description: TEXTS, confirm: [5, null, {}], reconcile: [5, 'no'] }],
    ['defineTool', ofTool, { parameters: SCHEMAS }],
    ['FunctionTool', ofFunctionTool, { parameters: SCHEMAS, run: [5, null, {}] }],
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

  it.each(['name', 'description', 'confirm', 'parameters'])(
    'of another type is refused of a method: %s',
    async (option) => {
      for (const value of [5, null]) {
        class Weather {
          @tool({ parameters: {}, [option]: value } as object)
          rain(): string {
            return 'none';
          }
        }
        await expect(start(defineAgent({ name: 'desk', tools: [Weather] }))).rejects.toMatchObject({
          code: 'TOOL_CONFIG_INVALID',
          message: expect.stringContaining(`${option} is ${String(value)}. Pass `) as string,
        });
      }
    },
  );

  it('of another type is refused of an agent', async () => {
    const cases: Record<string, readonly unknown[]> = {
      description: TEXTS,
      outputKey: TEXTS,
      outputSchema: SCHEMAS,
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

  it.each([null, 5, 'rain', true, []])('are refused of a tool: %s', (options) => {
    const given = options as never;
    const words = /^(The tool "rain"|A tool): its options are .+\. Pass an object/;
    expect(() => defineTool(function rain() {}, given)).toThrow(words);
    expect(() => new FunctionTool(given)).toThrow(words);
    expect(() => {
      class Weather {
        @tool(given)
        rain() {}
      }
      return Weather;
    }).toThrow(words);
    expect(() => defineTool(given)).toThrow(expect.objectContaining({ code: 'NOT_A_TOOL' }) as Error);
  });

  it.each([() => 1, function options() {}])('are refused of an agent: the function %s', (options) => {
    expect(() => {
      @agent(options as object)
      class Desk extends LlmAgent {}
      return Desk;
    }).toThrow(/^@agent of Desk: its options are a function\. Pass an object/);
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
