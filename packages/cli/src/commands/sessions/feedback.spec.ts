import { readEvalSet } from '@adorn/eval';

import { Project } from '../project.fixture.js';

const APP = `
import { createRunner, defineAgent } from 'adorn';
import { sqlStorage } from '@adorn/storage';
import { says, ScriptedModel } from '@adorn/testing';
const desk = defineAgent({ name: 'desk', description: 'A desk.', model: new ScriptedModel(says('One.'), says('Two.')) });
export default desk;
if (process.argv[2] === 'ask') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  const address = { userId: 'ada', sessionId: 's1' };
  for (const [invocationId, score] of [['e-1', 1], ['e-2', 0]]) {
    await runner.run({ ...address, invocationId, message: 'Hello.' });
    await runner.feedback({ ...address, invocationId, score, comment: 'It is \\u202e' + score + '.' });
  }
  await runner.feedback({ ...address, invocationId: 'e-2', score: 0.5, label: 'short', by: 'mia' });
  await runner.close();
}
`;

describe('adorn sessions feedback', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create({ 'app.js': APP });
    await project.node('app.js', 'ask');
  });
  afterEach(() => project.remove());

  const feedback = (...args: string[]) =>
    project.adorn('sessions', 'feedback', 'app.js', '--store', 'chats.db', ...args);

  it('lists what people thought of answers, without what commands a terminal', async () => {
    expect(await feedback()).toMatchObject({
      output:
        'ada/s1  e-1  feedback of ada: 1, "It is 1."\n' +
        'ada/s1  e-2  feedback of ada: 0, "It is 0."\n' +
        'ada/s1  e-2  feedback of mia: 0.5, short\n',
      code: 0,
    });
    expect((await feedback('--user', 'bob')).output).toBe('');
    const lines = (await feedback('--json')).output.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { userId: 'ada', sessionId: 's1', invocationId: 'e-1', score: 1, by: { id: 'ada' } },
      { score: 0 },
      { score: 0.5, label: 'short', by: { id: 'mia' } },
    ]);
  });

  it('writes an eval set of what they disliked, which adorn eval plays', async () => {
    const { errors, code } = await feedback('--eval-set', 'disliked.evalset.json');

    expect([errors, code]).toEqual(['1 case in disliked.evalset.json\n', 0]);
    const { evalCases } = await readEvalSet(project.path('disliked.evalset.json'));
    expect(evalCases[0]?.conversation).toHaveLength(2);
    const played = await project.adorn('eval', 'app.js', 'disliked.evalset.json', '--model', 'offline');
    expect(played.output).toContain('1 failed');
  });

  it('is shown with the conversation', async () => {
    const { output } = await project.adorn(
      'sessions',
      'show',
      'app.js',
      ...['--store', 'chats.db', '--user', 'ada', '--session', 's1'],
    );

    expect(output).toContain('feedback of mia: 0.5, short (on e-2)');
  });
});
