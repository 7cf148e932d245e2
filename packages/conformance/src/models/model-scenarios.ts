import {
  callsFunctions,
  cutsStream,
  failsWith,
  type GeminiStep,
  neverAnswers,
  resetsConnection,
  saysText,
  sendsMalformedJson,
  streamsJson,
} from '@adorn/testing';
import type { DefinedAgentOptions } from '@adorn/core/backend';

/** One conversation, as a script that every wire plays. */
export interface ModelScenario {
  readonly group: string;
  readonly name: string;
  readonly script: readonly GeminiStep[];
  /** One message by default; several are turns of one session. */
  readonly messages?: readonly string[];
  readonly isStreamed?: boolean;
  readonly outputSchema?: DefinedAgentOptions['outputSchema'];
  /** Attempts of each request. Default: 1. */
  readonly attempts?: number;
  /** Cancels the run when the model was asked. */
  readonly isCancelled?: boolean;
}

const EMPTY = streamsJson({ candidates: [{ finishReason: 'STOP' }] });

const WEATHER = callsFunctions(
  { name: 'get_weather', args: { city: 'Oslo' }, id: 'call_a' },
  { name: 'get_weather', args: { city: 'Rome', unit: 'celsius' }, id: 'call_b' },
);

const ORDER = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    lines: { type: 'array', items: { type: 'string' } },
    note: { type: 'string' },
  },
  required: ['id', 'lines'],
  additionalProperties: false,
};

const TEXT: readonly ModelScenario[] = [
  { group: 'text', name: 'a text', script: [saysText('Good morning.')] },
  { group: 'text', name: 'a text in two lines', script: [saysText('Good\n"morning" — ☕')] },
  {
    group: 'text',
    name: 'two turns',
    script: [saysText('Hello.'), saysText('Still here.')],
    messages: ['Hi', 'Are you there?'],
  },
  { group: 'text', name: 'cut by the limit', script: [answer('Well', 'MAX_TOKENS')] },
  { group: 'text', name: 'blocked', script: [answer('Well', 'SAFETY')] },
];

const TOOLS: readonly ModelScenario[] = [
  { group: 'tools', name: 'two calls at once', script: [WEATHER, saysText('9 and 25 degrees.')] },
  {
    group: 'tools',
    name: 'two rounds of calls',
    script: [
      WEATHER,
      callsFunctions({ name: 'get_weather', args: { city: 'Bonn' }, id: 'c' }),
      saysText('Done.'),
    ],
  },
  {
    group: 'tools',
    name: 'arguments that are null where they are optional',
    script: [
      callsFunctions({ name: 'get_weather', args: { city: 'Oslo', unit: null }, id: 'c' }),
      saysText('Cold.'),
    ],
  },
  {
    group: 'tools',
    name: 'arguments of the wrong type',
    script: [callsFunctions({ name: 'get_weather', args: { city: ['Oslo'] }, id: 'c' }), saysText('Sorry.')],
  },
  {
    group: 'tools',
    name: 'arguments that are a list',
    script: [callsFunctions({ name: 'get_weather', args: '["Oslo"]' as never, id: 'c' }), saysText('Sorry.')],
  },
  {
    group: 'tools',
    name: 'a tool that throws',
    script: [
      callsFunctions({ name: 'get_weather', args: { city: 'Atlantis' }, id: 'c' }),
      saysText('Unknown.'),
    ],
  },
  {
    group: 'tools',
    name: 'an unknown tool',
    script: [callsFunctions({ name: 'get_wether', args: {}, id: 'c' }), saysText('Sorry.')],
  },
  {
    group: 'tools',
    name: 'calls without ids',
    script: [
      callsFunctions({ name: 'get_weather', args: { city: 'Oslo' } }),
      saysText('Cold.'),
      saysText('Yes.'),
    ],
    messages: ['Oslo?', 'Sure?'],
  },
];

const STRUCTURED: readonly ModelScenario[] = [
  {
    group: 'structured output',
    name: 'an object',
    script: [saysText('{"id":"W1","lines":[]}')],
    outputSchema: ORDER,
  },
  {
    group: 'structured output',
    name: 'text that is no JSON',
    script: [saysText('Sorry.')],
    outputSchema: ORDER,
  },
];

const FAILURES: readonly ModelScenario[] = [
  { group: 'errors', name: 'a wrong key', script: [failsWith(401)] },
  { group: 'errors', name: 'an unknown model', script: [failsWith(404, { message: 'model not found' })] },
  { group: 'errors', name: 'a refused request', script: [failsWith(400)] },
  { group: 'errors', name: 'a server that fails', script: [failsWith(503)] },
  { group: 'errors', name: 'a reset connection', script: [resetsConnection()] },
  { group: 'errors', name: 'no JSON', script: [sendsMalformedJson('{"a": ')] },
  {
    group: 'errors',
    name: 'an empty answer, twice',
    script: [EMPTY, EMPTY],
  },
  { group: 'errors', name: 'an empty answer, then an answer', script: [EMPTY, saysText('Now.')] },
  {
    group: 'errors',
    name: 'too many requests, then an answer',
    script: [failsWith(429, { retryAfter: 0 }), failsWith(503), saysText('Now.')],
    attempts: 3,
  },
  { group: 'abort', name: 'a silent server', script: [neverAnswers()], isCancelled: true },
];

const BROKEN_STREAMS: readonly ModelScenario[] = [
  { group: 'errors', name: 'a stream without an end', script: [answer('Half an')] },
  { group: 'errors', name: 'a stream that breaks off', script: [cutsStream(chunk('Half an'))] },
];

const PIECES: ModelScenario = {
  group: 'text',
  name: 'a text in pieces',
  script: [saysText('Good ', 'morning', '.')],
};

/** Each conversation, whole and streamed. */
export const SCENARIOS: readonly ModelScenario[] = [
  ...[...TEXT, ...TOOLS, ...STRUCTURED, ...FAILURES],
  ...[PIECES, ...TEXT, ...TOOLS, ...STRUCTURED, ...FAILURES, ...BROKEN_STREAMS].map((scenario) => ({
    ...scenario,
    name: `${scenario.name}, streamed`,
    isStreamed: true,
  })),
];

function answer(text: string, finishReason?: string): GeminiStep {
  return streamsJson(chunk(text, finishReason));
}

function chunk(text: string, finishReason?: string): Readonly<Record<string, unknown>> {
  const content = { role: 'model', parts: [{ text }] };
  return { candidates: [{ content, ...(finishReason !== undefined && { finishReason }), index: 0 }] };
}
