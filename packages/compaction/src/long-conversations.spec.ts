import {
  createRunner,
  defineAgent,
  type Content,
  type Event,
  FunctionTool,
  InMemorySessionService,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import { contextRefusal, ContextTooLongError, SHORTENED } from '@adorn/core/backend';
import { eventsOf } from '@adorn/testing';

import { sessionCompaction } from './index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

/** A model that refuses requests above its window, counted as a quarter of the bytes, in the words of Anthropic. */
class WindowedModel extends Model {
  readonly requests: {
    readonly tokens: number;
    readonly contents: readonly Content[];
    readonly tools: string;
  }[] = [];

  constructor(
    readonly name: string,
    private readonly window: number,
    private readonly answers: (request: ModelRequest, turn: number) => ModelResponse,
    private readonly words = (tokens: number) =>
      `prompt is too long: ${String(tokens)} tokens > ${String(window)} maximum`,
  ) {
    super();
  }

  /** The next answer, in place of what `answers` gives. */
  next: ModelResponse | undefined;

  get refused(): number {
    return this.requests.filter(({ tokens }) => tokens > this.window).length;
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const { contents, config } = request;
    const tokens = Math.ceil(
      Buffer.byteLength(JSON.stringify([contents, config.systemInstruction, config.tools])) / 4,
    );
    this.requests.push({ tokens, contents: [...contents], tools: JSON.stringify(config.tools) });
    if (tokens > this.window) {
      const message = this.words(tokens);
      throw new ContextTooLongError(this.name, message, contextRefusal({ status: 400, message }));
    }
    const text = JSON.stringify(contents);
    const { next } = this;
    this.next = undefined;
    if (text.includes('Summarise the conversation below')) yield says('SUMMARY');
    else if (next) yield { ...next, usageMetadata: { promptTokenCount: tokens } };
    else
      yield { ...this.answers(request, this.requests.length), usageMetadata: { promptTokenCount: tokens } };
  }
}

function says(text: string): ModelResponse {
  return { content: { role: 'model', parts: [{ text }] } };
}

function calls(name: string, args: Record<string, unknown> = {}): ModelResponse {
  return { content: { role: 'model', parts: [{ functionCall: { name, args } }] } };
}

interface Started {
  readonly runner: Runner;
  readonly model: WindowedModel;
  readonly sessions: InMemorySessionService;
}

/** A clerk whose model looks `looks` times for each message, and gets `bytes` each time. */
async function start(
  window: number,
  {
    name = 'unknown',
    looks = 5,
    bytes = 20_000,
    effect = 'read' as 'read' | 'write',
    words = undefined as ((tokens: number) => string) | undefined,
    options = {} as Parameters<typeof createRunner>[1],
    modules = [sessionCompaction],
  },
): Promise<Started> {
  const model = new WindowedModel(
    name,
    window,
    ({ contents }) => {
      const asked = contents.findLastIndex(
        ({ role, parts = [] }) => role === 'user' && parts[0]?.text?.startsWith('Go') === true,
      );
      const made = contents.slice(asked).filter(({ role }) => role === 'model').length;
      return made < looks ? calls('look') : says('Done.');
    },
    words,
  );
  let counter = 0;
  const look = new FunctionTool({
    name: 'look',
    description: 'Looks.',
    effect,
    run: () => `${String(counter++)} ${'x'.repeat(bytes)}`,
  });
  const sessions = new InMemorySessionService();
  const clerk = defineAgent({ name: 'clerk', model, instruction: 'PINNED', tools: [look] });
  const runner = await createRunner(clerk, { modules, ...options });
  return { runner, model, sessions };
}

async function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...ADDRESS, message }));
}

function textOf(contents: readonly Content[] | undefined): string {
  return JSON.stringify(contents);
}

