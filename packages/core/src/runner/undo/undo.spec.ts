import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';

import { callsTool, callsTools, says, ScriptedModel } from '@adorn/testing';

import { EffectLedger, InMemoryEffectLedger, type UndoReport } from '../../backend.js';
import { MortalSessionService } from '../../agents/workflow/workflow.fixture.js';
import {
  agentTool,
  ContainerModule,
  createRunner,
  defineAgent,
  defineTool,
  InMemorySessionService,
  type Runner,
  SessionService,
  StaticToolset,
  tool,
  ToolContext,
  ToolError,
  undo,
  workflow,
} from '../../index.js';

const ADA = { userId: 'ada', sessionId: 's1' };
const ID = { type: 'object', properties: { id: { type: 'string' } } } as const;

/** What an office does, and how it fails. */
class World {
  readonly did: string[] = [];
  readonly keys: string[] = [];
  failing: string | undefined;
}

let world = new World();
beforeEach(() => (world = new World()));

class Office {
  @tool({ description: 'Files.', effect: 'write', parameters: ID })
  file({ id }: { id?: string }): { file: string } {
    world.did.push(`file ${String(id)}`);
    return { file: `F-${String(id)}` };
  }

  @undo('file')
  withdraw({ file }: { file: string }, { idempotencyKey }: ToolContext): void {
    world.keys.push(idempotencyKey);
    if (world.failing === file) throw new ToolError(`${file} is locked`);
    world.did.push(`withdraw ${file}`);
  }

  @tool({ description: 'Pays.', effect: 'write', parameters: ID, once: ({ id }) => `order ${String(id)}` })
  pay({ id }: { id?: string }): string {
    world.did.push(`pay ${String(id)}`);
    return `P-${String(id)}`;
  }

  @undo('pay', { confirm: 'Pay it back?', approvers: 'others' })
  payBack(payment: string): { back: string } {
    world.did.push(`pay back ${payment}`);
    return { back: payment };
  }

  @tool({ description: 'Mails.', effect: 'write', parameters: ID })
  mail({ id }: { id?: string }): string {
    world.did.push(`mail ${String(id)}`);
    return 'sent';
  }

  @tool({ description: 'Looks.', effect: 'read', parameters: ID })
  look(): string {
    return 'seen';
  }

  @tool({ description: 'Breaks.', effect: 'write', parameters: ID })
  breaks({ id }: { id?: string }): string {
    if (id === 'told') throw new ToolError('No.');
    throw new Error('Broken.');
  }

  @undo('breaks')
  mend(): void {
    world.did.push('mended');
  }
}

const runners: Runner<unknown>[] = [];
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.close();
});

interface Parts {
  readonly sessions?: SessionService;
  readonly ledger?: EffectLedger;
}

/** @param turns the calls of each message, such as `file 1`, one after another; a list is called at once */
async function officeOf(
  turns: readonly (string | readonly string[])[][],
  parts: Parts = {},
): Promise<Runner> {
  const steps = turns.flatMap((calls) => [
    ...calls.map((call) => callsTools(...[call].flat().map(callOf))),
    says('Done.'),
  ]);
  const { sessions, ledger } = parts;
  const modules = [
    new ContainerModule(({ bind }) => {
      if (sessions) bind(SessionService).toConstantValue(sessions);
      if (ledger) bind(EffectLedger).toConstantValue(ledger);
    }),
  ];
  const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(...steps), tools: [Office] });
  const runner = await createRunner(Clerk, { appName: 'office', modules, config: { takeOverAfter: 0 } });
  runners.push(runner);
  return runner;
}

function callOf(text: string) {
  const [name = '', id] = text.split(' ');
  return { name, args: id === undefined ? {} : { id } };
}

async function done(runner: Runner<unknown>, message = 'Go.'): Promise<string> {
  return (await runner.run({ ...ADA, message })).invocationId;
}

function outcomes({ calls }: UndoReport = { invocationId: '', calls: [], isComplete: false }): string[] {
  return calls.map(({ tool: name, outcome }) => `${name} ${outcome}`);
}

const OTHER = { by: 'max' };

