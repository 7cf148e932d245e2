import {
  agent,
  type AgentClass,
  ContainerModule,
  createRunner,
  InMemorySessionService,
  LlmAgent,
  Logger,
  Model,
  SessionService,
} from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { DyingSessions } from '../dying-sessions.fixture.js';
import { type A2aHandler, a2aHandler } from './a2a-handler.js';
import { Desk as FrontDesk } from './desk.fixture.js';
import type { A2aHandlerOptions } from './serve-options.js';

const URL_OF_HANDLER = 'http://127.0.0.1:9/a2a';
const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe('a task that runs in another process', () => {
  it('is followed by its log: as it is, then its answer and its end', async () => {
    const { task, here, answer } = await runningElsewhere();

    const updates = here.streamed('SubscribeToTask', { id: task.id });
    await updates.begun;
    answer();

    const whole = { artifactId: expect.any(String) as string, parts: [{ text: 'Done.' }] };
    expect(await updates.whole).toMatchObject([
      { task: { id: task.id, status: { state: 'TASK_STATE_WORKING' } } },
      { artifactUpdate: { taskId: task.id, contextId: task.contextId, artifact: whole, lastChunk: true } },
      { statusUpdate: { taskId: task.id, status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
  });

  it.each([
    ['GetTask', {}, { result: { status: { state: 'TASK_STATE_WORKING' } } }],
    [
      'SendMessage',
      { message: messageOf('m2') },
      { error: { message: expect.stringContaining('is working') as string } },
    ],
  ])('is told of, and not continued here: %s', async (method, params, answered) => {
    const { task, here, answer } = await runningElsewhere();
    const { message } = params as { readonly message?: object };
    const given = message ? { message: { ...message, taskId: task.id } } : { id: task.id };

    expect(await here.call(method, given)).toMatchObject(answered);
    answer();
  });

  it('is cancelled where it runs, by a request that arrives here', async () => {
    const { task, here, elsewhere, answer } = await runningElsewhere();

    const cancelled = await here.call('CancelTask', { id: task.id });

    const state = { result: { status: { state: 'TASK_STATE_CANCELED' } } };
    expect(cancelled).toMatchObject(state);
    expect(await elsewhere.call('GetTask', { id: task.id })).toMatchObject(state);
    answer();
  });

  it('has ended for the peer whose message is sent again, and begins nothing', async () => {
    const { task, here, answer, model } = await runningElsewhere();
    answer();
    await here.until(task.id, 'TASK_STATE_COMPLETED');

    const again = (await here.call('SendMessage', { message: messageOf('m1') })) as Answer;

    expect(again.result?.task).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_COMPLETED' } });
    expect(model.requests).toHaveLength(1);
  });

  it('is cancelled with its process', async () => {
    const { task, here, elsewhere } = await runningElsewhere();

    await elsewhere.handler.close();

    expect(await here.call('GetTask', { id: task.id })).toMatchObject({
      result: { status: { state: 'TASK_STATE_CANCELED' } },
    });
  });
});

describe('a task that its process left behind', () => {
  it.each<[string, A2aHandlerOptions['recover'], string]>([
    ['goes on with the options of recover', { olderThan: 0 }, 'TASK_STATE_COMPLETED'],
    ['is left alone with recover: false', false, 'TASK_STATE_WORKING'],
  ])('%s', async (_, recover, state) => {
    const sessions = new DyingSessions(1);
    const model = new ScriptedModel(says('Done.'), says('Done.'));
    const dying = await processOn(sessions, model);
    await dying.call('SendMessage', { message: messageOf('m1') });
    const [task] = await listed(dying);
    sessions.left = Infinity;

    const next = await processOn(sessions, model, { recover });
    await next.until(task?.id ?? '', state);
    await next.handler.close();

    expect(await listed(next)).toMatchObject([{ id: task?.id, status: { state } }]);
  });

  it('that cannot be found is a warning, and no error of the server', async () => {
    const lines: unknown[] = [];
    const silent = (): void => undefined;
    const logger = {
      debug: silent,
      info: silent,
      error: silent,
      warn: (...line: unknown[]) => lines.push(line),
    };
    const sessions = new InMemorySessionService();
    const fault = new Error('the store is down');
    sessions.listRuns = () => Promise.reject(fault);

    const next = await processOn(sessions, new ScriptedModel(says('Hi.')), { recover: {}, logger });
    const answered = await next.call('SendMessage', { message: messageOf('m1') });

    expect(answered).toMatchObject({ result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } } });
    expect(lines).toEqual([['interrupted runs could not be looked for', { appName: 'desk', error: fault }]]);
  });
});

describe('a message that is sent again', () => {
  it('answers a question once', async () => {
    const model = new ScriptedModel(callsTool('ask_size', {}), says('Ordered.'));
    const desk = await processOn(new InMemorySessionService(), model, {}, FrontDesk);
    const { result } = (await desk.call('SendMessage', { message: messageOf('m1') })) as Answer;
    const taskId = result?.task?.id;
    const answer = { message: { ...messageOf('m2'), taskId, parts: [{ text: 'M' }] } };

    const answers = [await desk.call('SendMessage', answer), await desk.call('SendMessage', answer)];

    const done = { result: { task: { id: taskId, status: { state: 'TASK_STATE_COMPLETED' } } } };
    expect(answers).toMatchObject([done, done]);
    expect(model.requests).toHaveLength(2);
    expect(await desk.call('CancelTask', { id: taskId })).toMatchObject({
      error: { code: -32_002, message: `The task ${String(taskId)} has ended.` },
    });
    expect(await desk.call('SubscribeToTask', { id: taskId })).toMatchObject({
      error: { message: `The task ${String(taskId)} has ended.` },
    });
  });
});

/** Answers customers. */
@agent({ name: 'desk', description: 'Answers customers.' })
class Desk extends LlmAgent {}

interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
}

interface Answer {
  readonly result?: { readonly task?: Task; readonly tasks?: Task[]; readonly status?: Task['status'] };
}

/** A model that answers when it is told to. */
class WaitingModel extends Model {
  override readonly name = 'waiting';
  readonly requests: unknown[] = [];
  answer = (): void => undefined;
  private readonly told = new Promise<void>((resolve) => (this.answer = resolve));

  async *generate(request: unknown) {
    this.requests.push(request);
    await this.told;
    yield says('Done.');
  }
}

/** Two processes with one store: a task works in one of them, and peers ask the other. */
async function runningElsewhere() {
  const sessions = new InMemorySessionService();
  const model = new WaitingModel();
  const elsewhere = await processOn(sessions, model);
  const here = await processOn(sessions, new ScriptedModel());
  const configuration = { returnImmediately: true };
  const begun = (await elsewhere.call('SendMessage', { message: messageOf('m1'), configuration })) as Answer;
  const task = begun.result?.task as Task;
  await here.until(task.id, 'TASK_STATE_WORKING');
  return { task, here, elsewhere, model, answer: () => model.answer() };
}

type Process = Awaited<ReturnType<typeof processOn>>;

async function processOn(
  sessions: SessionService,
  model: Model,
  options: Partial<A2aHandlerOptions> = { recover: false },
  root: AgentClass = Desk,
) {
  const services = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
    bind(Model).toConstantValue(model);
    if (options.logger) bind(Logger).toConstantValue(options.logger);
  });
  const runner = await createRunner(root, { modules: [services] });
  const handler: A2aHandler = await a2aHandler(runner, { url: URL_OF_HANDLER, ...options });
  open.push(runner, handler);
  const call = async (method: string, params: object): Promise<unknown> =>
    (await handler(requestOf(method, params))).json();
  const until = async (id: string, state: string): Promise<void> => {
    for (let tries = 0; tries < 400; tries++) {
      const { result } = (await call('GetTask', { id })) as Answer;
      if (result?.status?.state === state) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`the task did not come to ${state}`);
  };
  /** The results of a stream: `begun` resolves at the first. */
  const streamed = (method: string, params: object) => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const whole = (async () => {
      const response = await handler(requestOf(method, params));
      let text = '';
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(chunk).toString();
        if (text.includes('data:')) begin();
      }
      return text
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => (JSON.parse(line.slice(5)) as { readonly result: unknown }).result);
    })();
    return { begun, whole };
  };
  return { handler, call, until, streamed };
}

async function listed({ call }: Process): Promise<Task[]> {
  return ((await call('ListTasks', {})) as Answer).result?.tasks ?? [];
}

function messageOf(messageId: string): object {
  return { messageId, contextId: 's1', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
}

function requestOf(method: string, params: object): Request {
  return new Request(URL_OF_HANDLER, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
  });
}
