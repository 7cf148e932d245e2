import { ScriptedModel } from '@adorn/testing';

import { InMemoryArtifactService } from '../stores/artifacts/in-memory-artifact.service.js';
import { CredentialResolver } from '../auth/credential-resolver.js';
import { InMemoryCredentialService } from '../auth/credential.service.js';
import type { Event, EventBody } from '../events/event.js';
import type { SessionKey } from '../events/session.js';
import { InMemoryEffectLedger } from '../stores/effects/in-memory-effect-ledger.js';
import { InMemoryMemoryService } from '../stores/memory/in-memory-memory.service.js';
import { Clock } from '../runtime/clock.js';
import { ConsoleLogger } from '../runtime/logger.js';
import { InMemorySessionService } from '../stores/sessions/in-memory-session.service.js';
import type { Answer } from '../log/pending-call-index.js';
import type { AgentNode } from './agent-node.js';
import { Invocation } from './invocation.js';
import { Replay } from './replay.js';
import { DEFAULT_RUN_CONFIG } from './run-config.js';

const ROOT = { name: 'clerk', path: 'clerk', isLlmAgent: true, subAgents: [] } as unknown as AgentNode;
const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };

describe('InvocationContext', () => {
  it('knows whose it is', async () => {
    const { context } = await open();

    expect([context.appName, context.userId, context.sessionKey, context.branch]).toEqual([
      'app',
      'ada',
      KEY,
      undefined,
    ]);
  });

  it("makes events of its own, stamped with the runner's clock", async () => {
    const { context } = await open();

    const event = context.event({ author: 'clerk', content: { role: 'model', parts: [{ text: 'Hello' }] } });

    expect(event).toMatchObject({ invocationId: 'e-1', timestamp: 1234.5, branch: undefined, text: 'Hello' });
  });

  it('writes an event to the log and sees what it left behind', async () => {
    const { context, textsInLog } = await open();

    await context.append(context.event(body('Noted.', { city: 'Oslo' })));

    expect(await textsInLog()).toEqual(['Noted.']);
    expect(context.session.events.map(({ text }) => text)).toEqual(['Noted.']);
    expect(context.stored['city']).toBe('Oslo');
  });

  it('writes no piece of an answer', async () => {
    const { context, textsInLog } = await open();

    await context.append(context.event({ ...body('Hel', { city: 'Oslo', 'temp:draft': 1 }), partial: true }));

    expect(await textsInLog()).toEqual([]);
    expect([{ ...context.stored }, { ...context.temporary }]).toEqual([{}, {}]);
  });

  it('writes events ahead at once and in order, and not again when they are appended', async () => {
    const { context, invocation, textsInLog } = await open();
    const [question, response, after] = ['Sure?', 'Waiting.', 'After.'].map((text) =>
      context.event(body(text)),
    ) as [Event, Event, Event];

    await invocation.log.appendAhead([question, response]);
    expect(await textsInLog()).toEqual(['Sure?', 'Waiting.']);
    for (const event of [question, response, after]) await context.append(event);

    expect(await textsInLog()).toEqual(['Sure?', 'Waiting.', 'After.']);
  });

  it('writes ahead a second time', async () => {
    const { context, invocation, textsInLog } = await open();
    const [one, two] = ['One', 'Two'].map((text) => context.event(body(text))) as [Event, Event];

    await invocation.log.appendAhead([one]);
    await invocation.log.appendAhead([two]);
    for (const event of [one, two]) await context.append(event);

    expect(await textsInLog()).toEqual(['One', 'Two']);
  });

  it('writes an event once, however often it is appended, and gives it back as it is stored', async () => {
    const { context, sessions } = await open();
    const event = context.event(body('Noted.', { city: 'Oslo', 'temp:draft': 1 }));

    const [first, second] = await Promise.all([context.append(event), context.append(event)]);

    const { events = [] } = (await sessions.getSession(KEY)) ?? {};
    expect([first, second]).toEqual([events[0], events[0]]);
    expect(events.map(({ actions }) => actions.stateDelta)).toEqual([{ city: 'Oslo' }]);
  });

  it('refuses another event with the id of one that it wrote', async () => {
    const { context, textsInLog } = await open();
    await context.append(context.event({ ...body('One'), id: 'x' }));

    const second = context.append(context.event({ ...body('Two'), id: 'x' }));

    await expect(second).rejects.toMatchObject({
      code: 'EVENT_INVALID',
      eventId: 'x',
      message:
        'Two events of this invocation have the id "x". The second was not stored. ' +
        'Make each event with context.event, which gives it an id of its own.',
    });
    expect(await textsInLog()).toEqual(['One']);
  });

  it('writes an event that its store refused before', async () => {
    const { context, textsInLog } = await open();
    const event = context.event(body('Noted.'));
    await expect(context.append(event, { expectedSeq: 7 })).rejects.toMatchObject({
      code: 'SESSION_CONFLICT',
    });

    await context.append(event);

    expect(await textsInLog()).toEqual(['Noted.']);
  });

  it('keeps temp: keys for as long as it lives, and out of the log', async () => {
    const { context, sessions } = await open();

    await context.append(context.event(body('', { 'temp:draft': 1, 'temp:note': 'a', city: 'Oslo' })));
    await context.append(context.event(body('', { 'temp:note': null, 'temp:draft': 2 })));

    expect({ ...context.temporary }).toEqual({ 'temp:draft': 2 });
    const stored = await sessions.getSession(KEY);
    expect({ ...stored?.state }).toEqual({ city: 'Oslo' });
    expect(stored?.events.map(({ actions }) => actions.stateDelta)).toEqual([{ city: 'Oslo' }, {}]);
  });

  it('keeps temp: keys apart from those of another invocation', async () => {
    const { context, sessions } = await open();
    const { root: other } = await invocationOf(sessions, 'e-2');

    await context.append(context.event(body('', { 'temp:draft': 1 })));

    expect({ ...other.temporary }).toEqual({});
  });

  it('gives out each answer once, and to the run that made the call', async () => {
    const { context: earlier, sessions } = await open();
    const paths = ['clerk', 'clerk/teller', 'clerk', 'other@2'];
    const answers = paths.map((path) => answerTo(earlier.event({ author: 'clerk', nodeInfo: { path } })));
    const invocation = await invocationOf(sessions, 'e-2', answers);
    const teller = { name: 'clerk', path: 'clerk/teller' } as AgentNode;

    expect(invocation.claimAnswers(invocation.root)).toEqual([]);
    invocation.replay = new Replay({ invocationIds: new Set(['e-1']), events: [] }, ROOT);
    expect(invocation.claimAnswers(invocation.root)).toEqual([answers[0], answers[2]]);
    expect(invocation.claimAnswers(invocation.root)).toEqual([]);
    expect(invocation.claimAnswers(invocation.enter(teller, teller.path))).toEqual([answers[1]]);
    expect(invocation.answers).toEqual([answers[3]]);
  });

  it('is cancelled with its signal', async () => {
    const { context } = await open();
    const { signal } = context;

    context.cancellation.cancel();

    expect(signal.aborted).toBe(true);
  });
});