describe('runner.undo', () => {
  it('undoes the calls of a run, the last one first, and says which ones nothing undoes', async () => {
    const runner = await officeOf([['file 1', 'look', 'mail 2', ['file 3', 'file 4']]]);
    const invocationId = await done(runner);

    const { undo: report, status, text, output } = await runner.undo({ ...ADA, invocationId });

    expect(world.did.slice(4)).toEqual(['withdraw F-4', 'withdraw F-3', 'withdraw F-1']);
    expect(outcomes(report)).toEqual(['file undone', 'file undone', 'mail not_undoable', 'file undone']);
    expect(report).toMatchObject({ invocationId, isComplete: false });
    expect(report?.calls[2]).toMatchObject({ agent: 'clerk', reason: 'its tool has no undo' });
    expect([status, output]).toEqual(['answered', report]);
    expect(text).toContain('Undone: file');
  });

  it('tells a later turn what was undone', async () => {
    const runner = await officeOf([['file 1'], []]);
    await runner.undo({ ...ADA, invocationId: await done(runner) });

    const { contents } = await runner.explain({ ...ADA, message: 'And?' });

    const said = JSON.stringify(contents);
    expect(said).toContain('Undo these calls, in this order: file');
    expect(said).toMatch(/"name":"withdraw"[^}]*"of"/);
    expect(said).toMatch(/"functionResponse":\{[^}]*"name":"withdraw"/);
  });

  it('undoes nothing twice, and stores nothing then', async () => {
    const runner = await officeOf([['file 1']]);
    const invocationId = await done(runner);
    await runner.undo({ ...ADA, invocationId });

    const again = await runner.undo({ ...ADA, invocationId });

    expect([again.status, outcomes(again.undo), again.events]).toEqual(['answered', ['file undone'], []]);
    expect(world.did).toEqual(['file 1', 'withdraw F-1']);
  });

  it('undoes each call once if it is asked for twice at the same time', async () => {
    const runner = await officeOf([['file 1', 'file 2']]);
    const invocationId = await done(runner);

    const both = await Promise.all([1, 2].map(() => runner.undo({ ...ADA, invocationId })));

    expect(both.map(({ undo: report }) => report?.isComplete)).toEqual([true, true]);
    expect(world.did.slice(2)).toEqual(['withdraw F-2', 'withdraw F-1']);
  });

  it('stops at the first undo that fails, and goes on when it is called again', async () => {
    const runner = await officeOf([['file 1', 'file 2', 'file 3']]);
    const invocationId = await done(runner);
    world.failing = 'F-2';

    const first = await runner.undo({ ...ADA, invocationId });
    world.failing = undefined;
    const second = await runner.undo({ ...ADA, invocationId });

    expect(outcomes(first.undo)).toEqual(['file undone', 'file failed', 'file left']);
    expect(first.undo?.calls[1]?.reason).toBe('F-2 is locked');
    expect([first.status, first.error?.code]).toEqual(['failed', 'RUN_FAILED']);
    expect(second.undo?.isComplete).toBe(true);
    expect(world.did.slice(3)).toEqual(['withdraw F-3', 'withdraw F-2', 'withdraw F-1']);
    expect(new Set(world.keys).size).toBe(3);
  });

  it('undoes only the calls that are named', async () => {
    const runner = await officeOf([['file 1', 'file 2']]);
    const invocationId = await done(runner);
    const { undo: whole } = await runner.undo({ ...ADA, invocationId, calls: [] });
    const [, first] = whole?.calls ?? [];

    const all = await runner.undo({ ...ADA, invocationId, calls: [await callId(runner, 'file', 0)] });

    expect(first).toBeUndefined();
    expect(outcomes(all.undo)).toEqual(['file undone']);
    expect(world.did.slice(2)).toEqual(['withdraw F-1']);
    await expect(runner.undo({ ...ADA, invocationId, calls: ['x'] })).rejects.toMatchObject({
      code: 'CALL_INVALID',
    });
  });

  it('waits for those who may approve an undo, and goes on with the rest', async () => {
    const runner = await officeOf([['file 1', 'pay 2', 'file 3']]);
    const invocationId = await done(runner);

    const paused = await runner.undo({ ...ADA, invocationId });
    const [request] = paused.pending;
    if (!request) throw new Error('Nothing waits.');
    const asked = await runner.undo({ ...ADA, invocationId });

    expect(outcomes(paused.undo)).toEqual(['file undone', 'pay waiting', 'file left']);
    expect([paused.status, request.tool, request.hint]).toEqual(['paused', 'pay_back', 'Pay it back?']);
    expect([asked.events, outcomes(asked.undo)]).toEqual([[], outcomes(paused.undo)]);
    await expect(runner.approve(request, { by: { id: 'ada' } })).rejects.toMatchObject({
      code: 'APPROVER_NOT_ALLOWED',
    });
    await expect(runner.approve(request, { ...OTHER, args: { result: 'P-9' } })).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
    });
    const rest = await runner.approve(request, OTHER);
    expect(rest.undo?.isComplete).toBe(true);
    expect(world.did.slice(3)).toEqual(['withdraw F-3', 'pay back P-2', 'withdraw F-1']);
  });

  it('stops if an undo is rejected, and asks again when it is called again', async () => {
    const runner = await officeOf([['file 1', 'pay 2']]);
    const invocationId = await done(runner);
    const { pending } = await runner.undo({ ...ADA, invocationId });

    const rejected = await runner.reject(present(pending[0]), { ...OTHER, reason: 'Keep it.' });
    const again = await runner.undo({ ...ADA, invocationId });

    expect(outcomes(rejected.undo)).toEqual(['pay failed', 'file left']);
    expect(rejected.undo?.calls[0]?.reason).toContain('Keep it.');
    expect(again.pending).toHaveLength(1);
    expect(world.did).toEqual(['file 1', 'pay 2']);
  });

  it('frees the effect of a call with once, which the next call has again', async () => {
    const runner = await officeOf([['pay 1'], ['pay 1'], ['pay 1']]);
    const invocationId = await done(runner);
    const before = await done(runner);

    const ofOther = await runner.undo({ ...ADA, invocationId: before });
    const { pending } = await runner.undo({ ...ADA, invocationId });
    await runner.approve(present(pending[0]), OTHER);
    await done(runner);

    expect(outcomes(ofOther.undo)).toEqual(['pay not_undoable']);
    expect(ofOther.undo?.calls[0]?.reason).toContain('an earlier call had the effect');
    expect(world.did).toEqual(['pay 1', 'pay back P-1', 'pay 1']);
  });

  it('leaves out a call that failed without an effect, and reports one of unknown outcome', async () => {
    const runner = await officeOf([['breaks told', 'breaks', 'nothing 1']]);

    const { undo: report } = await runner.undo({ ...ADA, invocationId: await done(runner) });

    expect(outcomes(report)).toEqual(['breaks not_undoable']);
    expect(report?.calls[0]?.reason).toContain('unknown');
    expect(world.did).toEqual([]);
  });

  it('refuses a run that waits, one that does not exist, and a session that does not exist', async () => {
    const runner = await officeOf([['file 1']]);
    await done(runner);
    const { invocationId } = runner.call({ ...ADA, tool: 'pay', args: { id: '1' } });

    await expect(runner.undo({ ...ADA, invocationId })).rejects.toMatchObject({ code: 'INVOCATION_ACTIVE' });
    await expect(runner.undo({ ...ADA, invocationId: 'none' })).rejects.toMatchObject({
      code: 'INVOCATION_NOT_FOUND',
    });
    await expect(runner.undo({ ...ADA, sessionId: 's9', invocationId })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
  });

  it('waits until the end of the run is recorded, however slow the store is', async () => {
    const runner = await officeOf([['file 1']]);
    const sessions = runner.get(SessionService);
    const close = sessions.closeRun.bind(sessions);
    let isReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (isReady = resolve));
    sessions.closeRun = async (...args) => {
      await ready;
      return close(...args);
    };
    const undoing = runner.undo({ ...ADA, invocationId: await done(runner) });
    await setImmediate();
    isReady();

    expect(outcomes((await undoing).undo)).toEqual(['file undone']);
  });

  it('refuses a run whose undo waits for a person', async () => {
    const runner = await officeOf([['pay 1']]);
    const undoing = await runner.undo({ ...ADA, invocationId: await done(runner) });

    await expect(runner.undo({ ...ADA, invocationId: undoing.invocationId })).rejects.toMatchObject({
      code: 'INVOCATION_ACTIVE',
    });
  });

  it('does not undo an undo', async () => {
    const runner = await officeOf([['file 1']]);
    const { invocationId } = await runner.undo({ ...ADA, invocationId: await done(runner) });

    const { undo: report } = await runner.undo({ ...ADA, invocationId });

    expect(outcomes(report)).toEqual(['withdraw not_undoable']);
  });

  it('undoes what a run did before it was rewound, and does not do it again after a rewind of the undo', async () => {
    const runner = await officeOf([['file 1']]);
    const invocationId = await done(runner);
    await runner.rewind({ ...ADA, invocationId });

    const first = await runner.undo({ ...ADA, invocationId });
    await runner.rewind({ ...ADA, invocationId: first.invocationId });
    const second = await runner.undo({ ...ADA, invocationId });

    expect([first.undo?.isComplete, second.undo?.isComplete]).toEqual([true, true]);
    expect(world.did).toEqual(['file 1', 'withdraw F-1']);
  });

  it('undoes nothing in a copy of a conversation that happened in the original', async () => {
    const runner = await officeOf([['file 1'], ['file 2']]);
    const invocationId = await done(runner);
    const copy = await runner.fork({ ...ADA, to: { sessionId: 's2' } });
    const inCopy = await runner.run({ ...copy, message: 'Go.' });

    const copied = await runner.undo({ userId: 'ada', sessionId: 's2', invocationId });
    const own = await runner.undo({ userId: 'ada', sessionId: 's2', invocationId: inCopy.invocationId });

    expect(copied.undo?.calls).toMatchObject([{ outcome: 'not_undoable' }]);
    expect(own.undo?.isComplete).toBe(true);
    expect(world.did).toEqual(['file 1', 'file 2', 'withdraw F-2']);
  });

  it('undoes the calls of agents that run as tools, in parallel, and below', async () => {
    const clerk = (name: string, ...calls: string[]) =>
      defineAgent({
        name,
        description: 'Files.',
        tools: [Office],
        model: new ScriptedModel(...calls.map((call) => callsTools(callOf(call))), says('Done.')),
      });
    const Boss = defineAgent({
      name: 'boss',
      model: new ScriptedModel(callsTool('clerk', { request: 'File.' }), says('All done.')),
      tools: [agentTool(clerk('clerk', 'file 1', 'file 2'))],
    });
    const All = workflow.sequence(Boss, workflow.parallel(clerk('left', 'file 3'), clerk('right', 'file 4')));
    const runner = await createRunner(All, { appName: 'office' });
    runners.push(runner);

    const { undo: report, status } = await runner.undo({ ...ADA, invocationId: await done(runner) });

    expect([status, report?.isComplete]).toEqual(['answered', true]);
    expect(report?.calls.map(({ agent }) => agent).sort()).toEqual(['clerk', 'clerk', 'left', 'right']);
    expect(world.did.slice(-2)).toEqual(['withdraw F-2', 'withdraw F-1']);
    expect(world.did).toHaveLength(8);
  });

  it('undoes a call that a person had approved, by the id of either run', async () => {
    const Asks = defineAgent({
      name: 'asks',
      tools: [Careful],
      model: new ScriptedModel(callsTool('order', {}), says('Ordered.')),
    });
    const runner = await createRunner(Asks, { appName: 'office' });
    runners.push(runner);
    const { invocationId, pending } = await runner.run({ ...ADA, message: 'Go.' });
    await expect(runner.undo({ ...ADA, invocationId })).rejects.toMatchObject({ code: 'INVOCATION_ACTIVE' });
    await runner.approve(present(pending[0]));

    const { undo: report } = await runner.undo({ ...ADA, invocationId });

    expect([report?.isComplete, world.did]).toEqual([true, ['order', 'cancel order']]);
  });

  it('leaves out a call of a toolset that only read, and lists one that wrote', async () => {
    const stated = { description: '', parameters: ID };
    const write = defineTool({ ...stated, name: 'write', effect: 'write', run: () => 'written' });
    const read = defineTool({ ...stated, name: 'read', effect: 'read', run: () => 'seen' });
    const model = new ScriptedModel(callsTools({ name: 'read' }, { name: 'write' }), says('Done.'));
    const tools = [new StaticToolset([read, write])];
    const runner = await createRunner(defineAgent({ name: 'clerk', model, tools }), { appName: 'office' });
    runners.push(runner);

    const { undo: report } = await runner.undo({ ...ADA, invocationId: await done(runner) });

    expect(outcomes(report)).toEqual(['write not_undoable']);
  });

  it('leaves out a call that only read, whatever the tools of a later version are', async () => {
    const sessions = new InMemorySessionService();
    const invocationId = await done(await officeOf([['file 1', 'look']], { sessions }));
    class Later extends Office {
      @tool({ description: 'Looks, and notes it.', effect: 'write', parameters: ID })
      override look(): string {
        return 'noted';
      }
    }
    const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
    const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(), tools: [Later] });
    const runner = await createRunner(Clerk, { appName: 'office', modules });
    runners.push(runner);

    const { undo: report } = await runner.undo({ ...ADA, invocationId });

    expect(outcomes(report)).toEqual(['file undone']);
  });

  it('is not called by a model', async () => {
    const runner = await officeOf([['file 1', 'withdraw F-1']]);

    const { events } = await runner.run({ ...ADA, message: 'Go.' });

    expect(world.did).toEqual(['file 1']);
    expect(JSON.stringify(events)).toContain('withdraw');
    expect((await runner.tools()).map(({ name }) => name)).not.toContain('withdraw');
    await expect(runner.call({ ...ADA, tool: 'withdraw', args: {} }).output).rejects.toMatchObject({
      code: 'RUN_FAILED',
    });
  });

  it.each(Array.from({ length: 14 }, (_, index) => index + 1))(
    'undoes each call once if its process dies behind write %i and another one recovers the run',
    async (writes) => {
      const sessions = new MortalSessionService();
      const ledger = new InMemoryEffectLedger();
      const turns = [['file 1', 'file 2', 'pay 3', 'file 4']];
      const first = await officeOf(turns, { sessions, ledger });
      const invocationId = await done(first);
      sessions.left = writes;
      const isDead = await undoAndApprove(first, invocationId).then(
        () => false,
        () => true,
      );
      sessions.left = Infinity;
      const next = await officeOf(turns, { sessions, ledger });
      await new Promise((resolve) => setTimeout(resolve, 2));
      await next.recover({ olderThan: 0 });
      if (writes === 1) await next.undo({ ...ADA, invocationId });
      const [request] = await next.pending(ADA);
      if (request) await next.approve(request, OTHER);

      const last = await next.undo({ ...ADA, invocationId });

      expect([isDead, last.undo?.isComplete]).toEqual([writes < 11, true]);
      const undone = ['withdraw F-4', 'pay back P-3', 'withdraw F-2', 'withdraw F-1'];
      expect(world.did.slice(4)).toEqual(undone);
    },
  );
});

