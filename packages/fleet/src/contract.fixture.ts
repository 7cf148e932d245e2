import {
  agent,
  type AgentClass,
  BaseAgent,
  defineAgent,
  type Event,
  type InvocationContext,
  type PendingRequest,
} from '@adorn/core';

import { Database } from '@adorn/storage';
import { sql } from 'kysely';

import { expiryIdOf, Fleet, type FollowedEvent } from './fleet.js';
import { type MachineOptions, Machines, type World } from './machines.fixture.js';
import { startWorker, type WorkerOptions } from './worker.js';

const ADA = { userId: 'ada', sessionId: 's1' };

/** The promises of every `InvocationQueue`, as those who submit and follow see them. */
export function describeInvocationQueue(
  name: string,
  open: () => Promise<World>,
  { hasMachines }: Pick<World, 'hasMachines'>,
): void {
  const itOfMachines = hasMachines ? it : it.skip;

  describe(`${name}: the contract of a queue of invocations`, () => {
    let machines: Machines;
    beforeEach(async () => {
      machines = new Machines(await open());
    });
    afterEach(() => machines.close());

    it('runs what one machine accepts on another one, and shows its events in the order of the log', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      const { invocationId } = await fleet.submit({ ...ADA, message: 'hi' });
      const events = await followed(fleet, { ...ADA, invocationId });
      expect(events.map(({ seq, event }) => [seq, event.text])).toEqual([
        [0, 'hi'],
        [1, 'echo hi'],
      ]);
    });

    it('runs the invocations of a session in their order, one at a time, whatever number of workers there is', async () => {
      const fleet = await machines.fleet();
      for (let no = 0; no < 6; no++) await fleet.submit({ ...ADA, message: `m${String(no)}` });
      for (let no = 0; no < 3; no++) await machines.worker();
      const { invocationId } = await fleet.submit({ ...ADA, message: 'last' });
      const events = await followed(fleet, { ...ADA, invocationId });
      const said = events.filter(({ event }) => event.author === 'user').map(({ event }) => event.text);
      expect(said).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'last']);
      expect(machines.deeds.most).toBe(1);
    });

    it('accepts a repeated submission once, also after its run, and refuses its id with other contents', async () => {
      const fleet = await machines.fleet();
      const hi = { ...ADA, invocationId: 'i1', message: 'hi' };
      await fleet.submit(hi);
      await fleet.submit(hi);
      await expect(fleet.submit({ ...hi, message: 'other' })).rejects.toMatchObject({
        code: 'INVOCATION_ACCEPTED',
      });
      await machines.worker({ sweepAfter: 600_000 });
      await followed(fleet, { ...ADA, invocationId: 'i1' });
      await fleet.submit(hi);
      await followed(fleet, { ...ADA, invocationId: 'i1' });
      const last = await fleet.submit({ ...ADA, message: 'bye' });
      const events = await followed(fleet, { ...ADA, invocationId: last.invocationId });
      expect(events.map(({ event }) => event.text)).toEqual(['hi', 'echo hi', 'bye', 'echo bye']);
    });

    it('follows from a sequence number', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      const { invocationId } = await fleet.submit({ ...ADA, message: 'hi' });
      const [, second] = await followed(fleet, { ...ADA, invocationId });
      const other = await machines.fleet();
      expect(await followed(other, { ...ADA, invocationId, afterSeq: 0 })).toMatchObject([
        { seq: second?.seq },
      ]);
      expect(await followed(other, { ...ADA, invocationId, afterSeq: 1 })).toEqual([]);
    });

    it('cancels a run on the machine that runs it, and an invocation that has not begun', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      machines.deeds.hold();
      const active = await fleet.submit({ ...ADA, message: 'wait' });
      const waiting = await fleet.submit({ ...ADA, message: 'never' });
      for await (const { event } of fleet.follow({ ...ADA, invocationId: active.invocationId }))
        if (event.text === 'wait') break;
      await fleet.cancel(waiting);
      await fleet.cancel(active);
      const events = await followed(fleet, { ...ADA, invocationId: waiting.invocationId });
      expect(events.map(({ event }) => event.errorCode ?? event.text)).toEqual(['wait', 'CANCELLED']);
    });

    it('sends a message to the run that goes on, which reads it before its next model call', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      machines.deeds.hold();
      const active = await fleet.submit({ ...ADA, message: 'wait, then call step' });
      for await (const { event } of fleet.follow({ ...ADA, invocationId: active.invocationId }))
        if (event.author === 'user') break;
      const waiting = await fleet.submit({ ...ADA, message: 'behind' });
      const sent = await fleet.submit({ ...ADA, message: 'quickly', when: 'now' });
      await inMailbox(fleet, sent.invocationId);
      machines.deeds.release();
      await followed(fleet, { ...ADA, invocationId: waiting.invocationId });
      const events = await followed(fleet, { ...ADA, invocationId: sent.invocationId });
      expect(events.map(({ event }) => event.text).filter((text) => text !== '')).toEqual([
        'wait, then call step',
        'quickly',
        'echo quickly',
        'behind',
        'echo behind',
      ]);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
    });

    it('cancels the run that goes on for a message in its place, which goes before what waits', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      machines.deeds.hold();
      const active = await fleet.submit({ ...ADA, message: 'wait' });
      for await (const { event } of fleet.follow({ ...ADA, invocationId: active.invocationId }))
        if (event.author === 'user') break;
      const waiting = await fleet.submit({ ...ADA, message: 'behind' });
      await fleet.submit({ ...ADA, message: 'do this', when: 'instead' });
      const events = await followed(fleet, { ...ADA, invocationId: waiting.invocationId });
      expect(events.map(({ event }) => event.errorCode ?? event.text)).toEqual([
        'wait',
        'CANCELLED',
        'do this',
        'echo do this',
        'behind',
        'echo behind',
      ]);
    });

    it('holds no worker while a person is asked, and runs the approved call once', async () => {
      const fleet = await machines.fleet();
      await machines.worker({ concurrency: 1 });
      const asking = await fleet.submit({ ...ADA, message: 'note milk' });
      await followed(fleet, { ...ADA, invocationId: asking.invocationId });
      const bob = { userId: 'bob', sessionId: 's2' };
      const other = await fleet.submit({ ...bob, message: 'hi' });
      expect(await followed(fleet, { ...bob, invocationId: other.invocationId })).toHaveLength(2);
      const [request] = await fleet.runner.pending(ADA);
      if (request === undefined) throw new Error('nothing is asked');
      const answer = { ...ADA, invocationId: 'yes', approve: request };
      await fleet.submit(answer);
      await fleet.submit(answer);
      const events = await followed(fleet, { ...ADA, invocationId: 'yes' });
      expect(machines.deeds.effects).toEqual(['milk']);
      expect(events.at(-1)?.event.text).toBe('noted');
    });

    it('drops an answer to a request that another answer has settled, and runs what is behind it', async () => {
      const fleet = await machines.fleet();
      const request = await asked(fleet, machines);
      await fleet.submit({ ...ADA, reject: request, by: 'bob' });
      await fleet.submit({ ...ADA, approve: request });
      const { invocationId } = await fleet.submit({ ...ADA, message: 'behind' });
      const events = await followed(fleet, { ...ADA, invocationId });
      expect(events.at(-1)?.event.text).toBe('echo behind');
      expect(JSON.stringify(events)).toContain('"by":"bob"');
      expect(machines.deeds.effects).toEqual([]);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
    });

    it('refuses an answer of somebody who may not give it before it is stored, and takes those of as many as are needed', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      const request = await signing(fleet);
      const [mia, max] = ['mia', 'max'].map((id) => ({ id, roles: ['manager'] }));
      const refused = { code: 'APPROVER_NOT_ALLOWED' };

      await expect(fleet.submit({ ...ADA, approve: request })).rejects.toMatchObject(refused);
      await expect(fleet.submit({ ...ADA, reject: request, by: 'bob' })).rejects.toMatchObject(refused);
      const forged = { ...request, approvers: [] };
      await expect(fleet.submit({ ...ADA, approve: forged })).rejects.toMatchObject(refused);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
      const first = { ...ADA, invocationId: 'first', approve: request, by: mia };
      for (const answer of [first, first, { ...first, invocationId: 'again' }])
        await followed(fleet, await fleet.submit(answer));
      expect(machines.deeds.effects).toEqual([]);
      await followed(fleet, await fleet.submit({ ...ADA, approve: request, by: max }));
      expect(machines.deeds.effects).toEqual(['sign lease']);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
    });

    it('approves with other arguments, and drops an approval of those that another approver has changed', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      const request = await signing(fleet);
      const [mia, max] = ['mia', 'max'].map((id) => ({ id, roles: ['manager'] }));

      const args = { text: 'sale' };
      await followed(fleet, await fleet.submit({ ...ADA, approve: request, by: mia, args }));
      await followed(fleet, await fleet.submit({ ...ADA, approve: request, by: max }));
      expect(machines.deeds.effects).toEqual([]);
      const [changed = request] = await fleet.runner.pending(ADA);
      expect(changed.args).toEqual(args);
      await followed(fleet, await fleet.submit({ ...ADA, approve: changed, by: max, args }));
      expect(machines.deeds.effects).toEqual(['sign sale']);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
    });

    it('undoes a run once, by whom submits it, and drops an undo of a run that is not over', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      const { invocationId } = await fleet.submit({ ...ADA, message: 'file lease' });
      const undo = { ...ADA, invocationId: 'undo', undo: invocationId, by: 'mia' };
      for (let no = 0; no < 2; no++) await fleet.submit(undo);
      await followed(fleet, undo);
      await followed(fleet, await fleet.submit({ ...undo, invocationId: 'again' }));
      expect(machines.deeds.effects).toEqual(['file lease', 'mia withdraws lease']);

      const request = await signing(fleet);
      await followed(fleet, await fleet.submit({ ...ADA, undo: request.invocationId }));
      await followed(fleet, await fleet.submit({ ...ADA, undo: 'none' }));
      expect(await fleet.runner.pending(ADA)).toHaveLength(1);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
    });

    it('forgets a user with what waits, what is parked, and the timer of a request, which nobody can answer any more', async () => {
      const expiring = { confirmationExpiresAfter: 600_000 };
      const fleet = await machines.fleet(expiring);
      await machines.worker({ maxAttempts: 1 }, expiring);
      const mia = { id: 'mia', roles: ['manager'] };
      const secret = 'passport-X1234567';
      const marks = async () =>
        (
          await fleet.runner.get(Database).run((queries) => sql`select * from adorn_inbox`.execute(queries))
        ).rows
          .map((row) => JSON.stringify(row).split(secret).length - 1)
          .reduce((sum, count) => sum + count, 0);
      await followed(fleet, await fleet.submit({ ...ADA, message: `sign ${secret}` }));
      const [request] = await fleet.runner.pending(ADA);
      if (request === undefined) throw new Error('nothing is asked');
      const parked = { userId: 'ada', sessionId: 's2' };
      const poison = await fleet.submit({ ...parked, message: [7, secret] as unknown as string });
      await followed(fleet, { ...parked, invocationId: poison.invocationId });
      await fleet.submit({ ...ADA, message: secret, delay: 600_000 });
      const ofBob = { userId: 'bob', sessionId: 's1', invocationId: 'later', message: 'hi', delay: 600_000 };
      await fleet.submit(ofBob);
      expect(await marks()).toBeGreaterThan(1);

      const { erased } = await fleet.forget('ada');

      expect(erased).toMatchObject({ sessions: 1, requests: 1, submissions: 3 });
      expect(await marks()).toBe(0);
      expect(await fleet.counts()).toMatchObject({ scheduled: 1, parked: 0 });
      const late = await fleet.submit({ ...ADA, approve: request, by: mia });
      expect(await followed(fleet, late)).toEqual([]);
      expect(machines.deeds.effects).toEqual([]);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
      expect((await fleet.forget('ada')).erased).toMatchObject({ sessions: 0, submissions: 0 });
    });

    it('ends a run whose step the new code does not have with AGENT_TREE_CHANGED, and runs the next message with the new code', async () => {
      const [before, after] = [{ root: desk('clerk') }, { root: desk('porter') }];
      const request = await asked(await machines.fleet(before), machines, before);
      await machines.close();
      const fleet = await machines.fleet(after);
      await machines.worker({}, after);
      const answer = await fleet.submit({ ...ADA, approve: request });
      const ended = await followed(fleet, answer);
      expect(ended.map(({ event }) => event.errorCode)).toContain('AGENT_TREE_CHANGED');
      const next = await fleet.submit({ ...ADA, message: 'hi' });
      const events = await followed(fleet, next);
      expect(events.map(({ event }) => event.text)).toContain('echo hi');
      expect(events.find(({ event }) => event.text === 'echo hi')?.event.author).toBe('porter');
      expect(machines.deeds.effects).toEqual([]);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
    });

    it('rejects a request that nobody has answered when it expires, by a timer that needs no machine meanwhile, and runs nothing', async () => {
      const expiring = { confirmationExpiresAfter: 1500 };
      const request = await asked(await machines.fleet(expiring), machines, expiring);
      expect(request.expiresAt).toBeDefined();
      await machines.close();
      const fleet = await machines.fleet();
      await machines.worker({ sweepAfter: 600_000 });
      const reading = fleet.follow({
        ...ADA,
        afterSeq: (await followed(fleet, { ...ADA, invocationId: 'none' })).length - 1,
      });
      const events: Event[] = [];
      for await (const { event } of reading) if (events.push(event) > 0 && event.text === 'noted') break;
      expect(await fleet.runner.pending(ADA)).toEqual([]);
      expect(JSON.stringify(events)).toContain(
        '"reason":"Nobody answered before the request expired.","by":"timer"',
      );
      expect(machines.deeds.effects).toEqual([]);
      const late = await fleet.submit({ ...ADA, approve: request });
      await followed(fleet, late);
      expect(machines.deeds.effects).toEqual([]);
      expect(await fleet.counts()).toMatchObject({ scheduled: 0, waiting: 0, parked: 0 });
    });

    it('takes an answer before the timer of its request, though both are due', async () => {
      const expiring = { confirmationExpiresAfter: 600_000 };
      const request = await asked(await machines.fleet(expiring), machines, expiring);
      await machines.close();
      const fleet = await machines.fleet();
      await fleet.drop({ ...ADA, appName: 'desk', invocationId: expiryIdOf(request) });
      await fleet.rejectWhenExpired({ ...request, expiresAt: 0 });
      const answer = await fleet.submit({ ...ADA, reject: request, by: 'bob' });
      expect(await fleet.counts()).toMatchObject({ waiting: 2 });
      await machines.worker();
      const said = JSON.stringify(await followed(fleet, answer));
      expect([said.includes('"by":"bob"'), said.includes('"by":"timer"')]).toEqual([true, false]);
      expect(await fleet.counts()).toMatchObject({ scheduled: 0, waiting: 0, parked: 0 });
    });

    it('drops the timer of a session that was deleted', async () => {
      const expiring = { confirmationExpiresAfter: 600_000 };
      const fleet = await machines.fleet(expiring);
      // A queue that delivers an address once leaves the second one to the sweep.
      const request = await asked(fleet, machines, expiring, { sweepAfter: 100 });
      await fleet.runner.sessions.deleteSession({ ...ADA, appName: 'desk' });
      const address = { ...ADA, appName: 'desk', invocationId: expiryIdOf(request) };
      await fleet.drop(address);
      await fleet.rejectWhenExpired({ ...request, expiresAt: 0 });
      await followed(fleet, address);
      expect(await fleet.counts()).toMatchObject({ scheduled: 0, waiting: 0, parked: 0 });
    });

    it('sets the timer of a request whose worker failed between the pause and the timer', async () => {
      const expiring = { confirmationExpiresAfter: 600_000 };
      const failing = jest
        .spyOn(Fleet.prototype, 'rejectWhenExpired')
        .mockRejectedValueOnce(new Error('The store is down.'));
      const fleet = await machines.fleet(expiring);
      await asked(fleet, machines, expiring);
      expect(failing).toHaveBeenCalledTimes(2);
      failing.mockRestore();
      expect(await fleet.counts()).toMatchObject({ scheduled: 1, waiting: 0, parked: 0 });
    });

    it('forgets the expiry of a request that was answered, and counts none against its limits', async () => {
      const options = { confirmationExpiresAfter: 600_000, maxWaiting: 1 };
      const fleet = await machines.fleet(options);
      const request = await asked(fleet, machines, options);
      expect(await fleet.counts()).toMatchObject({ scheduled: 1 });
      await followed(fleet, await fleet.submit({ ...ADA, message: 'hi' }));
      await followed(fleet, await fleet.submit({ ...ADA, approve: request }));
      expect(machines.deeds.effects).toEqual(['milk']);
      expect(await fleet.counts()).toMatchObject({ scheduled: 0, waiting: 0, parked: 0 });
    });

    it('rejects an approved call whose agent no worker has any more, and runs what is behind it', async () => {
      const [before, after] = [{ root: desk('clerk') }, { root: deskWithoutClerk }];
      const request = await asked(await machines.fleet(before), machines, before);
      await machines.close();
      const fleet = await machines.fleet(after);
      await machines.worker({ maxAttempts: 2 }, after);
      const answer = await fleet.submit({ ...ADA, approve: request });
      const next = await fleet.submit({ ...ADA, message: 'hi' });
      const ended = await followed(fleet, answer);
      expect(ended.map(({ event }) => event.errorCode)).toContain('AGENT_TREE_CHANGED');
      expect(JSON.stringify(ended)).toContain('no worker has the agent');
      const events = await followed(fleet, next);
      expect(events.map(({ event }) => event.text)).toContain('echo hi');
      expect(machines.deeds.effects).toEqual([]);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
    });

    it('parks what fails in each attempt, and serves the other sessions', async () => {
      const fleet = await machines.fleet();
      await machines.worker({ maxAttempts: 2 });
      const bad = { sessionId: 's1', userId: 'ada', message: 7 as unknown as string };
      const poison = await fleet.submit(bad);
      const behind = await fleet.submit({ ...ADA, message: 'behind' });
      const bob = { userId: 'bob', sessionId: 's2' };
      const other = await fleet.submit({ ...bob, message: 'hi' });
      expect(await followed(fleet, { ...bob, invocationId: other.invocationId })).toHaveLength(2);
      expect(await followed(fleet, { ...ADA, invocationId: poison.invocationId })).toEqual([]);
      const [parked] = await fleet.parked();
      expect(parked).toMatchObject({ invocationId: poison.invocationId, attempts: 2, isParked: true });
      expect(parked?.error).toContain('message');
      await fleet.drop(poison);
      expect(await followed(fleet, { ...ADA, invocationId: behind.invocationId })).toHaveLength(2);
    });

    it('works on as many sessions of one user as it may, over all workers, serves others meanwhile, and the rest behind them', async () => {
      const fleet = await machines.fleet();
      machines.deeds.hold();
      const options = { maxPerUser: 2, sweepAfter: 600_000 };
      const workers = hasMachines ? 2 : 1;
      for (let no = 0; no < workers; no++) await machines.worker(options);
      const ofAda = await Promise.all(
        ['s1', 's2', 's3', 's4', 's5'].map((sessionId) =>
          fleet.submit({ userId: 'ada', sessionId, message: 'wait' }),
        ),
      );
      const bob = { userId: 'bob', sessionId: 's1' };
      const { invocationId } = await fleet.submit({ ...bob, message: 'hi' });
      expect(await followed(fleet, { ...bob, invocationId })).toHaveLength(2);
      machines.deeds.release();
      for (const address of ofAda) expect(await followed(fleet, address)).toHaveLength(2);
      expect(machines.deeds.mostWaiting).toBe(2);
    });

    it('refuses messages beyond its limits, with the time after which to repeat them; repeated ones and answers are taken', async () => {
      const fleet = await machines.fleet({ maxWaiting: 3, maxWaitingPerUser: 2 });
      const bob = { userId: 'bob', sessionId: 's2', message: 'hi' };
      const first = { ...ADA, invocationId: 'i1', message: 'note milk' };
      await fleet.submit(first);
      await fleet.submit({ ...ADA, message: 'hi' });
      const busy = { code: 'SERVER_BUSY', retryAfter: 1 };
      await expect(fleet.submit({ ...ADA, message: 'more' })).rejects.toMatchObject(busy);
      await fleet.submit(bob);
      await expect(fleet.submit({ ...bob, message: 'more' })).rejects.toMatchObject(busy);
      await fleet.submit(first);
      expect(await fleet.counts()).toMatchObject({ waiting: 3 });
      await machines.worker();
      await followed(fleet, first);
      const [request] = await fleet.runner.pending(ADA);
      if (request === undefined) throw new Error('nothing is asked');
      for (const sessionId of ['s3', 's4', 's5'])
        await fleet.submit({ ...ADA, sessionId, message: 'later', delay: 600_000 }).catch(() => undefined);
      await fleet.submit({ ...ADA, invocationId: 'yes', approve: request });
      await followed(fleet, { ...ADA, invocationId: 'yes' });
      expect(machines.deeds.effects).toEqual(['milk']);
    });

    it('does not store a credential, in whatever form it is given', async () => {
      const fleet = await machines.fleet();
      const asked = (request: Partial<PendingRequest>) =>
        jest.spyOn(fleet.runner, 'pending').mockResolvedValue([request as PendingRequest]);
      const request = { ...ADA, kind: 'credential', id: 'r1', functionCallId: 'c1' } as PendingRequest;
      const response = { apiKey: 'k-1' };
      const answer = (fields: object) => ({ parts: [{ functionResponse: { ...fields, response } }] });
      const forms = [
        { supply: request, value: response },
        { supply: { ...request, kind: 'input' } as PendingRequest, value: response },
        { message: answer({ id: 'r1', name: 'adk_request_credential' }) },
        { message: answer({ id: 'other', name: 'adk_request_credential' }) },
        { message: answer({ id: 'r1' }) },
        { message: answer({ id: 'c1', name: 'shop' }) },
        { message: { parts: [{ text: 7 as never }, ...answer({ id: 'r1' }).parts] } },
        { message: answer({ id: 'r1' }).parts },
      ];

      asked(request);
      for (const form of forms)
        await expect(fleet.submit({ ...ADA, ...form })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
      expect(await fleet.counts()).toMatchObject({ waiting: 0 });

      asked({ ...ADA, kind: 'result', id: 'r1', functionCallId: 'c1' });
      await fleet.submit({ ...ADA, message: answer({ id: 'r1', name: 'export' }) });
      jest.restoreAllMocks();
    });

    it('runs what was accepted while the queue was down', async () => {
      const fleet = await machines.fleet();
      const put = jest.spyOn(fleet.queue, 'put').mockRejectedValue(new Error('down'));
      const { invocationId } = await fleet.submit({ ...ADA, message: 'hi' });
      put.mockRestore();
      await machines.worker();
      expect(await followed(fleet, { ...ADA, invocationId })).toHaveLength(2);
    });

    it('runs a delayed submission when its time has come, and later ones of its session before it', async () => {
      const fleet = await machines.fleet();
      await machines.worker();
      const later = await fleet.submit({ ...ADA, message: 'later', delay: 1200 });
      const { invocationId } = await fleet.submit({ ...ADA, message: 'now' });
      expect(await followed(fleet, { ...ADA, invocationId })).toHaveLength(2);
      expect(await fleet.counts()).toMatchObject({ scheduled: 1, parked: 0 });
      const events = await followed(fleet, { ...ADA, invocationId: later.invocationId });
      expect(events.map(({ event }) => event.text)).toEqual(['now', 'echo now', 'later', 'echo later']);
    });

    itOfMachines(
      'gives the session of a worker that stands still to another one, and stores nothing twice',
      async () => {
        const fleet = await machines.fleet();
        machines.deeds.hold();
        const zombie = await machines.fleet();
        const standing = await startWorker(zombie);
        const { invocationId } = await fleet.submit({ ...ADA, message: 'wait' });
        for await (const { event } of fleet.follow({ ...ADA, invocationId }))
          if (event.text === 'wait') break;
        await zombie.leases.stop();
        machines.deeds.held = undefined;
        await machines.worker();
        const events = await followed(fleet, { ...ADA, invocationId });
        machines.deeds.release();
        await standing.stop(2000);
        const after = await followed(fleet, { ...ADA, invocationId });
        expect(events.map(({ event }) => event.text)).toEqual(['wait', 'echo wait']);
        expect(after).toHaveLength(2);
        expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
      },
    );

    itOfMachines.each([
      ['after its look at the log', 1],
      ['after its run had read the session', 2],
    ])('runs a message once whose worker stood still %s', async (_when, read) => {
      const fleet = await machines.fleet();
      const zombie = await machines.fleet();
      const [stands, goesOn] = [gate(), gate()];
      standsStill(zombie.runner, read, { stands, goesOn });
      const standing = await startWorker(zombie);
      const { invocationId } = await fleet.submit({ ...ADA, message: 'hi' });
      await stands.opened;
      await zombie.leases.stop();
      await machines.worker();
      await followed(fleet, { ...ADA, invocationId });
      goesOn.open();
      await standing.stop(2000);
      expect(await followed(fleet, { ...ADA, invocationId })).toHaveLength(2);
      expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
    });

    itOfMachines('hands an unfinished run to another worker when a worker stops', async () => {
      const fleet = await machines.fleet();
      machines.deeds.hold();
      const first = await machines.worker();
      const { invocationId } = await fleet.submit({ ...ADA, message: 'wait' });
      for await (const { event } of fleet.follow({ ...ADA, invocationId })) if (event.text === 'wait') break;
      await first.stop(100);
      machines.deeds.held = undefined;
      await machines.worker();
      const events = await followed(fleet, { ...ADA, invocationId });
      expect(events.map(({ event }) => event.text)).toEqual(['wait', 'echo wait']);
    });
  });
}

