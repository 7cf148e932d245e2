import {
  callsAllLive,
  callsLive,
  isInterrupted,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilAudio,
  untilResponse,
  untilText,
  writes,
} from '@adorn/testing';

import {
  agent,
  agentTool,
  type CallbackContext,
  ContainerModule,
  defineAgent,
  type FunctionCall,
  FunctionTool,
  InMemorySessionService,
  LiveInput,
  LlmAgent,
  Plugin,
  SessionService,
  StaticToolset,
  Tool,
  type ToolContext,
} from '@adorn/core';
import { runCode } from '@adorn/sandbox/tools';
import { type CodeExecutionInput, type CodeExecutionResult, CodeExecutor } from '@adorn/core/backend';

import { createRunner, gate, isTurnEnd, KEY, settled, startLive, storedOf, until } from './live.fixture.js';

const OBJECT = { type: 'object' };

/** A tool that listens, as the compiler makes one of a method with a parameter of the type `LiveInput`. */
class Listener extends Tool {
  readonly name = 'listen';
  readonly description = 'Listens.';
  heard: number[] = [];
  isOver = false;

  override get takesLiveInput(): boolean {
    return true;
  }

  declaration() {
    return { name: 'listen', description: 'Listens.', parametersJsonSchema: OBJECT };
  }

  async *run(_args: unknown, context: ToolContext): AsyncGenerator<number, void, undefined> {
    try {
      for await (const chunk of context.liveInput.audio) {
        this.heard.push(chunk.byteLength);
        yield chunk.byteLength;
      }
    } finally {
      this.isOver = true;
    }
  }
}

