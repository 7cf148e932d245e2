import { says, ScriptedLive, speaks, untilText } from '@adorn/testing';

import type { Event } from '../../index.js';
import { isTurnEnd, KEY, settled, startLive, storedOf, until } from './live.fixture.js';

describe('a live session that is opened while another one of the conversation is open', () => {
  it('takes the conversation over at once: the other one is told, and ends', async () => {
    const { live, model, runner } = await startLive({}, [untilText(), speaks('Hello.')]);
    live.sendText('Hi.');
    await until(live, isTurnEnd);
    const rest: Event[] = [];
    const reading = (async () => {
      for await (const event of live) rest.push(event);
    })();
    const next = runner.live({ ...KEY, model: new ScriptedLive(untilText(), speaks('Welcome back.')) });
    next.sendText('I am back.');
    await until(next, isTurnEnd);
    await reading;
    await next.close();

    expect(rest.map((event) => event.live?.kind)).toEqual(['takenOver']);
    expect((await live.ended).status).toBe('answered');
    expect(model.connection.isClosed).toBe(true);
    expect(await storedOf(runner)).toEqual([
      ...['user: Hi.', 'clerk: Hello.', 'user: I am back.', 'clerk: Welcome back.'],
    ]);
  });
});

describe('a message to a conversation with an open live session', () => {
  it('is heard in the session, if its speaker has sent it', async () => {
    const { live, model, runner } = await startLive({}, [untilText(), speaks('I see it.')]);
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    const { events } = await runner.run({ ...KEY, message: 'By the page.' });
    await until(live, isTurnEnd);
    await live.close();

    expect(events).toEqual([]);
    expect(model.connection.texts).toEqual(['By the page.']);
    expect(await storedOf(runner)).toEqual(['user: By the page.', 'clerk: I see it.']);
  });

  it('waits for the end of the session if another person has sent it', async () => {
    const { live, model, runner } = await startLive({}, [], {}, [says('By text.')]);
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    const run = runner.run({ ...KEY, message: 'I am Eve.', by: 'eve' });
    await settled(20);
    expect(model.connection.texts).toEqual([]);
    await live.close();

    expect((await run).text).toBe('By text.');
  });
});
