import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { TemporaryProject, TSCONFIG } from '../fixtures/temporary-project.js';
import { readProject } from '../program/read-project.js';
import { ts } from '../typescript.js';
import { buildSchemas } from './build-schemas.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const TSC = resolve('node_modules/typescript/bin/tsc');

const ADDRESS = `export class Address { street!: string }
export default class City { name!: string }`;

const ORDERS = `
import { tool } from 'adorn';
import { toolbox } from 'adorn';
import CityClass, { Address as Place } from './address.js';
import type { Address } from './address.js';

/** Orders of customers. */
@toolbox()
export class Orders {
  /** Send an order. */
  @tool() send(id: string, to: Place, others: Local[], city: CityClass): void {}
  @tool() unreachable(to: Address): void {}
}

export class Local { id!: string }
export class Notes { @tool() note(__proto__: string): void {} }
export default class Last { @tool() last(): void {} }
`;

const RUN = `
import * as orders from './orders.js';
const derived = Symbol.for('adorn:derived');
const records = [orders.Orders, orders.Notes, orders.default].map((one) => one[derived]);
console.log(JSON.stringify({ records, classes: Object.values(records[0].tools.send.classes).map((one) => one.name) }));
`;

describe('buildSchemas', () => {
  let project: TemporaryProject;
  beforeEach(() => {
    project = new TemporaryProject();
    project.write('src/address.ts', ADDRESS);
    project.write('src/orders.ts', ORDERS);
  });
  afterEach(() => {
    project.remove();
  });

  it(
    'leaves the records on the classes, with the classes of their parameters, and needs no import for it',
    async () => {
      tsc(project);
      const emitted = readFileSync(project.path('build/orders.js'), 'utf8');

      expect(await buildSchemas({ project: project.root })).toEqual({ files: 1, classes: 3, tools: 4 });

      const { records, classes } = run(project) as { records: unknown[]; classes: string[] };
      expect(classes).toEqual(['Address', 'Local', 'City']);
      expect(records).toMatchObject([
        {
          name: 'Orders',
          description: 'Orders of customers.',
          tools: {
            send: {
              description: 'Send an order.',
              parameters: [
                { kind: 'argument', name: 'id' },
                { kind: 'argument', name: 'to', revive: { kind: 'reference', name: 'Address' } },
                { kind: 'argument', name: 'others', revive: { kind: 'list' } },
                { kind: 'argument', name: 'city', revive: { kind: 'reference', name: 'City' } },
              ],
              instances: ['Address', 'Local', 'City'],
            },
            unreachable: {
              parameters: [{ kind: 'argument', name: 'to', revive: { kind: 'reference', name: 'Address' } }],
            },
          },
        },
        { tools: { note: { parametersJsonSchema: { required: ['__proto__'] } } } },
        { name: 'Last', tools: { last: { parameters: [] } } },
      ]);
      const text = readFileSync(project.path('build/orders.js'), 'utf8');
      expect(text.replaceAll(/\/\* adorn:derived \*\/.*?\/\* adorn:derived end \*\//g, '')).toBe(emitted);
      expect(text.split('\n')).toHaveLength(emitted.split('\n').length);
      expect(text).not.toContain('"classes":{ get "Address"() { return Address; } },"unreachable"');
      expect(readdirSync(project.path('build')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
    SLOW,
  );

  it(
    'does the same for CommonJS',
    async () => {
      project.write('package.json', JSON.stringify({ name: 'project', type: 'commonjs' }));
      tsc(project);

      await buildSchemas({ project: project.path('tsconfig.json') });

      expect(run(project)).toMatchObject({ classes: ['Address', 'Local', 'City'] });
    },
    SLOW,
  );

  it(
    'leaves what is right alone, and replaces what is not',
    async () => {
      emit(project);
      await buildSchemas({ project: project.root });
      const output = project.path('build/orders.js');
      utimesSync(output, 1, 1);
      project.write('src/note.ts', 'export {}');
      const before = readFileSync(output, 'utf8');

      await buildSchemas({ project: project.root });
      expect(statSync(output).mtimeMs).toBe(1000);

      project.write('src/address.ts', ADDRESS.replace('street', 'lane'));
      await buildSchemas({ project: project.root });
      expect(readFileSync(output, 'utf8')).toBe(before.replaceAll('"street"', '"lane"'));
    },
    SLOW,
  );

  it(
    'only looks where it is asked to check',
    async () => {
      emit(project);
      const output = project.path('build/orders.js');
      const before = readFileSync(output, 'utf8');

      await expect(buildSchemas({ project: project.root, check: true })).rejects.toMatchObject({
        code: 'SCHEMA_STALE',
        files: [output],
        message: `The schemas in 1 emitted file are missing or stale: ${output}. Run tsc, then "adorn build".`,
      });
      expect(readFileSync(output, 'utf8')).toBe(before);

      await buildSchemas({ project: project.root });
      expect(await buildSchemas({ project: project.root, check: true })).toEqual({
        files: 1,
        classes: 3,
        tools: 4,
      });
    },
    SLOW,
  );

  /** A build that looks at the sources notes what it has read in its stamp, whose time was set to the epoch's. */
  const looksAgain = async (): Promise<boolean> => {
    const folder = project.path('node_modules/.cache/adorn');
    const stamps = readdirSync(folder).filter((name) => name.endsWith('.build.json'));
    for (const name of stamps) utimesSync(join(folder, name), 1, 1);
    await buildSchemas({ project: project.root });
    return stamps.length !== 1 || statSync(join(folder, stamps[0]!)).mtimeMs !== 1000;
  };

  it(
    'does not look at the sources again where everything is as the last build left it',
    async () => {
      emit(project);
      const report = await buildSchemas({ project: project.root });

      expect(await looksAgain()).toBe(false);
      expect(await buildSchemas({ project: project.path('tsconfig.json') })).toEqual(report);
      emit(project);
      expect(await looksAgain()).toBe(true);
      expect(await looksAgain()).toBe(false);
    },
    SLOW,
  );

  it.each<[what: string, path: string, text: string]>([
    ['a source', 'src/address.ts', ADDRESS.replace('street', 'lane')],
    ['the tsconfig', 'tsconfig.json', JSON.stringify({ ...TSCONFIG, exclude: ['src/late.ts'] })],
    ['an emitted file', 'build/orders.js', 'export class Orders { send() {} }'],
    [
      'the version of a package',
      'node_modules/adorn/package.json',
      '{ "name": "adorn", "version": "2.0.0" }',
    ],
    ['a source that is new', 'src/late.ts', 'export {}'],
  ])(
    'looks at them again where %s has changed',
    async (_what, path, text) => {
      project.write(
        'src/orders.ts',
        "import { tool } from 'adorn';\nexport class Orders { @tool send(): void {} }",
      );
      emit(project);
      await buildSchemas({ project: project.root });

      project.write(path, text);

      expect(await looksAgain()).toBe(true);
    },
    SLOW,
  );

  it(
    'looks at them again where its stamp is damaged, or of another compiler',
    async () => {
      emit(project);
      await buildSchemas({ project: project.root });
      const [name = ''] = readdirSync(project.path('node_modules/.cache/adorn'));
      const path = join('node_modules/.cache/adorn', name);
      const stamp = JSON.parse(readFileSync(project.path(path), 'utf8')) as object;

      for (const text of [
        '',
        'null',
        '[]',
        '{"format":1}',
        JSON.stringify({ ...stamp, compiler: '0.0.1' }),
      ]) {
        project.write(path, text);
        expect(await looksAgain()).toBe(true);
      }
    },
    SLOW,
  );

  it(
    'asks for tsc where it has not run',
    async () => {
      await expect(buildSchemas({ project: project.root })).rejects.toMatchObject({
        code: 'DERIVATION_FAILED',
        message: `${project.path('src/orders.ts')} has tools, but ${project.path('build/orders.js')} does not exist. Run tsc first.`,
      });
    },
    SLOW,
  );

  it(
    'tells of everything that is wrong, and writes nothing then',
    async () => {
      project.write(
        'src/nested.ts',
        "import { tool } from 'adorn';\nexport function make() { class Inner { @tool() run(all: symbol): void {} } return Inner; }",
      );
      project.write(
        'src/lost.ts',
        "import { tool } from 'adorn';\nexport class Bad { @tool() run(map: Map<string, string>): void {} }",
      );
      emit(project);
      const before = readFileSync(project.path('build/orders.js'), 'utf8');

      const failure: unknown = await buildSchemas({ project: project.root }).catch((error: unknown) => error);

      expect(failure).toMatchObject({
        code: 'TYPE_NOT_REPRESENTABLE',
        faults: [{ name: 'TypeNotRepresentableError' }, {}],
      });
      expect(String(failure)).toContain('Parameter "all" of Inner.run');
      expect(String(failure)).toContain('Parameter "map" of Bad.run');
      expect(readFileSync(project.path('build/orders.js'), 'utf8')).toBe(before);
    },
    SLOW,
  );

  it(
    'builds the projects that a tsconfig refers to',
    async () => {
      project.write(
        'inner/tsconfig.json',
        JSON.stringify({
          extends: '../tsconfig.json',
          compilerOptions: { composite: true, rootDir: '.', outDir: 'out' },
          include: ['.'],
        }),
      );
      project.write(
        'inner/box.ts',
        "import { tool } from 'adorn';\nexport class Box { @tool() open(): void {} }",
      );
      project.write(
        'all.json',
        JSON.stringify({ files: [], references: [{ path: './inner' }, { path: './specs.json' }] }),
      );
      const specs = { compilerOptions: { composite: true, noEmit: true }, files: ['box.spec.ts'] };
      project.write('specs.json', JSON.stringify({ extends: './tsconfig.json', ...specs }));
      project.write('box.spec.ts', "import { tool } from 'adorn';\nclass Mock { @tool() open(): void {} }");
      tsc(project, '-b', 'inner');

      expect(await buildSchemas({ project: project.path('all.json') })).toEqual({
        files: 1,
        classes: 1,
        tools: 1,
      });
      expect(readFileSync(project.path('inner/out/box.js'), 'utf8')).toContain(
        'Object.defineProperty(this, Symbol.for("adorn:derived"), { value: { name: "Box",',
      );
    },
    SLOW,
  );

  it(
    'says where it looked for a tsconfig',
    async () => {
      await expect(buildSchemas({ project: project.path('nowhere.json') })).rejects.toMatchObject({
        message: `There is no tsconfig at ${project.path('nowhere.json')}. Pass one as the project, or run in the folder of tsconfig.json.`,
      });
    },
    SLOW,
  );
});

function tsc(project: TemporaryProject, ...args: string[]): void {
  const { status, stdout } = spawnSync(process.execPath, [TSC, ...args], {
    cwd: project.root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
}

/** What tsc does, in this process. */
function emit(project: TemporaryProject): void {
  const { config } = readProject(project.path('tsconfig.json'));
  ts.createProgram(config.fileNames, config.options).emit();
}

/** Imports what was built in a process of its own. */
function run(project: TemporaryProject): unknown {
  const script = project.write('build/run.mjs', RUN);
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
