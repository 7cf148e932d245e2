import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';

import { TemporaryProject } from '../fixtures/temporary-project.js';
import { type DerivedFile, deriveFiles } from './derive-files.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const ORDERS = `
import { tool } from 'adorn';
import type { Money } from './money.js';
export { other } from './other.js';
export class Orders { @tool refund(amount: Money, note?: string | null): void {} }
`;

/** Whose types every program has. */
const TYPESCRIPT = createRequire(createRequire(import.meta.url).resolve('typescript-json-schema')).resolve(
  'typescript/package.json',
);

/** What `Amount` is says which tsconfig was followed. */
const AMOUNT =
  "import { tool } from 'adorn'; import type { Amount } from '#amount'; export class A { @tool run(a: Amount): void {} }";

function amountIs(file: string): object {
  return { experimentalDecorators: true, types: [], paths: { '#amount': [file] } };
}

describe('deriveFiles', () => {
  const projects: TemporaryProject[] = [];
  afterEach(() =>
    projects.splice(0).forEach((project) => {
      project.remove();
    }),
  );

  function open(tsconfig?: object): TemporaryProject {
    const project = new TemporaryProject(tsconfig);
    projects.push(project);
    return project;
  }

  function openWithAmounts(tsconfig: object): TemporaryProject {
    const project = open(tsconfig);
    project.write('number.ts', 'export type Amount = number;');
    project.write('text.ts', 'export type Amount = string;');
    return project;
  }

  it(
    'lists the sources, tsconfig files and packages that a record depends on, with their hashes',
    () => {
      const project = open({ extends: './base.json', include: ['src'] });
      project.write(
        'base.json',
        JSON.stringify({
          compilerOptions: { module: 'NodeNext', strict: true, experimentalDecorators: true, types: [] },
        }),
      );
      project.write('src/money.ts', "export type { Cents as Money } from './cents.js';");
      project.write('src/cents.ts', 'export type Cents = number;');
      project.write('src/other.ts', 'export const other = 1;');
      project.write('src/global.d.ts', 'interface Everywhere { a: string }');
      project.write('src/unrelated.ts', 'export const unrelated = 1;');
      const orders = project.write('src/orders.ts', ORDERS);

      const derived = deriveFiles([orders])[orders] as DerivedFile;

      const paths = [
        'src/orders.ts',
        'src/money.ts',
        'src/cents.ts',
        'src/other.ts',
        'src/global.d.ts',
        'tsconfig.json',
        'base.json',
        'node_modules/adorn/package.json',
      ];
      expect(derived.dependencies).toEqual(
        Object.fromEntries(
          [...paths.map((path) => project.path(path)), TYPESCRIPT].map((path) => [path, hashOf(path)]),
        ),
      );
      expect(derived.sources).toMatchObject({ folders: { [project.path('src')]: true }, outputs: [] });
      expect(Object.keys(derived.classes)).toEqual(['Orders']);
    },
    SLOW,
  );

  it(
    'knows what sources declare for all files without being imported',
    () => {
      const project = open({
        compilerOptions: {
          module: 'ESNext',
          moduleResolution: 'Bundler',
          types: [],
          strict: true,
          experimentalDecorators: true,
        },
        include: ['src'],
      });
      const globals = [
        project.write('src/global.ts', 'export {}; declare global { interface Place { city: string } }'),
        project.write('src/script.ts', 'namespace Shop {\n  export interface Item { sku: string }\n}\n'),
        project.write(
          'src/more.ts',
          "declare module './money.js' { interface Money { cents: number } }\nexport {};",
        ),
      ];
      const money = project.write('src/money.ts', 'export interface Money { currency: string }');
      project.write('src/unrelated.ts', "/** import x */\nexport const declared = 'global';");
      const file = project.write(
        'src/a.ts',
        `import { tool } from 'adorn'; import type { Money } from './money.js';
         export class A { @tool run(place: Place, item: Shop.Item, money: Money): void {} }`,
      );

      const derived = deriveFiles([file])[file] as DerivedFile;

      expect(derived.faults).toEqual({});
      expect(derived.classes['A']?.tools['run']?.parametersJsonSchema['$defs']).toMatchObject({
        Place: { properties: { city: { type: 'string' } } },
        Item: { properties: { sku: { type: 'string' } } },
        Money: { properties: { currency: { type: 'string' }, cents: { type: 'number' } } },
      });
      expect(Object.keys(derived.dependencies).sort()).toEqual(
        [
          ...globals,
          money,
          file,
          project.path('tsconfig.json'),
          project.path('node_modules/adorn/package.json'),
          TYPESCRIPT,
        ].sort(),
      );
    },
    SLOW,
  );

  it(
    'follows the nearest tsconfig that includes the file',
    () => {
      const project = openWithAmounts({ compilerOptions: amountIs('./number.ts'), include: ['src'] });
      const outer = project.write('src/a.ts', AMOUNT);
      project.write(
        'inner/tsconfig.json',
        JSON.stringify({ compilerOptions: amountIs('../text.ts'), include: ['a.ts'] }),
      );
      const inner = project.write('inner/a.ts', AMOUNT);

      const answers = deriveFiles([outer, inner]);

      expect(answers[outer]).toMatchObject(takes({ type: 'number' }));
      expect(answers[inner]).toMatchObject(takes({ type: 'string' }));
    },
    SLOW,
  );

  it(
    'finds the tsconfig that includes the file behind a reference',
    () => {
      const project = openWithAmounts({ files: [], references: [{ path: './app.json' }] });
      project.write('app.json', JSON.stringify({ compilerOptions: amountIs('./text.ts'), include: ['src'] }));
      const file = project.write('src/a.ts', AMOUNT);

      expect(deriveFiles([file])[file]).toMatchObject(takes({ type: 'string' }));
    },
    SLOW,
  );

  it(
    'takes the settings of the nearest tsconfig for a file that none includes, and sane ones without any',
    () => {
      const project = openWithAmounts({ compilerOptions: amountIs('./text.ts'), files: ['src/other.ts'] });
      const spec = project.write('src/a.spec.ts', AMOUNT);

      expect(deriveFiles([spec])[spec]).toMatchObject(takes({ type: 'string' }));

      rmSync(project.path('tsconfig.json'));
      project.write('src/a.spec.ts', AMOUNT.replace('#amount', '../number.js'));
      expect(deriveFiles([spec])[spec]).toMatchObject(takes({ type: 'number' }));
    },
    SLOW,
  );

  it(
    'marks a fault that another file may cure',
    () => {
      const project = open();
      const file = project.write(
        'src/a.ts',
        `import { tool } from 'adorn'; import type { Later } from './later.js';
         export class A { @tool run(a: Later, b: () => void): void {} }
         export class B { @tool run(b: () => void): void {} }`,
      );

      const { faults } = deriveFiles([file])[file] as DerivedFile;

      expect(faults['A']).toMatchObject({ isUnresolved: true });
      expect(faults['B']).not.toHaveProperty('isUnresolved');
    },
    SLOW,
  );

  it(
    'answers for each file by itself',
    () => {
      const project = open();
      const good = project.write(
        'src/good.ts',
        "import { tool } from 'adorn'; export class Good { @tool run(): void {} }",
      );
      const gone = project.path('src/gone.ts');

      expect(deriveFiles([gone, good])).toMatchObject({
        [gone]: {
          error: {
            code: 'DERIVATION_FAILED',
            message: `TypeScript cannot read ${gone}. Check that the file exists.`,
          },
        },
        [good]: { classes: { Good: { tools: { run: {} } } } },
      });
    },
    SLOW,
  );

  it(
    'says what is wrong with a tsconfig',
    () => {
      const project = open({ extends: './missing.json' });
      const file = project.write('src/a.ts', '');

      expect(deriveFiles([file])[file]).toMatchObject({
        error: {
          code: 'DERIVATION_FAILED',
          message: expect.stringContaining('The tsconfig is not valid') as unknown,
        },
      });
    },
    SLOW,
  );
});

function takes(schema: object): object {
  return {
    classes: { A: { tools: { run: { parametersJsonSchema: { properties: { a: schema } } } } } },
    faults: {},
  };
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
