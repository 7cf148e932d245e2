import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { buildCommand } from './build.command.js';
import { printedBy } from './project.fixture.js';

/** The compiler starts here, on a machine that may have other work. */
const SLOW = 60_000;

const ADORN = resolve('packages/cli/bin/adorn.js');

const SOURCE = 'declare const tool: any;\nexport class Orders { @tool find(id: string): void {} }';
const EMITTED = 'export class Orders { find(id) {} }';

describe('adorn build', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-build-')));
    const compilerOptions = { target: 'ES2022', types: [], experimentalDecorators: true, outDir: 'build' };
    mkdirSync(join(folder, 'build'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['orders.ts'] }));
    writeFileSync(join(folder, 'orders.ts'), SOURCE);
    writeFileSync(join(folder, 'build/orders.js'), EMITTED);
  });
  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  /** The lines that the command prints, of a process of its own. */
  function linesOf(...args: string[]): AsyncIterator<string> {
    child = spawn(process.execPath, [ADORN, 'build', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return createInterface(child.stdout!)[Symbol.asyncIterator]();
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'watches until %s, which is no failure',
    async (signal) => {
      const lines = linesOf('--watch');
      expect((await lines.next()).value).toBe('Watching . (Ctrl-C ends it)');
      expect((await lines.next()).value).toMatch(/^\d\d:\d\d:\d\d {2}1 file written, 1 tool of 1 class$/);

      writeFileSync(join(folder, 'orders.ts'), SOURCE.replace('string', 'number'));
      expect((await lines.next()).value).toMatch(/ 1 file written, /);
      expect(readFileSync(join(folder, 'build/orders.js'), 'utf8')).toContain('"number"');

      child!.kill(signal);
      expect(await once(child!, 'exit')).toEqual([0, null]);
      expect((await lines.next()).done).toBe(true);
    },
    SLOW,
  );

  /** What the command prints, and whether TypeScript was loaded for it. */
  function build(): { readonly output: string; readonly loadsTypeScript: boolean } {
    const tellsModules = `data:text/javascript,import { createRequire } from 'node:module';
      const { cache } = createRequire('file:///');
      process.on('exit', () => console.log(Object.keys(cache).some((path) => path.endsWith('typescript.js'))));`;
    const { stdout } = spawnSync(process.execPath, ['--import', tellsModules, ADORN, 'build'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const lines = stdout.trim().split('\n');
    return { output: lines.slice(0, -1).join('\n'), loadsTypeScript: lines.at(-1) === 'true' };
  }

  it(
    'loads TypeScript only where something has changed since the last build',
    () => {
      expect(build()).toEqual({
        output: 'wrote the schemas in build/orders.js\n1 tool of 1 class in 1 file.',
        loadsTypeScript: true,
      });
      expect(build()).toEqual({ output: '1 tool of 1 class in 1 file.', loadsTypeScript: false });

      writeFileSync(join(folder, 'build/orders.js'), EMITTED);
      expect(build()).toMatchObject({
        output: expect.stringMatching(/^wrote /) as unknown,
        loadsTypeScript: true,
      });
    },
    SLOW,
  );

  it('cannot both watch and check', async () => {
    await expect(printedBy(buildCommand, ['--check', '--watch'])).rejects.toMatchObject({
      name: 'UsageError',
      message:
        '--check and --watch cannot be combined: --check writes nothing, --watch writes until it is ' +
        'stopped. Remove one.',
    });
  });
});
