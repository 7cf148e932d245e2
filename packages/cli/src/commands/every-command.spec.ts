/** @slow */

import { existsSync } from 'node:fs';

import { leavesOf } from '../command/declaration.js';
import { COMMANDS } from '../program.js';
import { Project } from './project.fixture.js';

const AGENT = `
import { agent, LlmAgent, tool } from 'adorn';
export class Orders { @tool({ effect: 'read' }) find(id: string): string { return id; } }
@agent({ name: 'desk', description: 'Finds orders.', tools: [Orders], model: 'own' })
export class Desk extends LlmAgent {}
`;

/** As tsc has left it. */
const EMITTED = `
import { appendFileSync } from 'node:fs';
import { agent, ContainerModule, FunctionTool, defineAgent, tool } from 'adorn';
import { says, ScriptedModel } from '@adorn/testing';
export class Orders { find(id) { return id; } }
const model = new ScriptedModel(...Array(20).fill(says('Hi.')));
export const Desk = defineAgent({ name: 'desk', description: 'Finds orders.', model });
appendFileSync('keys.txt', process.env.GEMINI_API_KEY + ' ');
export const modules = [new ContainerModule(() => appendFileSync('keys.txt', process.env.GEMINI_API_KEY + ' '))];
`;

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    types: [],
    strict: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'build',
  },
  include: ['src'],
});

const EVALS = JSON.stringify({
  eval_set_id: 'hello',
  eval_cases: [
    { eval_id: 'one', conversation: [{ user_content: { role: 'user', parts: [{ text: 'Hello.' }] } }] },
  ],
});

/** The project of each command line; commands are called from the folder above it. */
const FOLDER = 'desk';

const STORE = ['--store', 'chats.db'];
const SESSION = [...STORE, '--session', 's1'];

/** For each command that works on a project: a command line that names its folder, and ends by itself. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  run: [FOLDER, '--script', 'hello.txt', '--model', 'own', ...SESSION],
  live: [FOLDER, '--script', 'hello.txt', '--model', 'offline'],
  explain: [FOLDER, 'Hello.'],
  graph: [FOLDER],
  check: [FOLDER],
  schedules: [FOLDER],
  build: [FOLDER],
  eval: [FOLDER, 'hello.evalset.json', '--html', 'report.html'],
  record: [FOLDER, ...SESSION, '--out', 'hello.cassette.json'],
  replay: ['hello.cassette.json', FOLDER],
  mcp: [FOLDER],
  'sessions list': [FOLDER, ...STORE],
  'sessions show': [FOLDER, ...SESSION],
  'sessions fork': [FOLDER, ...SESSION, '--to-session', 's2'],
  'sessions export': [FOLDER, ...SESSION],
  'sessions import': [FOLDER, 'empty.jsonl', ...STORE],
  'sessions feedback': [FOLDER, ...STORE],
  'sessions rewind': [FOLDER, ...SESSION, '--before', 'e-0'],
  'sessions delete': [FOLDER, ...STORE, '--session', 's2', '--yes'],
  'evidence export': [FOLDER, ...STORE, '--out', 'rows.ndjson'],
  inbox: [FOLDER, ...STORE],
  effects: [FOLDER, ...STORE],
  undo: [FOLDER, 'e-0', ...SESSION],
  'migrate code': [FOLDER, '--dry-run', '--force'],
  doctor: [FOLDER],
};

/** Run until they are stopped, or need other machines: see their own specs. */
const SERVERS = ['web', 'worker', 'sessions parked'];

/** What the commands with `--store` do if its file is not there. All others refuse it. */
const CREATE_THE_STORE = ['run', 'web', 'live', 'sessions import'];
const LOOK_AT_THE_STORE = ['doctor'];
const NEED_POSTGRES = ['worker', 'sessions parked'];

/** Take no project, but what is named here. */
const OTHERS: Readonly<Record<string, string>> = {
  new: 'a folder that may not be there yet',
  skills: 'a folder of skills',
  completion: 'a shell',
  version: 'nothing',
  'migrate database': 'a store',
  'evidence verify': 'an export',
};

/** Projects that a command has something to say about, and what it says. */
const FAULTS: readonly (readonly [line: string, said: string])[] = [
  ['check nowhere', 'There is no tsconfig at nowhere.'],
  ['check no-json', 'The tsconfig is not valid in no-json/tsconfig.json:'],
  ['check no-type', 'no-type/src/orders.ts\n'],
  ['build nowhere', 'There is no tsconfig at nowhere.'],
  ['build no-json', 'The tsconfig is not valid in no-json/tsconfig.json:'],
  ['build no-type', '(no-type/src/orders.ts:2)'],
  [
    'build not-compiled',
    'not-compiled/src/orders.ts has tools, but not-compiled/build/orders.js does not exist.',
  ],
  ['build cut', 'cut/build/orders.js:1 is incomplete:'],
  ['build stale', 'wrote the schemas in stale/build/orders.js'],
  ['build untouched --check', 'are missing or stale: untouched/build/orders.js.'],
  ['build standard', 'standard/tsconfig.json does not set "experimentalDecorators"'],
  ['graph throws', 'throws/index.js:1'],
  ['migrate code old --dry-run --force', '--- a/old/index.ts'],
  ['migrate code old --force', 'old/index.ts\n'],
  ['doctor -p no-json', 'no-json/tsconfig.json'],
  ['new no-json --dry-run', 'no-json/tsconfig.json is not JSON'],
];

