import type { ContainerModule } from 'inversify';

import { callsTool, says } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  createRunner,
  type Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from '../../../index.js';
import { judgeEach, linesWhereverItDies } from './dying-process.fixture.js';

describe('a tree of agents whose process dies', () => {
  it('writes the same log as one whose process lives, wherever it dies', async () => {
    const draws: { count: number }[] = [];

    const lines = await linesWhereverItDies((sessions) => {
      const drawn = { count: 0 };
      draws.push(drawn);
      return openTree(sessions, drawn);
    });

    expect(lines).toContain('newsroom/desk@2/clerk: response publish');
    expect(lines.at(-1)).toBe('newsroom: end');
    expect(Math.max(...draws.map(({ count }) => count))).toBe(1);
  });

  it('writes the same log if somebody else gives feedback behind each of its events', async () => {
    const open = (sessions: ContainerModule) => openTree(sessions, { count: 0 });

    const judged = await linesWhereverItDies(async (sessions) => judgeEach(await open(sessions)));

    expect(judged).toEqual(await linesWhereverItDies(open));
  });
});

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

function openTree(sessions: ContainerModule, drawn: { count: number }): Promise<Runner> {
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
      const rounds = await context.once('rounds', () => ++drawn.count * 2);
      for (let round = 1; round <= rounds; round++) {
        yield spoken(context, `round ${String(round)}`);
        yield* context.invoke(Writer);
        const desk = yield* context.invoke(Desk);
        yield spoken(context, `heard ${desk.text}`);
      }
      const review = yield* context.invoke('review');
      yield spoken(context, `done with ${review.text}`);
    }
  }
  const config = { takeOverAfter: 0 };
  return createRunner(Newsroom, { model: new Script(), modules: [sessions], config });
}

function spoken(context: InvocationContext, text: string): Event {
  return context.event({ author: context.agent.name, content: { role: 'model', parts: [{ text }] } });
}
