import { Project } from './project.fixture.js';

const APP = `
import { createRunner, defineAgent } from 'adorn';
import { sqlStorage } from '@adorn/storage';
import { says, ScriptedModel } from '@adorn/testing';

const used = (modelVersion, promptTokenCount, candidatesTokenCount, cachedContentTokenCount) => ({
  ...says('Hi.'),
  modelVersion,
  usageMetadata: { promptTokenCount, candidatesTokenCount, cachedContentTokenCount },
});
const model = new ScriptedModel(
  used('gpt-5-2025-08-07', 1_000_000, 100_000, 200_000),
  used('gpt-5-2025-08-07', 2_000_000, 0, 0),
  used('house-model', 1_000_000, 1_000_000, 0),
  used('gpt-5', 4_000_000, 0, 0),
  used('house-model', 1_000_000, 0, 0),
);
const desk = defineAgent({ name: 'desk', model });
export default desk;
if (process.argv[2] === 'ask') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  for (const [userId, sessionId] of [['ada', 's1'], ['ada', 's1'], ['bob', 's2'], ['bob', 's3'], ['bob', 's3']])
    await runner.run({ userId, sessionId, message: 'Hello.' });
  await runner.close();
}
`;

const OFFLINE = `
import { defineAgent } from 'adorn';
export default defineAgent({ name: 'desk', description: 'Helps.', model: 'gemini-2.5-flash' });
`;

describe('adorn sessions', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create({
      'app.js': APP,
      'offline.js': OFFLINE,
      'hello.txt': 'Hello.\n',
      'prices.json': '{"house-model":{"input":0.5,"output":1}}',
      'odd.json': '{"house-model":{"input":"cheap"}}',
    });
    await project.node('app.js', 'ask');
  });
  afterAll(() => project.remove());

  const adorn = (...args: string[]) =>
    project.adornInTurn('sessions', 'app.js', '--store', 'chats.db', ...args);

  /** The lines without the times. */
  const linesOf = ({ output }: { readonly output: string }) =>
    output
      .trimEnd()
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .split('\n');

  it('lists sessions, the latest first, with their tokens and their cost by the list prices', async () => {
    const listed = await adorn();

    expect(listed.errors).toBe('');
    expect(linesOf(listed)).toEqual([
      'bob/s3  TIME  5,000,000 in, 0 out  at least $5.0000',
      'bob/s2  TIME  1,000,000 in, 1,000,000 out  price not known',
      'ada/s1  TIME  3,000,000 in (200,000 cached), 100,000 out  $4.5250',
      '3 sessions  9,000,000 in (200,000 cached), 1,100,000 out  at least $9.5250',
    ]);
  });

  it('lists what the offline model has answered as free, whatever model the agent has', async () => {
    const offline = ['offline.js', '--store', 'offline.db'];
    await project.adornInTurn('run', ...offline, '--model', 'offline', '--script', 'hello.txt');

    expect(linesOf(await project.adornInTurn('sessions', ...offline)).at(-1)).toMatch(
      /^1 sessions .* \$0\.0000$/,
    );
  });

  it('takes the prices that the application pays, for one user, as lines of JSON', async () => {
    const { output } = await adorn('--prices', 'prices.json', '--user', 'bob', '--limit', '5', '--json');

    expect(
      output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { userId: 'bob', sessionId: 's3', input: 5_000_000, usd: 5.5, isComplete: true },
      { userId: 'bob', sessionId: 's2', output: 1_000_000, usd: 1.5, isComplete: true },
    ]);
  });

  it('lists no more than it is asked for', async () => {
    expect(linesOf(await adorn('--limit', '1'))).toHaveLength(2);
  });

  it.each([
    [['--limit', '0'], 'Pass a whole number from 1 to 1000000'],
    [['--prices', 'nowhere.json'], 'which is no file with JSON'],
    [['--prices', 'odd.json'], 'Pass a number of at least 0'],
  ])('refuses %j', async (args, words) => {
    const { code, errors } = await adorn(...args);

    expect(code).not.toBe(0);
    expect(errors).toContain(words);
  });
});
