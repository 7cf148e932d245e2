import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DerivedClass, DerivedTool } from '../derived-class.js';
import { deriveOnDemand, type Wanted } from './derive-on-demand.js';
import { runCompiler } from './run-compiler.js';
import { warmDerivations } from './warm-derivations.js';
import { writeBelow } from './write-below.fixture.js';

/** A compiler that answers every file with one class and one function, and notes each run. */
const ANSWERING = `
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
const { files } = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(new URL('runs.txt', import.meta.url), files.length + ' ' + process.env.NODE_OPTIONS + ';');
const hash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
const nameIn = (file) => /class (\\w+)/.exec(readFileSync(file, 'utf8'))[1];
const derived = (file) => ({ dependencies: { [file]: hash(file) }, classes: { [nameIn(file)]: { description: nameIn(file), tools: {} } }, functions: { roll: { description: 'Roll.', parameters: [], parametersJsonSchema: {} } }, faults: {} });
console.log(JSON.stringify(Object.fromEntries(files.map((file) => [file, derived(file)]))));
`;

describe('deriveOnDemand', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-derive-')));
    write('package.json', '{}');
    install(ANSWERING);
  });
  afterEach(() => {
    process.env['NODE_ENV'] = 'test';
    rmSync(root, { recursive: true });
  });

  const write = (path: string, text: string): string => writeBelow(root, path, text);

  function install(script: string): void {
    const manifest = {
      name: '@adorn/compiler',
      version: '1.0.0',
      type: 'module',
      exports: { './derive': { default: './derive.js' }, './package.json': './package.json' },
    };
    write('node_modules/@adorn/compiler/package.json', JSON.stringify(manifest));
    write('node_modules/@adorn/compiler/derive.js', script);
  }

  const runs = (): string => readFileSync(join(root, 'node_modules/@adorn/compiler/runs.txt'), 'utf8');
  const records = new Map<string, DerivedClass | DerivedTool>();
  beforeEach(() => {
    records.clear();
  });

  function wantedOf(
    kind: Wanted['kind'],
    name: string,
    site: string | undefined,
    methods: string[] = [],
  ): Wanted {
    return {
      kind,
      name,
      site,
      methods,
      keep: (record: DerivedClass | DerivedTool) => records.set(name, record),
    };
  }

  const wanted = (): Wanted[] => [
    wantedOf('class', 'Orders', write('orders.ts', 'class Orders {}'), ['refund']),
    wantedOf('class', 'Bills', write('bills.ts', 'class Bills {}')),
    wantedOf('function', 'roll', write('bills.ts', 'class Bills {}')),
  ];

  it('asks one compiler for all classes and functions, and the cache from then on', async () => {
    const all = wanted();
    const said: string[] = [];
    const log = (line: string): number => said.push(line);
    const expected = new Map<string, object>([
      ['Orders', { description: 'Orders', tools: {} }],
      ['Bills', { description: 'Bills', tools: {} }],
      ['roll', { description: 'Roll.', parameters: [], parametersJsonSchema: {} }],
    ]);

    await deriveOnDemand(all, { log });
    expect(records).toEqual(expected);
    records.clear();
    await deriveOnDemand(all, { log });
    expect(records).toEqual(expected);

    expect(said).toEqual(['Deriving the schemas of tools in 2 source files.']);
    expect(runs()).toBe('2 ;');
  });

  it('asks again for what has changed, and only for that', async () => {
    await deriveOnDemand(wanted());
    const [orders, bills] = wanted();
    write('bills.ts', 'class Bills { changed = 1 }');

    await deriveOnDemand([orders, bills] as Wanted[]);

    expect(runs()).toBe('2 ;1 ;');
  });

  it('asks again for everything where the compiler is another', async () => {
    await deriveOnDemand(wanted());
    install(`${ANSWERING}\n// A newer one.`);

    await deriveOnDemand(wanted());

    expect(runs()).toBe('2 ;2 ;');
  });

  it('finds what was derived before it was wanted', async () => {
    const classes = wanted();
    const files = classes.flatMap(({ site }) => site ?? []);

    expect(await warmDerivations(files)).toBe(3);
    expect(await warmDerivations(files)).toBe(0);
    await deriveOnDemand(classes);

    expect(runs()).toBe('3 ;');
  });

  it('leaves what cannot be derived beforehand to the one who wants it', async () => {
    const site = write('orders.ts', 'class Orders {}');
    const refused = { error: { code: 'DERIVATION_FAILED', message: 'broken' } };
    install(`console.log(JSON.stringify({ [${JSON.stringify(site)}]: ${JSON.stringify(refused)} }))`);

    expect(await warmDerivations([site])).toBe(1);
    await expect(deriveOnDemand([wantedOf('class', 'Orders', site)])).rejects.toMatchObject({
      message: 'broken',
    });
  });

  it('needs nothing where nothing is wanted', async () => {
    await deriveOnDemand([]);

    expect(() => runs()).toThrow('ENOENT');
  });

  it('derives nothing in production, and says what to do', async () => {
    process.env['NODE_ENV'] = 'production';

    await expect(deriveOnDemand(wanted())).rejects.toMatchObject({
      code: 'SCHEMA_MISSING',
      message:
        'There is no schema for the tools of Orders (refund): in production it is not derived, and ' +
        '"adorn build" has not written it; the tools of Bills: in production it is not derived, and ' +
        '"adorn build" has not written it; the function roll: in production it is not derived, and ' +
        '"adorn build" has not written it. Run "adorn build" after tsc, bundle with the plugin (adorn() ' +
        'of "@adorn/compiler/vite", "/esbuild", "/rollup", "/rolldown" or "/webpack"), install ' +
        '@adorn/compiler as a dev dependency to derive schemas in development, or write the schema: ' +
        '@tool({ parameters }) or defineTool({ parameters }).',
    });
  });

  it('says where no compiler is installed', async () => {
    const site = write('orders.ts', 'class Orders {}');
    rmSync(join(root, 'node_modules'), { recursive: true });
    const folder = process.cwd();
    process.chdir(root);
    try {
      await expect(deriveOnDemand([wantedOf('class', 'Orders', site)])).rejects.toMatchObject({
        code: 'SCHEMA_MISSING',
        missing: [{ kind: 'class', name: 'Orders', why: '@adorn/compiler is not installed, or not built' }],
      });
    } finally {
      process.chdir(folder);
    }
  });

  it('names what it cannot find the source of', async () => {
    const lost = [
      wantedOf('class', 'Orders', undefined),
      wantedOf('function', 'roll', undefined),
      wantedOf('class', 'Bills', write('bills.js', '')),
    ];

    await expect(deriveOnDemand(lost)).rejects.toMatchObject({
      code: 'SCHEMA_MISSING',
      missing: [
        { kind: 'class', name: 'Orders', methods: [], why: 'no decorator told where its source is' },
        { name: 'roll', why: 'no call of defineTool and no agent told where its source is' },
        {
          name: 'Bills',
          methods: [],
          why: `no source, or more than one, that declares it was found for ${join(root, 'bills.js')}: see its source map, and whether names are shortened`,
        },
      ],
    });
  });

  it('names a class that its source does not have', async () => {
    const site = write('other.ts', 'class Other {}');

    await expect(deriveOnDemand([wantedOf('class', 'Orders', site)])).rejects.toMatchObject({
      code: 'SCHEMA_MISSING',
      missing: [{ name: 'Orders', why: `${site} has no such class with decorators` }],
    });
  });

  it('names a function of which its source makes no tool', async () => {
    const site = write('other.ts', 'class Other {}');

    await expect(deriveOnDemand([wantedOf('function', 'toss', site)])).rejects.toMatchObject({
      code: 'SCHEMA_MISSING',
      missing: [
        {
          name: 'toss',
          why: `${site} does not certainly make a tool of it. Write defineTool({ name, run }) there`,
        },
      ],
    });
  });

  it('passes on what the compiler refuses, with its code', async () => {
    const fault = { code: 'TYPE_NOT_REPRESENTABLE', message: 'Parameter "map" of Orders.refund …' };
    const site = write('orders.ts', 'class Orders {}');
    install(
      `console.log(JSON.stringify({ [${JSON.stringify(site)}]: { dependencies: {}, classes: {}, faults: { Orders: ${JSON.stringify(fault)}, Others: 1 } } }))`,
    );

    await expect(deriveOnDemand([wantedOf('class', 'Orders', site)])).rejects.toMatchObject(fault);
  });

  it('keeps records and faults of one file, and asks again only for a fault that another file may cure', async () => {
    const site = write('orders.ts', 'class Orders {}');
    const twice = { code: 'DERIVATION_FAILED', message: 'Two classes are called Gambler' };
    const lost = { code: 'TYPE_NOT_REPRESENTABLE', message: 'TypeScript cannot find it', isUnresolved: true };
    install(ANSWERING.replace('faults: {}', `faults: ${JSON.stringify({ Gambler: twice, Lost: lost })}`));

    await deriveOnDemand([wantedOf('class', 'Orders', site)]);
    await deriveOnDemand([wantedOf('class', 'Orders', site)]);
    await expect(deriveOnDemand([wantedOf('class', 'Gambler', site)])).rejects.toMatchObject(twice);
    expect(runs()).toBe('1 ;');

    await expect(deriveOnDemand([wantedOf('class', 'Lost', site)])).rejects.toThrow(lost.message);
    expect(runs()).toBe('1 ;1 ;');
  });

  it('passes on what is wrong with a whole file', async () => {
    const site = write('orders.ts', 'class Orders {}');
    install(
      `console.log(JSON.stringify({ [${JSON.stringify(site)}]: { error: { code: 'NO_SUCH_CODE', message: 'broken' } } }))`,
    );

    await expect(deriveOnDemand([wantedOf('class', 'Orders', site)])).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message: 'broken',
    });
  });

  it.each([
    [
      'ends badly',
      "process.stderr.write('out of luck'); process.exit(3);",
      /: it exited with code 3\. Its output:\nout of luck$/,
    ],
    ['answers in no JSON', "console.log('hello')", /: its answer is not JSON: hello/],
    ['leaves a file out', "console.log('{}')", /no result for a source file/],
  ])('fails where the compiler %s', async (_, script, message) => {
    install(script);

    await expect(deriveOnDemand(wanted())).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('does not wait for a compiler for ever', async () => {
    install('setInterval(() => {}, 1000)');
    const compiler = { script: join(root, 'node_modules/@adorn/compiler/derive.js'), identity: '' };

    await expect(runCompiler(compiler, [], 100)).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message: expect.stringContaining('it was ended by SIGTERM (its time limit is 0.1 seconds)') as unknown,
    });
  });
});
