import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { UsageError } from '../usage.error.js';
import { findAgentFile } from './find-agent-file.js';
import { loadAgent } from './load-agent.js';

describe('findAgentFile', () => {
  it.each([
    ['index.js', ['index.js', 'build/index.js']],
    ['build/support.agent.js', ['build/support.agent.js', 'build/main.js']],
  ])('takes %s of a folder with %j', async (expected, files) => {
    const folder = await folderOf(Object.fromEntries(files.map((file) => [file, ''])));

    expect(findAgentFile(folder)).toBe(join(folder, expected));
  });

  it('says what to name instead of a folder without agents, of TypeScript, and of nothing', async () => {
    const folder = await folderOf({ 'agent.ts': '' });

    expect(() => findAgentFile(folder)).toThrow(
      /^The folder .* holds neither index\.js, .* nor a \*\.agent\.js\. Build it/,
    );
    expect(() => findAgentFile(join(folder, 'agent.ts'))).toThrow(/is TypeScript\. Build it first/);
    expect(() => findAgentFile('nowhere')).toThrow(
      'There is no nowhere. Name a built .js file, or a folder that holds one.',
    );
  });
});

describe('loadAgent', () => {
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

    expect((await loadAgent(folder)).name).toBe('Clerk');
  });

  it('says what a module without agents exports', async () => {
    const folder = await folderOf({ 'index.js': 'export const answer = 42;' });

    await expect(loadAgent(folder)).rejects.toThrow(UsageError);
    await expect(loadAgent(folder)).rejects.toThrow(
      'exports no agent, but answer. Export a class that extends LlmAgent',
    );
  });
});

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
