import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { toolPolicies } from '@adorn/policies';

import {
  createRunner,
  defineAgent,
  type Event,
  exportSession,
  FunctionTool,
  importSession,
  InMemorySessionService,
  type Runner,
  type RunResult,
  type Session,
} from '../index.js';
import { feedbackOf } from '../log/feedback-of.js';
import type { FeedbackInput } from './feedback.js';

const address = { userId: 'ada', sessionId: 's1' };
const key = { appName: 'clerk', ...address };

describe('runner.feedback', () => {
  it('stores what somebody thinks of an answer, with its reason and who it was', async () => {
    const { runner, answer } = await answered();

    const given = await runner.feedback({
      ...address,
      eventId: answer.id,
      score: 0,
      label: 'wrong',
      comment: 'It has shipped.',
      by: { id: 'mia', roles: ['reviewer'], attributes: { salary: 9 } },
    });

    expect(given).toEqual({
      eventId: answer.id,
      invocationId: answer.invocationId,
      by: { id: 'mia', roles: ['reviewer'], attributes: {} },
      at: expect.any(Number) as number,
      score: 0,
      label: 'wrong',
      comment: 'It has shipped.',
    });
    expect(feedbackOf(await sessionOf(runner))).toEqual([given]);
  });

  it('is by the user of the session, if nobody else is named', async () => {
    const { runner, answer } = await answered();
    const given = await runner.feedback({ ...address, eventId: answer.id, score: 1 });
    expect(given?.by.id).toBe('ada');
  });

  it('counts the last one of a principal on an event, which null takes back; several people may differ', async () => {
    const { runner, answer } = await answered();
    const give = (by: FeedbackInput['by'], score: number | null) =>
      runner.feedback({ ...address, eventId: answer.id, score, by });

    await give('ada', 1);
    await give('mia', 0.5);
    await give({ id: 'ada', tenant: 'globex' }, 0.25);
    await give('ada', 0);
    expect(scoresOf(await sessionOf(runner))).toEqual(['mia 0.5', 'ada 0.25', 'ada 0']);

    expect(await give('ada', null)).toBeUndefined();
    expect(scoresOf(await sessionOf(runner))).toEqual(['mia 0.5', 'ada 0.25']);
  });

  it('stores nothing for what was said already, and for what there is not to take back', async () => {
    const { runner, answer } = await answered();
    const before = (await sessionOf(runner)).events.length;
    const given = { ...address, eventId: answer.id, score: 1, comment: 'Good.' };

    await runner.feedback({ ...address, eventId: answer.id, score: null });
    const first = await runner.feedback(given);
    expect(await runner.feedback(given)).toEqual(first);

    expect((await sessionOf(runner)).events).toHaveLength(before + 1);
  });

  it('is refused when a principal has changed it twenty times on an event, and the last one counts', async () => {
    const { runner, answer } = await answered();
    const give = (score: number | null, by = 'ada') =>
      runner.feedback({ ...address, eventId: answer.id, score, by });
    for (let change = 0; change < 20; change++) await give(change % 2);

    await expect(give(0)).rejects.toMatchObject({ code: 'FEEDBACK_LIMIT_REACHED' });
    await give(0, 'mia');
    expect(scoresOf(await sessionOf(runner))).toEqual(['ada 1', 'mia 0']);

    const { length } = (await sessionOf(runner)).events;
    for (let again = 0; again < 3; again++) await give(null);
    await expect(give(1)).rejects.toMatchObject({ code: 'FEEDBACK_LIMIT_REACHED' });
    expect(scoresOf(await sessionOf(runner))).toEqual(['mia 0']);
    expect((await sessionOf(runner)).events).toHaveLength(length + 1);
  });

  it('takes an invocation for its answer, and for its last event if it has none', async () => {
    const { runner, result } = await answered(callsTool('look'), says('It is here.'));
    const given = await runner.feedback({ ...address, invocationId: result.invocationId, score: 1 });
    expect(given?.eventId).toBe(result.events.find(({ text }) => text === 'It is here.')?.id);

    const failed = await answered(new Error('down'));
    const { invocationId, events } = failed.result;
    const bad = await failed.runner.feedback({ ...address, invocationId, score: 0 });
    expect(bad?.eventId).toBe(events.at(-1)?.id);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an event that is not there', { eventId: 'other' }, 'EVENT_NOT_FOUND'],
    ['a hostile id of an event', { eventId: '__proto__' }, 'EVENT_NOT_FOUND'],
    ['a huge id of an event', { eventId: 'x'.repeat(100_000) }, 'EVENT_NOT_FOUND'],
    [
      'an invocation that is not there',
      { eventId: undefined, invocationId: 'e-other' },
      'INVOCATION_NOT_FOUND',
    ],
    ['an event and an invocation', { invocationId: 'e-1' }, 'FEEDBACK_INVALID'],
    ['neither', { eventId: undefined }, 'FEEDBACK_INVALID'],
    ['an id that is a number', { eventId: 7 }, 'FEEDBACK_INVALID'],
    ['an id that is null', { eventId: null }, 'FEEDBACK_INVALID'],
    ['no score', { score: undefined }, 'FEEDBACK_INVALID'],
    ['NaN', { score: Number.NaN }, 'FEEDBACK_INVALID'],
    ['Infinity', { score: Infinity }, 'FEEDBACK_INVALID'],
    ['a score below 0', { score: -0.1 }, 'FEEDBACK_INVALID'],
    ['five stars', { score: 5 }, 'FEEDBACK_INVALID'],
    ['a score that is a text', { score: '1' }, 'FEEDBACK_INVALID'],
    ['a score that is true', { score: true }, 'FEEDBACK_INVALID'],
    ['a huge comment', { comment: 'x'.repeat(4_001) }, 'FEEDBACK_INVALID'],
    ['a comment that is an object', { comment: { text: 'x' } }, 'FEEDBACK_INVALID'],
    ['a huge label', { label: 'x'.repeat(201) }, 'FEEDBACK_INVALID'],
    ['a comment on what is taken back', { score: null, comment: 'x' }, 'FEEDBACK_INVALID'],
    ['a misspelt option', { coment: 'x' }, 'RUN_CONFIG_INVALID'],
    ['a principal without an id', { by: { roles: ['reviewer'] } }, 'PRINCIPAL_INVALID'],
    ['a session of another user', { userId: 'bob' }, 'SESSION_NOT_FOUND'],
    ['another session', { sessionId: 's2' }, 'SESSION_NOT_FOUND'],
    ['another application', { appName: 'other' }, 'RUN_CONFIG_INVALID'],
  ])('refuses %s, and stores nothing', async (_what, wrong, code) => {
    const { runner, answer } = await answered();
    const before = (await sessionOf(runner)).events.length;

    const refused = runner.feedback({ ...address, eventId: answer.id, score: 1, ...wrong });

    await expect(refused).rejects.toMatchObject({ code });
    expect((await sessionOf(runner)).events).toHaveLength(before);
  });

  it('refuses a message of the user, and feedback itself', async () => {
    const { runner, answer } = await answered();
    await runner.feedback({ ...address, eventId: answer.id, score: 1 });
    const { events } = await sessionOf(runner);

    for (const event of [events[0], events.at(-1)])
      await expect(runner.feedback({ ...address, eventId: event?.id, score: 1 })).rejects.toMatchObject({
        code: 'EVENT_NOT_FOUND',
      });
  });

  it('is refused by a runner that is closed', async () => {
    const { runner, answer } = await answered();
    await runner.close();
    await expect(runner.feedback({ ...address, eventId: answer.id, score: 1 })).rejects.toMatchObject({
      code: 'RUNNER_CLOSED',
    });
  });

  it('keeps odd texts as they are', async () => {
    const { runner, answer } = await answered();
    const comment = '{"__proto__":1}\u0000\ud800 🙃';
    const given = await runner.feedback({
      ...address,
      eventId: answer.id,
      score: 1,
      label: '__proto__',
      comment,
    });
    expect(given).toMatchObject({ label: '__proto__', comment });
  });
});

