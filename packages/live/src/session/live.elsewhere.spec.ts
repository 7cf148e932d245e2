import {
  callsLive,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilText,
} from '@adorn/testing';

import {
  ContainerModule,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  SessionService,
} from '@adorn/core';
import { createRunner, isTurnEnd, KEY, settled, startLive, storedOf, until } from './live.fixture.js';

describe('a live session that is opened while another one of the conversation is open', () => {
  it('takes the conversation over at once: the other one is told, and ends', async () => {
    const { live, model, runner } = await startLive({}, [untilText(), speaks('Hello.')]);
    live.sendText('Hi.');
    await until(live, isTurnEnd);
    const rest: Event[] = [];
    const reading = (async () => {
      for await (const event of live) rest.push(event);
    })();
    const next = runner.live({ ...KEY, model: new ScriptedLive(untilText(), speaks('Welcome back.')) });
    next.sendText('I am back.');
    await until(next, isTurnEnd);
    await reading;
    await next.close();

    expect(rest.map((event) => event.live?.kind)).toEqual(['takenOver']);
    expect((await live.ended).status).toBe('answered');
    expect(model.connection.isClosed).toBe(true);
    expect(await storedOf(runner)).toEqual([
      ...['user: Hi.', 'clerk: Hello.', 'user: I am back.', 'clerk: Welcome back.'],
    ]);
  });
});

describe('a message to a conversation with an open live session', () => {
  it('is heard in the session, if its speaker has sent it', async () => {
    const { live, model, runner } = await startLive({}, [untilText(), speaks('I see it.')]);
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    const { events } = await runner.run({ ...KEY, message: 'By the page.' });
    await until(live, isTurnEnd);
    await live.close();

    expect(events).toEqual([]);
    expect(model.connection.texts).toEqual(['By the page.']);
    expect(await storedOf(runner)).toEqual(['user: By the page.', 'clerk: I see it.']);
  });

  it('waits for the end of the session if another person has sent it', async () => {
    const { live, model, runner } = await startLive({}, [], {}, [says('By text.')]);
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    const run = runner.run({ ...KEY, message: 'I am Eve.', by: 'eve' });
    await settled(20);
    expect(model.connection.texts).toEqual([]);
    await live.close();

    expect((await run).text).toBe('By text.');
  });
});

/** Two runners with one store stand for two processes. */
describe('what another process sends to a conversation with an open live session', () => {
  it('is heard at once, and stored once', async () => {
    const { live, model, runner, elsewhere } = await startTwo([untilText(), speaks('I see it.')]);
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    const { run } = await elsewhere.send(KEY, 'By the page.');
    await until(live, isTurnEnd);
    await live.close();

    expect((await run)?.events).toEqual([]);
    expect(model.connection.texts).toEqual(['By the page.']);
    expect(await storedOf(runner)).toEqual(['user: By the page.', 'clerk: I see it.']);
    await elsewhere.close();
  });

  it('is an approval that runs the call there in less than a second, by the right of who gives it', async () => {
    let ran = 0;
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      confirm: true,
      approvers: { role: 'manager' },
      run: () => ++ran,
    });
    const { live, elsewhere } = await startTwo([untilText(), callsLive('pay'), untilText()], [pay]);
    live.sendText('Pay.');
    await until(live, ({ pending }) => pending.length > 0);
    const [request] = await elsewhere.pending(KEY);
    if (!request) throw new Error('there is no request');
    await expect(elsewhere.approve(request, { by: 'eve' })).rejects.toMatchObject({
      code: 'APPROVER_NOT_ALLOWED',
    });
    expect(ran).toBe(0);

    const at = performance.now();
    const { events, status } = await elsewhere.approve(request, { by: { id: 'mia', roles: ['manager'] } });
    const took = performance.now() - at;

    expect([events, status]).toEqual([[], 'answered']);
    expect(took).toBeLessThan(1_000);
    await settled(20);
    expect(ran).toBe(1);
    await expect(elsewhere.approve(request, { by: { id: 'mia', roles: ['manager'] } })).rejects.toMatchObject(
      {
        code: 'REQUEST_NOT_PENDING',
      },
    );
    await live.close();
    expect(ran).toBe(1);
    await elsewhere.close();
  });
});

/** A live session, and a runner of the same agent with the same store. */
async function startTwo(script: readonly LiveStep[], tools: readonly FunctionTool[] = []) {
  const store = new InMemorySessionService();
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))];
  const model = new ScriptedLive(...script);
  const Clerk = defineAgent({ name: 'clerk', instruction: 'Be kind.', tools: [...tools] });
  const runner = await createRunner(Clerk, { model: new ScriptedModel(), modules });
  const elsewhere = await createRunner(Clerk, { model: new ScriptedModel(), modules });
  return { runner, elsewhere, model, live: runner.live({ ...KEY, model }) };
}
