import {
  agent,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  LlmAgent,
  type RunConfig,
  type Runner,
} from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';
import { liveSessions } from '@adorn/live';
import {
  callsTool,
  eventsOf,
  hears,
  says,
  ScriptedLive,
  ScriptedModel,
  type ScriptedStep,
  speaks,
  streams,
  untilText,
} from '@adorn/testing';

import { type RedactionOptions, RedactionPlugin } from './redaction.plugin.js';

const KEY = 'sk-4111';

describe('RedactionPlugin', () => {
  it('keeps a secret of the user, a tool, the model and the instruction out of the log, the events and the requests', async () => {
    const { runner, model } = await start([callsTool('look', {}), says(`It is ${KEY}.`), says('Bye.')], {
      patterns: [/sk-\d+/],
    });

    const events = [...(await send(runner, `My key is ${KEY}.`)), ...(await send(runner, 'Again?'))];

    expect(JSON.stringify(events)).not.toContain(KEY);
    expect(JSON.stringify(await stored(runner))).not.toContain(KEY);
    expect(JSON.stringify(model.requests.map(({ contents, config }) => [contents, config]))).not.toContain(
      KEY,
    );
    expect((await stored(runner)).map(({ text }) => text)).toEqual([
      'My key is [redacted].',
      '',
      '',
      'It is [redacted].',
      'Again?',
      'Bye.',
    ]);
    expect(model.requests[0]?.config.systemInstruction).toContain('Use the key [redacted].');
  });

  it('keeps it out of the state that tools and outputKey write', async () => {
    const { runner } = await start([callsTool('look', {}), says(`It is ${KEY}.`)], { patterns: [/sk-\d+/] });

    await send(runner);

    const session = await runner.sessions.getSession({ appName: 'clerk', ...address });
    expect(session?.state).toEqual({ found: { keys: ['[redacted]'] }, answer: 'It is [redacted].' });
  });

  it('keeps it out of error messages', async () => {
    const { runner } = await start(
      [
        () => {
          throw new Error(`refused ${KEY}`);
        },
      ],
      { patterns: [/sk-\d+/] },
    );

    expect((await send(runner)).at(-1)?.errorMessage).toBe('refused [redacted]');
  });

  it('replaces every match of every pattern, whatever its flags, and takes the replacement as it is', async () => {
    const { runner } = await start([says('a1 a2 B3 b4 a1')], {
      patterns: [/a\d/y, /B\d/i],
      replacement: '$&',
    });

    expect((await send(runner))[0]?.text).toBe('$& $& $& $& $&');
  });

  it('applies a function after the patterns', async () => {
    const { runner } = await start([says('call me, now')], {
      patterns: [/me/],
      redact: (text) => text.toUpperCase(),
    });

    expect((await send(runner, 'hi'))[0]?.text).toBe('CALL [REDACTED], NOW');
    expect((await stored(runner))[0]?.text).toBe('HI');
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no service');
      },
    ],
    ['returns nothing', () => undefined],
    ['returns a promise', () => Promise.resolve('')],
  ])('stores and shows nothing where the function %s', async (_how, redact) => {
    const { runner, model } = await start([], { redact: redact as never });

    await expect(send(runner, KEY)).rejects.toMatchObject({
      code: expect.stringMatching(/CALLBACK_FAILED|PLUGIN_INVALID/),
    });

    expect(await stored(runner)).toEqual([]);
    expect(model.requests).toEqual([]);
  });

  it('leaves function calls as they are: a paused call runs with the arguments that were shown', async () => {
    const { runner, ran } = await start(
      [callsTool('look', { key: KEY }), says('Done.')],
      { patterns: [/sk-\d+/, /look|adk\w+/] },
      { confirm: `Use ${KEY}?` },
    );

    await send(runner);
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');
    expect(request).toMatchObject({ args: { key: KEY }, hint: `Use ${KEY}?`, tool: 'look' });
    const events = await eventsOf(runner.approve(request));

    expect(ran).toEqual([{ key: KEY }]);
    expect(events.at(-1)?.text).toBe('Done.');
    expect(await runner.pending(address)).toEqual([]);
  });

  it('leaves the answers of a person as they are', async () => {
    const { runner } = await start(
      [callsTool('look', {}), says('Done.')],
      { patterns: [/sk-\d+/] },
      { confirm: 'Look?' },
    );
    await send(runner);
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');

    const events = await eventsOf(runner.approve(request, { payload: { use: KEY } }));

    expect(events.at(-1)?.text).toBe('Done.');
    expect(
      (await stored(runner)).filter(({ author }) => author === 'user').at(-1)?.functionResponses,
    ).toMatchObject([{ response: { payload: { use: KEY } } }]);
  });

  it('pairs each call in a request with its response', async () => {
    const { runner, model } = await start([callsTool('look', {}, 'call-sk-1'), says('Done.')], {
      patterns: [/sk-\d+/],
    });

    await send(runner);

    const parts = model.requests[1]?.contents.flatMap((content) => content.parts ?? []) ?? [];
    const ids = parts.flatMap(({ functionCall, functionResponse }) => [
      functionCall?.id,
      functionResponse?.id,
    ]);
    expect(ids.filter((id) => id !== undefined)).toEqual(['call-sk-1', 'call-sk-1']);
  });

  it('leaves requests to the model as they are where it is told to', async () => {
    const { runner, model } = await start([says('Hello.')], { patterns: [/sk-\d+/], requests: false });

    await send(runner);

    expect(model.requests[0]?.config.systemInstruction).toContain(KEY);
  });

  it('changes neither the log nor the instruction of other runners: requests are copies', async () => {
    const content = { role: 'user', parts: [{ text: KEY }] };
    const { runner } = await start([says('Hello.')], { patterns: [/sk-\d+/] });

    await eventsOf(runner.run({ ...address, message: content }));

    expect(content).toEqual({ role: 'user', parts: [{ text: KEY }] });
  });

  it('shows no pieces of a streamed answer, only the complete one', async () => {
    const { runner } = await start([streams('It is sk-', '4111.')], { patterns: [/sk-\d+/] }, {}, SSE);

    expect((await send(runner)).map(({ partial, text }) => [partial, text])).toEqual([
      [false, 'It is [redacted].'],
    ]);
  });

  it('shows pieces late with maxMatchLength: no match is cut in two', async () => {
    const words = [
      'The key is s',
      'k-41',
      '11 and the other one is sk',
      '-4',
      '2. That is all that I know',
      ', really.',
    ];
    const { runner } = await start(
      [streams(...words)],
      { patterns: [/sk-\d+\b/], maxMatchLength: 10 },
      {},
      SSE,
    );

    const events = await send(runner);
    const whole = events.at(-1)?.text ?? '';
    const pieces = events.slice(0, -1);

    expect(whole).toBe(
      'The key is [redacted] and the other one is [redacted]. That is all that I know, really.',
    );
    expect(pieces.every(({ partial }) => partial)).toBe(true);
    expect(pieces.length).toBeGreaterThan(2);
    const shown = pieces.map(({ text }) => text).join('');
    expect(whole.startsWith(shown)).toBe(true);
    expect(shown.length).toBeGreaterThan(whole.length - 20);
  });

  it('cuts no match, however an answer is cut into pieces', async () => {
    const text = 'a sk-1 sk-22 b 4111-2222 c sk-333sk-4 d 41-42-43 and a longer end of the text';
    for (const size of [1, 2, 3, 5, 7, 11]) {
      const pieces = text.match(new RegExp(`.{1,${String(size)}}`, 'g')) ?? [];
      const { runner } = await start(
        [streams(...pieces)],
        { patterns: [/sk-\d+/, /\d+(-\d+)+/, /b/], maxMatchLength: 12 },
        {},
        SSE,
      );

      const events = await send(runner);
      const shown = events
        .slice(0, -1)
        .map((event) => event.text)
        .join('');

      expect(events.at(-1)?.text.startsWith(shown)).toBe(true);
      expect(shown).not.toMatch(/\d/);
    }
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /its options are absent/],
    ['nothing to redact', {}, /nothing to redact/],
    ['an empty list', { patterns: [] }, /nothing to redact/],
    ['a text as a pattern', { patterns: ['sk-'] }, /patterns is .*Pass a list of regular expressions/],
    ['one pattern', { patterns: /sk-/ }, /patterns is .*Pass a list of regular expressions/],
    ['a function that is none', { redact: 'all' }, /redact is "all"\. Pass a function/],
    ['a replacement that is no text', { patterns: [/a/], replacement: 5 }, /replacement is 5\. Pass a text/],
    ['maxMatchLength 0', { patterns: [/a/], maxMatchLength: 0 }, /maxMatchLength is 0/],
    ['maxMatchLength and a function', { redact: String, maxMatchLength: 5 }, /is for patterns alone/],
    ['an unknown option', { pattern: [/a/] }, /Did you mean patterns/],
  ])('is not made with %s', (_what, options, message) => {
    expect(() => new RedactionPlugin(options as RedactionOptions)).toThrow(message);
  });
});

