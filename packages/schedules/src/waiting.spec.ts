import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  agent,
  Clock,
  ContainerModule,
  createRunner,
  LlmAgent,
  type Model,
  type Runner,
  tool,
  ToolContext,
} from '@adorn/core';
import { sqlStorage } from '@adorn/storage';
import { callsTool, ManualClock, says, ScriptedModel } from '@adorn/testing';

import { MONDAY, until } from './schedules.fixture.js';
import { signal, sleep, waitFor, wakeSleepers } from './waiting.js';

const deeds: string[] = [];

const NO_ARGUMENTS = { type: 'object', properties: {} } as const;

class Orders {
  @tool({ description: 'Remind.', parameters: NO_ARGUMENTS })
  async remind(_args: object, context: ToolContext): Promise<string> {
    await sleep(context, '2d');
    await sleep(context, '2d');
    deeds.push('reminded');
    return 'reminded';
  }

  @tool({ description: 'Ship.', parameters: NO_ARGUMENTS })
  async ship(_args: object, context: ToolContext): Promise<string> {
    const { cents } = await waitFor<{ cents: number }>(context, 'payment', {
      schema: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] },
    });
    deeds.push(`shipped for ${String(cents)}`);
    return 'shipped';
  }

  @tool({ description: 'Collect.', parameters: NO_ARGUMENTS })
  async collect(_args: object, context: ToolContext): Promise<string> {
    await waitFor(context, 'part');
    await waitFor(context, 'part');
    deeds.push('collected');
    return 'collected';
  }

  @tool({ description: 'Sleep wrongly.', parameters: NO_ARGUMENTS, exposeErrors: true })
  async doze(_args: object, context: ToolContext): Promise<void> {
    await sleep(context, 'a while');
  }
}

/** Keeps orders. */
@agent({ tools: [Orders] })
class Desk extends LlmAgent {}

const folder = mkdtempSync(join(tmpdir(), 'adorn-waiting-'));
const opened: { close(): Promise<unknown> }[] = [];
let count = 0;

beforeEach(() => {
  deeds.length = 0;
});
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function open(model: Model, clock: ManualClock, file = join(folder, `${String(count++)}.db`)) {
  const clocks = new ContainerModule(({ bind }) => {
    // Only the time: runners of several processes wait for each other by timers of Node.js.
    bind(Clock).toConstantValue({ now: () => clock.now() });
  });
  const runner = await createRunner(Desk, { appName: 'shop', model, modules: [sqlStorage(file), clocks] });
  opened.push(runner);
  return { runner, file };
}

const PLACE = { userId: 'ada', sessionId: 's1' };
const DAY = 86_400_000;
const ASLEEP = { ...PLACE, kind: 'input', payload: { sleep: '2d' }, askedAt: MONDAY };
const QUESTION = { ...PLACE, id: 'question', kind: 'confirmation', askedAt: MONDAY };

describe('sleep', () => {
  it('pauses a run for its time, over a restart, and is woken once by however many processes', async () => {
    const clock = new ManualClock(MONDAY);
    const before = await open(new ScriptedModel(callsTool('remind')), clock);
    const { status } = await before.runner.run({ ...PLACE, message: 'Remind me.' });
    expect(status).toBe('paused');
    for (const one of opened.splice(0)) await one.close();

    const later = [
      await open(new ScriptedModel(says('Done.')), clock, before.file),
      await open(new ScriptedModel(says('Done.')), clock, before.file),
    ];
    for (const { runner } of later) opened.push(wakeSleepers(runner, () => clock.now()));
    const [first] = later;
    await clock.advance(2 * DAY - 1_000);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(deeds).toEqual([]);
    const [asleep] = (await first?.runner.pending(PLACE)) ?? [];

    await clock.advance(1_000);
    await until(async () => {
      const [next] = (await first?.runner.pending(PLACE)) ?? [];
      return next !== undefined && next.id !== asleep?.id;
    });
    expect(deeds).toEqual([]);
    await clock.advance(2 * DAY);
    await until(() => deeds.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_200));

    expect(deeds).toEqual(['reminded']);
  }, 30_000);

  it('reads only what is new, and wakes what sleeps among many requests', async () => {
    const pages = [0, 1, 2].map((page) => ({
      requests: [{ ...ASLEEP, id: `q${String(page)}` }, QUESTION],
      ...(page < 2 && { next: String(page + 1) }),
    }));
    const read: (string | undefined)[] = [];
    const woken: string[] = [];
    const runner = {
      inbox: ({ after }: { after?: string }) => {
        read.push(after);
        return Promise.resolve(pages[Number(after ?? 0)]);
      },
      supply: ({ id }: { id: string }) => {
        woken.push(id);
        return Promise.resolve();
      },
    } as unknown as Runner<unknown>;
    await using _ = wakeSleepers(runner, () => MONDAY + 2 * 86_400);

    await until(() => read.length >= 5);

    expect(read.slice(0, 5)).toEqual([undefined, '1', '2', '2', '2']);
    expect(woken.slice(0, 3)).toEqual(['q0', 'q1', 'q2']);
  });

  it('tells the model of a time that is none', async () => {
    const model = new ScriptedModel(callsTool('doze'), says('No.'));
    const { runner } = await open(model, new ManualClock(MONDAY));

    const { events } = await runner.run({ ...PLACE, message: 'Doze.' });

    expect(JSON.stringify(events)).toContain('Pass a whole number with s, m, h or d');
  });

  it('refuses another context than that of a tool', async () => {
    await expect(sleep({} as ToolContext, '2d')).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    await expect(waitFor({} as ToolContext, 'x')).rejects.toThrow(/the context is not that of a tool/);
  });
});

