import { ScriptedModel } from '@adorn/testing';

import { InMemoryArtifactService } from '../stores/artifacts/in-memory-artifact.service.js';
import { CredentialResolver } from '../auth/credential-resolver.js';
import { InMemoryCredentialService } from '../auth/credential.service.js';
import type { EventActions } from '../events/event-actions.js';
import { InMemoryEffectLedger } from '../stores/effects/in-memory-effect-ledger.js';
import { InMemoryMemoryService } from '../stores/memory/in-memory-memory.service.js';
import { SystemClock } from '../runtime/clock.js';
import { ConsoleLogger } from '../runtime/logger.js';
import { InMemorySessionService } from '../stores/sessions/in-memory-session.service.js';
import { ToolContext } from '../tools/tool-context.js';
import { ActionsUnavailableError, CallbackContext } from './callback-context.js';
import type { AgentNode } from './agent-node.js';
import { Invocation } from './invocation.js';
import { DEFAULT_RUN_CONFIG } from './run-config.js';

describe('CallbackContext', () => {
  it('knows the invocation and the agent it is of', async () => {
    const { context, invocation } = await open();
    const { appName, userId, sessionId, invocationId, agentName, signal, userContent } = context;

    expect({ appName, userId, sessionId, invocationId, agentName }).toEqual({
      appName: 'app',
      userId: 'ada',
      sessionId: 's1',
      invocationId: 'e-1',
      agentName: 'clerk',
    });
    expect(userContent).toEqual({ role: 'user', parts: [{ text: 'Hello' }] });
    expect(signal).toBe(invocation.signal);
  });

  it('asks for nothing until something is asked of it', async () => {
    const { context } = await open();
    context.state.get('city');

    expect(taken(context)).toBeUndefined();
  });

  it('asks for all that was set and written', async () => {
    const { invocation } = await open();
    const context = new ToolContext(invocation, CLERK, { functionCallId: 'c1', functionCallEventId: 'ev1' });
    expect([taken(context), transferOf(context)]).toEqual([undefined, undefined]);

    context.state.set('city', 'Rome');
    context.state.delete('user:theme');
    context.actions.transferToAgent = 'billing';
    context.actions.escalate = true;
    await context.saveArtifact('a.txt', { text: 'one' });
    await context.saveArtifact('a.txt', { text: 'two' });

    expect(transferOf(context)).toBe('billing');
    expect(taken(context)).toEqual({
      stateDelta: { city: 'Rome', 'user:theme': null },
      transferToAgent: 'billing',
      escalate: true,
      artifactDelta: { 'a.txt': 1 },
    });
  });

  it('has no actions of its own: without a call nothing could follow from them', async () => {
    const { context } = await open();

    expect(() => Reflect.get(context, 'actions') as unknown).toThrow(ActionsUnavailableError);
  });

  it('reads its own writes, which no other context sees before they are appended', async () => {
    const { context, invocation } = await open();
    const cityElsewhere = (): unknown => new CallbackContext(invocation, CLERK).state.get('city');

    context.state.set('city', 'Rome');

    expect([context.state.get('city'), cityElsewhere()]).toEqual(['Rome', 'Oslo']);
    await invocation.append(invocation.event({ author: 'clerk', actions: taken(context) }));
    expect(cityElsewhere()).toBe('Rome');
  });

  it('saves, loads and lists the artifacts of its session', async () => {
    const { context } = await open();

    expect(await context.saveArtifact('a.txt', { text: 'one' })).toBe(0);
    expect(await context.saveArtifact('user:b.txt', { text: 'two' })).toBe(0);

    expect(await context.listArtifacts()).toEqual(['a.txt', 'user:b.txt']);
    expect(await context.listArtifactVersions('a.txt')).toEqual([0]);
    expect(await context.loadArtifact('a.txt', 0)).toEqual({ text: 'one' });
    expect(await context.loadArtifact('c.txt')).toBeUndefined();
  });

  it('saves an artifact only under the version that is named, and refuses options that do not exist', async () => {
    const { context } = await open();

    expect(await context.saveArtifact('a.txt', { text: 'one' }, { version: 0 })).toBe(0);
    await expect(context.saveArtifact('a.txt', { text: 'two' }, { version: 0 })).rejects.toMatchObject({
      code: 'ARTIFACT_VERSION_TAKEN',
    });
    const misspelt = { versoin: 1 } as object;
    await expect(context.saveArtifact('a.txt', { text: 'two' }, misspelt)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });

    expect(await context.listArtifactVersions('a.txt')).toEqual([0]);
  });

  it('searches the memory of its user', async () => {
    const { context, invocation } = await open();
    const entry = { content: { role: 'user', parts: [{ text: 'The harbour opens at seven.' }] } };
    await invocation.services.memory.addMemory({ appName: 'app', userId: 'ada' }, [entry]);
    await invocation.services.memory.addMemory({ appName: 'app', userId: 'bob' }, [entry]);

    expect(await context.searchMemory('harbour')).toEqual([entry]);
  });
});

const CLERK: AgentNode = {
  definition: {},
  name: 'clerk',
  description: '',
  path: 'clerk',
  parentAgent: undefined,
  subAgents: [],
  toolAgents: [],
  transfer: { disabled: false, toParent: true, toPeers: true, isCalled: false },
  isLlmAgent: true,
  actsOnEscalation: false,
  perform: () => {
    throw new Error('This agent is not run.');
  },
};

/** What the run reads of a context; the public types have it not. */
function taken(context: CallbackContext): Partial<EventActions> | undefined {
  return (context as unknown as { drainActions(): Partial<EventActions> | undefined }).drainActions();
}

function transferOf(context: ToolContext): unknown {
  return Reflect.get(context, 'transferRequested');
}

async function open() {
  const sessions = new InMemorySessionService();
  const key = { appName: 'app', userId: 'ada', sessionId: 's1' };
  const session = await sessions.createSession(key, { city: 'Oslo', 'user:theme': 'dark' });
  const credentials = new InMemoryCredentialService();
  const invocation = new Invocation({
    root: CLERK,
    invocationId: 'e-1',
    session,
    config: DEFAULT_RUN_CONFIG,
    userContent: { role: 'user', parts: [{ text: 'Hello' }] },
    services: {
      sessions,
      artifacts: new InMemoryArtifactService(),
      memory: new InMemoryMemoryService(),
      effects: new InMemoryEffectLedger(),
      credentials,
      auth: new CredentialResolver({ credentials, clock: new SystemClock(), logger: new ConsoleLogger() }),
      clock: new SystemClock(),
      logger: new ConsoleLogger(),
      modelNamed: () => new ScriptedModel(),
      resolve: () => {
        throw new Error('Nothing is bound.');
      },
    },
  });
  return { context: new CallbackContext(invocation.root, CLERK), invocation: invocation.root };
}
