import { setTimeout } from 'node:timers/promises';

import { ContainerModule, InMemorySessionService, SessionService } from '@adorn/core';
import type { HeldRun, RenewedHold } from '@adorn/core/backend';
import { callsTool, says, type ScriptedStep } from '@adorn/testing';

import { dataOf, TestDesk } from '../request.fixture.js';
import type { HandlerOptions } from '../server-options.js';

const SESSION = '/adorn/apps/desk/sessions/s1';

const open: TestDesk[] = [];

afterEach(async () => {
  for (const desk of open.splice(0)) await desk[Symbol.asyncDispose]();
});

/** Two servers with one store: what reaches the second is about a run of the first, whose model thinks until `finish`. */
describe('a run of another server', () => {
  it('is stopped by a request, and its reader is told so', async () => {
    const { second, response, run } = await replicas();

    expect(await second.json(run, { method: 'DELETE', user: 'bob' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await second.json(run, { method: 'DELETE' })).toEqual({ stopped: true });

    expect((await dataOf(response)).at(-1)).toMatchObject({ kind: 'end', status: 'cancelled' });
    expect(await second.json(run, { method: 'DELETE' })).toEqual({ stopped: false });
  });

  it('goes on as long as it is read there, whatever reconnectGrace says', async () => {
    const { second, response, run, finish } = await replicas({ reconnectGrace: 50 });
    const reading = second.send(run).then(dataOf);
    await setTimeout(100);
    await response.body?.cancel();

    await setTimeout(2_000);
    finish();

    expect((await reading).at(-1)).toMatchObject({ kind: 'end', status: 'answered', text: 'Done.' });
  });

  it('ends when nobody reads it any more, here or there', async () => {
    const { first, second, response, run, invocationId } = await replicas({ reconnectGrace: 50 });
    const there = await second.send(run);
    await there.body?.cancel();
    await response.body?.cancel();

    for (let tries = 0; first.runner.isActive(invocationId) && tries < 100; tries++) await setTimeout(100);

    expect((await dataOf(await second.send(run))).at(-1)).toMatchObject({ kind: 'end', status: 'cancelled' });
  });

  it.each([['ui-messages'], ['ag-ui']])(
    'is followed by the page of %s, from its beginning',
    async (protocol) => {
      const { second, finish } = await replicas();
      const stream = `/adorn/apps/desk/${protocol}/s1/stream`;

      const response = await second.send(stream);
      expect(response.status).toBe(200);
      finish();

      expect(await response.text()).toContain('Done.');
      expect((await second.send(stream)).status).toBe(204);
    },
  );

  it('whose process died ends its readers with RUN_INTERRUPTED, and can be stopped', async () => {
    const { second, run, store } = await replicas({ recover: false });
    store.isDead = true;

    const frames = await dataOf(await second.send(run));

    expect(frames.at(-1)).toMatchObject({
      kind: 'end',
      status: 'failed',
      error: { code: 'RUN_INTERRUPTED' },
    });
    expect(await second.json(run, { method: 'DELETE' })).toEqual({ stopped: true });
    expect(await second.json(SESSION)).not.toHaveProperty('activeRun');
  });

  it('whose process died is read on when it is recovered: no reader is told that it failed', async () => {
    const { second, run, store } = await replicas({}, says('Recovered.'));
    store.isDead = true;

    const frames = await dataOf(await second.send(run));

    expect(frames.at(-1)).toMatchObject({ kind: 'end', status: 'answered', text: 'Recovered.' });
  }, 30_000);

  it('whose process died is recovered by the server that is left', async () => {
    const { second, store, invocationId } = await replicas({}, says('Recovered.'));
    store.isDead = true;

    let texts: readonly unknown[] = [];
    for (let tries = 0; tries < 150 && !texts.includes('Recovered.'); tries++) {
      await setTimeout(100);
      const session = await store.getSession({ appName: 'desk', userId: 'ada', sessionId: 's1' });
      texts = (session?.events ?? []).map((event) => event.invocationId === invocationId && event.text);
    }

    expect(texts).toContain('Recovered.');
    expect(await second.json(SESSION)).not.toHaveProperty('activeRun');
  });
});

/** A store that, once the first process is dead, stores no renewal of the run that it has. */
class MortalHolds extends InMemorySessionService {
  isDead = false;

  override renewRuns(runs: readonly HeldRun[]): Promise<readonly RenewedHold[]> {
    if (this.isDead && runs.some(({ epoch }) => epoch === 1))
      return Promise.resolve(runs.map((): RenewedHold => 'held'));
    return super.renewRuns(runs);
  }
}

async function replicas(options: Partial<HandlerOptions> = {}, ...steps: ScriptedStep[]) {
  const store = new MortalHolds();
  const runnerOptions = {
    modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))],
    // The shortest lease that there is.
    config: { takeOverAfter: 3_000 },
  };
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const thinks: ScriptedStep = async () => {
    await finished;
    return says('Done.');
  };
  const first = await TestDesk.open(
    [callsTool('find_order', { orderId: 'A' }), thinks],
    options,
    runnerOptions,
  );
  const second = await TestDesk.open(steps, options, runnerOptions);
  open.push(first, second);
  await first.session('s1');
  const response = await first.send(`${SESSION}/runs`, { body: { message: 'Go' } });
  const invocationId = response.headers.get('x-adorn-invocation') ?? '';
  return { first, second, store, response, finish, invocationId, run: `${SESSION}/runs/${invocationId}` };
}
