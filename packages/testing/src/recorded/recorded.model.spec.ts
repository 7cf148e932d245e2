import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Model, type Content, type ModelRequest, type ModelResponse } from '@adorn/core';
import { ContextTooLongError } from '@adorn/core/backend';
import fc from 'fast-check';

import { callsTool, says, streams } from '../scripted/scripted-step.js';
import { ScriptedModel } from '../scripted/scripted.model.js';
import { recorded } from './recorded.model.js';
import type { RecordingOptions } from './recording-options.js';

let folder = '';
let file = '';
const environment = { ...process.env };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cassette-'));
  file = join(folder, 'of', 'a test.cassette.json');
  delete process.env['ADORN_RECORD'];
  delete process.env['CI'];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.env = { ...environment };
});

describe('recorded: what is replayed', () => {
  it('gives the recorded pieces, usage and answer without asking the model', async () => {
    const usage = { promptTokenCount: 12, candidatesTokenCount: 3 };
    const [first, second, whole] = streams('Good ', 'day.') as [ModelResponse, ModelResponse, ModelResponse];
    const answer = [first, second, { ...whole, usageMetadata: usage, responseId: 'r-1' }];
    await record([user('Hello')], () => answer);

    const again = await replay([user('Hello')]);

    expect(again).toEqual(answer);
  });

  it('gives a request that does not stream the answer without the pieces', async () => {
    await record([user('Hello')], () => streams('Good ', 'day.'));

    expect(await replay([user('Hello')], { stream: false })).toEqual([says('Good day.')]);
  });

  it('gives equal requests the recorded answers one after another, and then says how many there were', async () => {
    const model = recorded(new ScriptedModel(says('One.'), says('Two.')), file, { mode: 'record' });
    await answersOf(model, [user('Count')]);
    await answersOf(model, [user('Count')]);

    const again = recorded(silent(), file, { mode: 'replay' });

    expect(await answersOf(again, [user('Count')])).toEqual([says('One.')]);
    expect(await answersOf(again, [user('Count')])).toEqual([says('Two.')]);
    await expect(answersOf(again, [user('Count')])).rejects.toMatchObject({
      code: 'CASSETTE_MISS',
      message: expect.stringContaining('is recorded 2 times'),
    });
  });

  it('finds answers in any order, as agents that run beside each other ask', async () => {
    const model = recorded(new ScriptedModel(says('A'), says('B')), file, { mode: 'record' });
    await answersOf(model, [user('a')]);
    await answersOf(model, [user('b')]);

    const again = recorded(silent(), pathToFileURL(file), { mode: 'replay' });

    expect(await answersOf(again, [user('b')])).toEqual([says('B')]);
    expect(await answersOf(again, [user('a')])).toEqual([says('A')]);
    again.assertDone();
  });

  it('throws a recorded failure with its name, code, message and facts', async () => {
    const failure = new ContextTooLongError('gemini', 'Too much.', { window: 8000, requested: 9000 });
    await expect(record([user('Hello')], () => Promise.reject(failure))).rejects.toBe(failure);

    await expect(replay([user('Hello')])).rejects.toMatchObject({
      name: 'ContextTooLongError',
      code: 'CONTEXT_TOO_LONG',
      message: failure.message,
      window: 8000,
      requested: 9000,
    });
  });

  it('is as fast as it can be, or as slow as it was', async () => {
    const slow = new Slow(60, streams('Good ', 'day.'));
    await answersOf(recorded(slow, file, { mode: 'record' }), [user('Hello')]);
    const took = async (pace: 'fast' | 'recorded'): Promise<number> => {
      const before = performance.now();
      await replay([user('Hello')], { pace });
      return performance.now() - before;
    };

    expect(await took('recorded')).toBeGreaterThan(150);
    expect(await took('fast')).toBeLessThan(150);
  });

  it('gives each reader a copy of its own', async () => {
    await record([user('Hello')], () => callsTool('look', { deep: { at: 1 } }));
    const model = recorded(silent(), file, { mode: 'replay' });
    const [answer] = await answersOf(model, [user('Hello')]);
    Object.assign(answer?.content?.parts?.[0]?.functionCall?.args ?? {}, { deep: 'changed' });

    const fresh = await replay([user('Hello')]);

    expect(fresh[0]?.content?.parts?.[0]?.functionCall?.args).toEqual({ deep: { at: 1 } });
  });

  it('stops where the run is cancelled', async () => {
    await record([user('Hello')], () => streams('Good ', 'day.'));
    const stop = new AbortController();
    const pieces = recorded(silent(), file).generate(requestOf([user('Hello')], stop.signal));
    await pieces.next();
    stop.abort(new Error('enough'));

    await expect(pieces.next()).rejects.toThrow('enough');
  });
});

