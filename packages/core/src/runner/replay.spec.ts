import { ContainerModule } from 'inversify';

import { callsTool, eventsOf, says } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  createRunner,
  type Event,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
  SessionService,
} from '../index.js';

const address = { userId: 'ada', sessionId: 's1' };
const key = { appName: 'newsroom', ...address };

describe('a tree of agents whose process dies', () => {
  it('writes the same log as one whose process lives, wherever it dies', async () => {
    const whole = await start();
    await finish(whole.runner, eventsOf(whole.runner.run({ ...address, message: 'Go.' })));
    const log = await logOf(whole.sessions);
    const wanted = log.flatMap(lineOf);
    expect(wanted).toContain('newsroom/desk@2/clerk: response publish');
    expect(wanted.at(-1)).toBe('newsroom: end');

    for (let length = 1; length < log.length; length++) {
      const again = await start(log.slice(0, length));
      await finish(again.runner, resumed(again.runner));
      const lines = (await logOf(again.sessions)).flatMap(lineOf);
      expect([length, log[length]?.toJSON(), lines]).toEqual([length, log[length]?.toJSON(), wanted]);
      expect(await again.runner.pending(address)).toEqual([]);
      expect(again.drawn).toBeLessThanOrEqual(1);
    }
  });
});

/** Goes on with what the process left, if anything is left. */
async function resumed(runner: Runner): Promise<void> {
  try {
    await eventsOf(runner.resume({ ...address }));
  } catch (error) {
    expect(error).toMatchObject({ code: 'NOTHING_TO_RESUME' });
  }
}

/** Approves all that is asked, until nothing is. */
async function finish(runner: Runner, started: Promise<unknown>): Promise<void> {
  await started;
  for (;;) {
    const [request] = await runner.pending(address);
    if (request === undefined) return;
    await eventsOf(runner.approve(request));
  }
}

async function logOf(sessions: InMemorySessionService): Promise<readonly Event[]> {
  return (await sessions.getSession(key))?.events ?? [];
}

/** What an event says, and who says it; nothing for what a pause or a crash adds. */
function lineOf(event: Event): string[] {
  const { author, nodeInfo, text, functionCalls, functionResponses, actions } = event;
  const responses = functionResponses.filter(({ willContinue }) => willContinue !== true);
  if (author === 'user' && responses.length > 0) return [];
  if (functionCalls.some(({ name = '' }) => name.startsWith('adk_'))) return [];
  if (functionResponses.length > responses.length) return [];
  const said = [
    ...functionCalls.map(({ name = '' }) => `call ${name}`),
    ...responses.map(({ name = '' }) => `response ${name}`),
    ...(text === '' ? [] : [text]),
    ...(actions.transferToAgent === undefined ? [] : [`to ${actions.transferToAgent}`]),
    ...(actions.agentState === undefined ? [] : [`keeps ${JSON.stringify(actions.agentState)}`]),
    ...(actions.endOfAgent === true ? ['end'] : []),
  ];
  return [`${nodeInfo?.path ?? author}: ${said.join(', ')}`];
}

/** Answers by what the agent was told, so that it does not matter which process asks. */
class Script extends Model {
  readonly name = 'script';

  async *generate({ contents, config }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const who =
      /Your name is "(\w+)"/.exec(JSON.stringify(config.systemInstruction).replaceAll('\\', ''))?.[1] ?? '';
    const isAnswered = contents.at(-1)?.parts?.some(({ functionResponse }) => functionResponse) === true;
    yield* this.answer(who, isAnswered);
    await Promise.resolve();
  }

  private *answer(who: string, isAnswered: boolean): Generator<ModelResponse, void, undefined> {
    if (isAnswered) yield responseOf(says(`${who} has published.`));
    else if (who === 'desk') yield responseOf(callsTool('transfer_to_agent', { agent_name: 'clerk' }));
    else if (who === 'clerk') yield responseOf(callsTool('publish'));
    else yield responseOf(says(`${who} says.`));
  }
}

function responseOf(step: unknown): ModelResponse {
  return step as ModelResponse;
}

async function start(log: readonly Event[] = []) {
  const counts = { drawn: 0 };
  const publish = new FunctionTool({
    name: 'publish',
    description: '',
    confirm: true,
    idempotent: true,
    run: () => 'published',
  });
  @agent({ name: 'writer', description: '' })
  class Writer extends LlmAgent {}
  @agent({ name: 'clerk', description: '', tools: [publish] })
  class Clerk extends LlmAgent {}
  @agent({ name: 'desk', description: '', subAgents: [Clerk] })
  class Desk extends LlmAgent {}
  @agent({ name: 'review', description: '', subAgents: [Writer] })
  class Review extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      const first = yield* context.invoke(Writer);
      yield spoken(context, `review of ${first.text}`);
      yield* context.invoke(Writer);
    }
  }
  @agent({ name: 'newsroom', description: '', subAgents: [Writer, Desk, Review] })
  class Newsroom extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      const drawn = await context.once('rounds', () => ++counts.drawn * 2);
      for (let round = 1; round <= drawn; round++) {
        yield spoken(context, `round ${String(round)}`);
        yield* context.invoke(Writer);
        const desk = yield* context.invoke(Desk);
        yield spoken(context, `heard ${desk.text}`);
      }
      const review = yield* context.invoke('review');
      yield spoken(context, `done with ${review.text}`);
    }
  }
  const sessions = new InMemorySessionService();
  if (log.length > 0) {
    let session = await sessions.createSession(key);
    for (const event of log) session = await sessions.appendEvent(session, event);
  }
  const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const config = { takeOverAfter: 0 };
  const runner = await createRunner(Newsroom, { model: new Script(), modules: [bindings], config });
  return Object.assign(counts, { runner, sessions });
}

function spoken(context: InvocationContext, text: string): Event {
  return context.event({ author: context.agent.name, content: { role: 'model', parts: [{ text }] } });
}