class StoppedClock extends Clock {
  now(): number {
    return 1234.5;
  }
}

async function open() {
  const sessions = new InMemorySessionService();
  await sessions.createSession(KEY);
  const invocation = await invocationOf(sessions, 'e-1');
  const textsInLog = async () => (await sessions.getSession(KEY))?.events.map(({ text }) => text);
  return { context: invocation.root, invocation, sessions, textsInLog };
}

async function invocationOf(
  sessions: InMemorySessionService,
  invocationId: string,
  answers: readonly Answer[] = [],
) {
  const session = await sessions.getSession(KEY);
  if (session === undefined) throw new Error('The session is not there.');
  const credentials = new InMemoryCredentialService();
  return new Invocation({
    root: ROOT,
    invocationId,
    session,
    config: DEFAULT_RUN_CONFIG,
    answers,
    services: {
      sessions,
      artifacts: new InMemoryArtifactService(),
      memory: new InMemoryMemoryService(),
      effects: new InMemoryEffectLedger(),
      credentials,
      auth: new CredentialResolver({ credentials, clock: new StoppedClock(), logger: new ConsoleLogger() }),
      clock: new StoppedClock(),
      logger: new ConsoleLogger(),
      modelNamed: () => new ScriptedModel(),
      resolve: () => {
        throw new Error('Nothing is bound.');
      },
    },
  });
}

function body(text: string, stateDelta: Record<string, unknown> = {}): EventBody {
  return { author: 'clerk', content: { role: 'model', parts: [{ text }] }, actions: { stateDelta } };
}

function answerTo(event: Event): Answer {
  return { open: { call: { id: 'call-1', name: 'refund' }, event }, kind: 'again' };
}