describe('a tool that listens', () => {
  it('is acknowledged at once, reads speech while the conversation goes on, and is stopped by the model', async () => {
    const listener = new Listener();
    const { live, model } = await startLive({ tools: [listener] }, [
      untilText(),
      callsLive('listen', {}, 'c1'),
      untilResponse('c1'),
      speaks('I am listening.'),
      untilAudio(2),
      () => settled(5).then(() => callsLive('stop_streaming', { function_name: 'listen' }, 'c2')),
      untilResponse('c2'),
      speaks('Enough.'),
    ]);
    live.sendText('Listen.');
    await until(live, isTurnEnd);
    void live.sendAudio(new Uint8Array(2));
    void live.sendAudio(new Uint8Array(4));
    const events = await until(live, isTurnEnd);
    await live.close();

    expect(listener.heard).toEqual([2, 4]);
    expect(listener.isOver).toBe(true);
    expect(model.connection.setup.tools.length).toBeGreaterThan(1);
    expect(model.connection.responses.slice(0, 2).map(({ response }) => response)).toEqual([
      { status: 'streaming', tool: 'listen' },
      { status: 'stopped', tool: 'listen' },
    ]);
    const yields = events.filter(({ partial, functionResponses }) => partial && functionResponses.length > 0);
    expect(yields.map(({ functionResponses: [one] }) => one?.response)).toEqual([
      { result: 2 },
      { result: 4 },
    ]);
  });

  it('ends with the session', async () => {
    const listener = new Listener();
    const { live, runner } = await startLive({ tools: [listener] }, [
      untilText(),
      callsLive('listen', {}, 'c1'),
    ]);
    live.sendText('Listen.');
    await until(live, ({ functionResponses }) => functionResponses.length > 0);
    await live.close();
    await settled();

    expect(listener.isOver).toBe(true);
    expect((await storedOf(runner)).at(-1)).toBe('clerk ← c1 {"result":[]}');
  });

  it('has no time limit unless it states one', async () => {
    const listener = new Listener();
    const { live, model } = await startLive(
      { tools: [listener] },
      [untilText(), callsLive('listen', {}, 'c1'), untilAudio(1), speaks('I heard it.')],
      { config: { toolTimeout: 1 } },
    );
    live.sendText('Listen.');
    await until(live, ({ functionCalls }) => functionCalls.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    void live.sendAudio(new Uint8Array(2));
    await until(live, isTurnEnd);
    expect([listener.heard, listener.isOver]).toEqual([[2], false]);
    await live.close();
    model.assertDone();
  });

  it('does not hold up who sends: a reader that is behind loses the oldest pieces', async () => {
    const { live } = await startLive({}, []);
    const { line } = live as unknown as { line: { heard: ConstructorParameters<typeof LiveInput>[0] } };
    const input = new LiveInput(line.heard, new AbortController().signal);
    const pieces = input[Symbol.asyncIterator]();
    for (let size = 0; size < 300; size++) void live.sendAudio(new Uint8Array(size));

    expect(await pieces.next()).toMatchObject({ value: { data: { byteLength: 300 - 256 } } });
    await live.close();
  });
});

describe('the calls of a live session', () => {
  it('do not wait for each other: the quick one is answered while the slow one runs', async () => {
    const { promise, open } = gate();
    const tools = [
      new FunctionTool({ name: 'slow', description: '', parameters: OBJECT, run: () => promise }),
      new FunctionTool({ name: 'quick', description: '', parameters: OBJECT, run: () => 1 }),
    ];
    const { live, model } = await startLive({ tools }, [
      untilText(),
      callsAllLive({ id: 's', name: 'slow', args: {} }, { id: 'q', name: 'quick', args: {} }),
      untilResponse('q'),
      speaks('One is done.'),
      untilResponse('s'),
      speaks('Both are done.'),
    ]);
    live.sendText('Go.');
    await until(live, isTurnEnd);
    expect(model.connection.responses.map(({ id }) => id)).toEqual(['q']);
    open();
    await until(live, isTurnEnd);
    await live.close();
    model.assertDone();
  });

  it('are answered by hand where onToolCall does, and by their tools otherwise', async () => {
    const ran: string[] = [];
    const tools = ['one', 'two'].map(
      (name) => new FunctionTool({ name, description: '', parameters: OBJECT, run: () => ran.push(name) }),
    );
    @agent({ name: 'clerk', tools })
    class Clerk extends LlmAgent {
      override onToolCall(calls: readonly FunctionCall[]) {
        return Object.fromEntries(
          calls.filter(({ name }) => name === 'one').map(({ id = '' }) => [id, { by: 'hand' }]),
        );
      }

      override beforeToolResponse(
        response: Readonly<Record<string, unknown>>,
        call: FunctionCall,
        _: CallbackContext,
      ) {
        return { ...response, seen: call.name };
      }
    }
    const model = new ScriptedLive(
      untilText(),
      callsAllLive({ id: 'a', name: 'one', args: {} }, { id: 'b', name: 'two', args: {} }),
      untilResponse(undefined, 2),
      speaks('Done.'),
    );
    await using runner = await createRunner(Clerk, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    live.sendText('Go.');
    await until(live, isTurnEnd);
    await live.close();

    expect(ran).toEqual(['two']);
    expect(model.connection.responses.map(({ response }) => response)).toEqual([
      { by: 'hand', seen: 'one' },
      { result: 1, seen: 'two' },
    ]);
    // The log keeps what the tools returned.
    expect((await storedOf(runner)).filter((line) => line.includes('seen'))).toEqual([]);
  });

  it('run agents as tools, which share the state of the conversation', async () => {
    const Verifier = defineAgent({ name: 'verifier', description: 'Verifies.', outputKey: 'verdict' });
    const Clerk = defineAgent({ name: 'clerk', instruction: 'Be kind.', tools: [agentTool(Verifier)] });
    const model = new ScriptedLive(
      untilText(),
      callsLive('verifier', { request: 'Is it Ada?' }, 'v1'),
      untilResponse('v1'),
      speaks('You are Ada.'),
    );
    await using runner = await createRunner(Clerk, { model: new ScriptedModel(says('It is Ada.')) });
    const live = runner.live({ ...KEY, model });
    live.sendText('It is me.');
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.responses[0]?.response).toEqual({ text: 'It is Ada.' });
    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
    expect(session?.state['verdict']).toBe('It is Ada.');
  });

  it('pass the plugins and limits of any run', async () => {
    const seen: string[] = [];
    class Watch extends Plugin {
      readonly name = 'watch';
      override onUserMessage(message: { parts?: { text?: string }[] }) {
        seen.push(`heard ${message.parts?.[0]?.text ?? ''}`);
        return { role: 'user', parts: [{ text: 'Hello (cleaned).' }] };
      }

      override beforeTool(tool: Tool) {
        seen.push(`before ${tool.name}`);
      }
    }
    const tool = new FunctionTool({ name: 'quick', description: '', parameters: OBJECT, run: () => 1 });
    const model = new ScriptedLive(
      untilText(),
      callsLive('quick', {}, 'q'),
      untilResponse('q'),
      speaks('A.'),
      speaks('B.'),
    );
    const Clerk = defineAgent({ name: 'clerk', tools: [tool] });
    await using runner = await createRunner(Clerk, {
      model: new ScriptedModel(),
      plugins: [new Watch()],
      config: { maxLlmCalls: 1 },
    });
    const live = runner.live({ ...KEY, model });
    live.sendText('Hello.');
    await live.ended;

    expect(seen).toEqual(['heard Hello.', 'before quick']);
    expect(model.connection.texts).toEqual(['Hello (cleaned).']);
    expect((await storedOf(runner)).at(-1)).toBe('clerk ! LLM_CALL_LIMIT');
  });
});

describe('the calls of one message of a live model', () => {
  const quickOf = (ran: unknown[]): FunctionTool =>
    new FunctionTool({
      name: 'quick',
      description: '',
      parameters: OBJECT,
      run: (args) => ran.push(args),
    });

  it('do not run above the limit of an answer, and are told so', async () => {
    const ran: unknown[] = [];
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'quick', args: { id } }));
    const { live, model } = await startLive(
      { tools: [quickOf(ran)] },
      [untilText(), callsAllLive(...calls), untilResponse(undefined, 3), speaks('Done.')],
      { config: { maxCallsPerAnswer: 2 } },
    );
    live.sendText('Go.');
    await until(live, isTurnEnd);
    await live.close();

    expect(ran).toEqual([{ id: 'a' }, { id: 'b' }]);
    const { response } = model.connection.responses.find(({ id }) => id === 'c') ?? {};
    expect(response).toEqual({ error: expect.stringContaining('3 calls') as string });
  });

  it('do not run with arguments that cannot be read; JSON text is read, and what is no call is left out', async () => {
    const ran: unknown[] = [];
    const written = ['{"a":1}', '{"a":', 7, ['x']].map((args, index) => {
      return { id: `c${String(index)}`, name: 'quick', args } as unknown as FunctionCall;
    });
    const broken = [null, 7, {}, { id: 5, name: 'quick' }] as unknown as FunctionCall[];
    const { live, model, runner } = await startLive({ tools: [quickOf(ran)] }, [
      untilText(),
      callsAllLive(...broken, ...written),
      untilResponse(undefined, 6),
      speaks('Done.'),
    ]);
    live.sendText('Go.');
    await until(live, isTurnEnd);
    await live.close();

    expect(ran).toEqual([{}, { a: 1 }]);
    const responses = new Map(model.connection.responses.map(({ id, response }) => [id, response]));
    expect([...responses.keys()].sort()).toEqual(['', 'c0', 'c1', 'c2', 'c3']);
    for (const id of ['c1', 'c2', 'c3'])
      expect(responses.get(id)).toEqual({
        error: expect.stringContaining('the arguments must be') as string,
      });
    expect((await storedOf(runner)).filter((line) => line.includes('←'))).toHaveLength(6);
  });
});

