import {
  AdornError,
  agent,
  agentTool,
  createRunner,
  defineAgent,
  FunctionTool,
  LlmAgent,
  param,
  withOptions,
} from '@adorn/core';
import {
  AGENT_OPTION_NAMES,
  AGENT_TOOL_OPTION_NAMES,
  PARAM_OPTION_NAMES,
  TOOL_OPTION_NAMES,
  WRAPPER_OPTION_NAMES,
} from '@adorn/core/compiler';

import { TemporaryProject } from '../../fixtures/temporary-project.js';
import { checkProject } from '../check-project.js';

/** Values of every option as a source writes them: such as can be used, and such as cannot. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  approvers: [
    "'others'",
    "'boss'",
    "{ role: 'lead', count: 0 }",
    "{ role: 'lead', of: undefined }",
    '() => 5',
  ],
  auth: ["{ scheme: { type: 'http', scheme: 'bearer' }, key: 'bank' }"],
  background: [
    'true',
    'false',
    "{ scheduling: 'silent' }",
    "{ schedule: 'silent' }",
    '{ format: { result: 5 } }',
    "'yes'",
  ],
  cache: [
    'true',
    'false',
    "{ scope: 'app' }",
    '{ ttl: 5 }',
    "{ scope: 'sesion' }",
    '{ ttlMs: NaN }',
    '[]',
    'null',
  ],
  checkTimeout: ['0', '-1'],
  concurrency: ['1', '0', '{ calls: 2 }', '{}', '{ calls: 1, maxQueue: 1.5 }', "'two'"],
  confidential: ['true', "'yes'"],
  confirm: ['true', 'false', "'Pay?'", '() => true', '5'],
  description: ["'Rain.'", '5n'],
  effect: ["'read'", "'write'", "'destructive'", "'destroys'", 'undefined'],
  exposeErrors: ['true', '1'],
  idempotent: ['true', 'false', '() => true', '1'],
  longRunning: ['true', 'false', '{ announce: true }', '{}', '{ announce: 5 }'],
  maxResultBytes: ['5', 'null'],
  name: ["'rain'", '5'],
  once: [
    '(key) => key',
    "{ key: () => 'a', scope: 'user' }",
    "{ scope: 'user' }",
    'true',
    '{ key() {}, ttlMs: 0 }',
  ],
  outside: ['true', '[]'],
  parameters: ['{}', '5'],
  rateLimit: ['{ calls: 1, perMs: 5 }', '{ calls: 5 }', '5', '{ calls: 1, perMs: Infinity }'],
  reconcile: ['() => undefined', '5'],
  remember: ['false', '() => "a"', 'true'],
  retry: [
    '2',
    '1',
    "'3'",
    '{ attempts: 2 }',
    '{ attempts: 2, unsafe: true }',
    '{ attempts: 2, delay: 5 }',
    '{}',
  ],
  run: ['() => "none"', '{}'],
  sensitive: ['true', '0'],
  sequential: ['true', 'false', "''"],
  tell: ["'last'", "'lst'"],
  timeout: ['5 * 60_000', 'Infinity', '-1', "'5'"],
  unknownArguments: ["'drop'", "'keep'"],
  untrusted: ['true', 'null'],
  confrim: ['true', 'undefined'],
};

const WRITTEN = Object.entries(VALUES).flatMap(([option, values]) =>
  values.map((value) => ({ option, text: `${option}: ${value}` })),
);
const PAIRS = WRITTEN.flatMap((one, index) =>
  WRITTEN.slice(index + 1)
    .filter(({ option }) => option !== one.option)
    .map((other) => `${one.text}, ${other.text}`),
);
/** Each option by itself, and with each other. */
const CASES = [...WRITTEN.map(({ text }) => text), ...PAIRS].map(
  (text) => `{ name: 'rain', description: 'Rain.', run: () => 'none', ${text} }`,
);

