import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RecordRequest } from '@adorn/core/compiler';

import { deriveRecords, warmDerivations } from './derive-records.js';
import type { Compiler } from './run-compiler.js';
import { writeBelow } from './write-below.fixture.js';

/** A compiler that answers every file with one class and one function, and notes each run. */
const ANSWERING = `
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
const { files } = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(new URL('runs.txt', import.meta.url), files.length + ' ' + process.env.NODE_OPTIONS + ';');
const hash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
const nameIn = (file) => /class (\\w+)/.exec(readFileSync(file, 'utf8'))[1];
const derived = (file) => ({ dependencies: { [file]: hash(file) }, shapes: {}, sources: { folders: {}, outputs: [], readAt: 0 }, classes: { [nameIn(file)]: { description: nameIn(file), tools: {} } }, functions: { roll: { description: 'Roll.', parameters: [], parametersJsonSchema: {} } }, faults: {} });
console.log(JSON.stringify(Object.fromEntries(files.map((file) => [file, derived(file)]))));
`;

const ORDERS = { kind: 'derived', record: { description: 'Orders', tools: {} } };
const BILLS = { kind: 'derived', record: { description: 'Bills', tools: {} } };
const ROLL = {
  kind: 'derived',
  record: { description: 'Roll.', parameters: [], parametersJsonSchema: {} },
};

describe('deriveRecords', () => {
  let root: string;
  let compiler: Compiler;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-derive-')));
    write('package.json', '{}');
    install(ANSWERING);
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const write = (path: string, text: string): string => writeBelow(root, path, text);

  function install(script: string): void {
    compiler = { script: write('compiler/derive.mjs', script), identity: script };
  }

  const runs = (): string => readFileSync(join(root, 'compiler/runs.txt'), 'utf8');
  const requested = (kind: RecordRequest['kind'], name: string, ...sites: string[]): RecordRequest => ({
    kind,
    name,
    sites,
  });
  const answersTo = async (requests: readonly RecordRequest[]): Promise<unknown> => {
    const answer = await deriveRecords(requests, compiler);
    return answer.kind === 'answered' ? answer.answers : answer.message;
  };

  const requests = (): RecordRequest[] => [
    requested('class', 'Orders', write('orders.ts', 'class Orders {}')),
    requested('class', 'Bills', write('bills.ts', 'class Bills {}')),
    requested('function', 'roll', write('bills.ts', 'class Bills {}')),
  ];

  it('asks one compiler for all classes and functions, and the cache from then on', async () => {
    expect(await answersTo(requests())).toEqual([ORDERS, BILLS, ROLL]);
    expect(await answersTo(requests())).toEqual([ORDERS, BILLS, ROLL]);
    expect(runs()).toBe('2 ;');
  });

  it('asks again for what has changed, and only for that', async () => {
    await answersTo(requests());
    const [orders, bills] = requests();
    write('bills.ts', 'class Bills { changed = 1 }');

    await answersTo([orders, bills] as RecordRequest[]);

    expect(runs()).toBe('2 ;1 ;');
  });

  it('asks again for everything where the compiler is another', async () => {
    await answersTo(requests());
    install(`${ANSWERING}\n// A newer one.`);

    await answersTo(requests());

    expect(runs()).toBe('2 ;2 ;');
  });

  it('finds what was derived before it was asked for', async () => {
    const files = requests().flatMap(({ sites }) => sites);

    expect(await warmDerivations([...new Set(files)], compiler)).toBe(2);
    expect(await warmDerivations([...new Set(files)], compiler)).toBe(0);
    await answersTo(requests());

    expect(runs()).toBe('2 ;');
  });

  it('leaves what cannot be derived beforehand to the one who wants it', async () => {
    const site = write('orders.ts', 'class Orders {}');
    const error = { code: 'DERIVATION_FAILED', message: 'broken' };
    install(`console.log(JSON.stringify({ [${JSON.stringify(site)}]: ${JSON.stringify({ error })} }))`);

    expect(await warmDerivations([site], compiler)).toBe(1);
    expect(await answersTo([requested('class', 'Orders', site)])).toEqual([{ kind: 'faulty', fault: error }]);
  });

  it('derives nothing beforehand where the compiler fails', async () => {
    install('process.exit(3)');

    expect(await warmDerivations([write('orders.ts', 'class Orders {}')], compiler)).toBe(0);
  });

  it('runs no compiler where nothing is asked for', async () => {
    expect(await answersTo([])).toEqual([]);
    expect(() => runs()).toThrow('ENOENT');
  });

  it('says why it cannot find a source, and derives the others', async () => {
    const lost = write('bills.js', '');

    expect(
      await answersTo([
        requested('class', 'Orders'),
        requested('function', 'roll'),
        requested('class', 'Bills', lost),
        ...requests().slice(0, 1),
      ]),
    ).toEqual([
      { kind: 'missing', why: 'no decorator told where its source is' },
      { kind: 'missing', why: 'no call of defineTool and no agent told where its source is' },
      {
        kind: 'missing',
        why: `no source, or more than one, that declares it was found for ${lost}. Set "sourceMap": true in the compilerOptions of tsconfig.json (a bundler has an option sourcemap), and keep names from being shortened`,
      },
      ORDERS,
    ]);
  });

  it('says of which class or function its source makes nothing', async () => {
    const site = write('other.ts', 'class Other {}');

    expect(
      await answersTo([requested('class', 'Orders', site), requested('function', 'toss', site)]),
    ).toEqual([
      { kind: 'missing', why: `${site} has no such class with decorators` },
      {
        kind: 'missing',
        why: `${site} does not certainly make a tool of it. Write defineTool({ name, run }) there`,
      },
    ]);
  });

  it('passes on what the compiler refuses', async () => {
    const fault = { code: 'TYPE_NOT_REPRESENTABLE', message: 'Parameter "map" of Orders.refund …' };
    const site = write('orders.ts', 'class Orders {}');
    install(
      `console.log(JSON.stringify({ [${JSON.stringify(site)}]: { dependencies: {}, classes: {}, faults: { Orders: ${JSON.stringify(fault)}, Others: 1 } } }))`,
    );

    expect(await answersTo([requested('class', 'Orders', site)])).toEqual([{ kind: 'faulty', fault }]);
  });

  it('keeps records and faults of one file, and asks again only for a fault that another file may cure', async () => {
    const site = write('orders.ts', 'class Orders {}');
    const twice = { code: 'DERIVATION_FAILED', message: 'Two classes are called Gambler' };
    const lost = { code: 'TYPE_NOT_REPRESENTABLE', message: 'TypeScript cannot find it', isUnresolved: true };
    install(ANSWERING.replace('faults: {}', `faults: ${JSON.stringify({ Gambler: twice, Lost: lost })}`));

    expect(await answersTo([requested('class', 'Orders', site)])).toEqual([ORDERS]);
    expect(await answersTo([requested('class', 'Gambler', site)])).toEqual([
      { kind: 'faulty', fault: twice },
    ]);
    expect(runs()).toBe('1 ;');

    expect(await answersTo([requested('class', 'Lost', site)])).toEqual([{ kind: 'faulty', fault: lost }]);
    expect(runs()).toBe('1 ;1 ;');
  });

  it('fails where the compiler fails', async () => {
    install('process.exit(3)');

    expect(await deriveRecords(requests(), compiler)).toEqual({
      kind: 'failed',
      message: expect.stringMatching(/it exited with code 3\.$/) as unknown,
    });
  });
});
