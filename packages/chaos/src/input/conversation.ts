import { QuietLogger } from '@adorn/conformance/quiet-logger';
import {
  AdornError,
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  Logger,
  type Message,
  Model,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import { eventFromJson } from '@adorn/core/backend';
import { sqlStorage } from '@adorn/storage';

import { seededRandom } from '../seeded-random.js';
import { HostileValues } from './hostile-value.js';

/** Where the conversation is kept. */
export type StoreName = 'memory' | 'sqlite';

const TURNS = 3;
const TURN_LIMIT_MS = 10_000;
const SESSION = 'conversation';

/**
 * Holds one conversation in which the model, the user, the tools and an imported log send what they should not.
 *
 * @returns the fault, or undefined if every run ended with an event or a typed error, and the session answers
 */
export async function holdConversation(seed: number, store: StoreName): Promise<string | undefined> {
  const values = new HostileValues(seededRandom(seed));
  const model = new HostileModel(values);
  const runner = await createRunner(agentOf(values), { model, modules: modulesOf(store) });
  try {
    await importEvents(runner, values);
    for (let turn = 0; turn < TURNS; turn++) {
      const fault = await inTime(takeTurn(runner, values));
      if (fault !== undefined) return `turn ${String(turn + 1)}: ${fault}`;
    }
    model.isHostile = false;
    return await inTime(checkSession(runner));
  } finally {
    await runner.close();
  }
}

/**
 * A plain message is answered, what waits is listed, and the log is JSON. A call of the imported log that nobody was asked
 * about is asked first: it is refused here.
 */
async function checkSession(runner: Runner): Promise<string | undefined> {
  try {
    await runner.run({ message: 'Are you there?', sessionId: SESSION });
    for (const request of await runner.pending({ sessionId: SESSION }))
      if (request.kind === 'confirmation') await runner.reject(request);
    const answer = await runner.ask('How are you?', { sessionId: SESSION });
    if (answer !== 'Fine.') return `the next plain message was answered by ${JSON.stringify(answer)}`;
    await runner.pending({ sessionId: SESSION });
    const key = { appName: 'desk', userId: 'user', sessionId: SESSION };
    JSON.stringify((await runner.sessions.getSession(key))?.events);
    return undefined;
  } catch (error) {
    return `the session is not usable: ${textOf(error)}`;
  }
}

async function takeTurn(runner: Runner, values: HostileValues): Promise<string | undefined> {
  const message = (values.chance(0.5) ? 'Hello' : values.content('user')) as Message;
  const config = values.chance(0.4) ? { streaming: 'sse' as const } : {};
  let events = 0;
  try {
    for await (const event of runner.run({ message, sessionId: SESSION, config })) {
      if (!(event instanceof Event)) return 'something else than an event was yielded';
      events++;
      if (values.chance(0.05)) break;
    }
    return events > 0 ? undefined : 'a run ended without an event';
  } catch (error) {
    return isTyped(error) ? undefined : `a run threw ${textOf(error)}`;
  }
}

/** Appends what an import of a foreign log gives, as far as it is taken. */
async function importEvents(runner: Runner, values: HostileValues): Promise<void> {
  const key = { appName: 'desk', userId: 'user', sessionId: SESSION };
  const session = await runner.sessions.createSession(key);
  for (let index = 0; index < 2; index++) {
    try {
      const head = { invocationId: 'e-0', author: 'desk', id: `imported-${String(index)}`, timestamp: 1 };
      const event = eventFromJson({ ...head, content: values.content('model') });
      await runner.sessions.appendEvent(session, event);
    } catch (error) {
      if (!isTyped(error)) throw error;
    }
  }
}

class HostileModel extends Model {
  readonly name = 'hostile';
  isHostile = true;

  constructor(private readonly values: HostileValues) {
    super();
  }

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    await Promise.resolve();
    const { values } = this;
    if (!this.isHostile || values.chance(0.3)) {
      yield { content: { role: 'model', parts: [{ text: 'Fine.' }] }, finishReason: 'STOP' };
      return;
    }
    for (let piece = 0; piece < 3; piece++) {
      if (values.chance(0.15)) throw values.thrown();
      if (values.chance(0.4)) yield { content: values.content('model'), partial: true } as ModelResponse;
    }
    if (values.chance(0.1)) return;
    const response = { content: values.content('model'), finishReason: 'STOP' };
    const spoiled = values.chance(0.2) ? { usageMetadata: values.any(), errorMessage: values.any() } : {};
    yield (values.chance(0.05) ? values.any() : { ...response, ...spoiled }) as ModelResponse;
  }
}

function agentOf(values: HostileValues): ReturnType<typeof defineAgent> {
  const parameters = {
    type: 'object',
    properties: {
      city: { type: 'string', pattern: '^[A-Z][a-z]*$' },
      kind: { enum: Array.from({ length: 100 }, (_, index) => `kind ${String(index)}`) },
      list: { type: 'array', items: { type: 'integer' } },
    },
    required: ['city'],
    additionalProperties: false,
  };
  const tool = (name: string, run: () => unknown, confirm = false): FunctionTool =>
    new FunctionTool({ name, description: name, parameters, confirm, run });
  const tools = [
    tool('look', () => values.any()),
    tool('fail', () => {
      throw values.thrown();
    }),
    tool('ask', () => 'done', true),
  ];
  return defineAgent({ name: 'desk', tools, maxIterations: 5 });
}

function modulesOf(store: StoreName): ContainerModule[] {
  const logging = new ContainerModule(({ bind }) => {
    bind(Logger).toConstantValue(new QuietLogger());
  });
  return store === 'sqlite' ? [logging, sqlStorage(':memory:')] : [logging];
}

async function inTime(work: Promise<string | undefined>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      resolve(`no end within ${String(TURN_LIMIT_MS)} ms`);
    }, TURN_LIMIT_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function isTyped(error: unknown): boolean {
  try {
    return AdornError.is(error);
  } catch {
    return false;
  }
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error);
  } catch {
    return 'a value that cannot be read';
  }
}
