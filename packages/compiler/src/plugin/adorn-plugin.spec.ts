import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

import { build, type BuildFailure, type BuildOptions, context } from 'esbuild';

import { TemporaryProject, TSCONFIG } from '../fixtures/temporary-project.js';
import adorn, { type AdornPluginOptions } from './esbuild.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const ADDRESS = `export class Address { street!: string }
export class Town { name!: string }
export interface Parcel { weight: number }`;

const ORDERS = `import { toolbox as box, tool } from 'adorn';
import { Address, type Town, type Parcel } from './address.js';

/** Orders of customers. */
@box()
export class Orders {
  /** Send an order. */
  @tool() send(to: Address, near: Town, parcel: Parcel): void { throw new Error('lost'); } }
`;

const URGENT = `import { Orders } from './orders.js';
import type { Address } from './address.js';
export class Urgent extends Orders { override send(to: Address): void {} }`;

const MAIN = `import { Orders } from './orders.js';
import { Urgent } from './urgent.js';
const records = [Orders, Urgent].map((one) => one[Symbol.for('adorn:derived')]);
const { Address } = records[0].tools.send.classes;
console.log(JSON.stringify({ records, minified: Address.name.length === 1, made: Object.keys(new Address()) }));`;

describe('the bundler plugin', () => {
  let project: TemporaryProject;
  beforeEach(() => {
    project = new TemporaryProject();
    project.write('src/address.ts', ADDRESS);
    project.write('src/orders.ts', ORDERS);
    project.write('src/urgent.ts', URGENT);
    project.write('src/main.mts', MAIN);
  });
  afterEach(() => {
    project.remove();
  });

  it(
    'leaves the records on the classes of a minified bundle, under their names in the source',
    async () => {
      await bundle(project, { minify: true });

      expect(run(project)).toMatchObject({
        minified: true,
        made: ['street'],
        records: [
          {
            name: 'Orders',
            description: 'Orders of customers.',
            tools: {
              send: {
                description: 'Send an order.',
                parameters: [
                  { kind: 'argument', name: 'to', revive: { name: 'Address' } },
                  { kind: 'argument', name: 'near', revive: { name: 'Town' } },
                  { kind: 'argument', name: 'parcel' },
                ],
              },
            },
          },
          { name: 'Urgent', tools: { send: { parameters: [{ kind: 'argument', name: 'to' }] } } },
        ],
      });
    },
    SLOW,
  );

  it(
    'keeps the import of a class that a record names, and names none that is imported as a type',
    async () => {
      const output = await bundle(project, {});

      expect(output.match(/get "\w+"\(\)|get \w+\(\)/g)).toEqual(['get "Address"()']);
      expect(output).toContain('var Address = class');
      expect(output).not.toContain('var Town = class');
    },
    SLOW,
  );

  it(
    'keeps the places of the source, behind a record too',
    async () => {
      const output = await bundle(project, { sourcemap: true, sourcesContent: true });

      const payload = JSON.parse(readFileSync(project.path('out/main.mjs.map'), 'utf8')) as SourceMapPayload;
      const lines = output.split('\n');
      const line = lines.findIndex((text) => text.includes('new Error("lost")'));
      const origin = new SourceMap(payload).findEntry(line, lines[line]!.indexOf('new Error'));
      expect(origin).toMatchObject({
        originalLine: 7,
        originalColumn: ORDERS.split('\n')[7]!.indexOf('new Error'),
        originalSource: expect.stringMatching(/src\/orders\.ts$/),
      });
      expect(payload.sourcesContent).toContain(ORDERS);
    },
    SLOW,
  );

  it(
    'fails the bundle with all that is wrong in a file',
    async () => {
      project.write(
        'src/orders.ts',
        ORDERS.replace('parcel: Parcel', 'parcel: symbol').replace('near: Town', 'near: Map<string, string>'),
      );

      const { errors } = await faultOf(bundle(project, {}));

      expect(errors).toMatchObject([{ pluginName: 'adorn' }]);
      expect(errors[0]!.text).toContain('Parameter "near" of Orders.send has the type "Map<string, string>"');
      expect(errors[0]!.text).toContain('Parameter "parcel" of Orders.send has the type "symbol"');
      expect(errors[0]!.text).toMatch(/\(TYPE_NOT_REPRESENTABLE\)$/);
    },
    SLOW,
  );

  it(
    'reads the tsconfig it is told, and none where no file has anything for it',
    async () => {
      project.write('main.json', JSON.stringify({ ...TSCONFIG, extends: './nowhere.json' }));
      const options = { project: project.path('main.json') };

      const { errors } = await faultOf(bundle(project, {}, options));
      expect(errors[0]!.text).toContain('nowhere.json');

      project.write('src/main.mts', "import { one } from './one.js';\nexport const two = one;");
      project.write('src/one.ts', 'export const one = 1;');
      await bundle(project, {}, options);
    },
    SLOW,
  );

  it(
    'transforms a file again when a type in another one has changed',
    async () => {
      const builds = new Builds();
      const watching = await context({ ...settings(project), plugins: [adorn(), builds.plugin] });
      try {
        await watching.watch();
        expect(await builds.next()).toContain('"weight"');

        project.write('src/address.ts', ADDRESS.replace('weight: number', 'grams: number | symbol'));
        expect(await builds.next()).toContain('TYPE_NOT_REPRESENTABLE');

        project.write('src/address.ts', ADDRESS.replace('weight', 'grams'));
        expect(await builds.next()).toContain('"grams"');
      } finally {
        await watching.dispose();
      }
    },
    SLOW,
  );
});

/** What each build of a bundler that watches came to, in their order. */
class Builds {
  private readonly finished: string[] = [];
  private wake: () => void = () => undefined;

  readonly plugin = {
    name: 'builds',
    setup: ({ onEnd }: { onEnd: (done: (result: Finished) => void) => void }): void => {
      onEnd(({ errors, outputFiles = [] }) => {
        this.finished.push([...errors, ...outputFiles].map(({ text }) => text).join('\n'));
        this.wake();
      });
    },
  };

  async next(): Promise<string> {
    while (this.finished.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.finished.shift()!;
  }
}

interface Finished {
  readonly errors: readonly { readonly text: string }[];
  readonly outputFiles?: readonly { readonly text: string }[];
}

function settings(project: TemporaryProject): BuildOptions {
  return {
    absWorkingDir: project.root,
    entryPoints: ['src/main.mts'],
    outfile: 'out/main.mjs',
    bundle: true,
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    write: false,
  };
}

async function bundle(
  project: TemporaryProject,
  more: BuildOptions,
  options?: AdornPluginOptions,
): Promise<string> {
  await build({ ...settings(project), write: true, plugins: [adorn(options)], ...more });
  return readFileSync(project.path('out/main.mjs'), 'utf8');
}

async function faultOf(work: Promise<unknown>): Promise<BuildFailure> {
  return work.then(
    () => Promise.reject(new Error('It worked.')),
    (failure: unknown) => failure as BuildFailure,
  );
}

function run(project: TemporaryProject): unknown {
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout, stderr } = spawnSync(process.execPath, [project.path('out/main.mjs')], {
    encoding: 'utf8',
    env,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