interface Gate {
  readonly open: () => void;
  readonly opened: Promise<void>;
}

function gate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Holds what the runner has read of a session, the given time that it reads one. */
function standsStill(
  { sessions }: Fleet['runner'],
  read: number,
  { stands, goesOn }: Readonly<Record<'stands' | 'goesOn', Gate>>,
): void {
  const getSession = sessions.getSession.bind(sessions);
  let reads = 0;
  jest.spyOn(sessions, 'getSession').mockImplementation(async (...args) => {
    const seen = await getSession(...args);
    if (++reads === read) {
      stands.open();
      await goesOn.opened;
    }
    return seen;
  });
}

/** A worker of such a machine asks a person. */
/** A request that two managers have to approve. */
async function signing(fleet: Fleet): Promise<PendingRequest> {
  await followed(fleet, await fleet.submit({ ...ADA, message: 'sign lease' }));
  const [request] = await fleet.runner.pending(ADA);
  if (request === undefined) throw new Error('nothing is asked');
  return request;
}

async function asked(
  fleet: Fleet,
  machines: Machines,
  machine?: MachineOptions,
  worker: WorkerOptions = {},
): Promise<PendingRequest> {
  await machines.worker(worker, machine);
  await followed(fleet, await fleet.submit({ ...ADA, message: 'note milk' }));
  const [request] = await fleet.runner.pending(ADA);
  if (request === undefined) throw new Error('nothing is asked');
  return request;
}

/** Versions of a workflow: which agents it has, and which of them it runs. */
function desk(...steps: string[]): (clerk: AgentClass) => AgentClass {
  return (clerk) => versionOf([clerk, PORTER], steps);
}

function deskWithoutClerk(): AgentClass {
  return versionOf([PORTER], ['porter']);
}

function versionOf(subAgents: readonly AgentClass[], steps: readonly string[]): AgentClass {
  @agent({ name: 'desk', description: '', subAgents })
  class Desk extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      for (const step of steps) yield* context.invoke(step);
    }
  }
  return Desk;
}

const PORTER = defineAgent({ name: 'porter', description: '' });

/** Waits until the worker has sent a message to the run. */
async function inMailbox({ runner }: Fleet, id: string): Promise<void> {
  const key = { appName: runner.appName, ...ADA };
  while (!(await runner.sessions.listMail(key)).some((mail) => mail.id === id))
    await new Promise((resolve) => setTimeout(resolve, 10));
}

async function followed(fleet: Fleet, input: Parameters<Fleet['follow']>[0]): Promise<FollowedEvent[]> {
  const events: FollowedEvent[] = [];
  for await (const event of fleet.follow(input)) events.push(event);
  return events;
}