describe('recorded: what a request is found by', () => {
  it.each<[string, readonly Content[], readonly Content[]]>([
    ['ids of calls', conversation('call-abc'), conversation('call-xyz')],
    [
      'UUIDs',
      [user('Order 7b2f6a51-1f70-4dfe-a93b-08a53ef1b2c3')],
      [user('Order 0190a6c0-5b1d-7c3e-9f2a-1b2c3d4e5f60')],
    ],
    ['times', [user('It is 2026-11-28T09:15:00.000Z.')], [user('It is 2027-01-02 18:00.')]],
    [
      'signatures',
      [{ role: 'model', parts: [{ text: 'x', thoughtSignature: 'YQ==' }] }],
      [{ role: 'model', parts: [{ text: 'x', thoughtSignature: 'Yg==' }] }],
    ],
  ])('does not look at %s', async (_what, before, after) => {
    await record(before, () => says('Yes.'));

    expect(await replay(after)).toEqual([says('Yes.')]);
  });

  it('tells one id from another one', async () => {
    const [one, other] = ['7b2f6a51-1f70-4dfe-a93b-08a53ef1b2c3', '0190a6c0-5b1d-7c3e-9f2a-1b2c3d4e5f60'];
    await record([user(`${one} and ${one}`)], () => says('Same.'));

    await expect(replay([user(`${one} and ${other}`)])).rejects.toMatchObject({ code: 'CASSETTE_MISS' });
  });

  it('does not look at how a request is sent, nor at the order of declarations', async () => {
    const [look, file_] = [{ name: 'look' }, { name: 'file' }];
    const inOrder = { tools: [{ functionDeclarations: [look, file_] }], httpOptions: { timeout: 1 } };
    await record([user('Hello')], () => says('Yes.'), { config: inOrder });

    const other = { tools: [{ functionDeclarations: [file_, look] }], abortSignal: AbortSignal.abort() };
    expect(await replay([user('Hello')], { config: other })).toEqual([says('Yes.')]);
  });

  it('does not look at what it is told to ignore', async () => {
    const ignore = [/\d{4}-\d\d-\d\d/];
    await record([user('Today is 2026-11-28')], () => says('Saturday.'), { ignore });

    expect(await replay([user('Today is 2026-11-29')], { ignore })).toEqual([says('Saturday.')]);
  });

  it('shows how a changed instruction differs from the nearest recorded request, and never asks the model', async () => {
    const config = { systemInstruction: 'Be brief.\nNever promise a refund.' };
    await record([user('Hello'), says('Hi.').content as Content, user('And now?')], () => says('Yes.'), {
      config,
    });
    await record([user('Something else')], () => says('No.'));
    const changed = { systemInstruction: 'Be brief.\nPromise a refund.' };

    const asked = replay([user('Hello'), says('Hi.').content as Content, user('And now?')], {
      config: changed,
    });

    await expect(asked).rejects.toMatchObject({ code: 'CASSETTE_MISS' });
    await expect(asked).rejects.toThrow(/- .*Never promise a refund\.[\s\S]*\+ .*Promise a refund\./);
    await expect(asked).rejects.toThrow('recorded, exchange 0');
    await expect(asked).rejects.toThrow('ADORN_RECORD=record');
  });
});

