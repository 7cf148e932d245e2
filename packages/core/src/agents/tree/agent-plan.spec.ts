import { ScriptedModel } from '@adorn/testing';

import type { AgentOptions, ToolSource } from '../../backend.js';
import {
  agent,
  agentTool,
  type AgentClass,
  BaseAgent,
  createRunner,
  defineAgent,
  exitLoop,
  googleSearch,
  FunctionTool,
  LlmAgent,
  Model,
  tool,
} from '../../index.js';
import { planTree, undescribedOf } from './agent-plan.js';

@agent({ instruction: 'Help.' })
abstract class Described extends LlmAgent {}

class Toolbench {
  @tool({ parameters: { type: 'object' } })
  saw(): void {
    // Nothing to saw.
  }
}

describe('a tree that is planned', () => {
  it('may offer tools that the model runs itself', () => {
    const tools = [{ googleSearch: {} }, { codeExecution: {} }];
    @agent({ generateContentConfig: { tools } })
    class Clerk extends LlmAgent {}

    expect(planTree(Clerk).options.generateContentConfig?.tools).toBe(tools);
  });

  it('asks for a description of each agent that states none, and of no class without @agent', () => {
    @agent({ description: 'Sees to bills.' })
    class Billing extends LlmAgent {}
    @agent()
    class Delivery extends LlmAgent {}
    class Plain extends LlmAgent {}
    @agent({ subAgents: [Billing, Delivery, Plain] })
    class Front extends LlmAgent {}

    expect(undescribedOf(planTree(Front))).toEqual([Front, Delivery]);
  });
});