const WITH_STORE = leavesOf(Object.values(COMMANDS).flat())
  .filter(({ command }) => 'store' in command.options)
  .map(({ path }) => path);

const REFUSE_A_MISSING_STORE = WITH_STORE.filter(
  (path) => ![...CREATE_THE_STORE, ...LOOK_AT_THE_STORE, ...NEED_POSTGRES].includes(path),
);

describe('every command', () => {
  let project: Project;
  beforeAll(async () => {
    const files = {
      'desk/package.json': '{"type":"module"}',
      'desk/tsconfig.json': TSCONFIG,
      'desk/src/desk.agent.ts': AGENT,
      'desk/build/desk.agent.js': EMITTED,
      'hello.txt': 'Hello.\n',
      'hello.evalset.json': EVALS,
      'empty.jsonl': '',
      'no-json/package.json': '{}',
      'no-json/tsconfig.json': '{ "files"',
      'no-type/tsconfig.json': TSCONFIG,
      'no-type/src/orders.ts': toolTaking(''),
      'no-type/build/orders.js': 'export class Orders { find(id) { return id; } }',
      'not-compiled/tsconfig.json': TSCONFIG,
      'not-compiled/src/orders.ts': toolTaking(': string'),
      'cut/tsconfig.json': TSCONFIG,
      'cut/src/orders.ts': toolTaking(': string'),
      'cut/build/orders.js': 'export class Orders { find(id) {',
      'stale/tsconfig.json': TSCONFIG,
      'stale/src/orders.ts': toolTaking(': string'),
      'stale/build/orders.js': 'export class Orders { find(id) { return id; } }',
      'untouched/tsconfig.json': TSCONFIG,
      'untouched/src/orders.ts': toolTaking(': string'),
      'untouched/build/orders.js': 'export class Orders { find(id) { return id; } }',
      'standard/tsconfig.json': TSCONFIG.replace(
        '"experimentalDecorators":true',
        '"experimentalDecorators":false',
      ),
      'standard/src/orders.ts': toolTaking(': string'),
      'throws/index.js': 'export const agent = undefined; throw new Error("No.");',
      'old/package.json': '{}',
      'old/index.ts': "import { loop } from 'adorn';\nexport const agent = loop();\n",
    };
    project = await Project.create(files, { GEMINI_API_KEY: undefined, GOOGLE_API_KEY: undefined });
  });
  afterAll(() => project.remove());

  it('is one of those below', () => {
    const known = [...Object.keys(LINES), ...SERVERS, ...Object.keys(OTHERS)];
    const paths = leavesOf(Object.values(COMMANDS).flat()).map(({ path }) => path);

    expect(paths.sort()).toEqual(known.sort());
  });

  it.each(Object.entries(LINES))(
    'adorn %s takes the folder of a project, and prints paths from where it was called',
    async (path, args) => {
      const { output, errors, code } = await project.adornInTurn(...path.split(' '), ...args);

      expect({ errors, isWrongUse: code === 2 }).toEqual({ errors, isWrongUse: false });
      expect(output + errors).not.toContain(project.folder);
    },
  );

  it('shows the application the keys that there are, and no other', async () => {
    expect(new Set((await project.read('keys.txt')).trim().split(' '))).toEqual(new Set(['undefined']));
  });

  it.each(REFUSE_A_MISSING_STORE)(
    'adorn %s refuses a store that is not there, and creates none',
    async (path) => {
      const line = [...path.split(' '), ...withStore('mistyped.db', LINES[path] ?? [])];

      const { output, errors, code } = await project.adornInTurn(...line);

      expect([output, code]).toEqual(['', 2]);
      expect(errors).toContain('There is no store mistyped.db.');
      expect(existsSync(project.path('mistyped.db'))).toBe(false);
    },
  );

  it.each(['run', 'sessions import'])('adorn %s creates a store that is not there', async (path) => {
    const store = `${path.replace(' ', '-')}.db`;

    const { code } = await project.adornInTurn(...path.split(' '), ...withStore(store, LINES[path] ?? []));

    expect([code, existsSync(project.path(store))]).toEqual([0, true]);
  });

  it('adorn doctor creates no store that is not there', async () => {
    const { output } = await project.adornInTurn('doctor', FOLDER, '--store', 'mistyped.db');

    expect(output).toContain('there is no mistyped.db yet');
    expect(existsSync(project.path('mistyped.db'))).toBe(false);
  });

  it.each(FAULTS)('adorn %s says where from where it was called', async (line, said) => {
    const { output, errors } = await project.adornInTurn(...line.split(' '));

    expect(output + errors).toContain(said);
    expect(output + errors).not.toContain(project.folder);
  });
});

function withStore(store: string, args: readonly string[]): string[] {
  const at = args.indexOf('--store');
  const others = at < 0 ? args : args.toSpliced(at, 2);
  return [...others, '--store', store];
}

function toolTaking(type: string): string {
  return `import { tool } from 'adorn';\nexport class Orders { @tool find(id${type}): string { return String(id); } }\n`;
}
