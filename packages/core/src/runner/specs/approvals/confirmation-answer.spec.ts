import { setTimeout } from 'node:timers/promises';

import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  type PendingRequest,
  agent,
  ContainerModule,
  createRunner,
  type Event,
  InMemorySessionService,
  LlmAgent,
  type Runner,
  SessionService,
  tool,
  type ToolContext,
} from '../../../index.js';

describe('an answer to a call that has to be confirmed', () => {
  it('is answered once: a second answer is refused, and nothing runs', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }), says('Done.'));
    await say(runner, 'Refund.');
    const request = await only(runner);
    await eventsOf(runner.approve(request));

    await expect(eventsOf(runner.approve(request))).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
      message:
        `No request "${request.id}" is pending in this session: it was never made here, or is answered already. ` +
        'Call runner.pending to list the open requests.',
    });
    await expect(eventsOf(runner.reject(request))).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
    expect(ran).toHaveLength(1);
  });

  it('runs once where two approve it at the same time', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }), says('Done.'), says('Done.'));
    await say(runner, 'Refund.');
    const request = await only(runner);

    const ends = await Promise.allSettled([
      eventsOf(runner.approve(request)),
      eventsOf(runner.approve(request)),
    ]);

    expect(ran).toHaveLength(1);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('runs once where two runners on one store approve it at the same time', async () => {
    const store = new SlowSessions();
    const first = await startOn(store, callsTool('refund', { cents: 900 }), says('Done.'));
    const second = await startOn(store, says('Done.'));
    await say(first.runner, 'Refund.');
    const request = await only(first.runner);

    const ends = await Promise.allSettled([
      eventsOf(first.runner.approve(request)),
      eventsOf(second.runner.approve(request)),
    ]);

    expect([...first.ran, ...second.ran]).toHaveLength(1);
    const rejected = ends.filter((end) => end.status === 'rejected');
    expect(rejected).toMatchObject([{ reason: { code: 'REQUEST_NOT_PENDING' } }]);
  });

  it('runs once where one message answers it twice, under each of its ids', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }, 'c1'), says('Done.'));
    await say(runner, 'Refund.');
    const { id } = await only(runner);

    const message = [id, 'c1'].map((one) => ({
      functionResponse: { id: one, name: ASK, response: { confirmed: true } },
    }));
    await eventsOf(runner.run({ ...address, message })).catch(() => []);

    expect(ran.length).toBeLessThanOrEqual(1);
  });

  it.each<[string, Record<string, unknown>]>([
    ['bare', { confirmed: true }],
    ['under toolConfirmation', { toolConfirmation: { confirmed: true } }],
    ['as an object under response', { response: { confirmed: true } }],
    ['as JSON text under response', { response: '{"confirmed":true}' }],
  ])('takes an answer %s, under either id', async (_form, response) => {
    for (const idOf of [
      (request: PendingRequest) => request.id,
      (request: PendingRequest) => request.functionCallId,
    ]) {
      const { runner, ran } = await start(callsTool('refund', { cents: 900 }, 'c1'), says('Done.'));
      await say(runner, 'Refund.');

      await answer(runner, idOf(await only(runner)), response);

      expect(ran).toHaveLength(1);
      expect(await runner.pending(address)).toEqual([]);
    }
  });

  it('S4 does not answer the next question about the call where it is sent again under the id of the call', async () => {
    const { runner, ran } = await start(callsTool('ship', {}, 'c1'), says('Done.'));
    await say(runner, 'Ship.');
    const message = { functionResponse: { id: 'c1', name: ASK, response: { confirmed: true } } };
    await eventsOf(runner.run({ ...address, message }));
    const next = await only(runner);

    await expect(eventsOf(runner.run({ ...address, message }))).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
    });

    expect(next.hint).toBe('Insure it?');
    expect(ran).toEqual([]);
    await eventsOf(runner.approve(next));
    expect(ran).toHaveLength(1);
  });

  it('takes an answer in the name of the tool itself, and is not asked any more', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }, 'c1'), says('Done.'));
    await say(runner, 'Refund.');

    await eventsOf(
      runner.run({
        ...address,
        message: { functionResponse: { id: 'c1', name: 'refund', response: { confirmed: true } } },
      }),
    );

    expect(ran).toHaveLength(1);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('takes an answer without a name, and none under the name of another tool', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }, 'c1'), says('Done.'));
    await say(runner, 'Refund.');
    const { id } = await only(runner);
    const answered = (name?: string) => ({
      functionResponse: { id, response: { confirmed: true }, ...(name !== undefined && { name }) },
    });

    await expect(eventsOf(runner.run({ ...address, message: answered('look') }))).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringContaining(`the name "refund" or "${ASK}"`),
    });
    expect(ran).toEqual([]);
    await eventsOf(runner.run({ ...address, message: answered() }));

    expect(ran).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>]>([
    ["the text 'true'", { confirmed: 'true' }],
    ['a number', { confirmed: 1 }],
    ['nothing', {}],
    ['an empty wrapping', { toolConfirmation: {} }],
    ['text that is no JSON', { response: 'yes' }],
  ])('takes %s for no answer, and stays open', async (_what, response) => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }), says('Done.'));
    await say(runner, 'Refund.');
    const request = await only(runner);
    const before = (await storedEvents(runner)).length;

    await expect(answer(runner, request.id, response)).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message:
        `The answer to "${request.id}" is not valid. Send a function response with { confirmed: true } ` +
        'or { confirmed: false }; the request stays pending.',
    });
    expect(ran).toEqual([]);
    expect((await storedEvents(runner)).length).toBe(before);
    expect(await only(runner)).toEqual(request);
  });

  it('is not answered from another session, by another user, or under an id that nobody asked', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }), says('Done.'));
    await say(runner, 'Refund.');
    const request = await only(runner);

    for (const forged of [
      { ...request, sessionId: 's2' },
      { ...request, userId: 'bob' },
      { ...request, id: 'adk-1' },
    ]) {
      await expect(eventsOf(runner.approve(forged))).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
    }
    expect(ran).toEqual([]);
    expect(await only(runner)).toEqual(request);
  });

  it('is refused without the session that it was asked in, or without an id, and says so', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }), says('Done.'));
    const [, event] = await say(runner, 'Refund.');
    const [bare] = event?.pending ?? [];

    await expect(eventsOf(runner.approve(bare as PendingRequest))).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message:
        'The confirmation of refund cannot be answered this way: it has no session. Take the request ' +
        'from runner.pending; the request stays pending.',
    });
    const message = { functionResponse: { name: 'refund', response: { confirmed: true } } };
    await expect(eventsOf(runner.run({ ...address, message }))).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
      message: expect.stringContaining('No request "" is pending'),
    });
    expect(ran).toEqual([]);
  });
});

