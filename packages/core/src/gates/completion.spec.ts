import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { FunctionToolFields } from '../backend.js';
import {
  ConsoleLogger,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  Logger,
  type Part,
  type Runner,
} from '../index.js';
import { asResponse, completionOf } from './outcome.js';
import { ListLogger, toolCall, toolNamed } from './tool-call.fixture.js';

/** The bytes of "hi". */
const OCTETS = { mimeType: 'application/octet-stream', data: 'aGk=' };

describe('the result of a tool', () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    ['an object', { a: 1, b: { c: [2] } }, { a: 1, b: { c: [2] } }],
    ['an empty object', {}, {}],
    ['a string', 'sunny', { result: 'sunny' }],
    ['a number', 7, { result: 7 }],
    ['false', false, { result: false }],
    ['an array', [1, 'two'], { result: [1, 'two'] }],
    ['undefined', undefined, { result: null }],
    ['null', null, { result: null }],
    ['NaN', NaN, { result: null }],
    ['a bigint', 2n ** 64n, { result: '18446744073709551616' }],
    ['bigints inside', { rows: [{ id: -1n }] }, { rows: [{ id: '-1' }] }],
    ['a date', new Date(0), { result: '1970-01-01T00:00:00.000Z' }],
    ['fields that are undefined', { kept: 1, gone: undefined, list: [undefined] }, { kept: 1, list: [null] }],
    [
      'an instance of a class',
      new (class Receipt {
        id = 'r1';
      })(),
      { id: 'r1' },
    ],
  ])('is an object as it is, and anything else under "result": %s', async (_what, result, response) => {
    expect(await answerTo(() => result)).toEqual({ response });
  });

  it.each<[string, unknown, object]>([
    ['a Buffer', Buffer.from('hi'), OCTETS],
    ['a typed array inside', { file: new Uint16Array([0x6968]) }, { file: OCTETS }],
    ['an ArrayBuffer in a list', [Uint8Array.from([104, 105]).buffer], { result: [OCTETS] }],
    ['a view of a part', new DataView(Uint8Array.from([0, 104, 105, 0]).buffer, 1, 2), OCTETS],
    ['a written Buffer', JSON.parse(JSON.stringify(Buffer.from('hi'))), OCTETS],
    ['a Blob', new Blob(['hi'], { type: 'image/png' }), { ...OCTETS, mimeType: 'image/png' }],
    ['a Blob without a type', new Blob(['hi']), OCTETS],
  ])('is base64 with a media type where it is bytes: %s', async (_what, result, response) => {
    expect(await answerTo(() => result)).toEqual({ response });
  });

  it.each<[string, unknown, string]>([
    ['a Buffer', Buffer.alloc(20_000_000, 7), 'application/octet-stream'],
    ['an ArrayBuffer', new Uint8Array(20_000_000).fill(7).buffer, 'application/octet-stream'],
    ['a Blob', new Blob([Buffer.alloc(20_000_000, 7)], { type: 'video/mp4' }), 'video/mp4'],
  ])('is an artifact of the bytes where they are many: %s', async (_what, result, mimeType) => {
    const runner = await clerk(() => result);
    const { answer } = await ask(runner);

    const response = answer?.functionResponses[0]?.response;
    const name = /"(tool-results\/.*)"/.exec(String(response?.['note']))?.[1] ?? '';
    expect(response).toEqual({
      mimeType,
      bytes: 20_000_000,
      note: `The result has 20000000 bytes, which are not shown. The full result is stored as artifact "${name}".`,
    });
    const stored = (await artifactOf(runner, name)) as Part;
    expect(stored.inlineData?.mimeType).toBe(mimeType);
    expect(stored.inlineData?.data).toBe(Buffer.alloc(20_000_000, 7).toString('base64'));
  });

  it('is cut like other results where many bytes are in it', async () => {
    const { response } = await answerTo(() => ({ file: new Uint8Array(100_000) }));

    expect(response).toMatchObject({
      truncated: true,
      result: expect.stringMatching(/^\{"file":\{"mimeType"/) as unknown,
    });
  });

  it('lets other work be done while a long one is stored', async () => {
    const runner = await clerk(() => 'word '.repeat(4_000_000));
    let turns = 0;
    const count = (): void => {
      turns++;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const { answer } = await ask(runner);
    clearImmediate(immediate);

    // Seven slices of three megabytes, and the steps before and behind them.
    expect(turns).toBeGreaterThan(7);
    const name =
      /"(tool-results\/.*)"/.exec(String(answer?.functionResponses[0]?.response?.['note']))?.[1] ?? '';
    const stored = (await artifactOf(runner, name)) as Part;
    const text = Buffer.from(stored.inlineData?.data ?? '', 'base64').toString();
    expect(JSON.parse(text)).toEqual({ result: 'word '.repeat(4_000_000) });
  });

  it.each<[string, unknown]>([
    ['a Buffer', Buffer.alloc(70_000_000)],
    ['a Blob', new Blob([Buffer.alloc(70_000_000)])],
  ])('is an error where the bytes are too many to store: %s', async (_what, result) => {
    const { response } = await answerTo(() => result);

    expect(response?.['error']).toMatch(/^The result of the tool "give" has more than 67108864 bytes/);
  });

  it('is not read to its end if it has too many values', async () => {
    let reads = 0;
    const row = Object.defineProperty({}, 'value', { enumerable: true, get: () => ++reads });
    const rows = Array.from({ length: 1_000_000 }, () => row);

    const { response } = await answerTo(() => ({ rows }));

    expect(reads).toBeLessThan(600_000);
    expect(response?.['error']).toContain('or more than 524288 values');
  });

  it.each<[string, () => unknown, string]>([
    ['a function', () => ({ call: () => 1 }), 'a function at call'],
    ['a symbol', () => Symbol('none'), 'a symbol'],
    ['a Map', () => ({ byId: new Map() }), 'a Map at byId'],
    ['a cycle', cycle, 'a cycle at self'],
  ])('is an error to the model where JSON cannot hold it: %s', async (_what, result, where) => {
    for (const run of [result, async () => result()]) {
      expect(await answerTo(run)).toEqual({
        response: {
          error:
            `The value contains ${where}, which JSON cannot represent. ` +
            'Pass plain values: a bigint as a string, a Map as an object, and no functions or circular references.',
          outcome: 'unknown',
        },
      });
    }
  });

  it('goes on after its response where the tool is long-running, or finds so while it runs', async () => {
    expect(await answerTo(() => 'ticket 7', { longRunning: true })).toEqual({
      response: { result: 'ticket 7' },
      willContinue: true,
    });
    expect(
      await answerTo((_args, context) => {
        context.longRunning = true;
        return { ticket: 7 };
      }),
    ).toEqual({ response: { ticket: 7 }, willContinue: true });
  });

  it('is left whole up to its limit', async () => {
    const text = 'x'.repeat(65_500);

    expect(await answerTo(() => text)).toEqual({ response: { result: text } });
  });

  it.each([
    ['a text', (length: number) => 'x'.repeat(length), '{"result":""}'],
    ['an object', (length: number) => ({ text: 'x'.repeat(length) }), '{"text":""}'],
  ])('is whole at 65,535 and 65,536 bytes and cut at 65,537: %s', async (_what, resultOf, frame) => {
    const isCut = async (bytes: number): Promise<boolean> => {
      const { response } = await answerTo(() => resultOf(bytes - frame.length));
      return response?.['truncated'] === true;
    };

    expect([await isCut(65_535), await isCut(65_536), await isCut(65_537)]).toEqual([false, false, true]);
  });

  it('is cut where it is longer, and kept whole as an artifact', async () => {
    const result = { text: 'ä'.repeat(40_000) };
    const whole = JSON.stringify(result);
    const runner = await clerk(() => result);

    const { call, answer } = await ask(runner);

    const name = `tool-results/${call}.json`;
    const { result: beginning, ...told } = answer?.functionResponses[0]?.response ?? {};
    expect(whole.startsWith(String(beginning))).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(beginning))).toBeLessThanOrEqual(65_538);
    expect(told).toEqual({
      truncated: true,
      note: `The result has ${String(Buffer.byteLength(whole))} bytes and was cut. The full result is stored as artifact "${name}".`,
    });
    expect(answer?.actions.artifactDelta).toEqual({ [name]: 0 });
    const kept = Buffer.from(whole).toString('base64');
    expect(await artifactOf(runner, name)).toEqual({
      inlineData: { mimeType: 'application/json', data: kept },
    });
  });

  it('is an error where nobody could store it, found in no more time than its limit takes to count', async () => {
    let shared: object = { leaf: true };
    for (let level = 0; level < 100; level++) shared = { left: shared, right: shared };

    for (const run of [() => shared, () => Promise.resolve([shared])]) {
      const { response } = await answerTo(run);
      expect(response?.['error']).toMatch(
        /^The result of the tool "give" has more than 67108864 bytes of JSON/,
      );
    }
  });

  it('is cut at the limit that the tool states', async () => {
    const { response } = await answerTo(() => 'x'.repeat(100), { maxResultBytes: 50 });

    expect(response).toMatchObject({
      result: expect.stringMatching(/^\{"result":"x{20,40}$/),
      truncated: true,
    });
  });
});

describe('a result that is cut', () => {
  it.each<[string, unknown]>([
    ['plain characters', 'x'.repeat(2_000)],
    ['characters of several bytes', '\u{1f680}'.repeat(1_000)],
    ['characters that are escaped', '"\n\u0000'.repeat(1_000)],
    [
      'many fields',
      Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${String(index)}`, index])),
    ],
  ])('is as much of its beginning as fits its limit, of %s', async (_what, result) => {
    for (const maxResultBytes of [1, 2, 17, 100, 999]) {
      const { response } = await cut(result, { maxResultBytes });

      const beginning = String(response['result']);
      expect(JSON.stringify(asResponse(result)).startsWith(beginning)).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(beginning))).toBeLessThanOrEqual(maxResultBytes + 2);
    }
  });

  it('is cut at the very limit where each character takes one byte', async () => {
    const { response } = await cut(Array(100).fill(1), { maxResultBytes: 100 });

    expect(String(response['result']).length).toBeGreaterThanOrEqual(90);
  });

  it('is empty where its limit is 0', async () => {
    const { response } = await cut('x'.repeat(100), { maxResultBytes: 0 });

    expect(response).toMatchObject({ result: '', truncated: true });
  });

  it('is no failed call where it could not be kept: the model is told, and the log why', async () => {
    const { response, logger } = await cut('x'.repeat(100), { maxResultBytes: 50 }, () =>
      Promise.reject(new Error('the disk is full')),
    );

    expect(response).toMatchObject({
      truncated: true,
      note: 'The result has 113 bytes and was cut. The rest is lost.',
    });
    expect(logger.lines).toEqual([
      ['a long result could not be stored', { callId: 'c1', error: new Error('the disk is full') }],
    ]);
  });

  /** The response that is made of a result, its artifact saved by a function of the spec. */
  async function cut(
    result: unknown,
    fields: Partial<FunctionToolFields>,
    saveArtifact: () => Promise<number> = () => Promise.resolve(0),
  ) {
    const logger = new ListLogger();
    const call = await toolCall(toolNamed('give', fields), { logger });
    call.context.saveArtifact = saveArtifact;
    const outcome = await completionOf(call, result);
    if (outcome.kind !== 'completed') throw new Error(`the call is ${outcome.kind}`);
    return { response: outcome.response, logger };
  }
});

function cycle(): unknown {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  return self;
}

async function answerTo(run: FunctionToolFields['run'], traits: Partial<FunctionToolFields> = {}) {
  const { answer } = await ask(await clerk(run, traits));
  const { id: _id, name: _name, ...told } = answer?.functionResponses[0] ?? {};
  return told;
}

function clerk(run: FunctionToolFields['run'], traits: Partial<FunctionToolFields> = {}): Promise<Runner> {
  const give = new FunctionTool({ ...traits, name: 'give', description: '', run });
  const read = new FunctionTool({
    name: 'read',
    description: '',
    maxResultBytes: Infinity,
    parameters: { type: 'object', properties: { file: { type: 'string' } } },
    run: async ({ file }, context) => ({ part: await context.loadArtifact(String(file)) }),
  });
  const steps = [callsTool('give'), says('Done.'), () => callsTool('read', { file: wanted }), says('Done.')];
  const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(new Silent()))];
  return createRunner(defineAgent({ name: 'clerk', tools: [give, read] }), {
    model: new ScriptedModel(...steps),
    modules,
  });
}

class Silent extends ConsoleLogger {
  override warn(): void {
    // A failed call is warned of, and is what these specs are about.
  }
}

let wanted = '';

async function ask(runner: Runner): Promise<{ call: string; answer: Event | undefined }> {
  const [call, answer] = await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));
  return { call: call?.functionCalls[0]?.id ?? '', answer };
}

async function artifactOf(runner: Runner, name: string): Promise<unknown> {
  wanted = name;
  const events = await eventsOf(runner.run({ sessionId: 's1', message: 'Read it.' }));
  return events[1]?.functionResponses[0]?.response?.['part'];
}