/** The message of what the runner's code throws for options; undefined if it takes them. */
function thrownFor(options: string): string | undefined {
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the source of this spec, as a program would run it
    const made = new Function(`return (${options})`) as () => ConstructorParameters<typeof FunctionTool>[0];
    new FunctionTool(made());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the options of tools', () => {
  it('are refused by a check as they are when the program runs, each by itself and with each other', async () => {
    const project = new TemporaryProject();
    const file = project.write(
      'src/tools.ts',
      CASES.map((options) => `new FunctionTool(${options});`).join('\n'),
    );
    const { diagnostics } = await checkProject({ project: project.root });
    project.remove();

    const told = new Map(
      diagnostics
        .filter((one) => one.file === file && one.code !== undefined)
        .map((one) => [one.line, one.message]),
    );
    const differing = CASES.map((options, index) => ({
      options,
      thrown: thrownFor(options),
      told: told.get(index + 1),
    })).filter((one) => one.thrown !== one.told);

    expect(differing).toEqual([]);
    expect(diagnostics.filter(({ rule }) => rule === 'unknown-option')).toEqual([]);
  });

  it('are all tried here with a value that cannot be used', () => {
    const refused = WRITTEN.filter(
      ({ text }) => thrownFor(`{ name: 'rain', run() {}, ${text} }`) !== undefined,
    );

    // The scheme of a credential is checked where the schemes of all tools are read.
    expect(new Set(refused.map(({ option }) => option))).toEqual(
      new Set([...[...TOOL_OPTION_NAMES].filter((name) => name !== 'auth'), 'confrim']),
    );
  });
});

/** Options of other things than tools: how a program writes them, and values of each, some of which cannot be used. */
interface Others {
  readonly what: string;
  readonly names: ReadonlySet<string>;
  /** Options that take any value here: others check them. */
  readonly anything: readonly string[];
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly source: (options: string) => string;
  readonly run: (options: never) => unknown;
}

const rain = (): FunctionTool =>
  new FunctionTool({ name: 'rain', description: 'Rain.', run: () => 'none', parameters: {} });
class Helper extends LlmAgent {}

const AGENT_VALUES: Others['values'] = {
  instruction: ["'Help.'", '() => "Help."', '5'],
  staticInstruction: ["'Help.'", "{ parts: [{ text: 'Help.' }] }", 'true'],
  generateContentConfig: [
    '{}',
    "{ systemInstruction: 'Help.' }",
    '{ responseSchema: {} }',
    '{ tools: [{ googleSearch: {} }] }',
    '{ tools: [{ functionDeclarations: [] }] }',
    "'hot'",
  ],
  outputSchema: ["{ type: 'object' }", '5'],
  outputKey: ["'order'", '5'],
  delegation: ["'call'", "'cal'"],
  includeContents: ["'none'", "'all'"],
  maxIterations: ['5', 'Infinity', '-1', 'NaN', "'5'"],
  globalInstruction: ["'Be brief.'", '5'],
  description: ["'Helps.'", '5'],
  disableTransfer: ['true', "'yes'"],
  disallowTransferToParent: ['false', '1'],
  disallowTransferToPeers: ['false', '0'],
  subAgents: ['[]', '5'],
  tools: ['[]', "'search'"],
  instrution: ["'Help.'", 'undefined'],
};

