import type { Logger } from '@adorn/core';
import type { LiveEvent } from '@adorn/core/backend';

import {
  callsLive,
  drops,
  refuses,
  speaks,
  twice,
  untilAudio,
  untilResponse,
  untilText,
} from './live-step.js';
import { SETUP } from './live-setup.fixture.js';
import { ScriptedLive } from './scripted.live.js';

describe('ScriptedLive', () => {
  it('plays one script across its connections, each step when its turn has come', async () => {
    const model = new ScriptedLive(
      untilText(),
      twice(callsLive('add', { a: 1 }, 'c1')),
      drops(),
      untilResponse('c1'),
      speaks('Two.'),
    );
    const first = await connect(model);
    const seen = kindsOf(first);
    first.sendContents([{ role: 'user', parts: [{ text: 'add' }] }], true);
    expect(await seen).toEqual(['toolCall', 'toolCall', 'closed']);

    const second = await connect(model);
    const rest = kindsOf(second);
    second.sendToolResponses([{ id: 'c1', name: 'add', response: { result: 2 } }]);
    await settled();
    second.close();

    expect(await rest).toEqual(['audio', 'outputTranscript', 'generationComplete', 'turnComplete', 'closed']);
    expect(model.connections.map(({ sent }) => sent.map(({ kind }) => kind))).toEqual([
      ['text'],
      ['response', 'close'],
    ]);
    model.assertDone();
  });

  it('refuses connections as it is told, and fails a test that leaves steps unused', async () => {
    const model = new ScriptedLive(refuses(new Error('busy')), speaks('Hello.'));

    await expect(connect(model)).rejects.toThrow('busy');

    expect(() => {
      model.assertDone();
    }).toThrow('Unused steps of the script: 4 (used: 0)');
  });

  it('says for what it waits, what was sent, and what does not count since it was sent before', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const warn = jest.fn();
      const logger = { warn } as unknown as Logger;
      const model = new ScriptedLive(untilText(), untilAudio(2), speaks('Hello.'));
      const connection = await model.connect(SETUP, {
        ...{ signal: new AbortController().signal, timeout: 1_000 },
        logger,
      });
      connection.sendAudio(new Uint8Array(2));
      connection.sendContents([{ role: 'user', parts: [{ text: 'Hello?' }] }], true);
      await settled();
      connection.sendAudio(new Uint8Array(2));

      jest.advanceTimersByTime(5000);

      const waits =
        'The scripted live model waits for audio, 1 more of 2. Sent since then: audio. ' +
        'Sent before, which does not count: audio, text "Hello?".';
      expect(warn).toHaveBeenCalledTimes(1);
      expect(warn).toHaveBeenCalledWith(waits);
      expect(() => {
        model.assertDone();
      }).toThrow(`Unused steps of the script: 4 (used: 2). ${waits}`);
      connection.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('goes on to wait at the next connection for what the end of one has cut short', async () => {
    const model = new ScriptedLive(untilAudio(2), speaks('Hello.'));
    const first = await connect(model);
    first.sendAudio(new Uint8Array(2));
    first.close();
    const second = await connect(model);
    const seen = kindsOf(second);
    await settled();
    expect(() => {
      model.assertDone();
    }).toThrow('waits for audio, 1 more of 1');

    second.sendAudio(new Uint8Array(2));
    await settled();
    second.close();

    expect(await seen).toContain('turnComplete');
    model.assertDone();
  });

  it('counts at the next connection what was sent before the end of the one that it waits at', async () => {
    const model = new ScriptedLive(untilAudio(2), speaks('Hello.'));
    const first = await connect(model);
    first.sendAudio(new Uint8Array(2));
    const second = await connect(model);
    const seen = kindsOf(second);
    second.sendAudio(new Uint8Array(2));
    first.close();
    await settled();
    second.close();

    expect(await seen).toContain('turnComplete');
    model.assertDone();
  });

  it('closes a connection whose signal is aborted', async () => {
    const model = new ScriptedLive();
    const abort = new AbortController();
    const connection = await model.connect(SETUP, { signal: abort.signal, timeout: 1_000 });

    abort.abort();

    expect(await kindsOf(connection)).toEqual(['closed']);
  });
});

function connect(model: ScriptedLive) {
  return model.connect(SETUP, { signal: new AbortController().signal, timeout: 1_000 });
}

async function kindsOf(events: AsyncIterable<LiveEvent>): Promise<string[]> {
  const kinds: string[] = [];
  for await (const { kind } of events) kinds.push(kind);
  return kinds;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
