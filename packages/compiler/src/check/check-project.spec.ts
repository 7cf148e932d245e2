import { DIALECTS } from '@adorn/core/dialects';

import { TemporaryProject, TSCONFIG } from '../fixtures/temporary-project.js';
import { checkProject } from './check-project.js';

const [gemini, openai] = DIALECTS;

describe('checkProject', () => {
  const project = new TemporaryProject();

  beforeAll(() => {
    project.write(
      'src/orders.ts',
      `import { tool } from 'adorn';
export class Orders {
  /** Find an order. @param id Its number. */
  @tool findOrder(id: string, day?: string): string { return id; }
  @tool count(): number { return 1; }
}`,
    );
    project.write(
      'src/support.agent.ts',
      `import { agent, tool } from 'adorn';
import { Orders } from './orders.js';
import { fromElsewhere } from './elsewhere.js';
@agent({ tools: [Orders] })
export class Support {
  /** Say hello. */
  @tool sayHello(): void {}
}
@agent({ tools: [Orders, fromElsewhere()] })
export class Sales {}
@agent({ tools: [Support] })
export class Team {}
`,
    );
    project.write('src/elsewhere.ts', 'export const fromElsewhere = (): unknown => undefined;');
  });

  afterAll(() => {
    project.remove();
  });

  it('tells what it finds, in order, with the place and the cure', async () => {
    const { diagnostics } = await checkProject({ project: project.root });

    expect(diagnostics).toEqual([
      {
        rule: 'undocumented-parameter',
        severity: 'warning',
        file: project.path('src/orders.ts'),
        line: 4,
        message: 'Parameter "day" of Orders.findOrder has no description.',
        cure: 'Write "@param day …" in the doc comment, or a doc comment on its type.',
      },
      {
        rule: 'undocumented-tool',
        severity: 'warning',
        file: project.path('src/orders.ts'),
        line: 5,
        message: 'Orders.count has no description.',
        cure: 'Write a doc comment that says when to use it.',
      },
    ]);
  });

  it('tells the sizes of tools and of agents, the largest first', async () => {
    const { tools, agents } = await checkProject({ project: project.root });
    const [findOrder, count, sayHello] = ['findOrder', 'count', 'sayHello'].map(
      (method) => tools.find(({ origin }) => origin.endsWith(method))?.tokens ?? 0,
    );

    expect(tools.map(({ name }) => name)).toEqual(['find_order', 'say_hello', 'count']);
    expect(findOrder).toBe(
      Math.ceil(
        JSON.stringify({
          name: 'find_order',
          description: 'Find an order.',
          parametersJsonSchema: {
            type: 'object',
            properties: { id: { type: 'string', description: 'Its number.' }, day: { type: 'string' } },
            required: ['id'],
            additionalProperties: false,
          },
        }).length / 4.5,
      ),
    );
    expect(agents).toMatchObject([
      { name: 'Support', tools: 3, tokens: findOrder! + count! + sayHello!, hasMore: false },
      { name: 'Sales', tools: 2, tokens: findOrder! + count!, hasMore: true },
      { name: 'Team', tools: 0, tokens: 0, hasMore: true },
    ]);
  });

  it('tells sizes as they are in the first dialect', async () => {
    const [asDerived, inGemini, inOpenAi] = await Promise.all(
      [[], [gemini!, openai!], [openai!]].map(async (dialects) => {
        const { tools } = await checkProject({ project: project.root, dialects });
        return tools[0]?.tokens ?? 0;
      }),
    );

    expect(inGemini).toBe(asDerived);
    expect(inOpenAi).not.toBe(asDerived);
  });

  it('counts functions among the tools of an agent, wherever they are defined, and each once', async () => {
    const functions = new TemporaryProject();
    try {
      functions.write(
        'src/tools.ts',
        `import { defineTool } from 'adorn';
/** Find. */
export function findOrder(): void {}
/** Count. */
export const countOrders = defineTool({ name: 'count_orders', run: () => 1 });
export const told = defineTool({ name: 'told', parameters: {}, run: () => 1 });`,
      );
      functions.write(
        'src/main.ts',
        `import { defineAgent } from 'adorn';
import { countOrders, findOrder, told } from './tools.js';
export const Sales = defineAgent({ name: 'sales', tools: [findOrder, countOrders] });
export const Support = defineAgent({ name: 'support', tools: [countOrders, findOrder, told] });`,
      );

      const { diagnostics, tools, agents } = await checkProject({ project: functions.root });

      expect(diagnostics).toEqual([]);
      expect(tools.map(({ name, origin, line }) => [name, origin, line])).toEqual([
        ['count_orders', 'count_orders', 5],
        ['find_order', 'findOrder', 3],
      ]);
      expect(agents.map(({ name, tools: count, hasMore }) => [name, count, hasMore])).toEqual([
        ['sales', 2, false],
        ['support', 2, true],
      ]);
    } finally {
      functions.remove();
    }
  });

  it('only names the projects to which one with files of its own refers', async () => {
    const own = new TemporaryProject({ ...TSCONFIG, references: [{ path: './part' }, { path: './gone' }] });
    try {
      own.write('part/tsconfig.json', JSON.stringify(TSCONFIG));
      own.write('part/src/main.ts', "import { tool } from 'adorn';\nclass Bills { @tool find(): void {} }");
      own.write('src/main.ts', "import { tool } from 'adorn';\n\nclass Orders { @tool find(): void {} }");

      expect(await checkProject({ project: own.root })).toMatchObject({
        unchecked: [own.path('part/tsconfig.json'), own.path('gone/tsconfig.json')],
        diagnostics: [{ rule: 'undocumented-tool', line: 3 }],
      });
    } finally {
      own.remove();
    }
  });

  it('checks all projects to which one without files refers', async () => {
    const solution = new TemporaryProject({ files: [], references: [{ path: './part' }] });
    try {
      solution.write('part/tsconfig.json', JSON.stringify(TSCONFIG));
      solution.write(
        'part/src/main.ts',
        "import { tool } from 'adorn';\nclass Orders { @tool find(): void {} }",
      );

      expect(await checkProject({ project: solution.root })).toMatchObject({
        unchecked: [],
        diagnostics: [{ rule: 'undocumented-tool', line: 2 }],
      });
    } finally {
      solution.remove();
    }
  });

  it('goes on after a tool that cannot be derived, and tells every fault', async () => {
    const faulty = new TemporaryProject();
    try {
      faulty.write(
        'src/main.ts',
        `import { tool } from 'adorn';
class Orders {
  /** Find. */
  @tool find(one: () => void, other: symbol): void {}
  @tool count(): void {}
}`,
      );

      const { diagnostics, tools } = await checkProject({ project: faulty.root });

      expect(diagnostics.map(({ rule, code }) => [rule, code])).toEqual([
        ['not-derivable', 'TYPE_NOT_REPRESENTABLE'],
        ['not-derivable', 'TYPE_NOT_REPRESENTABLE'],
        ['undocumented-tool', undefined],
      ]);
      expect(tools.find(({ name }) => name === 'find')?.tokens).toBe(0);
    } finally {
      faulty.remove();
    }
  });

  it('takes the schema of a tool from @tool, and is silent about one that only running would tell', async () => {
    const explicit = new TemporaryProject();
    try {
      explicit.write(
        'src/main.ts',
        `import { tool } from 'adorn';
declare const schema: unknown;
class Orders {
  /** Find. */
  @tool({ parameters: { type: 'object', properties: { id: { type: 'string' } } } })
  find(args: Record<string, unknown>): void {}
  /** Count. */
  @tool({ parameters: schema })
  count(args: Record<string, unknown>): void {}
}`,
      );

      const { diagnostics } = await checkProject({ project: explicit.root });

      expect(diagnostics.map(({ message }) => message)).toEqual([
        'Parameter "id" of Orders.find has no description.',
      ]);
    } finally {
      explicit.remove();
    }
  });

  it('says that there is no tsconfig', async () => {
    await expect(checkProject({ project: project.path('nowhere') })).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
    });
  });
});
