import { type GeminiRequest, type GeminiScript, startGeminiEmulator } from '@adorn/testing';
import { type AgentClass, createRunner, type Event, GeminiModel, type Runner } from 'adorn';

/** What is served, and how it is asked for. */
export interface RecordedService {
  readonly exchanges: GeminiScript;
  readonly vertexai: boolean;
  readonly stream: boolean;
}

/** What was said, and what the model was asked. */
export interface Heard {
  readonly events: readonly Event[];
  readonly requests: readonly GeminiRequest[];
}

/**
 * Holds a conversation with a runner whose model gets exactly the recorded answers.
 *
 * @throws what the runner throws, and where the model was asked more often or less often than the recording was.
 */
export async function askRecorded(
  agent: AgentClass<unknown>,
  { exchanges, vertexai, stream }: RecordedService,
  talk: (runner: Runner<unknown>) => Promise<Event[]>,
): Promise<Heard> {
  await using gemini = await startGeminiEmulator(exchanges);
  const model = new GeminiModel({ apiKey: 'x', baseUrl: gemini.url, vertexai, retry: { attempts: 1 } });
  await using runner = await createRunner(agent, { model, config: { streaming: stream ? 'sse' : 'none' } });
  return { events: await talk(runner), requests: gemini.requests };
}

/**
 * What a runner says to a message. Where the last of so many answers is a call, that is the end, and the call is
 * not run.
 */
export async function hear(run: AsyncIterable<Event>, answers: number): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of run) {
    events.push(event);
    if (event.functionCalls.length > 0 && answersIn(events).length === answers) break;
  }
  return events;
}

/** The whole answers of the model among events. */
export function answersIn(events: readonly Event[]): Event[] {
  return events.filter(({ partial, functionResponses }) => !partial && functionResponses.length === 0);
}