describe('recorded: what is written', () => {
  it('records only what is new, and keeps the rest', async () => {
    await record([user('a')], () => says('A'));
    const inner = new ScriptedModel(says('B'));
    const model = recorded(inner, file, { mode: 'record' });

    expect(await answersOf(model, [user('a')])).toEqual([says('A')]);
    expect(await answersOf(model, [user('b')])).toEqual([says('B')]);

    expect(inner.requests).toHaveLength(1);
    expect(await replay([user('a')])).toEqual([says('A')]);
    expect(await replay([user('b')])).toEqual([says('B')]);
  });

  it('records everything anew, and drops what is no longer asked for', async () => {
    await record([user('a')], () => says('A'));
    await record([user('b')], () => says('B'));

    await answersOf(recorded(new ScriptedModel(says('New.')), file, { mode: 'refresh' }), [user('a')]);

    expect(await replay([user('a')])).toEqual([says('New.')]);
    await expect(replay([user('b')])).rejects.toMatchObject({ code: 'CASSETTE_MISS' });
  });

  it('has no secret in it: of the environment, of a published form, or a given one', async () => {
    const [key, form, own] = ['hunter2-hunter2', `sk-ant-${'a1'.repeat(20)}`, 'the blue horse'];
    process.env['SHOP_API_KEY'] = key;
    const contents = [user(`Use ${key}, ${form} and ${own}: Bearer abcdefgh12345678`)];
    const options = { secrets: [own] };
    await record(contents, () => says(`I used ${key} and ${form}.`), options);
    const failing = (): Promise<never> => Promise.reject(new Error(`refused ${key}`));
    await expect(record([user('again')], failing, options)).rejects.toThrow(key);

    const written = readFileSync(file, 'utf8');

    for (const secret of [key, form, own, 'abcdefgh12345678']) expect(written).not.toContain(secret);
    expect(await replay(contents, options)).toEqual([says('I used <secret> and <secret>.')]);
  });

  it('names a file by its digest, and keeps the bytes of an answer', async () => {
    const data = Buffer.alloc(60_000, 7).toString('base64');
    const picture = { inlineData: { mimeType: 'image/png', data } };
    const answer = { content: { role: 'model', parts: [picture] } };
    await record([{ role: 'user', parts: [picture] }], () => answer);

    expect(readFileSync(file, 'utf8').length).toBeLessThan(100_000);
    expect(await replay([{ role: 'user', parts: [picture] }])).toEqual([answer]);
  });

  it('states of a long conversation what is new in each request', async () => {
    const contents: Content[] = [];
    const model = recorded(new Slow(0, [says('Go on.')]), file, { mode: 'record' });
    for (let turn = 0; turn < 30; turn++) {
      contents.push(user(`Message ${String(turn)}: ${'x'.repeat(1000)}`));
      const [answer] = await answersOf(model, contents, { config: { systemInstruction: 'y'.repeat(1000) } });
      contents.push(answer?.content as Content);
    }

    const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as { exchanges: Record<string, unknown>[] };

    expect(readFileSync(file, 'utf8').length).toBeLessThan(60_000);
    expect(exchanges[29]).toMatchObject({
      continues: 28,
      request: { contents: [{ role: 'model' }, { role: 'user' }] },
    });
    expect(
      await replay(contents.slice(0, 31), { config: { systemInstruction: 'y'.repeat(1000) } }),
    ).toHaveLength(1);
  });

  it('holds nothing of an answer that was cancelled or not read to its end', async () => {
    const model = recorded(new Slow(0, streams('Good ', 'day.')), file, {
      mode: 'record',
    });
    for await (const _first of model.generate(requestOf([user('Hello')]))) break;
    const stop = new AbortController();
    const pieces = model.generate(requestOf([user('Hello')], stop.signal));
    await pieces.next();
    stop.abort(new Error('enough'));
    await expect(pieces.throw(new Error('enough'))).rejects.toThrow('enough');

    await expect(replay([user('Hello')])).rejects.toThrow('Nothing is recorded.');
  });

  it('reads back every request that was written', async () => {
    const text = fc.constantFrom('a', 'b', '<id-1>', '__proto__', 'é\u2028');
    const request = fc.record({
      config: fc.dictionary(fc.constantFrom('systemInstruction', 'temperature', 'labels'), fc.jsonValue()),
      contents: fc.array(text.map(user), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (requests) => {
        rmSync(folder, { recursive: true, force: true });
        const model = recorded(new Echo(), file, { mode: 'record' });
        const said: (readonly ModelResponse[])[] = [];
        for (const { contents, config } of requests) said.push(await answersOf(model, contents, { config }));

        const again = recorded(silent(), file, { mode: 'replay' });
        for (const [index, { contents, config }] of requests.entries())
          expect(await answersOf(again, contents, { config })).toEqual(said[index]);
        again.assertDone();
      }),
      { numRuns: 60 },
    );
  });
});

describe('recorded: where answers come from', () => {
  it.each<[string, Record<string, string>, boolean, string]>([
    ['nothing is set and nothing is recorded', {}, false, 'record'],
    ['a cassette is there', {}, true, 'replay'],
    ['CI is set', { CI: 'true' }, false, 'replay'],
    ['CI is "false"', { CI: 'false' }, false, 'record'],
    ['ADORN_RECORD says so', { CI: '1', ADORN_RECORD: 'refresh' }, true, 'refresh'],
  ])('where %s', async (_when, variables, isRecorded, mode) => {
    if (isRecorded) await record([user('a')], () => says('A'));
    Object.assign(process.env, variables);

    expect(recorded(silent(), file).mode).toBe(mode);
  });

  it('replays without the key that the model would need', async () => {
    await record([user('a')], () => says('A'));

    await expect(recorded(silent(), file, { mode: 'replay' }).ready()).resolves.toBeUndefined();
    await expect(recorded(silent(), file, { mode: 'record' }).ready()).rejects.toThrow('no key');
  });

  it('lists the exchanges that were not asked for', async () => {
    await record([user('a')], () => says('A'));
    await record([user('b')], () => says('B'));
    const model = recorded(silent(), file, { mode: 'replay' });
    await answersOf(model, [user('b')]);

    expect(
      refusalOf(() => {
        model.assertDone();
      }),
    ).toMatchObject({ code: 'CASSETTE_LEFT_OVER', message: expect.stringContaining('asked for: 0.') });
  });

  it.each<[string, unknown]>([
    ['mode', { mode: 'play' }],
    ['secrets', { secrets: 'key' }],
    ['secrets', { secrets: [7] }],
    ['ignore', { ignore: ['x'] }],
    ['pace', { pace: 'slow' }],
    ['modes', { modes: 'replay' }],
  ])('refuses a %s that it does not know', (name, options) => {
    expect(refusalOf(() => recorded(silent(), file, options as RecordingOptions))).toMatchObject({
      code: 'RECORDING_OPTION_INVALID',
      message: expect.stringContaining(name),
    });
  });

  it.each<[string, unknown, unknown]>([
    ['a model', { name: 'x' }, 'file.json'],
    ['a file', undefined, ''],
    ['a file', undefined, 7],
    ['a file', undefined, new URL('https://example.com/x.json')],
  ])('refuses what is not %s', (_what, model, path) => {
    expect(refusalOf(() => recorded((model ?? silent()) as Model, path as string))).toMatchObject({
      code: 'RECORDING_OPTION_INVALID',
    });
  });

  it.each([
    '',
    '{',
    '[]',
    '{"cassette":2,"exchanges":[]}',
    '{"cassette":1}',
    '{"cassette":1,"exchanges":[{}]}',
  ])('refuses a file that is not a cassette: %s', (text) => {
    writeFileSync(join(folder, 'x.json'), text);

    expect(refusalOf(() => recorded(silent(), join(folder, 'x.json')))).toMatchObject({
      code: 'CASSETTE_INVALID',
      message: expect.stringContaining('x.json'),
    });
  });

  it('refuses an exchange that continues none before it', () => {
    const exchange = { continues: 3, request: { contents: [] }, answer: [] };
    writeFileSync(join(folder, 'x.json'), JSON.stringify({ cassette: 1, exchanges: [exchange] }));

    expect(() => recorded(silent(), join(folder, 'x.json'))).toThrow('exchange 0 continues 3');
  });

  it('refuses an ADORN_RECORD that it does not know', () => {
    process.env['ADORN_RECORD'] = 'always';

    expect(() => recorded(silent(), file)).toThrow('ADORN_RECORD is "always"');
  });
});

function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

type Answer = ModelResponse | readonly ModelResponse[];
type Asked = RecordingOptions & Partial<Pick<ModelRequest, 'config' | 'stream'>>;

async function record(
  contents: readonly Content[],
  answer: () => Answer | Promise<Answer>,
  { config, stream, ...options }: Asked = {},
): Promise<void> {
  const model = recorded(new ScriptedModel(async () => answer()), file, { mode: 'record', ...options });
  await answersOf(model, contents, { config, stream });
}

async function replay(
  contents: readonly Content[],
  { config, stream, ...options }: Asked = {},
): Promise<readonly ModelResponse[]> {
  return answersOf(recorded(silent(), file, { mode: 'replay', ...options }), contents, { config, stream });
}

async function answersOf(
  model: Model,
  contents: readonly Content[],
  { config = {}, stream = true }: { config?: ModelRequest['config']; stream?: boolean } = {},
): Promise<readonly ModelResponse[]> {
  const responses: ModelResponse[] = [];
  for await (const response of model.generate({ ...requestOf(contents), config, stream }))
    responses.push(response);
  return responses;
}

function requestOf(contents: readonly Content[], signal = new AbortController().signal): ModelRequest {
  return { contents, config: {}, stream: true, signal };
}

function user(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}

/** A call and its response, under an id. */
function conversation(id: string): readonly Content[] {
  const functionResponse = { id, name: 'look', response: { result: 1 } };
  return [
    user('Look'),
    callsTool('look', { at: 1 }, id).content as Content,
    { role: 'user', parts: [{ functionResponse }] },
  ];
}

/** A model that is not there. */
function silent(): Model {
  return new (class extends Model {
    readonly name = 'scripted';

    override ready(): never {
      throw new Error('There is no key.');
    }

    generate(): never {
      throw new Error('The model was asked.');
    }
  })();
}

class Slow extends Model {
  readonly name = 'scripted';

  constructor(
    private readonly wait: number,
    private readonly answer: readonly ModelResponse[],
  ) {
    super();
  }

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    for (const response of this.answer) {
      await new Promise((resolve) => setTimeout(resolve, this.wait));
      yield response;
    }
  }
}

/** Says how often it was asked. */
class Echo extends Model {
  readonly name = 'scripted';
  private asked = 0;

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    this.asked += 1;
    yield await Promise.resolve(says(`Answer ${String(this.asked)}`));
  }
}
