import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PendingRequest } from '@adorn/core';

import type { Fleet } from './fleet.js';
import { InProcessQueue } from './in-process.queue.js';
import { Machines } from './machines.fixture.js';
import type { Submission } from './submission.js';

const ADA = { userId: 'ada', sessionId: 's1' };
const MIA = { id: 'mia', roles: ['manager'] };
const MAX = { id: 'max', roles: ['manager'] };

describe('a submission to a fleet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-submission-'));
  let machines: Machines;
  let fleet: Fleet;
  let count = 0;

  beforeEach(async () => {
    const url = join(folder, `${String(count++)}.db`);
    machines = new Machines({ url, queue: () => new InProcessQueue(), hasMachines: false });
    fleet = await machines.fleet({ confirmationExpiresAfter: 600_000 });
    await machines.worker();
  });
  afterEach(() => machines.close());
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function done(submission: Submission): Promise<void> {
    for await (const _event of fleet.follow(await fleet.submit(submission)));
  }

  /** What two managers have to approve. */
  async function signing(): Promise<PendingRequest> {
    await done({ ...ADA, message: 'sign lease' });
    const [request] = await fleet.runner.pending(ADA);
    if (request === undefined) throw new Error('nothing is asked');
    return request;
  }

  it('with a field that does not exist or has a wrong value is refused, and nothing is stored', async () => {
    const request = await signing();
    const wrong: readonly (readonly [object | null | string, RegExp])[] = [
      [null, /its options are null/],
      ['hi', /its options are "hi"/],
      [{}, /message is missing. Pass a message, a request to approve/],
      [{ mesage: 'hi' }, /no option mesage. Did you mean message\?/],
      [{ aprove: request }, /no option aprove. Did you mean approve\?/],
      [{ message: 'hi', dealy: 5 }, /no option dealy. Did you mean delay\?/],
      [{ message: 'hi', args: {} }, /no option args/],
      [{ approve: request, arguments: {} }, /no option arguments/],
      [{ approve: request, reason: 'late' }, /no option reason/],
      [{ reject: request, remember: 'session' }, /no option remember/],
      [{ delegate: request }, /to is missing. Pass a text/],
      [{ message: 'hi', undo: 'i1' }, /it has message and undo. Submit one after the other/],
      [{ approve: request, reject: request }, /it has approve and reject/],
      [{ approve: request.id }, /approve is "[^"]+". Pass a request of runner.pending or runner.inbox/],
      [{ approve: { ...request, sessionId: undefined } }, /approve is an object/],
      [{ reject: null }, /reject is null/],
      [{ approve: request, args: [50] }, /args is an? \w+. Pass an object/],
      [{ approve: request, remember: 'always' }, /remember is "always". Valid: session/],
      [{ message: 'hi', when: 'soon' }, /when is "soon". Did you mean now\?|Valid: now, instead/],
      [{ message: 'hi', delay: -1 }, /delay is -1/],
      [{ message: 'hi', stateDelta: 'x' }, /stateDelta is "x"/],
      [{ message: 'hi', userId: 7 }, /userId is 7/],
      [{ message: 'hi', appName: 'other' }, /appName is "other", not "desk". Leave it out/],
      [{ undo: 'i1', calls: 'c1' }, /calls is "c1". Pass a list of texts/],
      [{ undo: 7 }, /undo is 7/],
    ];
    for (const [fields, message] of wrong) {
      const error: unknown = await fleet.submit(fields as never).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(message) });
    }
    for (const by of [null, '', {}, { id: 'mia', roles: 'manager' }])
      await expect(fleet.submit({ message: 'hi', by: by as never })).rejects.toMatchObject({
        code: 'PRINCIPAL_INVALID',
      });
    expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
  });

  it('may name the application and leave fields undefined', async () => {
    await done({ ...ADA, appName: 'desk', message: 'hi', delay: undefined, by: undefined, when: undefined });
    expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
  });

  it('about a request is for the session of that request, and refused for another one', async () => {
    const request = await signing();
    for (const elsewhere of [
      { ...ADA, sessionId: 's2' },
      { ...ADA, userId: 'bob' },
    ])
      await expect(fleet.submit({ ...elsewhere, approve: request, by: MIA })).rejects.toMatchObject({
        code: 'OPTION_INVALID',
      });
    await done({ approve: request, by: MIA });
    await done({ approve: request, by: MAX });
    expect(machines.deeds.effects).toEqual(['sign lease']);
  });

  it('delegates a request, which the delegate then answers in place of who delegated it', async () => {
    const request = await signing();
    const refused = { code: 'APPROVER_NOT_ALLOWED' };
    const dee = { id: 'dee' };
    const delegating = { delegate: request, to: 'dee' };

    await expect(fleet.submit({ ...delegating })).rejects.toMatchObject(refused);
    await expect(fleet.submit({ ...delegating, by: dee })).rejects.toMatchObject(refused);
    await done({ ...delegating, by: MIA });
    const [passedOn = request] = await fleet.runner.pending(ADA);
    expect(passedOn.delegations).toMatchObject([{ by: MIA, to: 'dee' }]);
    await expect(fleet.submit({ delegate: passedOn, to: 'eve', by: dee })).rejects.toMatchObject(refused);
    await done({ approve: request, by: dee });
    expect(machines.deeds.effects).toEqual([]);
    // The manager counts as her delegate.
    await done({ approve: request, by: MIA });
    expect(machines.deeds.effects).toEqual([]);
    await done({ approve: request, by: MAX });
    expect(machines.deeds.effects).toEqual(['sign lease']);
    expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
  });

  it('refuses an answer in a message of somebody who may not give it', async () => {
    const { id } = await signing();
    const parts = [{ functionResponse: { id, response: { confirmed: true } } }];
    await expect(fleet.submit({ ...ADA, message: { parts }, by: 'bob' })).rejects.toMatchObject({
      code: 'APPROVER_NOT_ALLOWED',
    });
    expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
  });

  it('keeps the timer of a request that stays open, and ends it with the request', async () => {
    const request = await signing();
    const scheduled: number[] = [];
    for (const submission of [
      { delegate: request, to: 'dee', by: MIA },
      { approve: request, by: MIA },
      { ...ADA, message: 'hi' },
      { approve: request, by: MIA, args: { text: 'other' } },
      { approve: { ...request, args: { text: 'other' } }, by: MAX, args: { text: 'other' } },
    ]) {
      await done(submission);
      scheduled.push((await fleet.counts()).scheduled);
    }
    expect(scheduled).toEqual([1, 1, 1, 1, 0]);
    expect(machines.deeds.effects).toEqual(['sign other']);
    expect(await fleet.counts()).toMatchObject({ waiting: 0, parked: 0 });
  });
});

describe('the timer of a request that one of two has approved, with other arguments', () => {
  it('rejects it at its time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'adorn-submission-'));
    const world = { url: join(folder, 'a.db'), queue: () => new InProcessQueue(), hasMachines: false };
    const machines = new Machines(world);
    const fleet = await machines.fleet({ confirmationExpiresAfter: 1_500 });
    await machines.worker();
    try {
      const asking = await fleet.submit({ ...ADA, message: 'sign lease' });
      for await (const _event of fleet.follow(asking));
      const [request] = await fleet.runner.pending(ADA);
      await fleet.submit({ approve: request as PendingRequest, by: MIA, args: { text: 'other' } });
      const said: string[] = [];
      for await (const { event } of fleet.follow(ADA)) {
        said.push(JSON.stringify(event));
        if (event.text === 'noted') break;
      }
      expect(said.filter((text) => text.includes('"by":"timer"'))).toHaveLength(1);
      expect([machines.deeds.effects, await fleet.runner.pending(ADA)]).toEqual([[], []]);
    } finally {
      await machines.close();
      rmSync(folder, { recursive: true });
    }
  });
});