const address = { userId: 'ada', sessionId: 's1' };
const SSE: RunConfig = { streaming: 'sse' };

async function start(
  steps: readonly ScriptedStep[],
  options: RedactionOptions,
  fields: Partial<FunctionToolFields> = {},
  config: RunConfig = {},
) {
  const ran: unknown[] = [];
  const look = new FunctionTool({
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object', properties: { key: { type: 'string' } } },
    run(args, { state }) {
      ran.push(args);
      state.set('found', { keys: [KEY] });
      return { lines: [`key=${KEY}`] };
    },
    ...fields,
  });
  @agent({
    name: 'clerk',
    description: '',
    instruction: `Use the key ${KEY}.`,
    tools: [look],
    outputKey: 'answer',
  })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model, plugins: [new RedactionPlugin(options)], config });
  return { runner, model, ran };
}

function send(runner: Runner, message = 'Hello?'): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

async function stored(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}

describe('RedactionPlugin in a live session', () => {
  it('redacts the transcripts of both sides, stored and shown', async () => {
    const plugin = new RedactionPlugin({ patterns: [/[a-z]+@example\.com/g] });
    const model = new ScriptedLive(
      untilText(),
      hears('mine is ada@'),
      hears('example.com'),
      speaks('so ada@example.com it is'),
    );
    const runner = await createRunner(defineAgent({ name: 'clerk', model: new ScriptedModel() }), {
      plugins: [plugin],
      modules: [liveSessions],
    });
    const live = runner.live({ userId: 'ada', sessionId: 's', model });
    live.sendText('write to bob@example.com');
    const shown: unknown[] = [];
    for await (const event of live) {
      shown.push(event);
      if (event.author === 'clerk' && event.turnComplete) break;
    }
    await live.close();
    const session = await runner.sessions.getSession({
      appName: runner.appName,
      userId: 'ada',
      sessionId: 's',
    });

    expect(session?.events.map(({ text }) => text)).toEqual([
      ...['write to [redacted]', 'mine is [redacted]', 'so [redacted] it is'],
    ]);
    expect(JSON.stringify([session?.events, shown])).not.toMatch(/@|example/);
    await runner.close();
  });
});
