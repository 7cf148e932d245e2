import { drops, goesAway, isResumable, type LiveStep, speaks, speech, untilText } from '@adorn/testing';

import { isTurnEnd, settled, startLive, storedOf, until } from './live.fixture.js';

describe('an event of a connection that was replaced', () => {
  it.each<[string, readonly LiveStep[]]>([
    ['with two seconds left', [goesAway(1_000)]],
    ['announced twice', [goesAway(10_000), goesAway(1_000)]],
    ['followed by the end', [goesAway(1_000), drops()]],
  ])('does not replace the next one: an end %s', async (_what, steps) => {
    const { live, model, runner } = await startLive({}, [
      isResumable('h1'),
      untilText(),
      ...speaks('One.'),
      ...steps,
      untilText(),
      ...speech('I was '),
      ...speaks('going to say.'),
    ]);
    live.sendText('Hi.');
    await until(live, isTurnEnd);
    await settled(20);
    live.sendText('And?');
    await until(live, isTurnEnd);
    await settled(20);
    await live.close();

    expect(model.connections).toHaveLength(2);
    expect((await storedOf(runner)).filter((line) => line.startsWith('clerk'))).toEqual([
      'clerk: One.',
      'clerk: I was going to say.',
    ]);
  });

  it('does not end the session: a failure that would end its own', async () => {
    const { live, model } = await startLive({}, [untilText(), ...speaks('One.')]);
    live.sendText('Hi.');
    await until(live, isTurnEnd);
    const { connection } = model;
    connection.emit(goesAway(10_000), { kind: 'error', code: 'MODEL_FAILED', message: 'Late.', fatal: true });
    await until(live, ({ errorCode }) => errorCode === 'MODEL_FAILED');
    live.sendText('Still there?');
    model.connection.emit(...speaks('Yes.'));
    await until(live, ({ text }) => text === 'Yes.');
    await live.close();

    expect(model.connections).toHaveLength(2);
  });
});