async function undoAndApprove(runner: Runner<unknown>, invocationId: string): Promise<void> {
  await runner.undo({ ...ADA, invocationId });
  const [request] = await runner.pending(ADA);
  if (request) await runner.approve(request, OTHER);
}

describe('any run of an office', () => {
  const call = fc.oneof(
    fc
      .constantFrom('file', 'pay', 'mail', 'look')
      .chain((name) => fc.nat(99).map((id) => `${name} ${String(id)}`)),
  );
  const turn = fc.array(fc.oneof(call, fc.array(call, { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
  });

  it('is undone in reverse order, each call once, wherever the process of its undo dies', async () => {
    await fc.assert(
      fc.asyncProperty(turn, fc.integer({ min: 1, max: 20 }), async (calls, writes) => {
        world = new World();
        const sessions = new MortalSessionService();
        const ledger = new InMemoryEffectLedger();
        const first = await officeOf([calls], { sessions, ledger });
        const invocationId = await done(first);
        const before = world.did.length;
        const wanted = world.did.flatMap(undoneBy).reverse();
        sessions.left = writes;
        await first.undo({ ...ADA, invocationId }).then(undefined, () => undefined);
        sessions.left = Infinity;
        const next = await officeOf([[]], { sessions, ledger });
        await new Promise((resolve) => setTimeout(resolve, 2));
        await next.recover({ olderThan: 0 });
        for (let round = 0; round < 20; round++) {
          const { undo: report } = await next.undo({ ...ADA, invocationId });
          const [request] = await next.pending(ADA);
          if (request) await next.approve(request, OTHER);
          else expect(report?.calls.filter(({ outcome }) => !ENDS.has(outcome))).toEqual([]);
          if (!request) break;
        }

        expect([...world.did.slice(before)].sort()).toEqual([...wanted].sort());
        if (calls.every((one) => typeof one === 'string')) expect(world.did.slice(before)).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});

const ENDS: ReadonlySet<string> = new Set(['undone', 'not_undoable']);

/** What undoes a deed of the office. */
function undoneBy(deed: string): string[] {
  const [name, id = ''] = deed.split(' ');
  if (name === 'file') return [`withdraw F-${id}`];
  return name === 'pay' ? [`pay back P-${id}`] : [];
}

class Careful {
  @tool({ description: 'Orders.', effect: 'write', parameters: ID, confirm: true })
  order(): string {
    world.did.push('order');
    return 'order';
  }

  @undo('order')
  cancel(order: string): void {
    world.did.push(`cancel ${order}`);
  }
}

async function callId(runner: Runner<unknown>, name: string, index: number): Promise<string> {
  const session = await runner.sessions.getSession({ appName: 'office', ...ADA });
  const calls = (session?.events ?? []).flatMap(({ functionCalls }) => functionCalls);
  return calls.filter((call) => call.name === name)[index]?.id ?? '';
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('Nothing waits.');
  return value;
}
