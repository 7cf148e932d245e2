import { FunctionTool } from '@adorn/core';
import { TOOL_OPTION_NAMES } from '@adorn/core/compiler';

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