describe('a tree that is wrong', () => {
  it.each<[string, unknown, string]>([
    [
      'a service class',
      class Orders {
        readonly open = true;
      },
      'Class Orders is not an agent class, but is used as the root agent',
    ],
    [
      'an instance',
      new (class Clerk extends LlmAgent {})(),
      'A value of type object is not an agent class, but is used as the root agent',
    ],
    ['a name', 'clerk', 'A value of type string is not an agent class, but is used as the root agent'],
    [
      'undefined',
      undefined,
      'undefined (is there a circular import?) is not an agent class, but is used as the root agent',
    ],
  ])('has %s for its root', async (_what, root, fault) => {
    await expect(createRunner(root as AgentClass)).rejects.toMatchObject({
      code: 'NOT_AN_AGENT',
      message: `${fault}. ${NO_AGENT}`,
    });
  });

  it.each([0, 3, Infinity])('is not one for maxIterations of %p', (maxIterations) => {
    expect(planTree(defineAgent({ name: 'clerk', maxIterations })).options.maxIterations).toBe(maxIterations);
  });

  it.each([
    [Number.NaN, 'NaN'],
    [-1, '-1'],
    ['3', '"3"'],
    [null, 'null'],
  ])('refuses maxIterations of %p, which would be no limit', (maxIterations, shown) => {
    @agent({ maxIterations: maxIterations as number })
    class Endless extends LlmAgent {}

    expect(() => planTree(Endless)).toThrow(
      `@agent of Endless: maxIterations is ${shown}. Pass a number of at least 0, or Infinity for no ` +
        'limit.',
    );
  });

  it('has a misspelt option, and is told the nearest', () => {
    const misspelt = { name: 'clerk', outputkey: 'x' } as { readonly name: string };

    expect(() => planTree(defineAgent(misspelt))).toThrow(
      '@agent of clerk: there is no option outputkey. Did you mean outputKey? Valid: instruction, ',
    );
    expect(() => planTree(parentOf(defineAgent(misspelt)))).toThrow('@agent of clerk: there is no option');
  });

  it('takes an option that is undefined for one that is left out', () => {
    const options = { name: 'clerk', outputkey: undefined, outputKey: undefined } as {
      readonly name: string;
    };

    expect(planTree(defineAgent(options)).children).toEqual([]);
  });

  it.each<AgentOptions>([
    { instruction: 'Go.' },
    { staticInstruction: 'Go.' },
    { tools: [exitLoop()] },
    { outputSchema: { type: 'object' } },
    { outputKey: 'x' },
    { includeContents: 'none' },
    { maxIterations: 3 },
    { generateContentConfig: {} },
    { model: 'gemini-2.5-flash' },
  ])('states %j for an agent without a model', (options) => {
    @agent(options)
    class Steps extends Mute {}

    expect(() => planTree(Steps)).toThrow(
      expect.objectContaining({
        code: 'AGENT_CONFIG_INVALID',
        message:
          `@agent of Steps: ${String(Object.keys(options)[0])} has no effect, because the class does not ` +
          'extend LlmAgent. Extend LlmAgent, or remove the option.',
      }) as Error,
    );
  });

  it('takes a class without @agent, with a model or without', () => {
    class Steps extends Mute {}
    class Clerk extends LlmAgent {}

    expect([Steps, Clerk].map((target) => planTree(target).children)).toEqual([[], []]);
  });

  it('may give an agent without a model one for the agents below it', () => {
    @agent({ model: 'gemini-2.5-flash', tools: [], subAgents: [defineAgent({ name: 'clerk' })] })
    class Steps extends Mute {}

    expect(planTree(Steps).options.model).toBe('gemini-2.5-flash');
  });

  it('states a global instruction below the root that is not the one of the root', () => {
    const Clerk = defineAgent({ name: 'clerk', globalInstruction: 'Be brief.' });

    expect(() => planTree(parentOf(Clerk))).toThrow(
      '@agent of clerk: globalInstruction has no effect below the root. Set it on the root agent, or ' +
        'use instruction.',
    );
    const root = defineAgent({ name: 'root', globalInstruction: 'Be brief.', subAgents: [Clerk] });
    expect(planTree(root).children).toHaveLength(1);
  });

  it('has something among its sub-agents that is no agent class', async () => {
    class Orders {
      readonly open = true;
    }

    await expect(createRunner(parentOf(Orders))).rejects.toMatchObject({
      code: 'NOT_AN_AGENT',
      message: `Class Orders is not an agent class, but is used as a sub-agent of parent. ${NO_AGENT}`,
    });
    await expect(createRunner(parentOf(undefined))).rejects.toMatchObject({
      code: 'NOT_AN_AGENT',
      message: `undefined (is there a circular import?) is not an agent class, but is used as a sub-agent of parent. ${NO_AGENT}`,
    });
  });

  it('lists a sub-agent twice', async () => {
    class Child extends LlmAgent {}

    await expect(createRunner(parentOf(Child, Child))).rejects.toMatchObject({
      code: 'SUB_AGENT_TWICE',
      message:
        'parent lists Child twice in its subAgents. List it once, or write a subclass with its own name ' +
        'for the second one.',
    });
  });

  it('has an agent beneath itself', async () => {
    const parent = defineAgent({ name: 'parent' });
    const child = defineAgent({ name: 'child', subAgents: [parent] });
    parent.subAgents = [child];

    await expect(createRunner(parent)).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
      message:
        'An agent class is its own descendant: parent → child → parent. Remove it from the last ' +
        'subAgents of that path; an agent can transfer back to its parent without listing it.',
    });
  });

  it.each<[string, unknown, string]>([
    [
      'a class without tool methods',
      class Plain {
        readonly open = true;
      },
      'is Plain, which has no @tool methods',
    ],
    [
      'a function without a name',
      (
        () => () =>
          undefined
      )(),
      'is a function without a name: write defineTool({ name, run })',
    ],
    ['an instance of a service', {}, 'is a value of type object'],
    [
      'an instance of a class with tools',
      new Toolbench(),
      'is an instance of Toolbench, which has @tool methods: list the class Toolbench itself',
    ],
    ['an object without a prototype', Object.create(null), 'is a value of type object'],
    ['a name', 'refund', 'is a value of type string'],
    ['null', null, 'is a value of type object'],
    ['undefined', undefined, 'is undefined (is there a circular import?)'],
    ['agentTool of no agent', agentTool(Date as never), 'is agentTool of a value that is not an agent class'],
    [
      'a function that makes a built-in tool',
      googleSearch,
      'is the function googleSearch, not the tool that it returns: write googleSearch(…)',
    ],
  ])('has %s among its tools', async (_what, source, fault) => {
    const fine = new FunctionTool({ name: 'fine', description: '', run: () => undefined });
    @agent({ tools: [fine, source as ToolSource] })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'NOT_A_TOOL',
      message:
        `Entry 1 in the tools of Clerk ${fault}. ` +
        'A tool is a class with @tool methods, a function, an instance of Tool such as a FunctionTool, a Toolset, a tool of LangChain, or a record of tools of the AI SDK.',
    });
  });

  it('has a class that says nothing of itself: no @agent, and no member of its own', async () => {
    class Plain extends LlmAgent {}
    class Below extends Plain {}
    @agent({ subAgents: [Below] })
    class Front extends LlmAgent {}
    const model = new ScriptedModel();

    for (const root of [Plain, Below, Front]) {
      await expect(createRunner(root, { model })).rejects.toMatchObject({
        code: 'NOT_AN_AGENT',
        message:
          `${root === Plain ? 'Plain' : 'Below'} has neither @agent nor a member of its own, so its model would be told ` +
          'nothing. Put @agent({ … }) before the class, or override a member such as instruction.',
      });
    }
  });

  it.each<[string, () => AgentClass]>([
    ['@agent on a base class', () => class extends Described {}],
    [
      'an instruction',
      () =>
        class Own extends LlmAgent {
          override instruction = 'Help.';
        },
    ],
    [
      'a callback',
      () =>
        class Own extends LlmAgent {
          beforeModel(): undefined {
            return undefined;
          }
        },
    ],
    [
      'a tool',
      () => {
        class Own extends LlmAgent {
          @tool({ parameters: { type: 'object' } })
          find(): void {
            // Nothing to find.
          }
        }
        return Own;
      },
    ],
  ])('has none without @agent that says something of itself: %s', async (_what, classOf) => {
    const made = classOf();
    Object.defineProperty(made, 'name', { value: 'Own' });

    expect((await createRunner(made, { model: new ScriptedModel() })).root.name).toBe('own');
  });

  it.each([
    ['systemInstruction', 'instruction', 'Help.'],
    ['responseSchema', 'outputSchema', {}],
    ['responseJsonSchema', 'outputSchema', {}],
  ])('has %s in generateContentConfig', async (key, option, value) => {
    @agent({ generateContentConfig: { [key]: value } })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
      message: `@agent of Clerk: generateContentConfig contains ${key}. Use the option ${option} instead.`,
    });
  });

  it.each<[string, unknown]>([
    ['a function', [{ functionDeclarations: [{ name: 'look' }] }]],
    ['a callable', [{ callTool: () => [], tool: () => ({}) }]],
    ['a tool of Adorn', [exitLoop()]],
    ['a function beside what the provider runs', [{ googleSearch: {} }, exitLoop()]],
    ['null', [null]],
    ['a name', ['googleSearch']],
    ['no list', { googleSearch: {} }],
  ])('has %s among the tools in generateContentConfig', async (_what, tools) => {
    @agent({ generateContentConfig: { tools: tools as [] } })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
      message:
        '@agent of Clerk: generateContentConfig.tools may only contain tools that the provider runs, ' +
        'such as { googleSearch: {} }. List functions under the option tools.',
    });
  });

  it.each(['', 'the clerk', '1st', 'user', 'clerk/billing'])('calls an agent "%s"', async (name) => {
    @agent({ name, description: '', model })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'AGENT_NAME_INVALID',
      message:
        `The agent name "${name}" of Clerk is not valid. A name starts with a letter or an underscore, ` +
        "followed by letters, digits, _ or -; 'user' is reserved. Set another with @agent({ name: '…' }).",
    });
  });

  it('calls two agents by one name', async () => {
    @agent({ name: 'helper', description: '' })
    class Billing extends LlmAgent {}
    @agent({ name: 'helper', description: '' })
    class Delivery extends LlmAgent {}
    @agent({ description: '', model, subAgents: [Billing, Delivery] })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'AGENT_NAME_TAKEN',
      message:
        'Two agents are named "helper": Billing and Delivery. Rename one of them with @agent({ name: \'…\' ' +
        '}).',
    });
  });

  it('gives one agent two tools of one name', async () => {
    class Orders {
      @tool({ parameters: { type: 'object' } })
      refund(): string {
        return 'refunded';
      }
    }
    class Ledger {
      @tool({ name: 'refund', parameters: { type: 'object' } })
      payBack(): string {
        return 'paid back';
      }
    }
    @agent({ description: '', model, tools: [Orders, Ledger] })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'TOOL_NAME_TAKEN',
      message:
        'Agent "clerk" has two tools named "refund": Orders.refund and Ledger.payBack. Rename one with ' +
        "@tool({ name: '…' }), remove it from the agent's tools, or give the tools of a toolset a prefix: withPrefix(toolset, '…').",
    });
  });
});

