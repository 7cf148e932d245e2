import { readdirSync } from 'node:fs';

import {
  answersWith,
  failsWith,
  type GeminiScript,
  type GeminiStep,
  type ModelEmulator,
  saysText,
  startGeminiEmulator,
} from '@adorn/testing';
import {
  createRunner,
  defineAgent,
  defineTool,
  GeminiModel,
  Model,
  type ModelResponse,
  type Part,
} from 'adorn';

import { AiSdkModel } from './ai-sdk.model.js';
import { NoWaiting, WIRES } from './wires.fixture.js';

/** A way from a model to a run: a wire through its real package, or none. */
interface Way {
  readonly name: string;
  readonly open: (script: Shape) => Promise<{ readonly model: Model } & AsyncDisposable>;
}

const FINISHES = ['STOP', 'MAX_TOKENS', 'SAFETY', undefined] as const;

const WHOLE = { functionCall: { name: 'write', args: { path: 'a' } } };
const CUT = { functionCall: { name: 'write', args: '{"path":"a","text":"Once' } };

/** What a model may answer with, by what it amounts to. */
const CONTENTS: Readonly<
  Record<'said' | 'empty' | 'called' | 'cut' | 'called and cut', Record<string, readonly object[]>>
> = {
  said: {
    'a text': [{ text: 'Hello.' }],
    'a thought and a text': [{ text: 'Hm.', thought: true }, { text: 'Hello.' }],
  },
  empty: {
    'no parts': [],
    'an empty part': [{}],
    'an empty text': [{ text: '' }],
    'a blank text': [{ text: ' \n\n' }],
    'a thought': [{ text: 'Hm.', thought: true }],
    'a thought and a blank text': [{ text: 'Hm.', thought: true }, { text: '\n' }],
  },
  called: {
    'a call': [WHOLE],
    'a text and a call': [{ text: 'I write.' }, WHOLE],
    'a blank text and a call': [{ text: '\n\n' }, WHOLE],
    'a thought and a call': [{ text: 'Hm.', thought: true }, WHOLE],
  },
  cut: { 'a call that breaks off': [CUT], 'a text and a call that breaks off': [{ text: 'I write.' }, CUT] },
  'called and cut': { 'a call, and one that breaks off': [WHOLE, CUT] },
};

type Kind = keyof typeof CONTENTS;

/** An answer of a model, as every way gives it. */
interface Shape {
  readonly name: string;
  readonly kind: Kind | 'slip';
  readonly parts: readonly object[];
  readonly finishReason: string | undefined;
}

const SLIP: Shape = { name: 'a slip', kind: 'slip', parts: [], finishReason: 'MALFORMED_FUNCTION_CALL' };

const SHAPES: readonly Shape[] = [
  ...Object.entries(CONTENTS).flatMap(([kind, contents]) =>
    Object.entries(contents).flatMap(([name, parts]) =>
      FINISHES.map((finishReason) => ({ name, kind: kind as Kind, parts, finishReason })),
    ),
  ),
  SLIP,
];

/** What a run makes of a shape. */
interface Verdict {
  /** The codes of the model's events in order; undefined for one without an error. */
  readonly codes: readonly (string | undefined)[];
  readonly text: string;
  /** How often the tool ran. */
  readonly ran: number;
  /** A word of the error that the model reads about its last call. */
  readonly told?: string;
}

/** One verdict for all ways. */
function verdictOf({ kind, finishReason }: Shape, isStreamed: boolean): Verdict {
  if (kind === 'slip') return { codes: ['MALFORMED_FUNCTION_CALL', undefined], text: 'Again.', ran: 0 };
  if (finishReason === 'SAFETY') return { codes: ['SAFETY'], text: '', ran: 0 };
  if (kind === 'empty')
    return finishReason === 'MAX_TOKENS'
      ? { codes: ['MAX_TOKENS'], text: '', ran: 0 }
      : { codes: ['EMPTY_RESPONSE', undefined], text: 'Again.', ran: 0 };
  if (finishReason === undefined && isStreamed) return { codes: ['STREAM_INTERRUPTED'], text: '', ran: 0 };
  if (kind === 'said') return { codes: [undefined], text: 'Hello.', ran: 0 };
  const called = { codes: [undefined, undefined], text: 'Again.' };
  const told = finishReason === 'MAX_TOKENS' ? 'output limit' : 'must be an object';
  if (kind === 'called') return { ...called, ran: 1 };
  return { ...called, ran: kind === 'cut' ? 0 : 1, told };
}

