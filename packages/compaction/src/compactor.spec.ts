import { type Event, InMemorySessionService, type Logger, type Session, type SessionKey } from '@adorn/core';
import { type GetSessionOptions, type LogFacts, logOf, SystemClock } from '@adorn/core/backend';

import { said, undone } from '../../core/src/log/compaction-log.fixture.js';
import { Compactor, type CompactorFields } from './compactor.js';
import { DelayedSummarizer } from '../../core/src/compaction/delayed-summarizer.fixture.js';

const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };
const notBusy = () => false;

describe('a compactor', () => {
  it('appends behind what others say while it appends, as often as that happens', async () => {
    const { sessions, session, compactor, summarizer } = await start();
    let intruders = 3;
    sessions.onRead = async () => {
      if (intruders-- > 0) await sessions.appendEvent(session, said('user', 'x', 'e-9'));
    };
    compactor.consider(session, notBusy);
    await asked(summarizer);
    summarizer.answer('S');
    await compactor.close();

    expect(await shapes(sessions)).toEqual(['0', 'a', 'x', 'x', 'x', 'S']);
  });

  it('gives up where others never stop', async () => {
    const { sessions, session, compactor, summarizer, warnings } = await start();
    sessions.onRead = async () => {
      await sessions.appendEvent(session, said('user', 'x', 'e-9'));
    };
    compactor.consider(session, notBusy);
    await asked(summarizer);
    summarizer.answer('S');
    await compactor.close();

    expect(await shapes(sessions)).not.toContain('S');
    expect(warnings).toEqual([]);
  });

  it('appends nothing to a conversation that was made again under the same id', async () => {
    const { sessions, session, compactor, summarizer } = await start();
    compactor.consider(session, notBusy);
    await asked(summarizer);
    await sessions.deleteSession(KEY);
    const other = await sessions.createSession(KEY);
    for (const text of ['u', 'v', 'w']) await sessions.appendEvent(other, said('user', text));
    summarizer.answer('S');
    await compactor.close();

    expect(await shapes(sessions)).toEqual(['u', 'v', 'w']);
  });

  it('appends nothing to a conversation that is gone, and does not complain', async () => {
    const { sessions, session, compactor, summarizer, warnings } = await start();
    compactor.consider(session, notBusy);
    await asked(summarizer);
    await sessions.deleteSession(KEY);
    summarizer.answer('S');
    await compactor.close();

    expect(await sessions.getSession(KEY)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('appends nothing where somebody else rewound meanwhile', async () => {
    const { sessions, session, compactor, summarizer } = await start();
    compactor.consider(session, notBusy);
    await asked(summarizer);
    await sessions.appendEvent(session, undone('e-1', 'r-1'));
    summarizer.answer('S');
    await compactor.close();

    expect(await shapes(sessions)).toEqual(['0', 'a', '']);
  });

  it('appends nothing where somebody else summarised meanwhile', async () => {
    const { sessions, session, compactor, summarizer } = await start();
    const { compactor: other, summarizer: second } = await start({}, sessions);
    for (const [one, its] of [
      [compactor, summarizer],
      [other, second],
    ] as const) {
      one.consider(session, notBusy);
      await asked(its);
    }
    summarizer.answer('S');
    await compactor.close();
    second.answer('T');
    await other.close();

    expect(await shapes(sessions)).toEqual(['0', 'a', 'S']);
  });

  it('has one summary under way for a conversation, and one for each', async () => {
    const { sessions, session, compactor, summarizer } = await start();
    const other = await sessions.createSession({ ...KEY, sessionId: 's2' });
    for (const event of [said('user', '1'), said('clerk', 'b')]) await sessions.appendEvent(other, event);

    for (const one of [session, session, other]) compactor.consider(one, notBusy);
    await asked(summarizer, 2);

    expect(summarizer.asked).toEqual([
      ['0', 'a'],
      ['1', 'b'],
    ]);
  });

  it('gives up a summary that takes too long, says so, and may begin another', async () => {
    const { session, compactor, summarizer, warnings, sessions } = await start({ limitMs: 50 });
    compactor.consider(session, notBusy);
    await until(() => warnings.length > 0);
    summarizer.answer('too late');
    compactor.consider(session, notBusy);
    await asked(summarizer, 2);
    summarizer.answer('S');
    await compactor.close();

    expect(warnings).toEqual([{ sessionId: 's1', error: new Error('There was no summary within 50 ms.') }]);
    expect(summarizer.signals[0]?.aborted).toBe(true);
    expect(await shapes(sessions)).toEqual(['0', 'a', 'S']);
  });

  it('waits for no summarizer that hangs when it is closed, and begins nothing from then on', async () => {
    const { session, compactor, summarizer, sessions, warnings } = await start({ graceMs: 5 });
    compactor.consider(session, notBusy);
    await asked(summarizer);

    await compactor.close();
    summarizer.answer('too late');
    compactor.consider(session, notBusy);
    await compactor.close();

    expect(summarizer.signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await shapes(sessions)).toEqual(['0', 'a']);
    expect(warnings).toEqual([]);
  });

  it('warns of a store that fails', async () => {
    const { session, compactor, summarizer, sessions, warnings } = await start();
    sessions.onRead = () => Promise.reject(new Error('the disk is full'));
    compactor.consider(session, notBusy);
    await asked(summarizer);
    summarizer.answer('S');
    await compactor.close();

    expect(warnings).toEqual([{ sessionId: 's1', error: new Error('the disk is full') }]);
  });

  it('looks at no old event to know that nothing is due', async () => {
    const { session, compactor, sessions } = await start({
      rules: { interval: { runs: 99, overlap: 2 }, threshold: undefined },
    });
    compactor.consider(session, notBusy);
    const old = session.events[0]!;
    const looked = jest.fn(() => old.actions);
    Object.defineProperty(logOf(session), 0, {
      get: () => {
        looked();
        return old;
      },
    });
    await sessions.appendEvent(session, said('user', '1', 'e-2'));

    compactor.consider(session, notBusy);

    expect(looked).not.toHaveBeenCalled();
  });
});

class WatchedSessions extends InMemorySessionService {
  /** Done after each reading of a part of a log. */
  onRead: (() => Promise<unknown>) | undefined;

  override async getSession(key: SessionKey, options?: GetSessionOptions): Promise<Session | undefined> {
    const session = await super.getSession(key, options);
    if (options !== undefined) await this.onRead?.();
    return session;
  }
}

async function start(fields: Partial<CompactorFields> = {}, shared?: WatchedSessions) {
  const sessions = shared ?? new WatchedSessions();
  const session = (await sessions.getSession(KEY)) ?? (await sessions.createSession(KEY));
  if (shared === undefined)
    for (const event of [said('user', '0'), said('clerk', 'a')]) await sessions.appendEvent(session, event);
  const warnings: LogFacts[] = [];
  const logger = { warn: (_: string, facts: LogFacts) => warnings.push(facts) } as unknown as Logger;
  const summarizer = new DelayedSummarizer();
  const services = { sessions, logger, clock: new SystemClock() };
  const rules = { interval: { runs: 1, overlap: 0 }, threshold: undefined };
  const compactor = new Compactor({
    rules,
    context: undefined,
    summarizer: () => Promise.resolve(summarizer),
    services,
    ...fields,
  });
  return { sessions, session, compactor, summarizer, warnings };
}

async function shapes(sessions: WatchedSessions): Promise<(string | undefined)[]> {
  const { events = [] as readonly Event[] } = (await sessions.getSession(KEY)) ?? {};
  return events.map(({ text, actions }) => actions.compaction?.compactedContent.parts?.[0]?.text ?? text);
}

function asked(summarizer: DelayedSummarizer, times = 1): Promise<void> {
  return until(() => summarizer.asked.length >= times);
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await new Promise((resolve) => setTimeout(resolve, 1));
}
