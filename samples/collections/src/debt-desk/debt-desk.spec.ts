import {
  callsLive,
  callsTool,
  cancelsCalls,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';
import { createRunner, type Runner } from 'adorn';

import { DebtDesk } from './debt-desk.agent.js';

const ADDRESS = { userId: 'c-1999', sessionId: 'call-7' };

type Args = Record<string, unknown>;

/** A turn in which the model calls tools, one after another. */
function turn(
  ...calls: readonly (readonly [name: string, id: string, args?: Args, responses?: number])[]
): LiveStep[] {
  const steps = calls.flatMap(([name, id, args = {}, responses = 1]) => [
    callsLive(name, args, id),
    untilResponse(id, responses),
  ]);
  return [untilText(), ...steps, speaks('Noted.')];
}

const VERIFY = turn(['verify_identity', 'v1', { name: 'Ada' }]);

describe('the debt-collection desk', () => {
  it('goes through its phases: the promoted result begins the next one and calls the watcher, and tools of others do not run', async () => {
    const desk = await started([
      ...turn(
        ['calculate_payment_plan', 'p0', { months: 2 }],
        ['log_compliance_event', 'l1', { event: 'call' }],
        ['verify_identity', 'v0', { name: 'Eve' }],
      ),
      ...VERIFY,
      ...turn(['calc_payment', 'c1', { request: 'Plans' }]),
      ...turn(['get_weather', 'w0', { city: 'Oslo' }], ['lookup_account', 'a0', { accountId: 'A-1' }]),
      ...turn(['calculate_payment_plan', 'p1', { months: 2 }]),
    ]);
    await desk.talk();
    for (let at = 0; at < 2; at++) await desk.talk(true);
    await desk.talk();
    await desk.talk(true);
    const { state, told } = await desk.end();

    expect(state).toMatchObject({ phase: 'arrange_payment', identity_verified: true, plan_agreed: true });
    expect(desk.agent.seen).toEqual(['verified in inform_debt']);
    const phases = desk.model.connections.map(
      ({ setup }) => /Phase of the conversation: (\w+)/.exec(setup.instruction)?.[1],
    );
    expect(phases).toEqual(['verify_identity', 'inform_debt', 'negotiate', 'arrange_payment']);
    const refused = (name: string, allowed: string): object => ({
      error: 'tool call was denied',
      reason: `Tool '${name}' is not available in the current conversation phase. This phase allows: ${allowed}.`,
    });
    expect(told).toEqual({
      p0: [refused('calculate_payment_plan', 'verify_identity, log_compliance_event')],
      l1: [{ result: 'logged call' }],
      v0: [{ verified: false }],
      v1: [{ verified: true }],
      c1: [{ text: 'The plans are made.' }],
      w0: [{ temp: 21 }],
      a0: [refused('lookup_account', 'calculate_payment_plan')],
      p1: [{ monthly: 2125 }],
    });
  });

  it('answers every kind of tool: by hand, with defaults, in steps, from the cache, too late, confirmed and beside the conversation', async () => {
    const desk = await started([
      ...VERIFY,
      ...turn(
        ['lookup_account', 'a1', { accountId: 'A-1' }],
        ['lookup_account', 'a2'],
        ['track_progress', 't1'],
        ['get_rate', 'r1', { from: 'EUR', to: 'USD' }],
        ['get_rate', 'r2', { to: 'USD', from: 'EUR' }],
        ['search_kb', 'k1', { query: 'law' }],
        ['search_knowledge_base', 'b1', { query: 'law' }, 2],
        ['analyze_doc', 'd1', { query: 'contract' }, 2],
        ['ask_back_office', 'o1', { question: 'May I?' }],
      ),
      ...turn(['send_email', 'e1', { to: 'ada' }]),
    ]);
    await desk.talk(true);
    await desk.talk();
    const pending = desk.call.toEvent(({ pending: requests }) => requests.length > 0);
    desk.live.sendText('Write to me.');
    await pending;
    const waiting = await desk.runner.pending(ADDRESS);
    const request = waiting.find(({ kind }) => kind === 'confirmation');
    if (request) await desk.live.reject(request, { reason: 'not now' });
    await desk.call.toTurnEnd();
    const { told } = await desk.end();

    expect(request?.hint).toBe('This will send a real email — are you sure?');
    expect(told).toMatchObject({
      a1: [{ account_id: 'A-1', balance: 4250, ssn: '***' }],
      a2: [{ error: expect.stringContaining('accountId') as string }],
      t1: [{ result: [0, 1, 2, 3, 4].map((step) => ({ step })) }],
      r1: [{ from: 'EUR', to: 'USD', rate: 1.1, fetched: 1 }],
      r2: [{ fetched: 1 }],
      k1: [{ error: expect.stringMatching(/20 ms|time/) as string }],
      b1: [{ status: 'running' }, { result: 'found law' }],
      d1: [
        { status: 'searching', query: 'contract' },
        { status: 'done', tool: 'analyze_doc', result: 'read contract' },
      ],
      o1: [{ ticket: 'T-1', question: 'May I?' }],
      e1: [{ status: 'pending' }, { error: 'tool call was rejected', reason: 'not now' }],
    });
  });

  it('hears how the caller speaks while a tool listens: the watcher is called before the tool has ended', async () => {
    const desk = await started([...VERIFY, ...turn(['listen', 'h1']), untilText(), speaks('I hear you.')]);
    await desk.talk(true);
    await desk.talk();
    void desk.live.sendAudio(new Uint8Array(2000));
    await desk.call.toYield('listen');
    await desk.talk();
    const { told } = await desk.end();

    expect(desk.agent.seen).toContain('angry');
    expect(desk.model.connection.contexts).toContain('Slow down.');
    expect(told['h1']).toHaveLength(1);
  });

  it('stops a call that the provider cancels, which later models read as the format says', async () => {
    const desk = await started([
      ...VERIFY,
      untilText(),
      callsLive('search_kb', { query: 'x' }, 'k1'),
      cancelsCalls('k1'),
    ]);
    await desk.talk(true);
    desk.live.sendText('Search.');
    await desk.call.toEvent(({ functionResponses }) =>
      functionResponses.some(({ response }) => response?.['error']),
    );
    const { told } = await desk.end();

    expect(told['k1']).toBeUndefined();
  });

  it('offers the model the tools of its provider', async () => {
    const desk = await started([untilText(), speaks('Hello.')]);
    await desk.talk();
    await desk.end();

    const kinds = desk.model.connection.setup.tools.flatMap((one) => Object.keys(one));
    expect(kinds).toEqual(expect.arrayContaining(['googleSearch', 'codeExecution', 'urlContext']));
  });
});

async function started(steps: readonly LiveStep[]) {
  const model = new ScriptedLive(...steps);
  const text = new ScriptedModel(callsTool('note_informed', {}), says('The plans are made.'));
  const runner: Runner<unknown> = await createRunner(DebtDesk, { model: text });
  const live = runner.live({ ...ADDRESS, model });
  const call = model.follow(live);
  return {
    runner,
    model,
    live,
    call,
    agent: runner.root.definition as DebtDesk,
    /** Says something, and waits for the end of the turn. @param isOther true if another phase begins with it */
    talk: async (isOther = false): Promise<void> => {
      live.sendText('Go on.');
      await call.toTurnEnd();
      if (isOther) await call.toConnected();
    },
    /** Hangs up. Returns the state, and what the model has read of its calls, by their ids. */
    end: async () => {
      await live.close();
      const session = await runner.sessions.getSession({ appName: runner.appName, ...ADDRESS });
      await runner.close();
      const told: Record<string, unknown[]> = {};
      for (const { responses } of model.connections)
        for (const { id, response } of responses) (told[id] ??= []).push(response);
      return { told, state: session?.state ?? {} };
    },
  };
}
