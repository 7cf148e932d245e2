import { callsTool, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  agentTool,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  InMemorySessionService,
  type InvocationContext,
  LlmAgent,
  Model,
  type Runner,
  SessionService,
} from '../../../index.js';
import { ContainerModule } from 'inversify';

const address = { userId: 'ada', sessionId: 's1' };

describe('a composite that asks a person', () => {
  it('pauses, and goes on with the answer where it asked', async () => {
    const { runner, asked } = await start(Trip);

    const first = await runner.run({ ...address, message: 'Book' });
    const [request] = await runner.pending(address);
    const second = await runner.supply(required(request), '2026-12-01', { by: 'ada' });
    const [next] = await runner.pending(address);
    const last = await runner.supply(required(next), 'window', { by: 'ada' });

    expect([first.status, second.status, last.text]).toEqual(['paused', 'paused', '2026-12-01, window']);
    expect(request).toMatchObject({ kind: 'input', hint: 'Which date?', askedBy: 'agent', path: 'trip' });
    expect(asked).toEqual(['run', 'run', 'run']);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('is told of a rejection with its reason', async () => {
    const { runner } = await start(Trip);
    await runner.run({ ...address, message: 'Book' });

    const [request] = await runner.pending(address);
    const ended = await runner.reject(required(request), { reason: 'not now' });

    expect(ended.text).toBe('rejected: not now');
  });

  it('lets only those answer whom the question names', async () => {
    const { runner } = await start(Signed);
    await runner.run({ ...address, message: 'Book' });
    const [request] = await runner.pending(address);

    for (const by of ['ada', { id: 'ada' }, { id: 'mia', roles: ['clerk'] }])
      await expect(runner.supply(required(request), 'yes', { by }).output).rejects.toMatchObject({
        code: 'APPROVER_NOT_ALLOWED',
      });
    const mia = { id: 'mia', roles: ['manager'] };
    expect(await runner.inbox({ for: { id: 'ada' } })).toMatchObject({ requests: [] });
    expect((await runner.inbox({ for: mia })).requests).toHaveLength(1);
    expect((await runner.supply(required(request), 'yes', { by: mia })).text).toBe('yes');
  });

  it('names who began the run, if that is not the user of the session', async () => {
    const { runner } = await start(Trip);
    await runner.run({ ...address, message: 'Book', by: { id: 'mia', tenant: 'acme' } });
    const [request] = await runner.pending(address);

    expect(request?.requester).toMatchObject({ id: 'mia', tenant: 'acme' });
    await expect(
      runner.supply(required(request), '2026-12-01', { by: { id: 'mia', tenant: 'globex' } }).output,
    ).rejects.toMatchObject({ code: 'APPROVER_NOT_ALLOWED' });
  });

  it.each([
    ['a misspelt option', { message: 'Sign?', aprovers: { role: 'manager' } }, 'RUN_CONFIG_INVALID'],
    ['a rule that there is not', { message: 'Sign?', approvers: 'managers' }, 'APPROVERS_INVALID'],
  ])('fails for %s, and asks nobody', async (_name, question, code) => {
    @agent({ name: 'asking', description: 'Asks.' })
    class Asking extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        yield* context.requestInput(question as never);
      }
    }
    const { runner } = await start(Asking);
    await expect(runner.run({ ...address, message: 'Book' })).rejects.toMatchObject({ code });

    expect(await runner.pending(address)).toEqual([]);
  });

  it('refuses an answer that does not fit the schema, and waits on', async () => {
    const { runner } = await start(Trip);
    await runner.run({ ...address, message: 'Book' });

    const [request] = await runner.pending(address);

    await expect(runner.supply(required(request), 7).output).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
    });
    expect(await runner.pending(address)).toHaveLength(1);
  });

  it('asks as a tool of another agent, which continues with its result', async () => {
    const model = new ScriptedModel(callsTool('trip', { request: 'Book' }), says('Booked.'));
    const Clerk = defineAgent({ name: 'clerk', model, tools: [agentTool(Trip)] });
    const { runner } = await start(Clerk);

    await runner.run({ ...address, message: 'Book' });
    const [request] = await runner.pending(address);
    await runner.supply(required(request), '2026-12-01');
    const [next] = await runner.pending(address);
    const last = await runner.supply(required(next), 'window');

    expect(last.text).toBe('Booked.');
    expect(JSON.stringify(model.requests.at(-1)?.contents)).toContain('2026-12-01, window');
  });

  it('continues in another process after a crash behind each stored event', async () => {
    for (let crash = 1; crash < 12; crash++) {
      const sessions = new DyingSessions(crash);
      const dying = await start(Trip, sessions);
      await converse(dying.runner).catch(() => undefined);
      sessions.left = Infinity;
      const { runner } = await start(Trip, sessions);
      await runner.recover({ olderThan: 0 });
      const text = await converse(runner);

      const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
      const failures = session?.events.flatMap(({ errorCode }) => errorCode ?? []);
      expect({ crash, text, failures }).toEqual({ crash, text: '2026-12-01, window', failures: [] });
    }
  });
});

@agent({ description: 'Books trips.' })
class Trip extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    trips.push('run');
    const schema = { type: 'string' } as const;
    const date = yield* context.requestInput({ message: 'Which date?', schema });
    if (date.kind === 'rejected') {
      yield told(context, `rejected: ${date.reason ?? ''}`);
      return;
    }
    const seat = yield* context.requestInput({ message: 'Which seat?' });
    if (seat.kind === 'answered') yield told(context, `${String(date.value)}, ${String(seat.value)}`);
  }
}

@agent({ description: 'Has a trip signed.' })
class Signed extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const answer = yield* context.requestInput({ message: 'Sign?', approvers: { role: 'manager' } });
    if (answer.kind === 'answered') yield told(context, String(answer.value));
  }
}

let trips: string[] = [];

function told(context: InvocationContext, text: string): Event {
  return context.event({ author: context.agent.name, content: { role: 'model', parts: [{ text }] } });
}

async function start(
  root: typeof Trip | ReturnType<typeof defineAgent> | typeof LlmAgent,
  sessions = new InMemorySessionService(),
) {
  trips = [];
  const services = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
    bind(Model).toConstantValue(new ScriptedModel());
  });
  const runner = await createRunner(root as typeof Trip, { appName: 'trips', modules: [services] });
  return { runner, asked: trips };
}

/** Does what is left to do: sends the message, and answers what is open. */
async function converse(runner: Runner): Promise<string> {
  const key = { appName: 'trips', ...address };
  const events = async (): Promise<readonly Event[]> => (await runner.sessions.getSession(key))?.events ?? [];
  if (!(await events()).some(({ author }) => author === 'user'))
    await runner.run({ ...address, message: 'Book' });
  for (const answer of ['2026-12-01', 'window']) {
    const [request] = await runner.pending(address);
    const isDate = request?.hint === 'Which date?';
    if (request !== undefined && isDate === (answer !== 'window')) await runner.supply(request, answer);
  }
  return (await events()).findLast(({ text }) => text !== '')?.text ?? '';
}

/** A store whose process dies after some events. */
class DyingSessions extends InMemorySessionService {
  constructor(public left: number) {
    super();
  }

  override appendEvent(...given: Parameters<InMemorySessionService['appendEvent']>) {
    if (this.left-- <= 0) throw new Error('the process has died');
    return super.appendEvent(...given);
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('nothing is pending');
  return value;
}
