import { callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { FunctionToolFields, LogFacts } from '../backend.js';
import { ContainerModule, createRunner, defineAgent, type Event, FunctionTool, Logger } from '../index.js';

describe('what the calls of a turn ask for', () => {
  it('is merged in the order of the calls, whichever ends first', async () => {
    const { response, state, warnings } = await play(
      tool('slow', async (_args, { state }) => {
        await new Promise((resolve) => setImmediate(resolve));
        state.set('a', 'slow');
        state.set('slow', true);
      }),
      tool('fast', (_args, { state }) => {
        state.set('fast', true);
      }),
    );

    expect(response?.actions.stateDelta).toEqual({ a: 'slow', slow: true, fast: true });
    expect(Object.keys(response?.actions.stateDelta ?? {})).toEqual(['a', 'slow', 'fast']);
    expect(state).toEqual({ a: 'slow', slow: true, fast: true });
    expect(warnings).toEqual([]);
  });

  it('is the later word where two wrote one key, and the log says so', async () => {
    const { response, warnings } = await play(
      tool('first', async (_args, { state }) => {
        await new Promise((resolve) => setImmediate(resolve));
        state.set('seat', '1A');
      }),
      tool('second', (_args, { state }) => {
        state.set('seat', '2B');
      }),
    );

    expect(response?.actions.stateDelta).toEqual({ seat: '2B' });
    expect(warnings).toEqual([['two calls of one turn wrote "seat"; the later wins', { callId: 'c2' }]]);
  });

  it('keeps the files that both saved', async () => {
    const save =
      (name: string): FunctionToolFields['run'] =>
      (_args, context) =>
        context.saveArtifact(name, { text: name });

    const { response } = await play(tool('first', save('a.txt')), tool('second', save('b.txt')));

    expect(response?.actions.artifactDelta).toEqual({ 'a.txt': 0, 'b.txt': 0 });
  });

  it('is kept of a call that failed: what it wrote, it wrote', async () => {
    const { response } = await play(
      tool('first', (_args, { state }) => {
        state.set('tried', 1);
        throw new Error('broken');
      }),
    );

    expect(response?.actions.stateDelta).toEqual({ tried: 1 });
  });

  it('leaves out what the confirmation of a paused call wrote', async () => {
    const asking = new FunctionTool({
      name: 'asking',
      description: 'Test.',
      run: () => undefined,
      confirm: (_args, { state }) => {
        state.set('asked', true);
        return true;
      },
    });
    const { response, state } = await play(
      asking,
      tool('fast', (_args, { state }) => {
        state.set('fast', true);
      }),
    );

    expect(response?.actions.stateDelta).toEqual({ fast: true });
    expect(state).toEqual({ fast: true });
  });

  it('is nothing, in one frozen object for all, where nobody asked for anything', async () => {
    const { response } = await play(
      tool('first', () => 1),
      tool('second', () => 2),
    );

    expect(response?.actions).toEqual({
      stateDelta: {},
      artifactDelta: {},
      requestedAuthConfigs: {},
      requestedToolConfirmations: {},
    });
    expect(Object.isFrozen(response?.actions)).toBe(true);
  });
});

describe('of what steers a run, the stronger wins', () => {
  const transfers = tool('transfers', (_args, { actions }) => {
    actions.transferToAgent = 'billing';
  });
  const transfersElsewhere = tool('transfers_elsewhere', (_args, { actions }) => {
    actions.transferToAgent = 'shipping';
  });
  const escalates = tool('escalates', (_args, { actions }) => {
    actions.escalate = true;
  });
  const skips = tool('skips', (_args, { actions }) => {
    actions.skipSummarization = true;
  });
  const fails = tool('fails', (_args, { actions }) => {
    actions.escalate = true;
    throw new Error('broken');
  });
  const pauses = tool('pauses', () => 'never', { confirm: true });
  const hands = tool('hands', () => 'ticket', { longRunning: true });

  it.each<[string, FunctionTool[], object, [string, object][]]>([
    [
      'a transfer over an escalation',
      [escalates, transfers],
      { transferToAgent: 'billing' },
      [['c1', { escalate: true }]],
    ],
    [
      'a transfer over a skip',
      [skips, transfers],
      { transferToAgent: 'billing' },
      [['c1', { skipSummarization: true }]],
    ],
    [
      'an escalation over a skip',
      [skips, escalates],
      { escalate: true },
      [['c1', { skipSummarization: true }]],
    ],
    [
      'a pause over all, which keeps the strongest for later',
      [transfers, escalates, skips, pauses],
      { deferred: { transferToAgent: 'billing' } },
      [
        ['c2', { escalate: true }],
        ['c3', { skipSummarization: true }],
      ],
    ],
    [
      'the first transfer over one to another agent',
      [transfers, transfersElsewhere, transfers],
      { transferToAgent: 'billing' },
      [['c2', { transferToAgent: 'shipping' }]],
    ],
    [
      'a handle, which pauses as well, over all',
      [transfers, hands],
      { deferred: { transferToAgent: 'billing' } },
      [],
    ],
    ['any that completed over one that failed', [fails, skips], { skipSummarization: true }, []],
    ['nobody where the call that asked failed', [fails], {}, []],
    ['nobody over who asks the same', [escalates, escalates], { escalate: true }, []],
  ])('%s; what loses is logged with its call', async (_what, tools, steering, lost) => {
    const { response, warnings } = await play(...tools);

    const {
      stateDelta: _state,
      artifactDelta: _files,
      requestedAuthConfigs: _auth,
      requestedToolConfirmations: _asked,
      ...steers
    } = response?.actions ?? ({} as Event['actions']);
    const deferred = response?.customMetadata?.['adorn:deferredSteering'];
    expect({ ...steers, deferred }).toEqual(steering);
    expect(warnings).toEqual(
      lost.map(([callId, asked]) => [
        'a control action of a tool was overridden by a stronger one of the same turn',
        { callId, ...asked },
      ]),
    );
  });
});

function tool(
  name: string,
  run: FunctionToolFields['run'],
  traits: Partial<FunctionToolFields> = {},
): FunctionTool {
  return new FunctionTool({ ...traits, name, description: 'Test.', run });
}

/** Lets a model call the tools in one turn, as `c1`, `c2`, …; a tool may stand there twice. */
async function play(...tools: FunctionTool[]) {
  const calls = tools.map(({ name }, index) => ({ name, args: {}, id: `c${String(index + 1)}` }));
  const model = new ScriptedModel(callsTools(...calls), says('Done.'));
  const logger = new ListLogger();
  const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
  const subAgents = ['billing', 'shipping'].map((name) => defineAgent({ name, description: 'Test.' }));
  const Clerk = defineAgent({ name: 'clerk', tools: [...new Set(tools)], subAgents });
  await using runner = await createRunner(Clerk, { model, modules });
  const events = await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));
  const session = await runner.sessions.getSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
  const response = events.find(({ functionResponses }) => functionResponses.length > 0);
  const warnings = logger.warnings.filter(([message]) => !message.endsWith('failed'));
  return { response, warnings, state: { ...session?.state } };
}

class ListLogger extends Logger {
  readonly warnings: [string, LogFacts][] = [];

  debug(): void {
    // Nobody looks at it.
  }

  info(): void {
    // Nobody looks at it.
  }

  warn(message: string, facts: LogFacts = {}): void {
    this.warnings.push([message, facts]);
  }

  error(): void {
    // Nobody looks at it.
  }
}
