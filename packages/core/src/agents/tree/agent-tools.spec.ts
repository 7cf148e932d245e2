import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { LogFacts, ToolboxOptions } from '../../backend.js';
import {
  agent,
  type AgentClass,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  googleSearch,
  LlmAgent,
  Logger,
  type ModelRequest,
  Plugin,
  tool,
  toolbox,
  urlContext,
} from '../../index.js';

describe('what has no description', () => {
  class Orders {
    @tool({ parameters: { type: 'object' } })
    find(): void {
      // Nothing to find.
    }
  }
  const silent = new FunctionTool({ name: 'ring', description: ' ', run: () => 'done' });
  const told = new FunctionTool({ name: 'look', description: 'Look.', run: () => 'done' });
  const billing = defineAgent({ name: 'billing', tools: [silent] });
  const root = defineAgent({ name: 'desk', subAgents: [billing], tools: [Orders, told, silent] });

  async function warnings(nodeEnv: string): Promise<string[]> {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const logger = { debug: log, info: log, warn: log, error: log };
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = nodeEnv;
    try {
      const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
      await (await createRunner(root, { model: new ScriptedModel(), modules })).close();
    } finally {
      process.env['NODE_ENV'] = before;
    }
    return lines;
  }

  it('is told in one warning when the runner is created', async () => {
    expect(await warnings('development')).toEqual([
      'no description: Orders.find, tool ring, agent billing. The model chooses a tool or an agent without one by its name ' +
        'alone. Write a doc comment that says when to use it, or the option description.',
    ]);
  });

  it('is told nobody in production', async () => {
    expect(await warnings('production')).toEqual([]);
  });
});

describe('an agent for a tool that the model does not take beside functions', () => {
  it('is below its owner under the name of the tool, and transfers to nobody', async () => {
    const { runner } = await start(desk(googleSearch(), look));

    expect(runner.root.toolAgents).toMatchObject([
      {
        name: 'google_search',
        path: 'desk/google_search',
        description: googleSearch().description,
        parentAgent: undefined,
        transfer: { disabled: true, toParent: false, toPeers: false, isCalled: false },
        toolsets: [],
        boxes: [],
      },
    ]);
  });

  it('is told what it is for, and passes the plugins', async () => {
    const asked: (string | undefined)[] = [];
    class Watching extends Plugin {
      override readonly name = 'watching';

      override beforeModel({ config }: ModelRequest) {
        asked.push(config.systemInstruction as string | undefined);
        return undefined;
      }
    }
    const { runner } = await start(
      desk(googleSearch(), look),
      [callsTool('google_search', { request: 'Open?' }), says('At seven.'), says('Seven.')],
      [new Watching()],
    );

    await runner.ask('When?');

    expect(asked).toHaveLength(3);
    expect(asked[1]).toContain(
      'You are asked by another agent, which cannot use your tool itself. Use the tool, and answer from what it gives you, ' +
        'with its sources.',
    );
    expect(asked[0]).not.toContain('You are asked by another agent');
  });

  it('is warned of once for each tool, in the whole tree', async () => {
    const Below = defineAgent({ name: 'below', tools: [urlContext(), look] });
    const { warnings } = await start(
      defineAgent({ name: 'desk', tools: [googleSearch(), look], subAgents: [Below] }),
    );

    expect(warnings).toEqual([
      { agent: 'desk', tool: 'google_search', model: 'scripted' },
      { agent: 'desk/below', tool: 'url_context', model: 'scripted' },
    ]);
  });
});

describe('@toolbox on an agent class', () => {
  it.each<[string, ToolboxOptions, string]>([
    ['unfold', { unfold: true }, 'unfold: true'],
    ['prefix', { prefix: 'shop' }, 'prefix'],
    ['both', { unfold: true, prefix: 'shop' }, 'unfold: true'],
  ])('is refused with %s', async (_what, options, shown) => {
    @toolbox(options)
    @agent({ name: 'clerk', description: '' })
    class Clerk extends LlmAgent {
      @tool({ parameters: { type: 'object' } })
      look(): void {}
    }

    await expect(start(Clerk)).rejects.toMatchObject({
      code: 'TOOLSET_INVALID',
      message:
        `@toolbox({ ${shown} }) has no effect on the agent class Clerk. Move its tools to a service class, and list that ` +
        'class under tools.',
    });
  });

  it('may describe it', async () => {
    @toolbox({ description: 'Sells.' })
    @agent({ name: 'clerk', description: '' })
    class Clerk extends LlmAgent {
      @tool({ parameters: { type: 'object' } })
      look(): void {}
    }

    await expect(start(Clerk)).resolves.toBeDefined();
  });
});

const look = new FunctionTool({ name: 'look', description: '', run: () => 'fine' });

function desk(...tools: NonNullable<Parameters<typeof defineAgent>[0]['tools']>): AgentClass {
  return defineAgent({ name: 'desk', tools });
}

/** A model that takes no function beside the tools of its provider. */
class LimitedModel extends ScriptedModel {
  override get supportsFunctionsBesideProviderTools(): boolean {
    return false;
  }
}

class Warnings extends Logger {
  readonly warnings: (LogFacts | undefined)[] = [];

  debug(): void {}

  info(): void {}

  warn(text: string, facts?: LogFacts): void {
    if (text.includes('each use is one more model call')) this.warnings.push(facts);
  }

  error(): void {}
}

async function start(root: AgentClass, steps: readonly ScriptedStep[] = [], plugins: Plugin[] = []) {
  const logger = new Warnings();
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(Logger).toConstantValue(logger);
    }),
  ];
  const runner = await createRunner(root, { model: new LimitedModel(...steps), modules, plugins });
  return { runner, warnings: logger.warnings };
}