const ASK = 'adk_request_confirmation';
const address = { userId: 'ada', sessionId: 's1' };
const cents = { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] };

async function start(...steps: readonly ScriptedStep[]) {
  return startOn(new InMemorySessionService(), ...steps);
}

async function startOn(store: SessionService, ...steps: readonly ScriptedStep[]) {
  const ran: unknown[] = [];
  class Orders {
    @tool({ parameters: cents, confirm: (args) => args.cents > 500 && `Refund ${String(args.cents)} cents?` })
    refund(args: { cents: number }, { confirmation }: ToolContext): string {
      ran.push({ ...args, confirmation });
      return `refunded ${String(args.cents)}`;
    }

    @tool({ parameters: { type: 'object' } })
    look(): string {
      return 'fine';
    }

    @tool({ parameters: { type: 'object' }, confirm: 'Ship it?' })
    ship(args: { to?: string }, context: ToolContext): string {
      context.requestConfirmation('Insure it?');
      ran.push(args);
      return 'shipped';
    }
  }
  @agent({ description: '', tools: [Orders] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const sessions = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(store);
  });
  return { ran, model, runner: await createRunner(Clerk, { model, modules: [sessions] }) };
}

/** Both of two runs have read the log before either writes to it. */
class SlowSessions extends InMemorySessionService {
  override async appendEvent(...args: Parameters<SessionService['appendEvent']>) {
    await setTimeout(20);
    return super.appendEvent(...args);
  }
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

function answer(runner: Runner, id: string, response: Record<string, unknown>): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message: { functionResponse: { id, name: ASK, response } } }));
}

async function only(runner: Runner): Promise<PendingRequest> {
  const [request, ...others] = await runner.pending(address);
  expect(others).toEqual([]);
  if (request === undefined) throw new Error('nothing is pending');
  return request;
}

async function storedEvents(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}
