import { createRunner } from 'adorn';

import { Collections } from './collections.agent.js';

/** Plays speech: PCM16, mono. */
interface Speaker {
  play(speech: Uint8Array): void;
  stop(): void;
}

/** Holds one call. */
export async function call(microphone: AsyncIterable<Uint8Array>, speaker: Speaker): Promise<void> {
  await using runner = await createRunner(Collections);
  await using live = runner.live({ userId: 'c-1999', sessionId: 'call-7', voice: 'Kore' });
  void live.sendAudio(microphone); // PCM16, mono, at live.inputRate
  for await (const event of live) {
    if (event.audio !== undefined) speaker.play(event.audio); // a piece: never stored
    if (event.interrupted === true) speaker.stop(); // in the tick in which it arrives
    if (event.text !== '' && !event.partial) console.log(`${event.author}: ${event.text}`); // stored: a transcript
  }
}
