import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { UsageError } from '../usage.error.js';
import { findFile, findFiles } from './find-file.js';
import { type Application, loadApplication } from './load-application.js';

describe('findFile', () => {
  it.each([
    ['index.js', ['index.js', 'build/index.js']],
    ['build/support.agent.js', ['build/support.agent.js', 'build/main.js', 'src/support.agent.ts']],
    ['dist/index.js', ['dist/index.js', 'src/index.ts']],
    ['dist/support.agent.js', ['dist/support.agent.js', 'dist/index.js']],
    ['src/support.agent.ts', ['src/support.agent.ts', 'src/orders.ts']],
    ['src/main.ts', ['src/main.ts', 'src/support.agent.d.ts']],
  ])('takes %s of a folder with %j', async (expected, files) => {
    const folder = await folderOf(Object.fromEntries(files.map((file) => [file, 'export default 1;'])));

    expect(findFile(folder)).toBe(join(folder, expected));
  });

  it.each(['', 'export {};\n', "import './server.js';\nserve();", 'const exported = 1;'])(
    'leaves a main.ts alone that exports nothing: %j is a program, which is run only where it is named',
    async (program) => {
      const folder = await folderOf({ 'src/main.ts': program });

      expect(() => findFile(folder)).toThrow('Commands find an agent by the name of its file');
      expect(findFile(join(folder, 'src/main.ts'))).toBe(join(folder, 'src/main.ts'));
    },
  );

  it.each([
    'export { Desk };',
    'export class Desk {}',
    "export * from './desk.js';",
    'module.exports = 1;',
    'export{a as default}',
  ])('takes a main.js with %j', async (exporting) => {
    const folder = await folderOf({ 'main.js': exporting });

    expect(findFile(folder)).toBe(join(folder, 'main.js'));
  });

  it('takes a file as it is', async () => {
    const folder = await folderOf({ 'orders.ts': '' });

    expect(findFile(join(folder, 'orders.ts'))).toBe(join(folder, 'orders.ts'));
  });

  it('says what to name instead of a folder without agents, of one with several, and of nothing', async () => {
    const empty = await folderOf({});
    const both = await folderOf({ 'src/a.agent.ts': '', 'src/b.agent.ts': '' });

    expect(() => findFile(empty)).toThrow(
      /^The folder .* holds no \*\.agent\.js or .* such as desk\.agent\.ts/,
    );
    expect(() => findFile(both)).toThrow(/holds several agents: .*a\.agent\.ts, .*b\.agent\.ts\. Name one/);
    expect(() => findFile('nowhere')).toThrow(
      'There is no nowhere. Name a .js or .ts file that exports an agent, or a folder that holds one.',
    );
  });
});

describe('findFile among compiled files', () => {
  const COMPILED = {
    'build/desk.agent.js': 'export default 1;',
    'build/desk.agent.js.map': '{"sources":["../src/desk.agent.ts"]}',
    'build/reception.agent.js': 'export default 1;',
    'build/reception.agent.js.map': '{"sources":["../src/reception.agent.ts"]}',
  };

  it('passes over those whose source is gone, as tsc leaves them', async () => {
    const folder = await folderOf({ ...COMPILED, 'src/desk.agent.ts': '' });

    expect(findFile(folder)).toBe(join(folder, 'build/desk.agent.js'));
  });

  it.each<[string, Record<string, string>]>([
    ['of which no source is there, as in an image', {}],
    ['whose map cannot be read', { 'src/desk.agent.ts': '', 'build/reception.agent.js.map': '{' }],
    [
      'whose map names no source',
      { 'src/desk.agent.ts': '', 'build/reception.agent.js.map': '{"sources":5}' },
    ],
  ])('counts those %s', async (_what, more) => {
    const folder = await folderOf({ ...COMPILED, ...more });

    expect(() => findFile(folder)).toThrow(/holds several agents: .*desk\.agent\.js, .*reception\.agent\.js/);
  });
});