describe('feedback in a log', () => {
  it('is read by no model: the next request is as if it were not there', async () => {
    const plain = await answered(says('one'), says('two'));
    const judged = await answered(says('one'), says('two'));
    await judged.runner.feedback({ ...address, eventId: judged.answer.id, score: 0, comment: 'SECRET' });

    for (const { runner } of [plain, judged]) await runner.ask('And now?', address);

    expect(judged.model.requests.at(-1)?.contents).toEqual(plain.model.requests.at(-1)?.contents);
    expect(JSON.stringify(judged.model.requests)).not.toContain('SECRET');
  });

  it('does not come between a call and its answer, while a run waits', async () => {
    const { runner, result, model } = await answered(callsTool('pay'), says('Paid.'));
    const [request] = result.pending;
    await runner.feedback({ ...address, invocationId: result.invocationId, score: 0.5 });

    if (!request) throw new Error('It should wait.');
    const paid = await runner.approve(request);

    expect(paid.text).toBe('Paid.');
    expect(model.requests).toHaveLength(2);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('stays when the answer is undone, because it was said', async () => {
    const { runner, answer } = await answered(says('one'), says('two'));
    await runner.feedback({ ...address, eventId: answer.id, score: 0 });

    await runner.rewind({ ...address, invocationId: answer.invocationId });
    expect(scoresOf(await sessionOf(runner))).toEqual(['ada 0']);

    await runner.feedback({ ...address, eventId: answer.id, score: 1 });
    expect(scoresOf(await sessionOf(runner))).toEqual(['ada 1']);
    expect(await runner.ask('Again.', address)).toBe('two');
  });

  it('is not copied by a fork, whose answers nobody has judged', async () => {
    const { runner, answer } = await answered();
    await runner.feedback({ ...address, eventId: answer.id, score: 0, comment: 'SECRET' });

    const copy = await runner.fork(address);

    const session = await sessionOf(runner, copy);
    expect(feedbackOf(session)).toEqual([]);
    expect(JSON.stringify(session.events)).not.toContain('SECRET');
    await runner.feedback({ userId: 'ada', sessionId: copy.sessionId, eventId: answer.id, score: 1 });
    expect(scoresOf(await sessionOf(runner, copy))).toEqual(['ada 1']);
    expect(scoresOf(await sessionOf(runner))).toEqual(['ada 0']);
  });

  it('is exported with its session; an import believes it only if the log is trusted', async () => {
    const { runner, answer } = await answered();
    await runner.feedback({ ...address, eventId: answer.id, score: 0, comment: 'SECRET', by: 'mia' });
    const lines: string[] = [];
    for await (const line of exportSession(runner.sessions, key)) lines.push(line);
    const sessions = new InMemorySessionService();

    const mine = await importSession(sessions, lines, { sessionId: 'mine' }, { isTrusted: true });
    const strange = await importSession(sessions, lines, { sessionId: 'strange' });

    expect(scoresOf(mine)).toEqual(['mia 0']);
    expect(feedbackOf(strange)).toEqual([]);
    expect(JSON.stringify(strange.events)).not.toContain('SECRET');
  });

  it('is erased with the session; what a user said in sessions of others is told', async () => {
    const { runner, answer } = await answered();
    await runner.feedback({ ...address, eventId: answer.id, score: 0, by: 'mia' });

    const { notErased } = await runner.forget('mia');
    expect(notErased[0]).toMatchObject({ kind: 'sessions', sessions: [key] });

    await runner.forget('ada');
    expect(await runner.sessions.getSession(key)).toBeUndefined();
  });

  it('is no step of a run: a store that records no runs takes the last one for ended', async () => {
    const { runner, answer } = await answered();
    await runner.feedback({ ...address, eventId: answer.id, score: 1 });
    const { events, state } = await sessionOf(runner);

    const imported = await new InMemorySessionService().importSession(key, { events, state });

    expect(imported.lastRun).toMatchObject({ id: answer.invocationId, status: 'ended' });
  });

  it('is read from rows of whatever form: what no runner writes is none', async () => {
    const { runner, answer } = await answered();
    const session = await sessionOf(runner);
    const by = { id: 'mia' };
    const { id: eventId, invocationId } = answer;
    const odd = [7, [], null, { eventId }, { eventId, invocationId, by: 'mia', score: 1 }];
    const scores = ['1', Number.MAX_VALUE, -1].map((score) => ({ eventId, invocationId, by, score }));
    for (const stored of [...odd, ...scores])
      await runner.sessions.appendEvent(
        session,
        answer.with({
          id: undefined,
          author: 'user',
          content: undefined,
          customMetadata: { 'adorn:feedback': stored },
        }),
      );

    expect(feedbackOf(await sessionOf(runner))).toEqual([]);
  });
});

/** A conversation with one answer. */
async function answered(...steps: readonly (ScriptedStep | Error)[]): Promise<{
  readonly runner: Runner;
  readonly model: ScriptedModel;
  readonly result: RunResult;
  readonly answer: Event;
}> {
  const model = new ScriptedModel(...((steps.length > 0 ? steps : [says('one')]) as ScriptedStep[]));
  const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'seen' });
  const pay = new FunctionTool({ name: 'pay', description: 'Pays.', confirm: true, run: () => 'paid' });
  const agent = defineAgent({ name: 'clerk', model, tools: [look, pay] });
  const runner = await createRunner(agent, { modules: [toolPolicies] });
  const result = await runner.run({ ...address, message: 'First.' });
  return { runner, model, result, answer: result.events.at(-1) as Event };
}

async function sessionOf(runner: Runner, of = key): Promise<Session> {
  const session = await runner.sessions.getSession(of);
  if (!session) throw new Error('There should be a session.');
  return session;
}

function scoresOf(session: Session): string[] {
  return feedbackOf(session).map(({ by, score }) => `${by.id} ${String(score)}`);
}