const OTHERS: readonly Others[] = [
  {
    what: 'agentTool',
    names: AGENT_TOOL_OPTION_NAMES,
    anything: [],
    values: {
      name: ["'help'", '5'],
      description: ["'Helps.'", 'true'],
      skipSummarization: ['true', "'yes'"],
      confirm: ['true', "'Ask?'", '5'],
      background: ['true', "{ scheduling: 'silent' }", "{ schedule: 'silent' }", "'yes'"],
      confrim: ['true', 'undefined'],
    },
    source: (options) => `agentTool(Helper, ${options});`,
    run: (options) => agentTool(Helper, options),
  },
  {
    what: 'withOptions',
    names: WRAPPER_OPTION_NAMES,
    anything: [],
    values: {
      approvers: ["'others'", "'boss'", "{ role: 'lead', count: 0 }"],
      background: ['true', "{ schedule: 'silent' }"],
      cache: ["{ scope: 'user' }", "{ scope: 'usr' }"],
      confirm: ['true', "'Ask?'", '() => true', 'false', "''"],
      longRunning: ['true', '{ announce: 5 }'],
      once: ['(key) => key', "{ scope: 'user' }"],
      retry: ['1', "'3'"],
      timeout: ['5', '-1', "'5'"],
      effect: ["'read'", 'undefined'],
    },
    source: (options) => `withOptions(search, ${options});`,
    run: (options) => withOptions(rain(), options),
  },
  {
    what: '@param',
    names: PARAM_OPTION_NAMES,
    anything: [],
    values: {
      description: ["'The order.'", '5'],
      name: ["'order'", 'true'],
      schema: ["{ type: 'string' }", "'string'"],
      descrption: ["'The order.'", 'undefined'],
    },
    source: (options) => `class Orders { @tool find(@param(${options}) id: string) { return id; } }`,
    run: (options) => param(options)({}, 'find', 0),
  },
  {
    what: '@agent',
    names: AGENT_OPTION_NAMES,
    anything: ['model', 'itemsKey', 'concurrency', 'inputGuardrails', 'outputGuardrails', 'toolGuardrails'],
    values: { ...AGENT_VALUES, name: ["'helper'", '5'] },
    source: (options) => `@agent(${options}) class Desk extends LlmAgent {}`,
    run: async (options) => {
      class Desk extends LlmAgent<unknown> {}
      agent(options)(Desk as never);
      await createRunner(Desk);
    },
  },
  {
    what: 'defineAgent',
    names: AGENT_OPTION_NAMES,
    anything: [
      ...['model', 'itemsKey', 'concurrency', 'inputGuardrails', 'outputGuardrails', 'toolGuardrails'],
      'name',
    ],
    values: AGENT_VALUES,
    source: (options) => `defineAgent({ name: 'Desk', ...${options} });`,
    run: (options) => createRunner(defineAgent(Object.assign({ name: 'Desk' }, options))),
  },
];

describe.each(OTHERS)('the options of $what', ({ names, anything, values, source, run }) => {
  const written = Object.entries(values).flatMap(([option, texts]) =>
    texts.map((text) => ({ option, options: `{ ${option}: ${text} }` })),
  );

  /** What a program that runs is told of the options; that of a tool without its name, which a check does not know. */
  async function thrown(options: string): Promise<string | undefined> {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the source of this spec, as a program would run it
    const made = new Function(`return (${options})`) as () => never;
    try {
      await run(made());
      return undefined;
    } catch (error) {
      if (!AdornError.is(error) || !/_CONFIG_INVALID$/.test(error.code)) return undefined;
      return error.message.replace('The tool "rain"', 'A tool');
    }
  }

  it('are refused by a check as they are when the program runs', async () => {
    const project = new TemporaryProject();
    const file = project.write('src/desk.ts', written.map(({ options }) => source(options)).join('\n'));
    const { diagnostics } = await checkProject({ project: project.root });
    project.remove();

    const told = new Map(
      diagnostics
        .filter((one) => one.file === file && one.rule === 'invalid-option')
        .map((one) => [one.line, one.message]),
    );
    const differing = await Promise.all(
      written.map(async ({ options }, index) => ({
        options,
        thrown: await thrown(options),
        told: told.get(index + 1),
      })),
    );
    expect(differing.filter((one) => one.thrown !== one.told)).toEqual([]);
    expect(diagnostics.filter(({ rule }) => rule === 'unknown-option')).toEqual([]);
  });

  it('are all tried here with a value that cannot be used', async () => {
    const all = await Promise.all(
      written.map(async (one) => ({ ...one, thrown: await thrown(one.options) })),
    );
    const refused = new Set(all.filter((one) => one.thrown !== undefined).map(({ option }) => option));

    expect([...names].filter((name) => !refused.has(name)).sort()).toEqual([...anything].sort());
  });
});