describe('a tool method whose schema nobody wrote', () => {
  const environment = process.env['NODE_ENV'];

  afterEach(() => {
    process.env['NODE_ENV'] = environment;
  });

  it('is an error in production, where none is derived', async () => {
    class Orders {
      @tool
      refund(id: string): string {
        return id;
      }
    }
    @agent({ description: '', model, tools: [Orders] })
    class Clerk extends LlmAgent {}
    process.env['NODE_ENV'] = 'production';

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'SCHEMA_MISSING',
      message:
        'There is no schema for the tools of Orders (refund): in production it is not derived, and ' +
        '"adorn build" has not written it. Run "adorn build" after tsc, bundle with the plugin (adorn() ' +
        'of "@adorn/compiler/vite", "/esbuild", "/rollup", "/rolldown" or "/webpack"), install ' +
        '@adorn/compiler as a dev dependency to derive schemas in development, or write the schema: ' +
        '@tool({ parameters }) or defineTool({ parameters }).',
    });
  });
});

const NO_AGENT =
  'Pass a class that extends LlmAgent or BaseAgent; list a class that only ' +
  'has @tool methods under tools.';

class Silent extends Model {
  readonly name = 'silent';

  // eslint-disable-next-line require-yield -- it is never asked
  async *generate(): AsyncGenerator<never, void, undefined> {
    throw new Error('a tree that is wrong asked its model');
  }
}

const model = new Silent();

abstract class Mute extends BaseAgent {
  async *run(): AsyncGenerator<never, void, undefined> {
    // Says nothing.
  }
}

function parentOf(...children: readonly unknown[]): AgentClass {
  return defineAgent({ name: 'parent', model, subAgents: children as readonly AgentClass[] });
}