describe('a conversation that grows beyond the context of its model', () => {
  it('goes on after the refusal, and from then on no request is above the window', async () => {
    const { runner, model } = await start(30_000, { looks: 9 });

    for (const message of ['Go 1', 'Go 2', 'Go 3'])
      expect((await say(runner, message)).at(-1)?.text).toBe('Done.');

    expect(model.refused).toBe(1);
    const last = textOf(model.requests.at(-1)?.contents);
    expect(last).toContain('Go 3');
    expect(last).toContain(
      'was left out, because the conversation had grown long. Call look again with the same arguments',
    );
  });

  it('is shortened before its first refusal where the window of the model is known', async () => {
    const { runner, model } = await start(200_000, { name: 'claude-sonnet-4-5', looks: 16, bytes: 60_000 });

    for (const message of ['Go 1', 'Go 2']) expect((await say(runner, message)).at(-1)?.text).toBe('Done.');

    expect(model.refused).toBe(0);
  });

  it('is shortened to the window that the application states', async () => {
    const { runner, model } = await start(16_000, { options: { context: { window: 16_000 } } });

    for (const message of ['Go 1', 'Go 2']) expect((await say(runner, message)).at(-1)?.text).toBe('Done.');

    expect(model.refused).toBe(0);
  });

  it('learns the window by refusals that do not name it', async () => {
    const words = (): string => 'Input is too long for requested model.';
    const { runner, model } = await start(10_000, { looks: 6, words });

    for (const message of ['Go 1', 'Go 2', 'Go 3'])
      expect((await say(runner, message)).at(-1)?.text).toBe('Done.');

    expect(model.refused).toBeLessThan(4);
  });

  it('keeps every call with its response, and all that a result of a write says at its beginning', async () => {
    const { runner, model } = await start(8_000, { looks: 6, effect: 'write' });

    for (const message of ['Go 1', 'Go 2']) expect((await say(runner, message)).at(-1)?.text).toBe('Done.');

    for (const { contents } of model.requests) {
      for (const [index, { role, parts = [] }] of contents.entries()) {
        const made = role === 'model' ? parts.flatMap(({ functionCall }) => functionCall ?? []) : [];
        if (made.length === 0) continue;
        const answers = contents[index + 1]?.parts?.flatMap(({ functionResponse }) => functionResponse ?? []);
        expect(answers?.map(({ name }) => name)).toEqual(made.map(({ name }) => name));
      }
    }
    expect(textOf(model.requests.at(-1)?.contents)).not.toContain('Call look again');
  });

  it('is summarised where leaving out results is not enough', async () => {
    const { runner, model } = await start(8_000, { looks: 0 });

    const long = 'y'.repeat(9_000);
    for (let turn = 1; turn <= 6; turn++)
      expect((await say(runner, `Go ${String(turn)} ${long}`)).at(-1)?.text).toBe('Done.');

    expect(textOf(model.requests.at(-1)?.contents)).toContain('SUMMARY');
    expect(textOf(model.requests.at(-1)?.contents)).toContain('Go 6');
    expect(model.refused).toBe(1);
  });

  it('ends typed at a message that alone is too long, and the next message is answered', async () => {
    const { runner, model } = await start(8_000, { looks: 0 });

    const last = (await say(runner, `Go ${'z'.repeat(60_000)}`)).at(-1);
    expect(last).toMatchObject({ errorCode: 'CONTEXT_TOO_LONG', turnComplete: true });

    expect((await say(runner, 'Go 2')).at(-1)?.text).toBe('Done.');
    expect(model.refused).toBe(1);
  });

  it('never loses the instruction or the words of the user', async () => {
    const { runner, model } = await start(8_000, { looks: 8 });

    await say(runner, 'Go and find the RED one');

    for (const { contents } of model.requests) expect(textOf(contents)).toContain('RED');
  });

  it('keeps what was taken out in the log, as an event, and shows it again after a rewind', async () => {
    const { runner, model } = await start(30_000, { looks: 9 });
    await say(runner, 'Go 1');
    const session = await runner.sessions.getSession({ appName: 'clerk', ...ADDRESS });
    const marks =
      session?.events.filter(({ customMetadata }) => customMetadata?.[SHORTENED] !== undefined) ?? [];
    expect(marks).not.toHaveLength(0);
    expect(
      session?.events.filter(({ functionResponses }) => JSON.stringify(functionResponses).length > 20_000),
    ).toHaveLength(9);

    await runner.rewind({ ...ADDRESS, invocationId: marks[0]?.invocationId ?? '' });
    const { contents } = await runner.explain({ ...ADDRESS, message: 'Go 2' });

    expect(contents).toHaveLength(1);
    expect(model.requests.length).toBeGreaterThan(9);
  });

  it('keeps what was cut or summarised queryable, by a tool that its model gets', async () => {
    const { runner, model } = await start(8_000, { looks: 6, effect: 'write' });
    for (const message of ['Go 1', 'Go 2', 'Go 3']) await say(runner, message);

    const note = /Call read_result with the id \\"([^"\\]+)\\" to read or search/;
    const cut = model.requests.filter(({ contents }) => note.test(textOf(contents)));
    expect(cut).not.toHaveLength(0);
    for (const { tools } of cut) expect(tools).toContain('"read_result"');
    expect(model.requests[0]?.tools).not.toContain('read_result');

    const [, id] = note.exec(textOf(cut[0]?.contents)) ?? [];
    await runner.compact(ADDRESS);
    model.next = calls('read_result', { id, search: '0 xxx' });
    await say(runner, 'Go 4');

    const read = model.requests.find(({ contents }) => textOf(contents).includes('"matches"'));
    expect(read?.tools).toContain('"read_result"');
    expect(textOf(read?.contents)).toContain('"total":1');
  });

  it('is no longer sent without the module, and does not end for ever', async () => {
    const { runner } = await start(30_000, { looks: 9, modules: [] });

    expect((await say(runner, 'Go 1')).at(-1)).toMatchObject({ errorCode: 'CONTEXT_TOO_LONG' });
    expect((await say(runner, 'Go 2')).at(-1)).toMatchObject({ errorCode: 'CONTEXT_TOO_LONG' });
    expect(textOf((await runner.explain({ ...ADDRESS, message: 'Go 3' })).contents).length).toBeLessThan(
      2_000,
    );
  });

  it('is sent as it is where the application says so', async () => {
    const { runner, model } = await start(30_000, { looks: 9, options: { context: false } });

    expect((await say(runner, 'Go 1')).at(-1)).toMatchObject({ errorCode: 'CONTEXT_TOO_LONG' });
    expect(model.refused).toBe(1);
  });
});

describe('the option context', () => {
  it.each([{ window: 10 }, { window: '8k' }, { windows: 8_000 }])('refuses %j', async (context) => {
    await expect(start(8_000, { options: { context: context as never } })).rejects.toMatchObject({
      code: 'COMPACTION_CONFIG_INVALID',
    });
  });

  it('needs the module', async () => {
    await expect(
      start(8_000, { options: { context: { window: 8_000 } }, modules: [] }),
    ).rejects.toMatchObject({
      code: 'COMPACTION_CONFIG_INVALID',
    });
  });
});
