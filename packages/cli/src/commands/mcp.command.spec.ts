import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const APP = `
import { appendFileSync } from 'node:fs';
import { defineAgent, FunctionTool } from 'adorn';
const cancel = new FunctionTool({
  name: 'cancel', description: 'Cancels the order.', effect: 'destructive',
  run: () => { appendFileSync('cancelled.txt', 'x'); return 'cancelled'; },
});
export default defineAgent({ name: 'desk', model: 'gemini-2.5-flash', instruction: 'Be brief.', tools: [cancel] });
`;
const CHECKED = `
import { tool } from 'adorn';
export class Orders {
  @tool find(id: symbol): string { return String(id); }
}
`;

describe('adorn mcp, with the client of the official SDK', () => {
  let folder: string;
  let client: Client;

  beforeAll(async () => {
    await mkdir('packages/cli/build', { recursive: true });
    // Inside of this package, from where the packages of Adorn are found.
    folder = await mkdtemp(resolve('packages/cli/build/mcp-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'app.js'), APP);
    client = new Client({ name: 'coding-agent', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [resolve('packages/cli/bin/adorn.js'), 'mcp', folder],
        env: { PATH: process.env['PATH'] ?? '', GEMINI_API_KEY: 'a-key-that-is-not-used' },
      }),
    );
  });
  afterAll(async () => {
    await client.close();
    await rm(folder, { recursive: true });
  });

  async function call(name: string, args: Record<string, unknown> = {}) {
    const { content, isError } = await client.callTool({ name, arguments: args });
    return { text: (content as { text: string }[]).map(({ text }) => text).join('\n'), isError };
  }

  it('says what it is for, and has six tools, of which three only read', async () => {
    const { tools } = await client.listTools();

    expect(client.getInstructions()).toContain('Search the documents before you write code');
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search_documents', true],
      ['read_document', true],
      ['look_up_error', true],
      ['check_project', true],
      ['explain_request', false],
      ['run_offline', false],
    ]);
  });

  it('finds a page by words, and by the name of an option', async () => {
    expect((await call('search_documents', { query: 'approval by a manager' })).text).toMatch(
      /^approval-by-somebody-else\.md · /,
    );
    expect((await call('search_documents', { query: 'rateLimit', limit: 3 })).text).toContain('policies.md');
    expect((await call('search_documents', { query: 'qqqq' })).text).toContain('No section has');
  });

  it('reads a page, one section of it, and a program', async () => {
    const page = await call('read_document', { path: 'confirmation.md' });
    const section = await call('read_document', { path: 'confirmation.md', heading: 'to answer' });
    const program = await call('read_document', { path: 'samples/guides/src/mcp.ts' });

    expect(page.text).toMatch(/^# Confirmation/);
    expect(section.text).toMatch(/^## To answer\n/);
    expect(section.text.length).toBeLessThan(page.text.length);
    expect(program.text).toBe(await readFile('samples/guides/src/mcp.ts', 'utf8'));
  });

  it('names the headings of a page, and where pages are listed, if there is none such', async () => {
    expect(await call('read_document', { path: 'confirmation.md', heading: 'Nonsense' })).toEqual({
      text: expect.stringContaining('It has "Confirmation", ') as string,
      isError: true,
    });
    for (const path of ['nonsense.md', '../package.json', '/etc/passwd', ''])
      expect(await call('read_document', { path })).toEqual({
        text: expect.stringContaining('"llms.txt" lists all pages') as string,
        isError: true,
      });
  });

  it('explains an error code, and names codes like one that there is not', async () => {
    const { text } = await call('look_up_error', { code: 'model_missing' });

    expect(text).toMatch(/^MODEL_MISSING: An agent has no model/);
    expect(text).toContain('\nWhat to do: Set `model` in `@agent`');
    expect((await call('look_up_error', { code: 'TOOL_NOT_FOUNDD' })).text).toContain(
      'Do you mean TOOL_NOT_FOUND,',
    );
  });

  it('explains a request, and sees what was changed since', async () => {
    const before = await call('explain_request', { file: 'app.js', message: '--json' });
    await writeFile(join(folder, 'app.js'), APP.replace('Be brief.', 'Be long.'));
    const after = await call('explain_request', { file: 'app.js', message: 'Hello' });

    expect(before.text).toContain('Be brief.');
    expect(before.text).toContain('user: --json');
    expect(after.text).toContain('Be long.');
  });

  it('plays a conversation offline, and approves only what it is told to', async () => {
    const calls = () => readFile(join(folder, 'cancelled.txt'), 'utf8').catch(() => '');
    const refused = await call('run_offline', { file: 'app.js', lines: ['Cancel the order'] });
    expect(await calls()).toBe('');
    const approved = await call('run_offline', { file: 'app.js', lines: ['Cancel the order', 'y'] });

    expect(refused.text).toMatch(/^Model: offline/);
    expect(approved.text).toContain('cancelled');
    expect(await calls()).toBe('x');
  });

  it('tells what a command says that fails, with its exit code', async () => {
    await writeFile(join(folder, 'number.js'), 'export default 1;');
    const { text } = await call('run_offline', { file: 'number.js', lines: ['Hello'] });

    expect(text).toMatch(/error: [^]*\(exit code 2\)$/);
  });

  it('checks the tools of the project', async () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      experimentalDecorators: true,
      types: [],
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['orders.ts'] }),
    );
    await writeFile(join(folder, 'orders.ts'), CHECKED);
    const { text } = await call('check_project');

    expect(text).toMatch(/JSON has no symbols[^]*\(exit code 1\)$/);
  });

  it('refuses a path out of the folder, also by a link, and one that leads nowhere', async () => {
    await symlink(resolve('samples/01-hello'), join(folder, 'link'));
    for (const file of ['..', '../../bin/adorn.js', '/', 'link'])
      expect((await call('run_offline', { file, lines: ['Hello'] })).text).toContain('is not in');
    expect((await call('run_offline', { file: 'none.js', lines: [] })).text).toContain('There is no none.js');
    expect((await call('check_project', { project: '--help' })).text).toContain('There is no --help');
  });
});
