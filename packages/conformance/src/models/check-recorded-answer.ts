import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { aiSdkModel } from '@adorn/ai-sdk';
import { type RecordedExchange, startGeminiEmulator } from '@adorn/testing';
import { createRunner, defineAgent, type Event, GeminiModel, type Model } from 'adorn';

import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import type { Recording } from '../gemini/recording.js';
import { messageOf } from '../message-of.js';

const ASKER = defineAgent({ name: 'asker', instruction: 'Answer.' });

/** Serves the first answer of a recording to Gemini's own model and to `@ai-sdk/google`: both must read the same. */
export async function checkRecordedAnswer({ path, exchanges }: Recording): Promise<Check> {
  const [exchange] = exchanges;
  if (!exchange) return { what: path, fault: 'there is no answer in it' };
  try {
    const own = await read(
      exchange,
      (url) => new GeminiModel({ apiKey: 'x', baseUrl: url, retry: { attempts: 1 } }),
    );
    const other = await read(exchange, (url) => {
      const google = createGoogleGenerativeAI({ apiKey: 'x', baseURL: `${url}/v1beta` });
      return aiSdkModel(google('gemini-2.5-flash'), { retry: { attempts: 1 } });
    });
    return { what: path, fault: findDifference(own, other) };
  } catch (error) {
    return { what: path, fault: messageOf(error) };
  }
}

async function read({ response }: RecordedExchange, modelAt: (url: string) => Model): Promise<object> {
  await using server = await startGeminiEmulator(() => ({ response }));
  await using runner = await createRunner(ASKER, { model: modelAt(server.url) });
  const events: Event[] = [];
  const config = { streaming: response.stream ? 'sse' : 'none' } as const;
  for await (const event of runner.run({ userId: 'u', sessionId: 's', message: 'Go on.', config })) {
    events.push(event);
    if (!event.partial && event.author !== 'user') break;
  }
  return readingOf(events.at(-1));
}

/** What a caller reads of an answer; of an answer that is not usable, only that: each package has its own words. */
function readingOf(event: Event | undefined): object {
  if (event?.errorCode !== undefined) return { isError: true };
  const parts = event?.content?.parts ?? [];
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount } = event?.usageMetadata ?? {};
  return {
    isError: false,
    text: parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join(''),
    thought: parts.map((part) => (part.thought === true ? part.text : '')).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ name: call.name, args: call.args ?? {} }] : [],
    ),
    finishReason: event?.finishReason,
    tokens: [promptTokenCount ?? 0, candidatesTokenCount ?? 0, thoughtsTokenCount ?? 0],
  };
}

/** Recordings that `@ai-sdk/google` itself reads in another way, and how. */
const READ_OTHERWISE: readonly (readonly [file: string, reason: string])[] = [
  ['streaming-success-quotes-escaped.txt', 'the package drops a last event without a blank line'],
  ['unary-success-url-context-missing-retrievedurl.json', 'the package refuses url context without its URL'],
];

/** Why a recording is not compared; undefined if it is. */
export function readOtherwise({ path }: Recording): string | undefined {
  return READ_OTHERWISE.find(([file]) => path.endsWith(file))?.[1];
}
