import { says, ScriptedModel } from '@adorn/testing';
import type { Session } from '@adorn/core';

import { openDesk } from './desk.fixture.js';
import { dislikedCases } from './disliked-cases.js';
import { evaluate } from './evaluate.js';
import { rubrics } from './metrics/rubrics.js';
import { userFeedback } from './metrics/user-feedback.js';
import { parseEvalSet } from './read-eval-set.js';
import { scoreSession } from './score-session.js';
import { formatEvalSet } from './write-eval-set.js';

const place = { userId: 'ada', sessionId: 's1' };

describe('what people thought of the answers of a stored conversation', () => {
  it('is a score of each turn that was judged: the mean of what they said', async () => {
    const { runner, ids } = await talked('One.', 'Two.', 'Three.');
    await runner.feedback({ ...place, eventId: ids[0], score: 1 });
    await runner.feedback({ ...place, eventId: ids[2], score: 0 });
    await runner.feedback({ ...place, eventId: ids[2], score: 0.5, by: 'mia' });

    const result = await scoreSession(runner, place, { metrics: [userFeedback({ threshold: 0.6 })] });

    const scores = result.evalMetricResultPerInvocation.map(
      ({ evalMetricResults }) => evalMetricResults[0]?.score,
    );
    expect(scores).toEqual([1, undefined, 0.25]);
    expect(result.overallEvalMetricResults[0]).toMatchObject({ metricName: 'user_feedback', score: 0.625 });
    expect(result.finalEvalStatus).toBe('passed');
  });

  it('is no score where nobody has judged, or has taken it back', async () => {
    const { runner, ids } = await talked('One.');
    await runner.feedback({ ...place, eventId: ids[0], score: 0 });
    await runner.feedback({ ...place, eventId: ids[0], score: null });

    const result = await scoreSession(runner, place, { metrics: [userFeedback()] });

    expect(result.finalEvalStatus).toBe('notEvaluated');
  });

  it('refuses a threshold that is no number', () => {
    expect(() => userFeedback({ threshold: Number.NaN })).toThrow(
      expect.objectContaining({ code: 'EVAL_CONFIG_INVALID' }) as Error,
    );
  });
});

describe('cases of what people disliked', () => {
  it('have the conversation up to the answer, expect what was liked, and what was said of it as rubrics', async () => {
    const { runner, ids } = await talked('One.', 'Two.', 'Three.', 'Four.');
    await runner.feedback({ ...place, eventId: ids[0], score: 1 });
    await runner.feedback({ ...place, eventId: ids[2], score: 0, label: 'wrong', comment: 'It is "two".' });
    await runner.feedback({ ...place, eventId: ids[2], score: 0.2, by: 'mia' });

    const [only, ...others] = dislikedCases(await sessionOf(runner));

    expect(others).toEqual([]);
    expect(only?.evalId).toBe(`s1 ${String(ids[2])}`);
    expect(only?.conversation.map(({ userContent }) => userContent.parts?.[0]?.text)).toEqual([
      '0',
      '1',
      '2',
    ]);
    expect(only?.conversation.map(({ finalResponse }) => finalResponse?.parts?.[0]?.text)).toEqual([
      'One.',
      undefined,
      undefined,
    ]);
    expect(
      only?.conversation.map(({ rubrics }) =>
        rubrics?.map(({ rubricContent }) => rubricContent.textProperty),
      ),
    ).toEqual([
      undefined,
      undefined,
      [expect.stringContaining(String.raw`"wrong: It is \"two\"."`) as string],
    ]);
    expect(only?.conversation.some((turn) => 'feedback' in turn)).toBe(false);
  });

  it('are made of answers that were undone since', async () => {
    const { runner, ids, invocations } = await talked('One.', 'Two.');
    await runner.feedback({ ...place, eventId: ids[1], score: 0 });
    await runner.rewind({ ...place, invocationId: invocations[0] ?? '' });

    const cases = dislikedCases(await sessionOf(runner));

    expect(cases.map(({ conversation }) => conversation.length)).toEqual([2]);
  });

  it('are read again as an eval set, and do not pass by themselves', async () => {
    const { runner, ids } = await talked('One.');
    await runner.feedback({ ...place, eventId: ids[0], score: 0 });

    const text = formatEvalSet({ evalSetId: 'disliked', evalCases: dislikedCases(await sessionOf(runner)) });
    const set = parseEvalSet(JSON.parse(text), 'disliked.evalset.json');
    const report = await evaluate((await openDesk([says('Better.')])).runner, set);

    expect(set.evalCases).toHaveLength(1);
    expect(report.status).not.toBe('passed');
  });

  it('are played with what was said as a rubric, which a model judges', async () => {
    const { runner, ids } = await talked('One.');
    await runner.feedback({ ...place, eventId: ids[0], score: 0, comment: 'Too short.' });
    const set = { evalSetId: 'disliked', evalCases: dislikedCases(await sessionOf(runner)) };
    const judge = new ScriptedModel(says('{"verdicts":[false]}'), says('{"verdicts":[true]}'));
    const metrics = [rubrics({ model: judge })];

    const before = await evaluate((await openDesk([says('One.')])).runner, set, { metrics });
    const after = await evaluate((await openDesk([says('One, of three.')])).runner, set, { metrics });

    expect([before.status, after.status]).toEqual(['failed', 'passed']);
    expect(JSON.stringify(judge.requests)).toContain('Too short.');
  });

  it('follow `below`, and refuse what is none', async () => {
    const { runner, ids } = await talked('One.');
    await runner.feedback({ ...place, eventId: ids[0], score: 0.5 });
    const session = await sessionOf(runner);

    expect(dislikedCases(session)).toEqual([]);
    expect(dislikedCases(session, { below: 0.75 })).toHaveLength(1);
    expect(() => dislikedCases(session, { under: 1 } as object)).toThrow(
      expect.objectContaining({ code: 'EVAL_CONFIG_INVALID' }) as Error,
    );
  });
});

/** A conversation with these answers: the ids of their events and of their runs. */
async function talked(...answers: readonly string[]) {
  const { runner } = await openDesk(answers.map((answer) => says(answer)));
  const ids: (string | undefined)[] = [];
  const invocations: string[] = [];
  for (const index of answers.keys()) {
    const { events, invocationId } = await runner.run({ ...place, message: String(index) });
    ids.push(events.at(-1)?.id);
    invocations.push(invocationId);
  }
  return { runner, ids, invocations };
}

async function sessionOf({
  sessions,
  appName,
}: Awaited<ReturnType<typeof talked>>['runner']): Promise<Session> {
  const session = await sessions.getSession({ appName, ...place });
  if (!session) throw new Error('There should be a session.');
  return session;
}
