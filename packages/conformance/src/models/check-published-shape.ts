import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { aiSdkModel } from '@adorn/ai-sdk';
import { createRunner, defineAgent, defineTool, type Event } from 'adorn';

import type { Check, CheckGroup } from '../check.js';
import { findDifference } from '../find-difference.js';
import { messageOf } from '../message-of.js';
import { type PublishedShape, SAID } from './published-shapes.js';

/** What came of a conversation: an image and a question, the published answer, and the result of its call. */
interface Outcome {
  readonly events: readonly Event[];
  /** The bodies of the requests. */
  readonly requests: readonly unknown[];
}

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  effect: 'read',
  run: () => ({ degrees: 9 }),
});

/** Asks with an image, whole and streamed, and compares what is read and what goes back with what was published. */
export async function checkPublishedShape(shape: PublishedShape): Promise<CheckGroup[]> {
  const checks = await Promise.all([false, true].map((isStreamed) => checkOnce(shape, isStreamed)));
  const names = ['answers', 'reasoning', 'usage', 'images', 'sent back'] as const;
  return names.map((name) => ({ name, checks: checks.map((each) => each[name]) }));
}

type Checks = Readonly<Record<'answers' | 'reasoning' | 'usage' | 'images' | 'sent back', Check>>;

async function checkOnce(shape: PublishedShape, isStreamed: boolean): Promise<Checks> {
  const what = isStreamed ? 'streamed' : 'whole';
  const check = (fault: string | undefined): Check => ({ what, fault });
  try {
    const { events, requests } = await play(shape, isStreamed);
    const answer = events.find((event) => !event.partial && event.author !== 'user');
    const parts = answer?.content?.parts ?? [];
    const calls = parts.flatMap(({ functionCall: call }) =>
      call ? [{ name: call.name, args: call.args }] : [],
    );
    const { text, thought, city } = SAID;
    const last = events.at(-1);
    return {
      answers: check(
        findDifference(
          {
            text,
            calls: [{ name: 'get_weather', args: { city } }],
            last: 'Done.',
            finish: 'STOP',
            errors: [],
          },
          {
            text: parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join(''),
            calls,
            last: last?.text,
            finish: answer?.finishReason,
            errors: events.flatMap(({ errorCode }) => errorCode ?? []),
          },
        ),
      ),
      reasoning: check(
        findDifference(thought, parts.map((part) => (part.thought === true ? part.text : '')).join('')),
      ),
      usage: check(faultOfUsage(shape, answer)),
      images: check(lacks(requests[0], [shape.image])),
      'sent back': check(lacks(requests[1], shape.sentBack)),
    };
  } catch (error) {
    const failed = check(messageOf(error));
    return { answers: failed, reasoning: failed, usage: failed, images: failed, 'sent back': failed };
  }
}

/** All counts that the vendor published; total and details per modality are not compared. */
function faultOfUsage({ usage }: PublishedShape, answer: Event | undefined): string | undefined {
  const given = answer?.usageMetadata;
  const actual = {
    promptTokenCount: given?.promptTokenCount,
    cachedContentTokenCount: given?.cachedContentTokenCount || undefined,
    candidatesTokenCount: given?.candidatesTokenCount,
    thoughtsTokenCount: given?.thoughtsTokenCount || undefined,
  };
  return findDifference(usage, actual, '$.usage');
}

/** The first of the objects that no object in the request contains, with the objects that come nearest. */
function lacks(request: unknown, expected: readonly object[]): string | undefined {
  const missing = expected.find((one) => !holds(request, one));
  if (!missing) return undefined;
  return `the request lacks ${JSON.stringify(missing)}: ${JSON.stringify(request).slice(0, 1_500)}`;
}

function holds(value: unknown, wanted: object): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && contains(value, wanted)) return true;
  return Object.values(value).some((child) => holds(child, wanted));
}

/** True if the value has all that is wanted; it may have more. */
function contains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((one, i) => contains(value[i], one))
    );
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([key, one]) => contains((value as Record<string, unknown>)[key], one));
}

async function play(shape: PublishedShape, isStreamed: boolean): Promise<Outcome> {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const isFirst = requests.push(JSON.parse(body)) === 1;
      response.setHeader('content-type', isStreamed ? 'text/event-stream' : 'application/json');
      response.end(
        isStreamed ? eventsOf(isFirst ? shape.streamed : doneChunks(shape)) : wholeOf(shape, isFirst),
      );
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const baseURL = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
    const model = aiSdkModel(shape.model({ baseURL, apiKey: 'test' }), { retry: { attempts: 1 } });
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [getWeather] }), { model });
    const inlineData = { mimeType: 'image/png', data: SAID.image };
    const message = { role: 'user', parts: [{ text: 'Which city?' }, { inlineData }] };
    const config = { streaming: isStreamed ? 'sse' : 'none' } as const;
    const events: Event[] = [];
    for await (const event of runner.run({ userId: 'ada', sessionId: 's1', message, config }))
      events.push(event);
    return { events, requests };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += String(piece);
  return body;
}

function eventsOf(chunks: readonly object[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

function wholeOf(shape: PublishedShape, isFirst: boolean): string {
  return JSON.stringify(isFirst ? shape.whole : done(shape, 'message'));
}

function doneChunks(shape: PublishedShape): readonly object[] {
  return [done(shape, 'delta')];
}

/** The last answer, in the envelope of the first. */
function done({ vendor, whole }: PublishedShape, field: 'message' | 'delta'): object {
  const finished = { finish_reason: 'stop', finishReason: 'STOP', index: 0 };
  if (vendor === 'Google')
    return {
      ...whole,
      candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, ...finished }],
    };
  return { ...whole, choices: [{ [field]: { role: 'assistant', content: 'Done.' }, ...finished }] };
}
