import { readFileSync, rmSync, statSync } from 'node:fs';

import { textOf } from '../emit/text-of.js';
import { TemporaryProject, TSCONFIG } from '../fixtures/temporary-project.js';
import { WatchedRounds } from '../fixtures/watched-rounds.js';
import { readProject } from '../program/read-project.js';
import { ts } from '../typescript.js';
import { watchSchemas } from './watch-schemas.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const MONEY = 'export interface Money { cents: number }';
const ORDERS = `import { tool } from 'adorn';
import type { Money } from './money.js';
export class Orders { @tool() refund(amount: Money): void {} }`;
const NOTES = "import { tool } from 'adorn';\nexport class Notes { @tool() note(text: string): void {} }";

describe('watchSchemas', () => {
  let project: TemporaryProject;
  let watched: WatchedRounds | undefined;
  beforeEach(() => {
    project = new TemporaryProject();
    project.write('src/money.ts', MONEY);
    project.write('src/orders.ts', ORDERS);
    project.write('src/notes.ts', NOTES);
  });
  afterEach(async () => {
    await watched?.stop();
    project.remove();
  });

  function watch(patience?: number): WatchedRounds {
    watched = new WatchedRounds({ project: project.root, ...(patience !== undefined && { patience }) });
    return watched;
  }

  function emitted(name: string): string {
    return readFileSync(project.path(`build/${name}.js`), 'utf8');
  }

  it(
    'writes the records at its start, and then where a type that they depend on changes in another file',
    async () => {
      emit(project);
      const rounds = watch();

      expect(await rounds.next()).toEqual({
        report: { files: 2, classes: 2, tools: 2 },
        written: [project.path('build/notes.js'), project.path('build/orders.js')],
        faults: [],
        standing: 0,
        isFixed: false,
      });
      expect(emitted('orders')).toContain('"cents"');

      project.write('src/money.ts', MONEY.replace('cents', 'pence'));
      expect(await rounds.next()).toMatchObject({ written: [project.path('build/orders.js')], faults: [] });
      expect(emitted('orders')).toContain('"pence"');
    },
    SLOW,
  );

  it(
    'writes again what tsc has emitted again, and does not mind what it has written itself',
    async () => {
      emit(project);
      const rounds = watch();
      await rounds.next();
      const { mtimeMs } = statSync(project.path('build/notes.js'));

      for (const name of ['a', 'b', 'c']) {
        project.write('src/orders.ts', ORDERS.replaceAll('amount', name));
        emit(project, 'orders');
        expect(await lastOf(rounds, () => emitted('orders').includes(`"${name}"`))).toMatchObject({
          faults: [],
        });
      }

      expect(statSync(project.path('build/notes.js')).mtimeMs).toBe(mtimeMs);
      expect(rounds.left).toEqual([]);
    },
    SLOW,
  );

  it(
    'is quiet where nothing changes for it',
    async () => {
      emit(project);
      const rounds = watch();
      await rounds.next();

      project.write('src/money.ts', `${MONEY} // in the currency of the order`);
      project.write('src/notes.js.tmp', 'nothing');
      project.write('src/notes.ts', NOTES.replace('text: string', 'text: number'));

      expect(await rounds.next()).toMatchObject({ written: [project.path('build/notes.js')] });
      expect(rounds.left).toEqual([]);
    },
    SLOW,
  );

  it(
    'tries a half-written file again, and says nothing of it',
    async () => {
      emit(project);
      const whole = emitted('orders');
      const rounds = watch();
      await rounds.next();

      project.write('build/orders.js', whole.slice(0, whole.indexOf('refund(amount)') + 10));
      project.write('src/notes.ts', NOTES.replace('text: string', 'text: number'));
      expect(await rounds.next()).toMatchObject({
        written: [project.path('build/notes.js')],
        faults: [],
        standing: 0,
      });

      project.write('build/orders.js', whole);
      expect(await rounds.next()).toMatchObject({
        written: [project.path('build/orders.js')],
        faults: [],
        isFixed: false,
      });
    },
    SLOW,
  );

  it(
    'says what is wrong with an emitted file that stays so, and when it is mended',
    async () => {
      const rounds = watch(1);

      expect(await rounds.next()).toMatchObject({ report: { files: 0 }, faults: [] });
      expect(await rounds.next()).toMatchObject({
        faults: [
          {
            code: 'DERIVATION_FAILED',
            message: expect.stringContaining('notes.js does not exist. Run tsc first.'),
          },
          {
            code: 'DERIVATION_FAILED',
            message: expect.stringContaining('orders.js does not exist. Run tsc first.'),
          },
        ],
        standing: 2,
      });

      emit(project);
      expect(await rounds.next()).toMatchObject({ report: { files: 2 }, standing: 0, isFixed: true });

      rmSync(project.path('build'), { recursive: true });
      expect(await rounds.next()).toMatchObject({ standing: 2 });
      project.write('build/orders.js', 'export class Orders { refund(amount) {');
      expect(await rounds.next()).toMatchObject({
        faults: [
          { message: `${project.path('build/orders.js')}:1 is incomplete: '}' expected. Run tsc again.` },
        ],
      });
      emit(project);
      expect(await rounds.next()).toMatchObject({ report: { files: 2 }, isFixed: true });
    },
    SLOW,
  );

  it(
    'says what is wrong in a source once, and leaves the other files alone',
    async () => {
      emit(project);
      const rounds = watch();
      await rounds.next();

      project.write('src/orders.ts', ORDERS.replace('amount: Money', 'amount: symbol'));
      expect(await rounds.next()).toMatchObject({
        written: [],
        faults: [{ code: 'TYPE_NOT_REPRESENTABLE', message: expect.stringContaining('src/orders.ts:3') }],
        standing: 1,
      });

      project.write('src/notes.ts', NOTES.replace('text: string', 'text: number'));
      expect(await rounds.next()).toMatchObject({
        written: [project.path('build/notes.js')],
        faults: [],
        standing: 1,
        isFixed: false,
      });

      project.write('src/orders.ts', ORDERS);
      expect(await rounds.next()).toMatchObject({ written: [], standing: 0, isFixed: true });
    },
    SLOW,
  );

  it(
    'takes a tsconfig that is broken for a moment as a fault',
    async () => {
      emit(project);
      project.write('tsconfig.json', '{ "compilerOptions": ');
      const rounds = watch();
      expect(await rounds.next()).toMatchObject({
        report: { files: 0 },
        faults: [
          {
            code: 'DERIVATION_FAILED',
            message: expect.stringMatching(/^The tsconfig is not valid in .*tsconfig\.json: /),
          },
        ],
      });

      project.write('tsconfig.json', JSON.stringify(TSCONFIG));
      expect(await rounds.next()).toMatchObject({ report: { files: 2 }, standing: 0, isFixed: true });

      project.write('tsconfig.json', '{ "extends": "./nowhere.json" }');
      expect(await rounds.next()).toMatchObject({ standing: 1 });
      project.write('tsconfig.json', JSON.stringify(TSCONFIG));
      expect(await rounds.next()).toMatchObject({ report: { files: 2 }, written: [], isFixed: true });
    },
    SLOW,
  );

  it(
    'finds sources that are new, and those that a changed tsconfig includes',
    async () => {
      emit(project);
      const rounds = watch();
      await rounds.next();

      project.write('src/deep/more.ts', NOTES.replaceAll('Notes', 'More'));
      emit(project, 'deep/more');
      expect(await rounds.next()).toMatchObject({ report: { files: 3 } });
      expect(emitted('deep/more')).toContain('name: "More"');

      project.write('other/far.ts', NOTES.replaceAll('Notes', 'Far'));
      const compilerOptions = { ...TSCONFIG.compilerOptions, rootDir: '.', outDir: 'out' };
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src', 'other'] }));
      emit(project);
      await lastOf(rounds, () => textOf(project.path('out/other/far.js'))?.includes('name: "Far"') === true);
    },
    SLOW,
  );

  it(
    'watches sources and emitted files that are elsewhere than their tsconfig, and come later',
    async () => {
      const compilerOptions = { ...TSCONFIG.compilerOptions, rootDir: '../src', outDir: '../out/code' };
      project.write('tsconfig.json', '{}');
      const inner = project.write(
        'inner/tsconfig.json',
        JSON.stringify({ compilerOptions, files: ['../src/orders.ts'] }),
      );
      watched = new WatchedRounds({ project: inner });
      expect(await watched.next()).toMatchObject({ report: { files: 0 }, faults: [] });

      emit(project, 'orders', inner);
      const output = project.path('out/code/orders.js');
      expect(await watched.next()).toMatchObject({ written: [output] });

      rmSync(project.path('out'), { recursive: true });
      project.write('src/money.ts', MONEY.replace('cents', 'pence'));
      emit(project, 'orders', inner);
      await lastOf(watched, () => readFileSync(output, 'utf8').includes('"pence"'));
    },
    SLOW,
  );

  it(
    'has the types of the projects that a tsconfig refers to',
    async () => {
      const composite = { ...TSCONFIG.compilerOptions, composite: true };
      project.write('tsconfig.json', JSON.stringify({ files: [], references: [{ path: './app' }] }));
      project.write('shared/tsconfig.json', JSON.stringify({ ...TSCONFIG, compilerOptions: composite }));
      project.write('shared/src/money.ts', MONEY);
      const references = [{ path: '../shared' }];
      project.write(
        'app/tsconfig.json',
        JSON.stringify({ ...TSCONFIG, compilerOptions: composite, references }),
      );
      project.write('app/src/orders.ts', ORDERS.replace('./money.js', '../../shared/src/money.js'));
      buildTree(project.root);
      const output = project.path('app/build/orders.js');
      const rounds = watch();
      expect(await rounds.next()).toMatchObject({ written: [output], faults: [] });

      project.write('shared/src/money.ts', MONEY.replace('cents', 'pence'));
      buildTree(project.root);
      await lastOf(rounds, () => readFileSync(output, 'utf8').includes('"pence"'));
    },
    SLOW,
  );

  it('ends where it is asked to, also before it has begun', async () => {
    emit(project);
    const rounds = watch();
    await rounds.stop();

    expect(rounds.left).toEqual([]);
  });

  it('wants a tsconfig', async () => {
    const nowhere = {
      project: project.path('nowhere'),
      onRound: () => undefined,
      signal: AbortSignal.abort(),
    };
    await expect(watchSchemas(nowhere)).rejects.toMatchObject({ code: 'DERIVATION_FAILED' });
  });
});

/** The round after which it is so; a change may be told in several. */
async function lastOf(rounds: WatchedRounds, isSo: () => boolean): Promise<unknown> {
  const round = await rounds.next();
  return isSo() ? round : lastOf(rounds, isSo);
}

/** What tsc does, in this process; with a name, only that file. */
function emit(project: TemporaryProject, name?: string, tsconfig = project.path('tsconfig.json')): void {
  const { config } = readProject(tsconfig);
  const program = ts.createProgram(config.fileNames, config.options);
  program.emit(name === undefined ? undefined : program.getSourceFile(project.path(`src/${name}.ts`)));
}

/** What `tsc -b` does. */
function buildTree(root: string): void {
  const host = ts.createSolutionBuilderHost(ts.sys);
  ts.createSolutionBuilder(host, [root], {}).build();
}