describe('findFiles', () => {
  it.each([
    [
      ['a.agent.js', 'b.agent.js'],
      ['a.agent.js', 'b.agent.js', 'index.js', 'src/c.agent.ts', 'd/agent.js'],
    ],
    [
      ['src/a.agent.ts', 'src/b.agent.ts'],
      ['src/a.agent.ts', 'src/b.agent.ts', 'src/main.ts'],
    ],
    [['index.js'], ['index.js', 'd/agent.js']],
    [
      ['a/agent.js', 'b/build/b.agent.js'],
      ['a/agent.js', 'a/src/agent.ts', 'b/build/b.agent.js', 'c/main.js'],
    ],
  ])('takes %j of a folder', async (expected, files) => {
    const folder = await folderOf(Object.fromEntries(files.map((file) => [file, 'export default 1;'])));

    expect(findFiles(folder)).toEqual(expected.map((file) => join(folder, file)));
  });

  it('takes nothing of packages and hidden folders', async () => {
    const folder = await folderOf({ 'node_modules/a/agent.js': '', '.cache/agent.js': '' });

    expect(() => findFiles(folder)).toThrow(/Its subfolders hold no \*\.agent file and no file agent/);
  });
});

describe('loadApplication', () => {
  it.each([
    ['an agent of this copy of Adorn', 'export class Clerk extends LlmAgent {}'],
    ['one with a run of its own', 'export class Clerk extends BaseAgent { async *run() {} }'],
    ['one of another copy', 'export class Clerk {}; agent({ description: "" })(Clerk);'],
    [
      'the only agent beside other classes',
      'export class Clerk extends LlmAgent {}; export class Job { run() {} }',
    ],
  ])('takes %s', async (_what, text) => {
    const adorn = await import('@adorn/core');
    Object.assign(globalThis, { adornOfSpec: adorn });
    const head = 'const { agent, BaseAgent, LlmAgent } = globalThis.adornOfSpec;';
    const folder = await folderOf({ 'index.js': `${head}\n${text}` });

    expect(nameOf(await load(folder))).toBe('Clerk');
  });

  it.each([
    ['one that is made', 'export const runner = made("clerk");'],
    ['a promise of one', 'export const runner = Promise.resolve(made("clerk"));'],
    ['the default of several', 'export default made("clerk"); export const other = made("other");'],
    ['one beside agents', 'export const runner = made("clerk"); export class Clerk { static a = 1; }'],
  ])('takes a runner: %s', async (_what, text) => {
    const made =
      'const made = (appName) => ({ appName, run() {}, ask() {}, pending() {}, close() {}, sessions: {} });';
    const folder = await folderOf({ 'index.js': `${made}\n${text}` });

    const application = await load(folder);

    expect([application.kind, nameOf(application)]).toEqual(['runner', 'clerk']);
  });

  it('takes the modules that stand beside an agent, and refuses what are none', async () => {
    const adorn = await import('@adorn/core');
    Object.assign(globalThis, { adornOfSpec: adorn });
    const head = 'export class Clerk extends globalThis.adornOfSpec.LlmAgent {}';
    const good = await folderOf({ 'index.js': `${head}\nexport const modules = [{ load() {} }];` });
    const bad = await folderOf({ 'index.js': `${head}\nexport const modules = { load() {} };` });

    expect(await load(good)).toMatchObject({ kind: 'agent', modules: [{}] });
    await expect(load(bad)).rejects.toThrow('are not a list of modules. Export an array of ContainerModules');
  });

  it('says how to undo a circle of files that list each other', async () => {
    const folder = await folderOf({
      'front.agent.js': 'import { Desk } from "./desk.js";\nexport class Front {}\nFront.subAgents = [Desk];',
      'desk.js': 'import { Front } from "./front.agent.js";\nexport class Desk {}\nDesk.subAgents = [Front];',
    });

    await expect(load(folder)).rejects.toThrow(
      /could not be loaded: ReferenceError: Cannot access 'Front' before initialization.*\. Two files import each other, or the class stands below its use\. Move what both files need into a third one; an agent does not list its parent, to which it can transfer anyway\.$/,
    );
  });

  it('says what a module without agents exports', async () => {
    const folder = await folderOf({ 'index.js': 'export const answer = 42;' });

    await expect(load(folder)).rejects.toThrow(UsageError);
    await expect(load(folder)).rejects.toThrow(
      'exports no agent and no runner, but answer. Export a class that extends LlmAgent',
    );
  });
});

function load(folder: string): Promise<Application> {
  return loadApplication(folder, import.meta.url);
}

function nameOf(application: Application): string {
  return application.kind === 'agent' ? application.agent.name : application.runner.appName;
}

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'adorn-agent-'));
  folders.push(folder);
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}
