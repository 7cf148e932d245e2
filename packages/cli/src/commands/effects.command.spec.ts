import { Project } from './project.fixture.js';

const APP = `
import { createRunner, defineAgent, FunctionTool } from 'adorn';
import { sqlStorage } from '@adorn/storage';
const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays.',
  effect: 'write',
  once: ({ order }) => order,
  approvers: { role: 'lead' },
  confirm: false,
  parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  run: () => {
    if (process.argv[3] === 'works') return 'paid now';
    throw new Error('the line broke');
  },
});
const desk = defineAgent({ name: 'desk', model: null, tools: [pay] });
export default desk;
if (process.argv[2] === 'pay') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  for (const order of ['A1', 'A2']) {
    const { events } = await runner.call({ tool: 'pay', args: { order }, userId: 'ada', sessionId: order, by: 'ada' });
    for (const { functionResponses } of events)
      for (const { response } of functionResponses) console.log(JSON.stringify(response));
  }
  await runner.close();
}
`;

describe('adorn effects', () => {
  it('lists effects of unknown outcome, settles one, frees one, and lets nobody else do so', async () => {
    const project = await Project.create({ 'app.js': APP });
    try {
      await project.node('app.js', 'pay');
      const adorn = (...args: string[]) =>
        project.adornInTurn('effects', 'app.js', '--store', 'chats.db', ...args);
      const { output } = await adorn();
      expect(output).toMatch(
        / {2}ada\/A1 {2}pay {"order":"A1"} {2}asked by ada\n.*A2[^]*\n2 of unknown outcome\n$/,
      );
      const ids = (await adorn('--json')).output
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id);
      const [paid = '', unpaid = ''] = ids;
      const lead = ['--by', 'mia', '--role', 'lead'];

      const refused = await adorn('--free', paid, '--by', 'max');
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('may not settle')]);
      expect((await adorn('--settle', paid, ...lead)).errors).toContain('--settle needs --result');
      expect((await adorn('--settle', paid, ...lead, '--result', 'R-7')).errors).toContain('is no JSON');
      const settled = await adorn('--settle', paid, '--result', '{"receipt":"R-7"}', ...lead);
      expect(settled.output).toBe(`${paid} settled by mia: pay\n`);
      expect((await adorn('--free', unpaid, ...lead)).output).toBe(`${unpaid} freed by mia: pay\n`);
      expect((await adorn('--free', unpaid, ...lead)).code).toBe(1);

      expect((await adorn()).output).toBe('0 of unknown outcome\n');
      const again = await project.node('app.js', 'pay', 'works');
      expect(again.output).toMatch(/"receipt":"R-7","doneBefore".*\n.*"paid now"/);
      const evidence = await project.adornInTurn(
        'evidence',
        'export',
        'app.js',
        '--store',
        'chats.db',
        '--user',
        'ada',
      );
      expect(evidence.output).toMatch(/"kind":"settlement"/);
    } finally {
      await project.remove();
    }
  }, 90_000);
});
