import { generateKeyPairSync } from 'node:crypto';

import { callsTool, eventsOf, says } from '@adorn/testing';

import { ADA, desk, linesOf, MAX, MIA, only, paid, paying } from './desk.fixture.js';
import { exportEvidence } from './index.js';

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(lines: AsyncIterable<string>): Promise<Row[]> {
  return (await linesOf(lines)).map((line) => JSON.parse(line) as Row);
}

/** The rows between the header and the end, of one kind. */
async function factsOf(lines: AsyncIterable<string>, kind: string): Promise<Row[]> {
  return (await rowsOf(lines)).filter((row) => row['kind'] === kind);
}

describe('exportEvidence', () => {
  it('says who asked, what was shown, who answered with which role, what was changed, what ran, and what came of it', async () => {
    await using runner = await desk();
    await paid(runner);

    const [header, ...rows] = await rowsOf(exportEvidence(runner));

    const ada = { id: 'ada', roles: [], attributes: { team: 'toys' } };
    const call = (rows[1] as { callId: string }).callId;
    expect(header).toMatchObject({ kind: 'header', format: 'adorn-evidence', version: 1, appName: 'desk' });
    expect(rows).toMatchObject([
      {
        kind: 'message',
        userId: 'ada',
        sessionId: 's1',
        by: ada,
        contents: { content: { parts: [{ text: 'Pay my taxi.' }] } },
      },
      {
        kind: 'call',
        tool: 'pay',
        agent: 'desk',
        requester: ada,
        contents: { args: { order: 'A-17', cents: 900 } },
      },
      {
        kind: 'request',
        asks: 'confirmation',
        callId: call,
        requester: ada,
        approvers: [{ role: 'manager' }],
        contents: { args: { order: 'A-17', cents: 900 }, hint: 'Pay 900 cents?' },
      },
      { kind: 'outcome', callId: call, status: 'waiting' },
      {
        kind: 'answer',
        callId: call,
        verdict: 'approved',
        by: { id: 'mia', roles: ['manager'] },
        channel: 'web',
        isEdited: true,
        contents: { args: { order: 'A-17', cents: 700 } },
      },
      { kind: 'outcome', callId: call, status: 'returned', contents: { response: { paid: 700 } } },
      { kind: 'reply', agent: 'desk', contents: { text: 'Paid.' } },
      { kind: 'end', rows: 7 },
    ]);
  });

  it('says who judged an answer, of whichever run, and that it was taken back', async () => {
    await using runner = await desk();
    await paid(runner);
    const { events = [] } =
      (await runner.sessions.getSession({ appName: 'desk', userId: 'ada', sessionId: 's1' })) ?? {};
    const answer = events.findLast(({ text }) => text === 'Paid.');
    const { id: eventId, invocationId = '' } = answer ?? {};
    const about = { userId: 'ada', sessionId: 's1', eventId };
    await runner.feedback({ ...about, score: 0, label: 'wrong', comment: 'Too much.', by: MIA });
    await runner.feedback({ ...about, score: null, by: MIA });

    const rows = await factsOf(
      exportEvidence(runner, { userId: 'ada', sessionId: 's1', invocationId }),
      'feedback',
    );

    expect(rows).toMatchObject([
      { of: eventId, invocationId, by: MIA, score: 0, label: 'wrong', contents: { comment: 'Too much.' } },
      { of: eventId, invocationId, by: MIA },
    ]);
    expect(rows[1]).not.toHaveProperty('score');
    const without = await factsOf(exportEvidence(runner, { contents: false }), 'feedback');
    expect(JSON.stringify(without)).not.toContain('Too much.');
  });

  it('tells each of several approvals, a delegation, an escalation and a rejection apart', async () => {
    await using runner = await desk({
      steps: [...paying('A-1'), ...paying('A-2')],
      approvers: { role: 'manager', count: 2, escalate: { after: 0, to: { role: 'director' } } },
    });
    await runner.run({ ...ADA, message: 'Pay.' });
    await eventsOf(runner.delegate(await only(runner), { by: MIA, to: 'bob' }));
    await eventsOf(runner.approve(await only(runner), { by: { id: 'bob' } }));
    await eventsOf(runner.approve(await only(runner), { by: { id: 'dora', roles: ['director'] } }));
    await runner.run({ ...ADA, message: 'Pay.' });
    await eventsOf(runner.reject(await only(runner), { by: MAX, reason: 'Too much.' }));

    const answers = await factsOf(exportEvidence(runner), 'answer');

    expect(answers).toMatchObject([
      { verdict: 'delegated', by: { id: 'mia' }, to: 'bob', isPartial: true },
      { verdict: 'approved', by: { id: 'bob', roles: ['manager'] }, delegatedBy: 'mia', isPartial: true },
      { verdict: 'approved', by: { id: 'dora' }, isEscalated: true },
      { verdict: 'rejected', by: { id: 'max' }, contents: { reason: 'Too much.' } },
    ]);
    const outcomes = await factsOf(exportEvidence(runner), 'outcome');
    expect(outcomes.map(({ status }) => status)).toEqual(['waiting', 'returned', 'waiting', 'error']);
  });

  it('says that a second call did nothing, because an earlier one had the effect', async () => {
    await using runner = await desk({ steps: [...paying(), ...paying()], approvers: 'requester' });
    for (const sessionId of ['s1', 's2']) {
      await runner.run({ ...ADA, sessionId, message: 'Pay.' });
      await eventsOf(runner.approve(await only(runner, { ...ADA, sessionId })));
    }

    const [first, second] = (await factsOf(exportEvidence(runner), 'outcome')).filter(
      ({ status }) => status === 'returned',
    );

    expect(first).not.toHaveProperty('doneBefore');
    expect(second).toMatchObject({ doneBefore: { by: 'ada' } });
  });

  it('keeps what a rewind has undone, and says that it was', async () => {
    await using runner = await desk();
    await paid(runner);
    const session = await runner.sessions.getSession({ appName: 'desk', ...ADA });
    await runner.rewind({ ...ADA, invocationId: session?.events[0]?.invocationId ?? '' });

    const kinds = (await rowsOf(exportEvidence(runner))).map(({ kind }) => kind);

    expect(kinds).toEqual([
      'header',
      'message',
      'call',
      'request',
      'outcome',
      'answer',
      'outcome',
      'reply',
      'rewind',
      'end',
    ]);
  });

  it('leaves contents out, and their digests stay the same', async () => {
    await using runner = await desk();
    await paid(runner);

    const whole = await rowsOf(exportEvidence(runner));
    const bare = await linesOf(exportEvidence(runner, { contents: false }));

    expect(bare.join('')).not.toMatch(/taxi|Pay 900|"cents"|"args":\{/);
    expect(bare.map((line) => (JSON.parse(line) as Row)['sha256'])).toEqual(
      whole.map(({ sha256 }) => sha256),
    );
  });

  it('is the same twice, but for the time of the export', async () => {
    await using runner = await desk({ steps: [...paying(), ...paying('A-2')] });
    for (const userId of ['ada', 'bob']) await paid(runner, { userId, sessionId: 's1' });
    const facts = async () =>
      (await rowsOf(exportEvidence(runner))).map(({ prev: _, digest: __, exportedAt: ___, ...row }) => row);

    expect(await facts()).toEqual(await facts());
  });

  it.each<[object, number]>([
    [{}, 16],
    [{ userId: 'ada' }, 7],
    [{ userId: 'nobody' }, 0],
    [{ userId: 'ada', sessionId: 's1' }, 7],
    [{ sessionId: 's1' }, 14],
    [{ tool: 'pay' }, 10],
    [{ tool: 'refund' }, 0],
    [{ since: new Date(Date.now() + 60_000) }, 0],
    [{ until: new Date(Date.now() - 60_000) }, 0],
    [{ since: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) }, 16],
  ])('exports what was asked for: %j', async (query, count) => {
    await using runner = await desk({ steps: [...paying(), ...paying('A-2'), says('Hi.')] });
    for (const userId of ['ada', 'bob']) await paid(runner, { userId, sessionId: 's1' });
    await runner.ask('Hello.', { userId: 'bob', sessionId: 's2' });

    const rows = await rowsOf(exportEvidence(runner, query));

    expect(rows.at(-1)).toMatchObject({ kind: 'end', rows: count });
  });

  it('exports a run with the invocations that continued it', async () => {
    await using runner = await desk({ steps: [...paying(), callsTool('pay', { order: 'B', cents: 1 })] });
    await paid(runner);
    await runner.run({ ...ADA, message: 'And this.' });
    const [first] = (await runner.sessions.getSession({ appName: 'desk', ...ADA }))?.events ?? [];

    const rows = await rowsOf(exportEvidence(runner, { invocationId: first?.invocationId ?? '' }));

    expect(rows.at(-1)).toMatchObject({ rows: 7 });
  });

  it('refuses a key that cannot sign, and an option that it does not know', async () => {
    await using runner = await desk();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { publicKey } = generateKeyPairSync('ed25519');
    for (const signWith of [privateKey, publicKey, 'no key'])
      await expect(linesOf(exportEvidence(runner, { signWith }))).rejects.toMatchObject({
        code: 'EVIDENCE_KEY_INVALID',
      });
    await expect(linesOf(exportEvidence(runner, { user: 'ada' } as object))).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
    await expect(linesOf(exportEvidence(runner, { since: new Date('?') }))).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
  });
});
