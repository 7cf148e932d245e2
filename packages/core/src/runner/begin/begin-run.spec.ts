import { setTimeout } from 'node:timers/promises';

import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  type PendingRequest,
  type Runner,
  type SessionKey,
  SessionService,
} from '../../index.js';
import type { RunOpening, RunRecord } from '../../backend.js';
import { InMemorySessionService } from '../../stores/sessions/in-memory-session.service.js';
import { createSessionOnce } from './begin-run.js';

describe('createSessionOnce', () => {
  it('gives both of two first messages that come at once the same conversation', async () => {
    const sessions = new InMemorySessionService();

    const [first, second] = await Promise.all([
      createSessionOnce(sessions, KEY),
      createSessionOnce(sessions, KEY),
    ]);

    expect(second).toBe(first);
  });

  it('passes on what a store refuses for another reason', async () => {
    const sessions = new InMemorySessionService();
    sessions.createSession = () => Promise.reject(new Error('the disk is full'));

    await expect(createSessionOnce(sessions, KEY)).rejects.toThrow('the disk is full');
  });
});

describe('an answer that waits for a run of another process', () => {
  it('is read again after the wait: what that process has closed meanwhile is not pending', async () => {
    const sessions = new InMemorySessionService();
    const ran: string[] = [];
    const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => ran.push('pay') });
    let release: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => (release = resolve));
    const open = (...steps: readonly ScriptedStep[]): Promise<Runner> =>
      createRunner(defineAgent({ name: 'shop', tools: [pay], model: new ScriptedModel(...steps) }), {
        modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))],
      });
    const one = await open(callsTool('pay'), () => busy.then(() => says('Later.')));
    const other = await open(says('Paid.'));
    const { pending, invocationId } = await one.run({ ...ADDRESS, message: 'Pay.' });
    const running = one.run({ ...ADDRESS, message: 'Hello?' }).text;
    await setTimeout(20);

    const answering = eventsOf(other.approve(pending[0] as PendingRequest));
    await setTimeout(20);
    const rewinding = one.rewind({ ...ADDRESS, invocationId });
    release();

    await expect(answering).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
    expect([await running, (await rewinding).author, ran]).toEqual(['Later.', 'user', []]);
  });

  it('is read again once the session is taken: what that process has closed until then is not pending', async () => {
    const sessions = new ClosingSessions();
    const ran: string[] = [];
    const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => ran.push('pay') });
    const open = (...steps: readonly ScriptedStep[]): Promise<Runner> =>
      createRunner(defineAgent({ name: 'shop', tools: [pay], model: new ScriptedModel(...steps) }), {
        config: { takeOverAfter: 0 },
        modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))],
      });
    const one = await open(callsTool('pay'), () => new Promise<never>(() => undefined));
    const other = await open(says('Paid.'));
    const [request] = (await one.run({ ...ADDRESS, message: 'Pay.' })).pending;
    if (request === undefined) throw new Error('Nothing is pending.');
    const overtaken = expect(one.run({ ...ADDRESS, message: 'Hello?' })).rejects.toThrow('has taken over');
    await setTimeout(20);
    sessions.closes = request.functionCallId;

    await expect(eventsOf(other.approve(request))).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
    await overtaken;
    expect(ran).toEqual([]);
  });
});

/** A store to which the run that has the session appends the response to a call just before another takes it. */
class ClosingSessions extends InMemorySessionService {
  closes: string | undefined;

  override async openRun(key: SessionKey, opening: RunOpening): Promise<RunRecord> {
    const session = await this.getSession(key);
    const { closes: id } = this;
    this.closes = undefined;
    if (id !== undefined && session !== undefined) {
      const content = {
        parts: [{ functionResponse: { id, name: 'pay', response: { error: 'withdrawn' } } }],
      };
      const event = new Event({ author: 'shop', content, invocationId: session.lastRun?.id ?? '' });
      await this.appendEvent(session, event, { epoch: opening.after });
    }
    return super.openRun(key, opening);
  }
}

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const KEY = { appName: 'shop', userId: 'ada', sessionId: 's1' };