function scriptOf({ parts, finishReason }: Shape, slip: GeminiStep): GeminiScript {
  const again = saysText('Again.');
  const first =
    finishReason === SLIP.finishReason
      ? slip
      : answersWith({ parts: parts as never, candidate: { finishReason } });
  let asked = 0;
  return () => ((asked += 1) === 1 ? first : again);
}

function opened(server: ModelEmulator, model: Model): { readonly model: Model } & AsyncDisposable {
  return { model, [Symbol.asyncDispose]: () => server.close() };
}

const GEMINI: Way = {
  name: 'Gemini',
  async open(shape) {
    const slip = answersWith({ parts: [], finishReason: 'MALFORMED_FUNCTION_CALL' });
    const server = await startGeminiEmulator(scriptOf(shape, slip));
    return opened(server, new GeminiModel({ baseUrl: server.url, apiKey: 'test' }, new NoWaiting()));
  },
};

const OWN: Way = {
  name: 'a model of one’s own',
  open({ parts, finishReason, kind }) {
    const code = kind === 'slip' ? { errorCode: finishReason } : {};
    const answer = { content: { role: 'model', parts: parts as Part[] }, finishReason, ...code };
    let asked = 0;
    class OwnModel extends Model {
      readonly name = 'own';

      async *generate({ stream }: { readonly stream: boolean }): AsyncGenerator<ModelResponse> {
        asked += 1;
        if (asked > 1) yield { content: { role: 'model', parts: [{ text: 'Again.' }] } };
        else if (stream) yield* this.streamed();
        else yield answer;
      }

      private *streamed(): Generator<ModelResponse> {
        for (const part of parts) yield { partial: true, content: { role: 'model', parts: [part] } };
        if (finishReason !== undefined) yield answer;
      }
    }
    return Promise.resolve({ model: new OwnModel(), [Symbol.asyncDispose]: () => Promise.resolve() });
  },
};

/** Groq's words, which every wire can carry: the status and the body of an error. */
const REFUSED =
  "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.";

const WAYS: readonly Way[] = [
  GEMINI,
  ...WIRES.map((wire) => ({
    name: wire.name,
    open: async (shape: Shape) => {
      const server = await wire.start(scriptOf(shape, failsWith(400, { message: REFUSED })));
      return opened(
        server,
        new AiSdkModel(wire.model(server.url), { retry: { attempts: 1 } }, new NoWaiting()),
      );
    },
  })),
  OWN,
];

describe.each(WAYS)('the verdict about an answer of $name', ({ open }) => {
  it.each(
    [false, true].flatMap((isStreamed) =>
      SHAPES.map((shape) => [shape.name, String(shape.finishReason), isStreamed, shape] as const),
    ),
  )('is the same as of all others: %s, %s, streamed %s', async (_name, _finish, isStreamed, shape) => {
    await using way = await open(shape);

    expect(await judge(way.model, isStreamed)).toEqual(verdictOf(shape, isStreamed));
  });
});

describe('the ways of these verdicts', () => {
  it('are all wires that an emulator speaks', () => {
    const folder = new URL('../../testing/src/emulator/wires', import.meta.url);
    const spoken = readdirSync(folder).flatMap((file) => /^(.+)\.wire\.ts$/.exec(file)?.[1] ?? []);

    expect(spoken.sort()).toEqual(Object.keys(WAYS_OF_WIRES).sort());
    for (const names of Object.values(WAYS_OF_WIRES))
      expect(WAYS.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
  });
});

/** The ways that use a wire. */
const WAYS_OF_WIRES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['Anthropic messages'],
  gemini: ['Gemini'],
  'openai-chat': ['OpenAI chat completions', 'an OpenAI-compatible server'],
  'openai-responses': ['OpenAI responses'],
};

async function judge(model: Model, isStreamed: boolean): Promise<Verdict> {
  let ran = 0;
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, text: { type: 'string' } },
      required: ['path'],
    },
    run: () => (ran += 1),
  });
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [write] }), { model });
  const config = { streaming: isStreamed ? 'sse' : 'none' } as const;
  const { events, text } = await runner.run({ userId: 'ada', message: 'Go', config });
  const codes = events
    .filter(({ partial, functionResponses }) => !partial && functionResponses.length === 0)
    .map(({ errorCode }) => errorCode);
  const answered = events.flatMap(({ functionResponses }) => functionResponses);
  const error: unknown = answered.at(-1)?.response?.['error'];
  const told = ['output limit', 'must be an object'].find((word) => String(error).includes(word));
  return { codes, text: codes.at(-1) === undefined ? text : '', ran, ...(told !== undefined && { told }) };
}
