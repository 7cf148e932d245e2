import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

import {
  type Channel,
  ChannelDoor,
  type Inbound,
  type MessageReference,
  type OutgoingMessage,
  type Thread,
} from '@adorn/channels';
import type { Fleet } from '@adorn/fleet';
import { type Occurrence, schedule, type ScheduledRun } from '@adorn/schedules';

/** The seconds between two occurrences. */
export const EVERY_S = 3;
/** The user of what a schedule begins. */
export const CLOCK_USER = 'clock';
/** The first numbers of the ids of such messages, which no session has. */
const [BY_SCHEDULE, BY_RADIO] = [900_000, 900_001] as const;

/** What a schedule and a platform have beside the files of deeds, and outlives all processes. */
export class OutsideFiles {
  constructor(private readonly file: string) {}

  /** Nothing that is due later begins. */
  rest(at: number): void {
    writeFileSync(`${this.file}.rest`, String(at));
  }

  get restAt(): number {
    return Number(this.read('rest')[0] ?? Infinity);
  }

  /** A line of what the platform has sent, what was acknowledged, or what it was given to write. */
  note(kind: 'sent' | 'acknowledged' | 'posted', line: string): void {
    appendFileSync(`${this.file}.${kind}`, `${line}\n`);
  }

  read(kind: 'rest' | 'sent' | 'acknowledged' | 'posted'): string[] {
    const path = `${this.file}.${kind}`;
    return existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  }
}

/** A service whose schedule begins runs of the desk. */
export function newAlarm(files: OutsideFiles) {
  class Alarm {
    @schedule(`*/${String(EVERY_S)} * * * * *`, { name: 'alarm', missed: 'all' })
    ring({ dueAt }: Occurrence): ScheduledRun | undefined {
      if (dueAt.getTime() > files.restAt) return undefined;
      const message = `say ${String(BY_SCHEDULE)}.0.${String(dueAt.getTime())}`;
      // Another session each time it is called: what was stored first counts.
      return { userId: CLOCK_USER, message, sessionId: crypto.randomUUID() };
    }
  }
  return Alarm;
}

/** What the radio was given to write. */
export interface Posted {
  /** The id of the message. */
  readonly id: string;
  readonly text: string;
  /** The id of the message that it answers. */
  readonly answers: string | undefined;
}

/** A platform with some threads, which keeps what is written in a file. */
class Radio implements Channel {
  readonly name = 'radio';
  readonly howToAnswer = 'Nobody is asked.';

  constructor(private readonly files: OutsideFiles) {}

  read({ body }: { readonly body: Uint8Array }): Inbound {
    const id = new TextDecoder().decode(body);
    return {
      kind: 'message',
      id,
      thread: { place: 'studio', id: String(Number(id) % 7) },
      person: { id: 'listener', organization: 'studio' },
      text: `say ${radioId(id)}`,
      isAddressed: true,
      reference: { id },
    };
  }

  post(_thread: Thread, { id, text, answers }: OutgoingMessage): Promise<void> {
    this.files.note('posted', JSON.stringify({ id, text, answers: answers?.['id'] } satisfies Posted));
    return Promise.resolve();
  }

  ask(): Promise<MessageReference> {
    return Promise.reject(new Error('Nobody is asked.'));
  }

  tell(): Promise<void> {
    return Promise.reject(new Error('Nobody is told.'));
  }
}

/** The id in the text of a message, in the form that the desk reads. */
export function radioId(id: string): string {
  return `${String(BY_RADIO)}.0.${id}`;
}

/** A plugin of each machine, and, with a fleet, the endpoint of the server. */
export function newRadio(files: OutsideFiles, fleet?: Fleet): ChannelDoor {
  return new ChannelDoor(new Radio(files), {
    path: '/radio',
    principal: ({ id }) => id,
    ...(fleet && { fleet }),
  });
}

/** Sends the messages of listeners to the server: each again until it is acknowledged, and some although they are. */
export class RadioStation {
  private readonly door: ChannelDoor;

  constructor(
    private readonly files: OutsideFiles,
    private readonly fleet: Fleet,
    private readonly retried: <Result>(attempt: () => Promise<Result>) => Promise<Result>,
  ) {
    this.door = newRadio(files, fleet);
  }

  /** What no server has acknowledged, and the last one that was. */
  async repeat(): Promise<void> {
    const acknowledged = this.files.read('acknowledged');
    const known = new Set(acknowledged.slice(0, -1));
    await Promise.all(this.files.read('sent').flatMap((id) => (known.has(id) ? [] : [this.deliver(id)])));
  }

  async sendNext(): Promise<void> {
    const id = String(this.files.read('sent').length);
    this.files.note('sent', id);
    await Promise.all([this.deliver(id), this.deliver(id)]);
  }

  private async deliver(id: string): Promise<void> {
    const request = { headers: new Headers(), body: new TextEncoder().encode(id) };
    const { runner } = this.fleet;
    await this.retried(() => this.door.receive(request, { runner, logger: console }));
    this.files.note('acknowledged', id);
  }
}
