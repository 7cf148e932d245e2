import type { Bench, Scenario } from '../adapter.js';
import { pause } from '../pause.js';
import { CHUNK, CHUNKS, type NextAction, nextAction, type ScriptedCall, type Speaker } from '../script.js';
import { countModelCall } from '../tally.js';
import { reportWeather } from '../weather-report.js';

type Message =
  | { readonly role: 'user' | 'assistant'; readonly content: string }
  | { readonly role: 'assistant'; readonly calls: readonly ScriptedCall[] }
  | { readonly role: 'assistant'; readonly transfer: string }
  | { readonly role: 'tool'; readonly id: string; readonly content: unknown };

interface Conversation {
  readonly messages: Message[];
}

type AskModel = (messages: readonly Message[], speaker: Speaker) => Promise<NextAction>;

export const handsOff = true;
export const nestsAgents = true;

/** The floor: a loop written by hand, with no framework. Arguments are checked by hand. */
export function setup({ kind, delayMs }: Scenario): Promise<Bench> {
  const model: AskModel = async (messages, speaker) => {
    countModelCall(messages.length);
    if (delayMs > 0) await pause(delayMs);
    const last = messages[messages.length - 1];
    return nextAction(kind, last?.role === 'tool' ? last.id : undefined, speaker);
  };
  const bench: Bench<Conversation> = {
    newSession: () => Promise.resolve({ messages: [] }),
    dropSession: () => undefined,
    eventCount: ({ messages }) => Promise.resolve(messages.length),
    turn: ({ messages }, text, onChunk) =>
      kind === 'E' ? streamTurn(messages, text, onChunk) : loopTurn(messages, text, model),
    close: () => Promise.resolve(),
  };
  return Promise.resolve(bench);
}

async function streamTurn(
  messages: Message[],
  text: string,
  onChunk?: (text: string) => void,
): Promise<string> {
  messages.push({ role: 'user', content: text });
  let answer = '';
  for await (const chunk of streamModel(messages)) {
    onChunk?.(chunk);
    answer += chunk;
  }
  messages.push({ role: 'assistant', content: answer });
  return answer;
}

// An async generator, as a model that streams over a network would be, although this one has nothing to await.
async function* streamModel(messages: readonly Message[]): AsyncGenerator<string, void, undefined> {
  countModelCall(messages.length);
  for (let sent = 0; sent < CHUNKS; sent++) yield CHUNK;
}

async function loopTurn(
  messages: Message[],
  text: string,
  model: AskModel,
  speaker: Speaker = 'root',
): Promise<string> {
  messages.push({ role: 'user', content: text });
  for (;;) {
    const action = await model(messages, speaker);
    if (action.kind === 'calls') {
      messages.push({ role: 'assistant', calls: action.calls });
      const answers = await Promise.all(action.calls.map((call) => answerTo(call, model).catch(asError)));
      answers.forEach((content, at) =>
        messages.push({ role: 'tool', id: action.calls[at]?.id ?? '', content }),
      );
    } else if (action.kind === 'transfer') {
      messages.push(
        { role: 'assistant', transfer: action.id },
        { role: 'tool', id: action.id, content: 'ok' },
      );
      speaker = 'sub';
    } else {
      messages.push({ role: 'assistant', content: action.text });
      return action.text;
    }
  }
}

function answerTo({ name, args }: ScriptedCall, model: AskModel): Promise<unknown> {
  if (name !== 'middle' && name !== 'leaf') return callTool(args);
  return loopTurn([], String(args['request']), model, name);
}

async function callTool({ city, units }: ScriptedCall['args']): Promise<unknown> {
  if (typeof city !== 'string' || (units !== 'c' && units !== 'f')) throw new Error('bad args');
  return reportWeather(city, units);
}

function asError(error: unknown): unknown {
  return { error: error instanceof Error ? error.message : String(error) };
}
