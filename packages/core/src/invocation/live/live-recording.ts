import type { Part } from '../../content/genai-types.js';

/** Bytes of one side after which a file is written, though the turn goes on: about a minute. */
const MAX_BYTES = 2 * 1024 * 1024;

type Side = 'user' | 'model';

/**
 * The speech of a live session, saved as files of sound: one for what the user has said up to the end of a turn of the
 * model, and one for what the model has said. Nobody waits for them; `saved` resolves when all are written.
 */
export class LiveRecording {
  private readonly speech: Record<Side, Buffer[]> = { user: [], model: [] };
  private readonly rates: Record<Side, number> = { user: 16_000, model: 24_000 };
  private readonly bytes: Record<Side, number> = { user: 0, model: 0 };
  private saving: Promise<void> = Promise.resolve();
  private count = 0;

  /** Files of before the session has begun. */
  private readonly early: (() => void)[] = [];
  private keep: ((name: string, part: Part) => Promise<void>) | undefined;

  /** Says how files are saved; before, they wait. @param save its failures are its own */
  begin(save: (name: string, part: Part) => Promise<void>): void {
    this.keep = save;
    for (const write of this.early.splice(0)) write();
  }

  add(side: Side, chunk: Uint8Array, rate: number): void {
    this.rates[side] = rate;
    this.speech[side].push(Buffer.from(chunk));
    this.bytes[side] += chunk.byteLength;
    if (this.bytes[side] >= MAX_BYTES) this.write(side);
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
    if (this.bytes[side] === 0) return;
    const sound = Buffer.concat(this.speech[side]);
    this.speech[side] = [];
    this.bytes[side] = 0;
    this.count++;
    const name = `${String(this.count).padStart(4, '0')}-${side}.wav`;
    const data = Buffer.concat([wavHead(sound.length, this.rates[side]), sound]).toString('base64');
    const part = { inlineData: { mimeType: 'audio/wav', data } };
    const write = (): void => {
      this.saving = this.saving.then(() => this.keep?.(name, part));
    };
    if (!this.keep) this.early.push(write);
    else write();
  }
}

/** The head of a WAV file of PCM16, mono. */
function wavHead(bytes: number, rate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes, 40);
  return head;
}