describe('waitFor', () => {
  it('gives a tool the value of a signal, once, and only of one that it waits for', async () => {
    const { runner } = await open(
      new ScriptedModel(callsTool('ship'), says('Shipped.')),
      new ManualClock(MONDAY),
    );
    await expect(signal(runner, PLACE, 'payment', { cents: 900 })).rejects.toMatchObject({
      code: 'SIGNAL_NOT_AWAITED',
    });
    await runner.run({ ...PLACE, message: 'Ship it once it is paid.' });

    await expect(signal(runner, PLACE, 'delivery', {})).rejects.toMatchObject({ code: 'SIGNAL_NOT_AWAITED' });
    await expect(signal(runner, PLACE, 'payment', { cents: 'nine' })).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
    });
    const both = await Promise.allSettled([1, 2].map(() => signal(runner, PLACE, 'payment', { cents: 900 })));

    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(deeds).toEqual(['shipped for 900']);
    const session = await runner.sessions.getSession({ appName: 'shop', ...PLACE });
    expect(session?.events.at(-1)?.text).toBe('Shipped.');
    expect(JSON.stringify(session?.events)).toContain('"by":"signal:payment"');
  });

  it('takes a signal that is sent again under its id once, at once and after its run', async () => {
    const { runner } = await open(
      new ScriptedModel(callsTool('ship'), says('Shipped.')),
      new ManualClock(MONDAY),
    );
    await runner.run({ ...PLACE, message: 'Ship it once it is paid.' });
    const send = (id: string): Promise<void> => signal(runner, PLACE, 'payment', { cents: 900 }, { id });

    const both = await Promise.allSettled([send('msg_1'), send('msg_1')]);
    await send('msg_1');

    expect(both.map(({ status }) => status)).toContain('fulfilled');

    expect(deeds).toEqual(['shipped for 900']);
    await expect(send('msg_2')).rejects.toMatchObject({ code: 'SIGNAL_NOT_AWAITED' });
  });

  it('does not answer a second wait by a signal that is sent again', async () => {
    const { runner } = await open(
      new ScriptedModel(callsTool('collect'), says('Collected.')),
      new ManualClock(MONDAY),
    );
    await runner.run({ ...PLACE, message: 'Collect both parts.' });

    for (const id of ['msg_1', 'msg_1']) await signal(runner, PLACE, 'part', null, { id });
    expect(deeds).toEqual([]);
    await signal(runner, PLACE, 'part', null, { id: 'msg_2' });

    expect(deeds).toEqual(['collected']);
  });

  it('cannot be answered by the user of the conversation, nor by a person with another role', async () => {
    const { runner } = await open(new ScriptedModel(callsTool('ship')), new ManualClock(MONDAY));
    await runner.run({ ...PLACE, message: 'Ship it once it is paid.' });
    const [request] = await runner.pending(PLACE);
    if (!request) throw new Error('Nothing waits.');

    for (const by of [{ id: 'ada' }, 'ada', { id: 'mia', roles: ['manager'] }])
      await expect(runner.supply(request, { cents: 1 }, { by })).rejects.toMatchObject({
        code: 'APPROVER_NOT_ALLOWED',
      });
    expect(await runner.pending({ ...PLACE, for: 'ada' })).toEqual([]);
    expect(deeds).toEqual([]);
  });

  it('takes the signal of the tenant in whose run it waits', async () => {
    const { runner } = await open(
      new ScriptedModel(callsTool('ship'), says('Shipped.')),
      new ManualClock(MONDAY),
    );
    await runner.run({ ...PLACE, message: 'Ship it.', by: { id: 'ada', tenant: 'acme' } });

    await signal(runner, PLACE, 'payment', { cents: 5 });

    expect(deeds).toEqual(['shipped for 5']);
  });
});
