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
  type Runner,
} from 'adorn';

import { AiSdkModel } from './ai-sdk.model.js';
import { NoWaiting, WIRES } from './wires.fixture.js';

/** A way from a model to a run: a wire through its real package, or none. */
interface Way {
  readonly name: string;
  readonly open: (stage: Stage) => Promise<{ readonly model: Model } & AsyncDisposable>;
}

/** What a way answers to the first request of a conversation. */
interface Stage {
  shape: Shape;
  /** How often the model was asked in this conversation. */
  asked: number;
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

function scriptOf(stage: Stage, slip: GeminiStep): GeminiScript {
  return () => {
    stage.asked += 1;
    const { parts, finishReason } = stage.shape;
    if (stage.asked > 1) return saysText('Again.');
    return finishReason === SLIP.finishReason
      ? slip
      : answersWith({ parts: parts as never, candidate: { finishReason } });
  };
}

function opened(server: ModelEmulator, model: Model): { readonly model: Model } & AsyncDisposable {
  return { model, [Symbol.asyncDispose]: () => server.close() };
}

const GEMINI: Way = {
  name: 'Gemini',
  async open(stage) {
    const slip = answersWith({ parts: [], finishReason: 'MALFORMED_FUNCTION_CALL' });
    const server = await startGeminiEmulator(scriptOf(stage, slip));
    return opened(server, new GeminiModel({ baseUrl: server.url, apiKey: 'test' }, new NoWaiting()));
  },
};

const OWN: Way = {
  name: 'a model of one’s own',
  open(stage) {
    class OwnModel extends Model {
      readonly name = 'own';

      async *generate({ stream }: { readonly stream: boolean }): AsyncGenerator<ModelResponse> {
        stage.asked += 1;
        if (stage.asked > 1) yield { content: { role: 'model', parts: [{ text: 'Again.' }] } };
        else if (stream) yield* this.streamed();
        else yield this.answer();
      }

      private *streamed(): Generator<ModelResponse> {
        const { parts, finishReason } = stage.shape;
        for (const part of parts) yield { partial: true, content: { role: 'model', parts: [part] } };
        if (finishReason !== undefined) yield this.answer();
      }

      private answer(): ModelResponse {
        const { parts, finishReason, kind } = stage.shape;
        const code = kind === 'slip' ? { errorCode: finishReason } : {};
        return { content: { role: 'model', parts: parts as Part[] }, finishReason, ...code };
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
    open: async (stage: Stage) => {
      const server = await wire.start(scriptOf(stage, failsWith(400, { message: REFUSED })));
      return opened(
        server,
        new AiSdkModel(wire.model(server.url), { retry: { attempts: 1 } }, new NoWaiting()),
      );
    },
  })),
  OWN,
];

describe.each(WAYS)('the verdict about an answer of $name', ({ open }) => {
  const stage: Stage = { shape: SLIP, asked: 0 };
  let ran = 0;
  let way: Awaited<ReturnType<Way['open']>>;
  let runner: Runner;
  beforeAll(async () => {
    way = await open(stage);
    const clerk = defineAgent({ name: 'clerk', tools: [writeTool(() => (ran += 1))] });
    runner = await createRunner(clerk, { model: way.model });
  });
  afterAll(async () => {
    await runner.close();
    await way[Symbol.asyncDispose]();
  });

  it.each(
    [false, true].flatMap((isStreamed) =>
      SHAPES.map((shape) => [shape.name, String(shape.finishReason), isStreamed, shape] as const),
    ),
  )('is the same as of all others: %s, %s, streamed %s', async (_name, _finish, isStreamed, shape) => {
    Object.assign(stage, { shape, asked: 0 });
    ran = 0;

    const heard = await judge(runner, isStreamed);

    expect({ ...heard, ran }).toEqual(verdictOf(shape, isStreamed));
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

function writeTool(run: () => number) {
  return defineTool({
    name: 'write',
    description: 'Writes.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, text: { type: 'string' } },
      required: ['path'],
    },
    run,
  });
}

async function judge(runner: Runner, isStreamed: boolean): Promise<Omit<Verdict, 'ran'>> {
  const config = { streaming: isStreamed ? 'sse' : 'none' } as const;
  const { events, text } = await runner.run({ userId: 'ada', message: 'Go', config });
  const codes = events
    .filter(({ partial, functionResponses }) => !partial && functionResponses.length === 0)
    .map(({ errorCode }) => errorCode);
  const answered = events.flatMap(({ functionResponses }) => functionResponses);
  const error: unknown = answered.at(-1)?.response?.['error'];
  const told = ['output limit', 'must be an object'].find((word) => String(error).includes(word));
  return { codes, text: codes.at(-1) === undefined ? text : '', ...(told !== undefined && { told }) };
}
