import {
  endsTurn,
  isInterrupted,
  isResumable,
  refuses,
  ScriptedLive,
  speaks,
  speech,
  untilAudio,
  untilText,
} from '@adorn/testing';

import { isTurnEnd, KEY, settled, startLive, storedOf, until } from './live.fixture.js';

describe('the speech of a live session', () => {
  it('is converted to the rate that the model hears, whatever was sent first, in order', async () => {
    const { live, model } = await startLive({}, []);
    const chunks = Array.from({ length: 50 }, (_, at) => tone(960, at * 960, 48_000));
    const sent = chunks.map((chunk) => live.sendAudio(chunk, { rate: 48_000 }));
    chunks[0]?.fill(0); // The caller may use its buffer again.
    await Promise.all(sent);
    await live.sendAudio(
      (async function* () {
        yield await Promise.resolve(tone(320, 0, 16_000));
      })(),
      { rate: 16_000 },
    );
    await live.close();

    const heard = model.connection.sent.flatMap((sent) => (sent.kind === 'audio' ? [sent.data] : []));
    const samples = samplesOf(Buffer.concat(heard.slice(0, 50)));
    expect(Math.abs(samples.length - 16_000)).toBeLessThan(40);
    expect(frequencyOf(samples, 16_000)).toBeCloseTo(440, -1);
    expect(samplesOf(heard.at(-1) ?? new Uint8Array())).toEqual(samplesOf(tone(320, 0, 16_000)));
    expect(model.connection.sent.at(-2)).toEqual({ kind: 'endAudio' });
  });

  it.each([
    [NaN, 'NaN'],
    [-1, '-1'],
    [0, '0'],
    [999, '999'],
    [8000.5, '8000.5'],
    ['8000', '"8000"'],
    [1e9, '1000000000'],
    [null, 'null'],
  ])('is refused at a rate that cannot be converted: %p', async (rate, shown) => {
    const { live, model } = await startLive({}, []);
    const options = { rate } as { rate: number };
    const stream = (async function* () {
      yield await Promise.resolve(tone(320, 0, 16_000));
    })();

    for (const speech of [tone(320, 0, 16_000), stream])
      expect(() => live.sendAudio(speech, options)).toThrow(
        expect.objectContaining({
          code: 'RUN_CONFIG_INVALID',
          message: `live.sendAudio: rate is ${shown}. Pass the samples per second of the speech, a whole number from 1000 to 384000.`,
        }) as Error,
      );
    for (const taken of [1_000, 16_000]) await live.sendAudio(tone(320, 0, taken), { rate: taken });
    await live.close();

    expect(model.connection.sent.filter(({ kind }) => kind === 'audio')).toHaveLength(2);
  });

  it('is saved as WAV files if the session is to: one for each side of a turn', async () => {
    const script = [untilAudio(), ...speaks('Hello there.'), untilAudio()];
    const { live, runner } = await startLive({}, script, { saveAudio: true, invocationId: 'e-1' });
    await live.sendAudio(tone(320, 0, 16_000));
    await until(live, isTurnEnd);
    await live.sendAudio(tone(160, 0, 16_000));
    await live.close();

    const key = { appName: runner.appName, ...KEY };
    const names = await runner.artifacts.list(key);
    expect(names).toEqual(['e-1-0001-user.wav', 'e-1-0002-model.wav', 'e-1-0003-user.wav']);
    const part = await runner.artifacts.load(key, 'e-1-0001-user.wav');
    const sound = Buffer.from(part?.inlineData?.data ?? '', 'base64');
    expect([part?.inlineData?.mimeType, sound.readUInt32LE(24), sound.length]).toEqual([
      'audio/wav',
      16_000,
      684,
    ]);
    expect(sound.subarray(44)).toEqual(Buffer.from(tone(320, 0, 16_000)));
  });

  it('is not saved unless the session is to', async () => {
    const { live, runner } = await startLive({}, [untilAudio(), ...speaks('Hello.')]);
    await live.sendAudio(tone(320, 0, 16_000));
    await until(live, isTurnEnd);
    await live.close();

    expect(await runner.artifacts.list({ appName: runner.appName, ...KEY })).toEqual([]);
  });
});

describe('a live session that continues another one', () => {
  it('is opened by the handle of the earlier one, and does not read the conversation again', async () => {
    const { live: first } = await startLive({}, [untilText(), isResumable('h-1'), ...speaks('Hello.')]);
    first.sendText('Hi');
    await until(first, isTurnEnd);
    const handle = first.resumptionHandle;
    await first.close();
    const { live, model } = await startLive({}, [], { resume: String(handle) });
    const events = await until(live, (event) => event.live?.kind === 'connected');
    await live.close();

    expect([handle, model.connection.setup.resume]).toEqual(['h-1', 'h-1']);
    expect(events.at(-1)?.live).toMatchObject({ resumed: true });
  });

  it('begins anew if the handle is not valid any more', async () => {
    const { live, model } = await startLive({}, [refuses(new Error('expired'))], { resume: 'old' });
    await until(live, (event) => event.live?.kind === 'connected');
    await live.close();

    expect(model.connection.setup.resume).toBeUndefined();
  });

  it('is refused by a model that cannot resume', async () => {
    const model = ScriptedLive.able({ resumes: false });
    const { live } = await startLive({}, [], { resume: 'h-1', model });

    expect((await live.ended).events.at(-1)?.errorCode).toBe('LIVE_NOT_SUPPORTED');
    await settled();
    expect(model.connections).toEqual([]);
  });
});

/** A tone of 440 Hz. */
function tone(samples: number, from: number, rate: number): Uint8Array {
  const values = Int16Array.from({ length: samples }, (_, at) =>
    Math.round(8_000 * Math.sin(((from + at) * 2 * Math.PI * 440) / rate)),
  );
  return new Uint8Array(values.buffer);
}

function samplesOf(bytes: Uint8Array): number[] {
  return [...new Int16Array(Uint8Array.from(bytes).buffer)];
}

/** By the number of times that the sound rises through zero. */
function frequencyOf(samples: readonly number[], rate: number): number {
  const rises = samples.filter((sample, at) => sample >= 0 && (samples[at - 1] ?? 0) < 0).length;
  return (rises * rate) / samples.length;
}

describe('speech that the user interrupts', () => {
  it('is told to the provider with what was heard of it', async () => {
    const { live, model } = await startLive({}, [
      untilText(),
      ...speech('One two three '),
      ...isInterrupted(),
    ]);
    live.sendText('Count.');
    await until(live, ({ interrupted }) => interrupted === true);
    await settled();
    await live.close();

    expect(model.connection.sent.filter(({ kind }) => kind === 'interrupt')).toEqual([
      { kind: 'interrupt', playedMs: expect.any(Number) as number },
    ]);
  });

  it('is stored as far as it was heard: no word that comes after the user has stopped it', async () => {
    const { live, model, runner } = await startLive({}, []);
    await settled();
    model.connection.emit(...speech('One '));
    await settled();
    live.interrupt();
    model.connection.emit(...speech('two three.'), endsTurn());
    await until(live, isTurnEnd);
    model.connection.emit(...speaks('Yes?'));
    await until(live, ({ text }) => text === 'Yes?');
    await live.close();

    expect(await storedOf(runner)).toEqual(['clerk: Yes?']);
  });
});
