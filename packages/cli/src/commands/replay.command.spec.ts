import { resolve } from 'node:path';

import { Project } from './project.fixture.js';

const APP = (instruction: string): string => `
import { createRunner, defineAgent } from 'adorn';
import { sqlStorage } from '@adorn/storage';
import { says, ScriptedModel } from '@adorn/testing';
const model = new ScriptedModel(says('One.'), says('Two.'));
const desk = defineAgent({ name: 'desk', description: 'A desk.', instruction: '${instruction}', model });
export default desk;
if (process.argv[2] === 'ask') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  for (const message of ['Hello.', 'And?']) await runner.run({ userId: 'ada', sessionId: 's1', message });
  await runner.close();
}
`;

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    experimentalDecorators: true,
    skipLibCheck: true,
  },
});

/** Of a test in the guides, and its agent. */
const WHERE_IS_MY_ORDER = resolve('samples/guides/cassettes/where-is-my-order.cassette.json');

const ORDER_DESK = (instruction: string): string => `
import { agent, LlmAgent, tool } from 'adorn';

class Orders {
  /**
   * Find an order.
   * @param id Order number, such as "A-17".
   */
  @tool({ effect: 'read' })
  findOrder(id: string): { status: string } {
    throw new Error('No tool runs.');
  }
}

/** Tells customers where their orders are. */
@agent({ instruction: '${instruction}', tools: [Orders], model: 'gemini-2.5-flash' })
export class Desk extends LlmAgent {}
`;

describe('adorn replay', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(
      { 'app.js': APP('Be short.'), 'tsconfig.json': TSCONFIG },
      { GEMINI_API_KEY: '' },
    );
    await project.node('app.js', 'ask');
    await project.adornInTurn(
      ...['record', 'app.js', '--store', 'chats.db', '--user', 'ada', '--session', 's1', '--out', 'a.json'],
    );
  });
  beforeEach(() => project.write('app.js', APP('Be short.')));
  afterAll(() => project.remove());

  it('holds a stored conversation again, in the application of this folder', async () => {
    expect(await project.adornInTurn('replay', 'a.json')).toEqual({
      output: 'The same: 2 requests for 2 messages.\n',
      errors: '',
      code: 0,
    });
  });

  it('shows how the first request differs if the instruction is another one', async () => {
    await project.write('app.js', APP('Be long.'));

    const { output, code } = await project.adorn('replay', 'a.json', 'app.js');

    expect(output).toMatch(
      /^Not the same: A request is not recorded\.\nMessage 1 of 2, "Hello\."; 0 of 2 requests were the same\.\n\n--- recorded, exchange 0\n/,
    );
    expect(output).toMatch(/^-.*Be short\.[\s\S]*^\+.*Be long\./m);
    expect(code).toBe(1);
  });

  it('tells it to programs', async () => {
    const same = await project.adornInTurn('replay', 'a.json', '--json');
    await project.write('app.js', APP('Be long.'));
    const other = await project.adorn('replay', 'a.json', '--json');

    expect(JSON.parse(same.output)).toEqual({
      ...{ cassette: 'a.json', same: true, messages: 2, exchanges: 2, replayed: 2 },
    });
    expect(JSON.parse(other.output)).toMatchObject({
      same: false,
      replayed: 0,
      difference: { message: 1, said: 'Hello.', diff: expect.stringContaining('+++ asked') },
    });
    expect([same.code, other.code]).toEqual([0, 1]);
  });

  it('replays the cassette of a test, whose tools return what they did', async () => {
    await project.write('desk.ts', ORDER_DESK('Say in one sentence where the order is.'));
    const same = await project.adorn('replay', WHERE_IS_MY_ORDER, 'desk.ts');
    await project.write('desk.ts', ORDER_DESK('Say where the order is.'));
    const other = await project.adorn('replay', WHERE_IS_MY_ORDER, 'desk.ts');

    expect(same).toMatchObject({ output: 'The same: 2 requests for 1 message.\n', code: 0 });
    expect(other.output).toContain('+  "systemInstruction": "Say where the order is.');
    expect(other.code).toBe(1);
  });

  it('leaves out what changes from run to run', async () => {
    await project.write('app.js', APP('Be long.'));
    expect((await project.adorn('replay', 'a.json', '--ignore', 'Be (?:short|long)')).code).toBe(0);

    const { errors, code } = await project.adornInTurn('replay', 'a.json', '--ignore', '(');
    expect(errors).toContain('Pass a regular expression');
    expect(code).toBe(2);
  });

  it.each([
    ['nothing.json', 'is not there', 1],
    ['package.json', 'has no "cassette": 1', 1],
  ])('says what is wrong with %s', async (file, fault, expected) => {
    const { errors, code } = await project.adornInTurn('replay', file);

    expect(errors).toContain(fault);
    expect(code).toBe(expected);
  });
});
