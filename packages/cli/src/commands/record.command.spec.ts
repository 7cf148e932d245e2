import { recorded, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent } from 'adorn';

import { Project } from './project.fixture.js';

const APP = `
import { createRunner, defineAgent } from 'adorn';
import { sqlStorage } from '@adorn/storage';
import { says, ScriptedModel } from '@adorn/testing';
const desk = defineAgent({ name: 'desk', description: 'A desk.', model: new ScriptedModel(says('One.'), says('Two.')) });
export default desk;
if (process.argv[2] === 'ask') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  for (const message of ['Hello.', 'And?']) await runner.run({ userId: 'ada', sessionId: 's1', message });
  await runner.close();
}
`;

describe('adorn record', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create({ 'app.js': APP });
    await project.node('app.js', 'ask');
  });
  afterEach(() => project.remove());

  const record = (...args: string[]) =>
    project.adorn(
      'record',
      'app.js',
      '--store',
      'chats.db',
      '--user',
      'ada',
      '--out',
      'a.cassette.json',
      ...args,
    );

  it('makes a cassette that a test replays without a model', async () => {
    expect(await record('--session', 's1')).toMatchObject({
      output: '2 exchanges in a.cassette.json\n',
      code: 0,
    });

    const model = recorded(new ScriptedModel(), project.path('a.cassette.json'));
    const desk = defineAgent({ name: 'desk', description: 'A desk.', model });
    await using runner = await createRunner(desk);
    const key = { userId: 'ada', sessionId: 'again' };
    expect(await runner.ask('Hello.', key)).toBe('One.');
    expect(await runner.ask('And?', key)).toBe('Two.');
    model.assertDone();
  });

  it('says which conversation there is not, and writes nothing', async () => {
    const { errors, code } = await record('--session', 's9');

    expect(errors).toContain('s9');
    expect(code).toBe(1);
    await expect(project.read('a.cassette.json')).rejects.toThrow('ENOENT');
  });
});
