import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DerivedClass, DerivedTool } from './derived-class.js';
import { deriveOnDemand, type OnDemandAnswer, type RecordAnswer, type Wanted } from './derive-on-demand.js';

const ORDERS: DerivedClass = { description: 'Orders', tools: {} };
const ROLL: DerivedTool = { description: 'Roll.', parameters: [], parametersJsonSchema: {} };

describe('deriveOnDemand', () => {
  let root: string;
  const records = new Map<string, DerivedClass | DerivedTool>();
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-on-demand-')));
    records.clear();
  });
  afterEach(() => {
    process.env['NODE_ENV'] = 'test';
    rmSync(root, { recursive: true });
  });

  /** A compiler that gives one answer, whatever it is asked. */
  function install(answer: OnDemandAnswer): void {
    const folder = join(root, 'node_modules/@adorn/compiler');
    mkdirSync(folder, { recursive: true });
    const manifest = { type: 'module', exports: { './on-demand': { default: './on-demand.js' } } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const text = JSON.stringify(JSON.stringify(answer));
    writeFileSync(join(folder, 'on-demand.js'), `export const answerOnDemand = async () => ${text};`);
  }

  function installAnswers(...answers: RecordAnswer[]): void {
    install({ kind: 'answered', answers });
  }

  function wanted(
    kind: Wanted['kind'],
    name: string,
    more: { methods?: string[]; isOptional?: true } = {},
  ): Wanted {
    const keep = (record: DerivedClass | DerivedTool): unknown => records.set(name, record);
    return { kind, name, sites: [join(root, 'orders.ts')], keep, ...more } as Wanted;
  }

  it('keeps every record where it is wanted', async () => {
    installAnswers({ kind: 'derived', record: ORDERS }, { kind: 'derived', record: ROLL });

    await deriveOnDemand([wanted('class', 'Orders'), wanted('function', 'roll')]);

    expect(records).toEqual(
      new Map<string, object>([
        ['Orders', ORDERS],
        ['roll', ROLL],
      ]),
    );
  });

  it('asks nobody where nothing is wanted', async () => {
    install({ kind: 'failed', message: 'it was asked' });

    await expect(deriveOnDemand([])).resolves.toBeUndefined();
  });

  it('derives nothing in production, and says what to do', async () => {
    installAnswers({ kind: 'derived', record: ORDERS }, { kind: 'derived', record: ROLL });
    process.env['NODE_ENV'] = 'production';

    const derivation = deriveOnDemand([
      wanted('class', 'Orders', { methods: ['refund'] }),
      wanted('function', 'roll'),
    ]);

    await expect(derivation).rejects.toMatchObject({
      code: 'SCHEMA_MISSING',
      message:
        'There is no schema for the tools of Orders (refund): in production it is not derived, and ' +
        '"adorn build" has not written it; the function roll: in production it is not derived, and ' +
        '"adorn build" has not written it. Run "adorn build" after tsc, bundle with the plugin (adorn() ' +
        'of "@adorn/compiler/vite", "/esbuild", "/rollup", "/rolldown" or "/webpack"), install ' +
        '@adorn/compiler as a dev dependency to derive schemas in development, or write the schema: ' +
        '@tool({ parameters }) or defineTool({ parameters }).',
    });
    expect(records.size).toBe(0);
  });

  it('says where no compiler is installed', async () => {
    const folder = process.cwd();
    process.chdir(root);
    try {
      await expect(deriveOnDemand([wanted('class', 'Orders')])).rejects.toMatchObject({
        code: 'SCHEMA_MISSING',
        missing: [{ kind: 'class', name: 'Orders', why: '@adorn/compiler is not installed, or not built' }],
      });
    } finally {
      process.chdir(folder);
    }
  });

  it('names all that is missing, and why', async () => {
    installAnswers({ kind: 'missing', why: 'no source' }, { kind: 'missing', why: 'no tool of it' });

    await expect(
      deriveOnDemand([wanted('class', 'Orders', { methods: ['refund'] }), wanted('function', 'roll')]),
    ).rejects.toMatchObject({
      code: 'SCHEMA_MISSING',
      missing: [
        { kind: 'class', name: 'Orders', methods: ['refund'], why: 'no source' },
        { kind: 'function', name: 'roll', methods: [], why: 'no tool of it' },
      ],
    });
  });

  it('tells a fault with its code, and each message once', async () => {
    const fault = { code: 'TYPE_NOT_REPRESENTABLE', message: 'Parameter "map" of Orders.refund …' };
    installAnswers({ kind: 'faulty', fault }, { kind: 'faulty', fault });

    await expect(deriveOnDemand([wanted('class', 'Orders'), wanted('class', 'Bills')])).rejects.toMatchObject(
      {
        ...fault,
        name: 'CompilerFaultError',
      },
    );
  });

  it('takes a code that it does not know for a failed derivation', async () => {
    installAnswers({ kind: 'faulty', fault: { code: 'NO_SUCH_CODE', message: 'broken' } });

    await expect(deriveOnDemand([wanted('class', 'Orders')])).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message: 'broken',
    });
  });

  it('leaves out what is optional, whatever the reason', async () => {
    const fault = { code: 'TYPE_NOT_REPRESENTABLE', message: 'no' };
    installAnswers(
      { kind: 'faulty', fault },
      { kind: 'missing', why: 'no source' },
      { kind: 'derived', record: ORDERS },
    );

    await deriveOnDemand([
      wanted('class', 'Bills', { isOptional: true }),
      wanted('class', 'Lost', { isOptional: true }),
      wanted('class', 'Orders'),
    ]);

    expect([...records.keys()]).toEqual(['Orders']);
  });

  it('fails where the compiler fails', async () => {
    install({ kind: 'failed', message: 'It exited with code 3' });

    await expect(deriveOnDemand([wanted('class', 'Orders')])).rejects.toMatchObject({
      code: 'DERIVATION_FAILED',
      message: 'It exited with code 3',
    });
  });

  it('takes a compiler that answers too little for one that has no record', async () => {
    installAnswers();

    await expect(deriveOnDemand([wanted('class', 'Orders')])).rejects.toMatchObject({
      missing: [{ why: 'the compiler gave no answer for it' }],
    });
  });
});
