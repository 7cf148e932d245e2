import { says, ScriptedModel } from '@adorn/testing';

import {
  ContainerModule,
  createRunner,
  defineAgent,
  InMemorySessionService,
  type Runner,
  SessionService,
} from '../../../index.js';

const ADA = { userId: 'ada', sessionId: 's1' };
const ONCE = { whenRepeated: 'refuse' } as const;

describe('a message whose invocation the session has already', () => {
  let sessions: InMemorySessionService;
  let runner: Runner;
  beforeEach(async () => {
    sessions = new InMemorySessionService();
    runner = await open(sessions);
  });

  it('runs again where nothing else is said', async () => {
    await runner.run({ ...ADA, message: 'hi', invocationId: 'i1' });
    await runner.run({ ...ADA, message: 'hi', invocationId: 'i1' });

    expect(await textsOf(sessions)).toEqual(['hi', 'Hello.', 'hi', 'Hello.']);
  });

  it('is refused if it is to run once, in another process too, and nothing is stored', async () => {
    const once = { ...ADA, message: 'hi', invocationId: 'i1', config: ONCE };
    await runner.run(once);
    const other = await open(sessions);

    const refused = { code: 'INVOCATION_REPEATED', message: expect.stringContaining('"i1"') };
    await expect(runner.run(once)).rejects.toMatchObject(refused);
    await expect(other.run(once)).rejects.toMatchObject(refused);
    expect(await textsOf(sessions)).toEqual(['hi', 'Hello.']);
  });

  it('is no hindrance to other messages', async () => {
    await runner.run({ ...ADA, message: 'hi', invocationId: 'i1', config: ONCE });
    await runner.run({ ...ADA, message: 'and', invocationId: 'i2', config: ONCE });
    await runner.run({ ...ADA, message: 'so', config: ONCE });

    expect(await textsOf(sessions)).toEqual(['hi', 'Hello.', 'and', 'Hello.', 'so', 'Hello.']);
  });
});

async function open(sessions: InMemorySessionService): Promise<Runner> {
  const model = new ScriptedModel(...Array.from({ length: 9 }, () => says('Hello.')));
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  return createRunner(defineAgent({ name: 'desk', instruction: 'Be brief.' }), {
    appName: 'desk',
    model,
    modules,
  });
}

async function textsOf(sessions: InMemorySessionService): Promise<string[]> {
  const session = await sessions.getSession({ appName: 'desk', ...ADA });
  return session?.events.map(({ text }) => text) ?? [];
}
