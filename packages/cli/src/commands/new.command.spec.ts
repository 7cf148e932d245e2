import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ownVersion } from '../new/template.js';
import { CommandFailedError } from '../command-failed.error.js';
import { UsageError } from '../usage.error.js';
import { newCommand } from './new.command.js';
import { printedBy } from './project.fixture.js';

const NEST_TSCONFIG = `{
  "compilerOptions": {
    "module": "commonjs", // Nest's
    "emitDecoratorMetadata": true,
    "experimentalDecorators": true
  }
}
`;

describe('adorn new', () => {
  const start = process.cwd();
  const { isTTY } = process.stdin;
  let folder: string;

  beforeAll(() => void (process.stdin.isTTY = false));
  afterAll(() => void (process.stdin.isTTY = isTTY));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'adorn-new-'));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(start);
    rmSync(folder, { recursive: true });
  });

  it.each(['minimal', 'service', 'agents'])(
    'writes the template %s, and says what to type next',
    async (template) => {
      const lines = await run('my-shop', '--template', template, '--no-install');

      const files = filesIn('my-shop');
      expect(files).toEqual(
        expect.arrayContaining(['.gitignore', 'AGENTS.md', 'README.md', 'package.json', 'tsconfig.json']),
      );
      expect(files.filter((path) => path.endsWith('.agent.spec.ts'))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith('  + ')).sort()).toEqual(
        files.map((path) => `  + ${join('my-shop', path)}`).sort(),
      );
      expect(lines.slice(-3)).toEqual(['  cd my-shop', '  npm install', '  npm start']);
    },
  );

  it('names the project after its folder, and pins its own version', async () => {
    await run('apps/my-shop', '--no-install', '--pm', 'pnpm');

    const manifest = readJson('apps/my-shop/package.json');
    expect(manifest).toMatchObject({
      name: 'my-shop',
      scripts: { start: 'pnpm run build && node build/main.js' },
      dependencies: { adorn: ownVersion() },
      devDependencies: { '@adorn/compiler': ownVersion(), '@adorn/testing': ownVersion() },
    });
    expect(readFileSync('apps/my-shop/README.md', 'utf8')).toMatch(/^# my-shop\n[^]*pnpm start/);
  });

  it.each([
    ['minimal', 'npm', 'Hello', 'npm ci && npm run build && npm prune --omit=dev'],
    ['service', 'pnpm', 'Reception', 'corepack enable && pnpm install --frozen-lockfile && pnpm run build'],
    ['agents', 'npm', 'Desk', 'npm ci'],
  ])('adds a server of the agent and its container to %s, for %s', async (template, pm, agent, install) => {
    await run('my-shop', '--template', template, '--with', 'docker', '--no-install', '--pm', pm);

    const server = readFileSync('my-shop/src/server.ts', 'utf8');
    expect(server).toContain(`import { ${agent} } from './${agent.toLowerCase()}.agent.js';`);
    expect(server).toContain(`await serve(${agent}, {`);
    expect(server).toContain("DATABASE_URL = 'my-shop.db'");
    expect(readFileSync('my-shop/Dockerfile', 'utf8')).toContain(`RUN ${install}`);
    expect(readFileSync('my-shop/.dockerignore', 'utf8')).toContain('.env\n');
    expect(readJson('my-shop/package.json')).toMatchObject({
      scripts: { serve: `${pm} run build && node build/server.js` },
      dependencies: { '@adorn/server': ownVersion(), '@adorn/storage': ownVersion() },
    });
  });

  it.each([
    ['npm', ['npm ci', 'npx adorn check --strict --format github', 'npm test']],
    [
      'pnpm',
      [
        'corepack enable && pnpm install --frozen-lockfile',
        'pnpm exec adorn check --strict --format github',
        'pnpm test',
      ],
    ],
  ])('adds a workflow that checks and tests each pull request, for %s', async (pm, commands) => {
    await run('my-shop', '--with', 'docker', 'ci', '--no-install', '--pm', pm);

    const workflow = readFileSync('my-shop/.github/workflows/ci.yml', 'utf8');
    expect([...workflow.matchAll(/- run: (.*)/g)].map(([, command]) => command)).toEqual(commands);
    expect(workflow.includes('cache: npm')).toBe(pm === 'npm');
    expect(existsSync('my-shop/Dockerfile')).toBe(true);
  });

  it('adds no container to an existing application, and says what to do', async () => {
    writeFileSync('package.json', '{}');

    await expect(run('.', '--with', 'docker', '--no-install')).rejects.toThrow(
      /--with docker is for new applications.*adorn new \.\.\/other --with docker/,
    );
    expect(filesIn('.')).toEqual(['package.json']);
  });

  it('tells coding agents how to build and test, where the documents are, and ten rules with an example each', async () => {
    await run('my-shop', '--no-install', '--pm', 'pnpm');

    const told = readFileSync('my-shop/AGENTS.md', 'utf8');
    expect(told).toMatch(/^# my-shop, for coding agents\n[^]*pnpm test/);
    expect(told).toContain('node_modules/adorn/docs');
    const skill = readFileSync('my-shop/.agents/skills/adorn/SKILL.md', 'utf8');
    expect(skill).toMatch(/^---\nname: adorn\ndescription: .{20,1024}\n---\n/);
    expect(skill.match(/^## \d+\. /gm)).toHaveLength(10);
  });

  it('leaves an AGENTS.md and a skill as they are, and gives a project that exists the skill only', async () => {
    files({ 'package.json': '{}', '.agents/skills/adorn/SKILL.md': 'mine' });

    const lines = await run('.', '--no-install');

    expect(lines).toContain(`  = ${join('.agents', 'skills', 'adorn', 'SKILL.md')}`);
    expect(existsSync('AGENTS.md')).toBe(false);
    expect(readFileSync('.agents/skills/adorn/SKILL.md', 'utf8')).toBe('mine');
  });

  it('takes an empty folder, with what git and GitHub put there', async () => {
    files({ 'my-shop/.git/HEAD': '', 'my-shop/.gitignore': 'mine', 'my-shop/LICENSE': '' });

    expect(await run('my-shop', '--no-install')).toContain(`  = ${join('my-shop', '.gitignore')}`);

    expect(existsSync('my-shop/src/hello.agent.ts')).toBe(true);
    expect(readFileSync('my-shop/.gitignore', 'utf8')).toBe('mine');
  });

  it('makes a project of what npm init has left, with its name and its fields', async () => {
    execFileSync('npm', ['init', '-y'], { stdio: 'ignore' });
    files({ 'README.md': 'mine', 'data/orders.csv': '' });
    const { scripts: _placeholder, ...before } = readJson('package.json') as { scripts: object };

    const lines = await run('.', '--no-install');

    expect(lines[0]).toBe('Created .:');
    expect(lines).toContain(
      '  ~ package.json: type, scripts.start, scripts.test, scripts.build, adorn, @adorn/cli, @adorn/compiler, @adorn/testing, @types/node, typescript',
    );
    expect(lines.slice(-2)).toEqual(['  npm install', '  npm start']);
    const { scripts, ...others } = readJson('package.json') as { scripts: object };
    expect(others).toMatchObject({ ...before, type: 'module' });
    expect(Object.keys(scripts)).toEqual(['start', 'build', 'test']);
    expect(filesIn('src')).toEqual(['hello.agent.spec.ts', 'hello.agent.ts', 'main.ts']);
    expect(readFileSync('README.md', 'utf8')).toBe('mine');
    expect((await run('.'))[0]).toBe('. has all of it:');
  });

  it.each([
    ['a script', {}, (manifest: object) => ({ ...manifest, scripts: { test: 'jest' } })],
    ['a source', { 'index.js': '' }, (manifest: object) => manifest],
  ])(
    'leaves type and scripts of a project with %s, and says what to add',
    async (_what, sources, changed) => {
      execFileSync('npm', ['init', '-y'], { stdio: 'ignore' });
      const before = changed(readJson('package.json') as object);
      files({ ...sources, 'package.json': JSON.stringify(before, null, 2) });

      const lines = await run('.', '--no-install');

      expect(readJson('package.json')).toMatchObject(before);
      expect(lines).toContain('  set "type": "module" in package.json: the new files are ES modules');
      expect(lines.at(-1)).toBe(
        '  add the script "build": "tsc -b && adorn build" to package.json, for production',
      );
    },
  );

  it('adds to a project of Nest only what it lacks', async () => {
    const manifest = {
      name: 'api',
      dependencies: { '@nestjs/core': '^11.0.0' },
      devDependencies: { typescript: '^5.7.3' },
    };
    files({
      'package.json': JSON.stringify(manifest, null, 2),
      'tsconfig.json': NEST_TSCONFIG,
      'src/main.ts': 'mine',
    });

    const lines = await run('.', '--no-install');

    expect(lines.slice(0, 4)).toEqual([
      'Added to .:',
      '  ~ package.json: adorn, @adorn/cli, @adorn/compiler, @adorn/testing, @types/node',
      '  = tsconfig.json',
      `  + ${join('src', 'agents', 'hello.agent.ts')}`,
    ]);
    expect(readJson('package.json')).toMatchObject({
      dependencies: { '@nestjs/core': '^11.0.0', adorn: ownVersion() },
      devDependencies: { typescript: '^5.7.3', '@adorn/compiler': ownVersion() },
    });
    expect(readFileSync('tsconfig.json', 'utf8')).toBe(NEST_TSCONFIG);
    expect(filesIn('src')).toEqual(['agents/hello.agent.ts', 'main.ts']);
  });

  it('adds the compiler options to tsconfig.json and to the one that includes src, as in a project of Vite', async () => {
    const app =
      '{\n  "compilerOptions": {\n    /* Linting */\n    "strict": true,\n  },\n  "include": ["src"]\n}\n';
    files({
      'package.json': '{ "devDependencies": { "vite": "^7.0.0" } }',
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.node.json" }, { "path": "./tsconfig.app.json" }] }',
      'tsconfig.node.json': '{ "include": ["vite.config.ts"] }',
      'tsconfig.app.json': app,
    });

    const lines = await run('.', '--no-install');

    const added = 'experimentalDecorators, emitDecoratorMetadata';
    expect(lines.slice(2, 4)).toEqual([`  ~ tsconfig.json: ${added}`, `  ~ tsconfig.app.json: ${added}`]);
    expect(readJson('tsconfig.json')).toMatchObject({
      compilerOptions: { experimentalDecorators: true, emitDecoratorMetadata: true },
      files: [],
    });
    expect(readFileSync('tsconfig.app.json', 'utf8')).toBe(
      app.replace(
        '    /* Linting */',
        '    "experimentalDecorators": true,\n    "emitDecoratorMetadata": true,\n    /* Linting */',
      ),
    );
    expect(lines.at(-1)).toContain("'@adorn/compiler/vite'");
  });

  it.each([
    [undefined, '  + vitest.config.ts', true],
    ['vite.config.ts', '  = vite.config.ts', false],
  ])('adds the set-up beside vitest, unless there is a config: %s', async (config, line, isAdded) => {
    files({ 'package.json': JSON.stringify({ name: 'shop', devDependencies: { vitest: '3.0.0' } }) });
    if (config !== undefined) files({ [config]: 'export default {};' });

    const lines = await run('.', '--no-install');

    expect(lines).toContain(line);
    expect(existsSync('vitest.config.ts')).toBe(isAdded);
    if (isAdded)
      expect(readFileSync('vitest.config.ts', 'utf8')).toContain("globalSetup: '@adorn/compiler/vitest'");
    else expect(readFileSync('vite.config.ts', 'utf8')).toBe('export default {};');
  });

  it('names an existing config of vitest with the line to add', async () => {
    files({
      'package.json': JSON.stringify({ name: 'shop', devDependencies: { vitest: '4.0.0' } }),
      'vitest.config.ts': 'export default {};',
    });

    expect((await run('.', '--no-install')).slice(-2)).toEqual([
      '  add the set-up to vitest.config.ts:',
      "    test: { globalSetup: '@adorn/compiler/vitest' }, in the object of defineConfig",
    ]);
  });

  it('names an existing Vite config with the two lines to add, and nothing where it has them', async () => {
    const plugin = ['  add the plugin to vite.config.ts:', "    import adorn from '@adorn/compiler/vite';"];
    files({
      'package.json': JSON.stringify({ name: 'shop', devDependencies: { vite: '7.0.0' } }),
      'vite.config.ts': 'export default {};',
    });

    expect((await run('.', '--no-install')).slice(-3)).toEqual([
      ...plugin,
      '    plugins: [adorn()], in the object of defineConfig',
    ]);

    files({ 'vite.config.ts': "import adorn from '@adorn/compiler/vite';" });
    expect((await run('.', '--no-install')).at(-1)).toBe('  npx adorn run src/agents/hello.agent.ts');
  });

  it('decides on the build scripts of dependencies for pnpm, without which its first install fails', async () => {
    const decisions = /^allowBuilds:\n {2}"@google\/genai": false\n {2}"protobufjs": false$/m;
    expect(await run('my-shop', '--no-install', '--pm', 'pnpm')).toEqual(
      expect.arrayContaining([`  + ${join('my-shop', 'pnpm-workspace.yaml')}`, '  pnpm install']),
    );
    await run('by-npm', '--no-install');
    files({ 'own/package.json': '{}', 'own/pnpm-workspace.yaml': 'packages:\n  - a\n' });
    await run('own', '--no-install', '--pm', 'pnpm');

    expect(readFileSync('my-shop/pnpm-workspace.yaml', 'utf8')).toMatch(decisions);
    expect(existsSync('by-npm/pnpm-workspace.yaml')).toBe(false);
    expect(readFileSync('own/pnpm-workspace.yaml', 'utf8')).toMatch(/^packages:\n {2}- a\n\n#/);
    expect(readFileSync('own/pnpm-workspace.yaml', 'utf8')).toMatch(decisions);
  });

  it('names what the file of a pnpm workspace around the project lacks, and edits none that decides', async () => {
    const own = 'allowBuilds:\n  protobufjs: true\n';
    files({ 'pnpm-workspace.yaml': own });

    expect(await run('apps/shop', '--no-install', '--pm', 'pnpm')).toContain(
      `  add to allowBuilds in ${join('..', '..', 'pnpm-workspace.yaml')}: "@google/genai": false`,
    );
    expect(existsSync('apps/shop/pnpm-workspace.yaml')).toBe(false);
    expect(readFileSync('pnpm-workspace.yaml', 'utf8')).toBe(own);
  });

  it('names the root agent of the template, and an option that forbids its parameter properties', async () => {
    files({ 'package.json': '{}', 'tsconfig.json': '{ "compilerOptions": { "erasableSyntaxOnly": true } }' });

    expect((await run('.', '--no-install', '-t', 'agents')).slice(-2)).toEqual([
      '  npx adorn run src/agents/desk.agent.ts',
      '  add "adorn build" after tsc or nest build to your build script, for production',
    ]);
    expect((await run('.', '--no-install', '-t', 'service')).slice(-3, -1)).toEqual([
      '  remove "erasableSyntaxOnly" from tsconfig.json: it forbids parameter properties',
      '  npx adorn run src/agents/reception.agent.ts',
    ]);
  });

  it('finds compiler options in a tsconfig that is extended', async () => {
    files({
      'package.json': '{}',
      'tsconfig.json': '{ "extends": "./tsconfig.base.json" }',
      'tsconfig.base.json': NEST_TSCONFIG,
    });

    expect(await run('.', '--no-install')).toContain('  = tsconfig.json');
  });

  it('installs with the package manager, and keeps the files where that fails', async () => {
    const { PATH } = process.env;
    files({ 'bin/npm': '#!/bin/sh\n[ "$PWD" != "${PWD%works}" ]\n' });
    chmodSync('bin/npm', 0o755);
    try {
      process.env['PATH'] = join(folder, 'bin');

      expect((await run('it-works')).slice(-2)).toEqual(['  cd it-works', '  npm start']);
      await expectRefusal(
        ['it-fails'],
        /^"npm install" failed in .*it-fails\. The files are written: run it again/,
        CommandFailedError,
      );
      await expectRefusal(
        ['none', '--pm', 'pnpm'],
        /^"pnpm install" failed in .*none \(spawnSync pnpm ENOENT\)\./,
        CommandFailedError,
      );
    } finally {
      process.env['PATH'] = PATH;
    }
    expect(existsSync('it-fails/src/main.ts')).toBe(true);
  });

  it('has nothing to add the second time', async () => {
    await run('my-shop', '--no-install');

    const [title, ...lines] = await run('my-shop');

    expect(title).toBe('my-shop has all of it:');
    expect(lines.filter((line) => /^ {2}[+~]/.test(line))).toEqual([]);
  });

  it('lists what it would write, and writes nothing, with --dry-run', async () => {
    files({ 'api/package.json': '{}' });

    const lines = [...(await run('my-shop', '--dry-run')), ...(await run('api', '--dry-run'))];

    expect(lines).toContain(`  + ${join('my-shop', 'src', 'hello.agent.ts')}`);
    expect(lines).toContain(`  + ${join('api', 'tsconfig.json')}`);
    expect(filesIn('.')).toEqual(['api/package.json']);
    expect(readFileSync('api/package.json', 'utf8')).toBe('{}');
  });

  it('refuses a folder with files and no package.json, a file, a bad name and a broken package.json', async () => {
    files({ 'notes/a.txt': '', 'notes/b.txt': '', 'broken/package.json': '{' });

    await expectRefusal(
      ['notes', '--no-install'],
      'The folder notes is not empty and has no package.json: it holds a.txt and 1 more. Name a new or an empty folder, ' +
        'or the folder of a project with a package.json.',
    );
    await expectRefusal(
      [join('notes', 'a.txt')],
      `${join('notes', 'a.txt')} is a file. Name a new or an empty folder.`,
    );
    await expectRefusal(
      ['My Shop'],
      '"My Shop" cannot be the name of an npm package: it has capital letters. Try "my-shop".',
    );
    await expectRefusal(['broken'], /broken.package\.json is not JSON/);
    await expectRefusal([], 'Name the folder of the application: adorn new my-app');
    expect(filesIn('.')).toEqual(['broken/package.json', 'notes/a.txt', 'notes/b.txt']);
  });
});

async function expectRefusal(
  args: string[],
  message: string | RegExp,
  type: typeof UsageError = UsageError,
): Promise<void> {
  const outcome = run(...args);
  await expect(outcome).rejects.toBeInstanceOf(type);
  await expect(outcome).rejects.toThrow(message);
}

/** The lines that it printed. */
async function run(...args: string[]): Promise<string[]> {
  return (await printedBy(newCommand, args)).trimEnd().split('\n');
}

function files(texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder === '.' ? 0 : folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
