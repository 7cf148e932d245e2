import { Project } from './project.fixture.js';

const APP = `
import { defineAgent, FunctionTool } from 'adorn';
const find = new FunctionTool({ name: 'find', description: 'Finds.', run: () => 'found' });
export default defineAgent({ name: 'desk', model: 'gemini-2.5-flash', instruction: 'Be brief.', tools: [find] });
`;

/** Of a program that chooses its model, as those of the templates do. */
const RUNNER = `
import { createRunner, defineAgent } from 'adorn';
import { chooseModel } from 'adorn/main';
import agent from './app.js';
console.error(chooseModel().line);
export const runner = createRunner(agent);
`;

describe('commands that show an application and ask no model', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(
      { 'app.js': APP, 'runner.js': RUNNER },
      { GEMINI_API_KEY: undefined, GOOGLE_API_KEY: undefined },
    );
  });
  afterAll(() => project.remove());

  const adorn = (...args: string[]) => project.adornInTurn(...args);

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

  it('a file that chooses its model is told that there is no key, and its runner is shown without one', async () => {
    const { output, errors, code } = await adorn('explain', 'runner.js', 'Find it.');

    expect(errors).toContain('Model: offline (no GEMINI_API_KEY,');
    expect([output, code]).toEqual([expect.stringContaining('agent desk, model gemini-2.5-flash\n'), 0]);
    const { errors: refused } = await adorn('run', 'app.js', '--model', 'own', '--script', 'none.txt');
    expect(refused).toContain('there is no API key');
  });

  it('explain says what is missing', async () => {
    expect((await adorn('explain', 'app.js')).errors).toContain(
      'adorn explain needs the argument <message>.',
    );
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
