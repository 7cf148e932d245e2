import { createRunner, defineAgent, type Runner } from '@adorn/core';
import type { LiveModel } from '@adorn/core/backend';
import { liveSessions } from '@adorn/live';
import { ScriptedModel } from '@adorn/testing';

import type { Caller } from './caller.js';

/** One runner serves all conversations of the process. */
let runner: Promise<Runner> | undefined;
let conversations = 0;

export async function openAdorn(model: LiveModel, hear: (frame: Uint8Array) => void): Promise<Caller> {
  const Desk = defineAgent({ name: 'desk', instruction: 'Be kind.' });
  const { live: start } = await (runner ??= createRunner(Desk, {
    model: new ScriptedModel(),
    modules: [liveSessions],
  })).then((one) => ({
    live: one.live.bind(one),
  }));
  const live = start({ userId: 'ada', sessionId: `s${String(++conversations)}`, model });
  const reading = (async () => {
    for await (const { audio } of live) if (audio) hear(audio);
  })();
  return {
    speak: (frame) => void live.sendAudio(frame),
    close: async () => {
      await live.close();
      await reading;
    },
  };
}
