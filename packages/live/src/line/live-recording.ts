import type { Part } from '@adorn/core';

/** Bytes of one side after which a file is written, though the turn goes on: about a minute. */
const MAX_BYTES = 2 * 1024 * 1024;

type Side = 'user' | 'model';

/** Saves a file of sound under a name. */
type Save = (name: string, part: Part) => Promise<void>;

/** What one side has said since its last file. */
interface Speech {
  readonly chunks: Buffer[];
  bytes: number;
  /** Samples per second, as they were sent last. */
  rate: number;
}

/**
 * The speech of a live session, saved as files of sound: one for what the user has said up to the end of a turn of the
 * model, and one for what the model has said. Nobody waits for them; `saved` resolves when all are written.
 */
export class LiveRecording {
  private readonly speech = new Map<Side, Speech>();
  private saving: Promise<void> = Promise.resolve();
  private count = 0;

  /** Files of before the session has begun. */
  private readonly early: ((save: Save) => void)[] = [];
  private save: Save | undefined;

  /** Says how files are saved; before, they wait. @param save its failures are its own */
  begin(save: Save): void {
    this.save = save;
    for (const write of this.early.splice(0)) write(save);
  }

  add(side: Side, chunk: Uint8Array, rate: number): void {
    let speech = this.speech.get(side);
    if (!speech) this.speech.set(side, (speech = { chunks: [], bytes: 0, rate }));
    speech.chunks.push(Buffer.from(chunk));
    speech.bytes += chunk.byteLength;
    speech.rate = rate;
    if (speech.bytes >= MAX_BYTES) this.write(side);
  }

  /** A turn of the model has ended. */
  endTurn(): void {
    this.write('user');
    this.write('model');
  }

  saved(): Promise<void> {
    this.endTurn();
    return this.saving;
  }

  private write(side: Side): void {
    const speech = this.speech.get(side);
    this.speech.delete(side);
    if (!speech || speech.bytes === 0) return;
    const sound = Buffer.concat(speech.chunks);
    this.count++;
    const name = `${String(this.count).padStart(4, '0')}-${side}.wav`;
    const data = Buffer.concat([wavHead(sound.length, speech.rate), sound]).toString('base64');
    const part = { inlineData: { mimeType: 'audio/wav', data } };
    const write = (save: Save): void => {
      this.saving = this.saving.then(() => save(name, part));
    };
    if (this.save) write(this.save);
    else this.early.push(write);
  }
}

/** The head of a WAV file of PCM16, mono. */
function wavHead(bytes: number, rate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return head;
}