describe('code that a live model writes', () => {
  class Executor extends CodeExecutor {
    readonly isolation = 'none';
    readonly environment = 'Nothing is installed.';
    readonly timeout = 1_000;
    readonly languages = ['python'];
    readonly codes: string[] = [];

    execute({ code }: CodeExecutionInput): Promise<CodeExecutionResult> {
      this.codes.push(code);
      return Promise.resolve({ stdout: '42', stderr: '', exitCode: 0 });
    }
  }

  it('is run like a call when the turn ends, and its result is told to the model, which answers it', async () => {
    const executor = new Executor();
    const { live, model, runner } = await startLive(
      { tools: [runCode(executor, { codeBlocks: true })] },
      [untilText(), writes('I compute it.\n```python\nprint(6 * 7)\n```'), untilText(), writes('It is 42.')],
      { modality: 'text' },
    );
    live.sendText('What is six times seven?');
    const events = await until(live, isTurnEnd);
    await live.close();

    expect(executor.codes).toEqual(['print(6 * 7)']);
    expect(events.at(-1)?.text).toBe('It is 42.');
    expect(model.connection.texts[1]).toContain(
      '[run_code returned {"outcome":"OUTCOME_OK","output":"42"}.]',
    );
    expect(await storedOf(runner)).toEqual([
      'user: What is six times seven?',
      expect.stringMatching(/^clerk: I compute it\.\s+→ run_code \{"code":"print\(6 \* 7\)"\}/),
      expect.stringContaining('"output":"42"'),
      'clerk: It is 42.',
    ]);
  });

  it('is not run if the user interrupts the model while it writes', async () => {
    const executor = new Executor();
    const { live } = await startLive(
      { tools: [runCode(executor, { codeBlocks: true })] },
      [untilText(), { kind: 'text', text: '```python\nprint(1)\n```' }, isInterrupted()],
      { modality: 'text' },
    );
    live.sendText('Compute.');
    await until(live, isTurnEnd);
    await live.close();

    expect(executor.codes).toEqual([]);
  });
});

