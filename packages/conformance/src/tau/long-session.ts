import { callsFunctions, failsWith, type GeminiRequest, saysText, startGeminiEmulator } from '@adorn/testing';
import {
  type AgentClass,
  ContainerModule,
  createRunner,
  GeminiModel,
  InMemorySessionService,
  SessionService,
} from 'adorn';

import type { GoldTask } from './gold-tasks.js';

const CLOSING = 'That is all done.';
const SUMMARY = 'The customers before were helped; nothing of theirs is open.';

/** A task of a session: each has its own service, as if the application had been started again. */
export interface SessionTask {
  readonly task: GoldTask;
  readonly services: ContainerModule;
}

/** What came of the tasks, and what the model was asked. */
export interface LongSession {
  /** What the tools answered, by task. */
  readonly outputs: readonly (readonly unknown[])[];
  /** About how many tokens the model has read, and the largest request that it answered. */
  readonly read: number;
  readonly largest: number;
  /** How many requests were refused as too long. */
  readonly refused: number;
}

/** Replays tasks one after another in one session. @param window the tokens that the model takes; undefined for any number */
export async function replayInOneSession(
  agent: AgentClass,
  tasks: readonly SessionTask[],
  window: number | undefined,
): Promise<LongSession> {
  const model = new SteppedModel(window);
  await using gemini = await startGeminiEmulator((request) => model.answer(request));
  const asked = new GeminiModel({ apiKey: 'x', baseUrl: gemini.url, retry: { attempts: 1 } });
  const sessions = new InMemorySessionService();
  const kept = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const outputs: unknown[][] = [];
  for (const { task, services } of tasks) {
    model.begin(task);
    await using runner = await createRunner(agent, {
      appName: 'desk',
      model: asked,
      modules: [kept, services],
      config: { streaming: 'none' },
    });
    const result = await runner.run({ userId: 'desk', sessionId: 's1', message: task.instruction });
    if (result.text !== CLOSING)
      throw new Error(`task ${task.id} ended as ${JSON.stringify(result.events.at(-1))}`);
    const responses = result.events.flatMap(({ functionResponses }) => functionResponses);
    outputs.push(responses.map(({ response }) => response?.['result'] ?? response));
  }
  return { outputs, ...model.counts };
}

/** Makes the calls of a task one after another, and refuses what is longer than its window. */
class SteppedModel {
  readonly counts = { read: 0, largest: 0, refused: 0 };
  private next: ReturnType<typeof saysText>[] = [];

  constructor(private readonly window: number | undefined) {}

  begin({ steps }: GoldTask): void {
    this.next = [...steps.map((step) => callsFunctions(step)), saysText(CLOSING)];
  }

  answer({ body }: GeminiRequest): ReturnType<typeof saysText> {
    const { contents, systemInstruction, tools } = body;
    const tokens = Math.ceil(JSON.stringify([contents, systemInstruction, tools]).length / 4);
    const { window = Infinity, counts } = this;
    if (tokens > window) {
      counts.refused += 1;
      const message = `The input token count (${String(tokens)}) exceeds the maximum number of tokens allowed (${String(window)}).`;
      return failsWith(400, { message });
    }
    counts.read += tokens;
    counts.largest = Math.max(counts.largest, tokens);
    const step = tools === undefined ? saysText(SUMMARY) : this.next.shift();
    if (step?.kind !== 'answer') throw new Error('the model was asked once more than the task has calls');
    return { ...step, answer: { ...step.answer, usageMetadata: { promptTokenCount: tokens } } };
  }
}
