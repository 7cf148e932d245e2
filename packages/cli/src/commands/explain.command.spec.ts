import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const APP = `
import { defineAgent, FunctionTool } from 'adorn';
const find = new FunctionTool({ name: 'find', description: 'Finds.', run: () => 'found' });
export default defineAgent({ name: 'desk', model: 'gemini-2.5-flash', instruction: 'Be brief.', tools: [find] });
`;

describe('commands that show an application and ask no model', () => {
  let folder: string;
  beforeEach(async () => {
    await mkdir('packages/cli/build', { recursive: true });
    // Inside of this package, from where the packages of Adorn are found.
    folder = await mkdtemp(resolve('packages/cli/build/explain-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'app.js'), APP);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Without a key of Gemini's. */
  async function adorn(...args: string[]) {
    const { GEMINI_API_KEY: _gemini, GOOGLE_API_KEY: _google, ...env } = process.env;
    const child = spawn(process.execPath, [resolve('packages/cli/bin/adorn.js'), ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { output, errors };
  }

  it('explain prints the request of a message, and with --json as it is', async () => {
    const { output } = await adorn('explain', 'app.js', 'Find it.');
    const { output: json } = await adorn('explain', 'app.js', 'Find it.', '--json');

    expect(output).toContain('agent desk, model gemini-2.5-flash\n\ninstruction\nBe brief.\n');
    expect(JSON.parse(json)).toMatchObject({
      agent: 'desk',
      contents: [{ role: 'user', parts: [{ text: 'Find it.' }] }],
      config: { tools: [{ functionDeclarations: [{ name: 'find' }] }] },
      sizes: [
        { part: 'instruction' },
        { part: 'tools' },
        { part: 'history' },
        { part: 'settings' },
        { part: 'total' },
      ],
    });
  });

  it('explain says what is missing', async () => {
    expect((await adorn('explain', 'app.js')).errors).toContain("missing required argument 'message'");
    expect((await adorn('explain', 'none.js', 'Hi.')).errors).toContain('none.js');
  });

  it('graph prints the tree as Mermaid, SVG or JSON', async () => {
    expect((await adorn('graph', 'app.js')).output).toBe(
      'flowchart LR\n  a0["desk<br/>gemini-2.5-flash"]\n  a0 --- a0t[/"find"/]\n',
    );
    expect((await adorn('graph', 'app.js', '--svg')).output).toMatch(/^<svg xmlns=.*<\/svg>\n$/s);
    expect(JSON.parse((await adorn('graph', 'app.js', '--json')).output)).toMatchObject({ name: 'desk' });
  });
});