describe('what a tool of a live session writes before a yield', () => {
  it('is stored before the yield is shown, and is not written again when the call ends', async () => {
    const tool = new FunctionTool({
      name: 'listen',
      description: 'Listens.',
      parameters: OBJECT,
      background: true,
      run: async function* (_: object, { state }: ToolContext) {
        state.set('mood', 0.3);
        yield 'calm';
        state.set('mood', 0.9);
        yield 'loud';
        await settled(5);
        return 'over';
      },
    });
    const { live, runner } = await startLive({ tools: [tool] }, [
      untilText(),
      callsLive('listen', {}, 'c1'),
      untilResponse('c1', 2),
      speaks('I see.'),
    ]);
    const key = { appName: runner.appName, ...KEY };
    const seen: unknown[] = [];
    live.sendText('Listen.');
    await until(live, (event) => {
      const [response] = event.functionResponses;
      if (event.partial && response) seen.push(response.response?.['result']);
      return isTurnEnd(event);
    });
    await live.close();

    const events = (await runner.sessions.getSession(key))?.events ?? [];
    expect(seen).toEqual(['calm', 'loud']);
    expect(events.flatMap(({ actions }) => actions.stateDelta['mood'] ?? [])).toEqual([0.3, 0.9]);
  });
});

describe('beforeModel in a live session', () => {
  it('is called for the connection and for each message, and not for what the model says', async () => {
    let calls = 0;
    class Counting extends Plugin {
      readonly name = 'counting';

      override beforeModel(): undefined {
        calls++;
      }
    }
    const Clerk = defineAgent({ name: 'clerk', tools: [new StaticToolset([])] });
    const runner = await createRunner(Clerk, { model: new ScriptedModel(), plugins: [new Counting()] });
    const model = new ScriptedLive(untilText(), speaks('One.'), untilText(), speaks('Two.'));
    const live = runner.live({ ...KEY, model });

    for (const text of ['Count.', 'Go on.']) {
      live.sendText(text);
      await until(live, isTurnEnd);
    }
    await live.close();

    expect(calls).toBe(3);
  });
});

describe('the fast lane', () => {
  it('passes speech and interruptions on while a store hangs', async () => {
    class HungSessions extends InMemorySessionService {
      isHung = false;
      override async appendEvent(...args: Parameters<SessionService['appendEvent']>) {
        if (this.isHung) await new Promise(() => undefined);
        return super.appendEvent(...args);
      }
    }
    const sessions = new HungSessions();
    const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
    const model = new ScriptedLive();
    const runner = await createRunner(defineAgent({ name: 'clerk' }), {
      model: new ScriptedModel(),
      modules,
    });
    const live = runner.live({ ...KEY, model });
    await until(live, (event) => event.live?.kind === 'connected');
    sessions.isHung = true;
    live.sendText('This is never stored.');
    await settled();

    // A second: of speech that was played to its end, the provider is told nothing.
    model.connection.emit({ kind: 'audio', data: new Uint8Array(48_000) });
    void live.sendAudio(new Uint8Array(2));
    await until(live, ({ audio }) => audio !== undefined);
    model.connection.emit({ kind: 'interrupted' });
    await until(live, ({ interrupted }) => interrupted === true);
    await settled();

    expect(model.connection.sent.map(({ kind }) => kind)).toEqual(['audio', 'interrupt']);
  });
});
