import { copyFile } from 'node:fs/promises';

import { Project } from './project.fixture.js';

const APP = `
import { appendFileSync } from 'node:fs';
import { createRunner, defineAgent, FunctionTool } from 'adorn';
import { sqlStorage } from '@adorn/storage';
const refund = new FunctionTool({
  name: 'refund',
  description: 'Refunds.',
  approvers: { role: 'manager', count: 2 },
  parameters: { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] },
  run: ({ cents }) => appendFileSync('refunds.txt', cents + ' '),
});
const desk = defineAgent({ name: 'desk', model: null, tools: [refund] });
export default desk;
if (process.argv[2] === 'ask') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  for (const userId of ['ada', 'bob'])
    await runner.call({ tool: 'refund', args: { cents: 900 }, userId, sessionId: 's1', by: { id: userId } });
  await runner.close();
}
`;

/** Its agent has a model that needs a key, which is only asked behind the approval. */
const KEYLESS = `
import { writeFileSync } from 'node:fs';
import { createRunner, defineAgent, FunctionTool } from 'adorn';
import { callsTool, ScriptedModel } from '@adorn/testing';
import { sqlStorage } from '@adorn/storage';
const ship = new FunctionTool({
  name: 'ship',
  description: 'Ships.',
  confirm: true,
  run: () => writeFileSync('shipped.txt', 'yes'),
});
const desk = defineAgent({ name: 'desk', model: 'gemini-2.5-flash', tools: [ship] });
export default desk;
if (process.argv[2] === 'ask') {
  const model = new ScriptedModel(callsTool('ship', {}));
  const runner = await createRunner(desk, { model, modules: [sqlStorage('keyless.db')] });
  await runner.run({ userId: 'ada', sessionId: 's1', message: 'Ship it.' });
  await runner.close();
}
`;

describe('adorn inbox', () => {
  let project: Project;
  beforeAll(async () => {
    const noKey = { GEMINI_API_KEY: '', GOOGLE_API_KEY: '' };
    project = await Project.create({ 'app.js': APP, 'refunds.txt': '' }, noKey);
    await project.node('app.js', 'ask');
    await copyFile(project.path('chats.db'), project.path('asked.db'));
  });
  beforeEach(() => copyFile(project.path('asked.db'), project.path('chats.db')));
  afterAll(() => project.remove());

  const adorn = (...args: string[]) => project.adornInTurn('inbox', 'app.js', '--store', 'chats.db', ...args);

  it('lists what waits in all conversations, or for one person, and two managers approve it', async () => {
    const { output } = await adorn();
    expect(output).toMatch(/ {2}ada\/s1 {2}confirmation of refund {"cents":900} .* 0 of 2 have approved\n/);
    expect(output).toMatch(/\n2 waiting\n$/);
    expect((await adorn('--for', 'ada')).output).toBe('0 waiting\n');
    const mias = await adorn('--for', 'mia', '--role', 'manager', '--json');
    const [line = ''] = mias.output.split('\n');
    const { id } = JSON.parse(line) as { id: string };

    const first = await adorn('--approve', id, '--by', 'mia', '--role', 'manager');
    expect(first.output).toBe(`${id} approved by mia: paused\n`);
    expect((await adorn()).output).toContain('1 of 2 have approved');
    const second = await adorn('--approve', id, '--by', 'max', '--role', 'manager');
    expect(second.output).toContain(`${id} approved by max`);
    expect((await adorn()).output).toMatch(/\n1 waiting\n$/);
    expect(await project.read('refunds.txt')).toBe('900 ');
  }, 60_000);

  it('reads the store of --store, also where the file binds storage of its own', async () => {
    await project.write(
      'bound.js',
      "export { default } from './app.js';\nimport { sqlStorage } from '@adorn/storage';\nexport const modules = [sqlStorage('other.db')];\n",
    );

    const { output, errors } = await project.adorn('inbox', 'bound.js', '--store', 'chats.db');

    expect(errors).toBe('');
    expect(output).toMatch(/\n2 waiting\n$/);
  }, 60_000);

  it('rejects, and changes nothing for somebody who may not answer', async () => {
    const [line = ''] = (await adorn('--json')).output.split('\n');
    const { id } = JSON.parse(line) as { id: string };

    const refused = await adorn('--reject', id, '--by', 'eve', '--role', 'clerk');
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('may not answer')]);
    expect((await adorn()).output).toMatch(/\n2 waiting\n$/);
    const rejected = await adorn('--reject', id, '--by', 'mia', '--role', 'manager', '--reason', 'Not now.');
    expect(rejected.output).toContain(`${id} rejected by mia`);
    expect((await adorn()).output).toMatch(/\n1 waiting\n$/);
  }, 60_000);

  it('says why the run behind an approval has failed, as an error', async () => {
    await project.write('keyless.js', KEYLESS);
    await project.node('keyless.js', 'ask');
    const inbox = (...args: string[]) =>
      project.adornInTurn('inbox', 'keyless.js', '--store', 'keyless.db', ...args);
    const { id } = JSON.parse((await inbox('--json')).output) as { id: string };

    const failed = await inbox('--approve', id, '--by', 'ada');

    expect(failed.code).toBe(1);
    expect(failed.output).toBe(`${id} approved by ada: failed\n`);
    expect(failed.errors).toMatch(
      /The answer is stored, .* has failed: .*MODEL_UNAVAILABLE.*GEMINI_API_KEY/s,
    );
    expect(await project.read('shipped.txt')).toBe('yes');
    expect((await inbox()).output).toBe('0 waiting\n');
  }, 60_000);

  it('says what to type', async () => {
    const said = async (...args: string[]) => (await adorn(...args)).errors;

    expect(await said('--approve', 'x')).toContain('Pass --by');
    expect(await said('--approve', 'x', '--reject', 'y', '--by', 'mia')).toContain(
      '--approve <id> and --reject <id> exclude each other',
    );
    expect(await said('--role', 'manager')).toContain('Pass --for or --by');
    expect(await said('--approve', 'x', '--by', 'mia')).toContain('No request with the id x waits');
  }, 60_000);
});
