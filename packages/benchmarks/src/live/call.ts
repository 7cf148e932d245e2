import {
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type Runner,
  SessionService,
} from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import { liveSessions } from '@adorn/live';
import { ScriptedModel } from '@adorn/testing';
import { setTimeout as sleep } from 'node:timers/promises';

import { WireModel } from './wire.model.js';

/** 20 ms of speech at 16,000, and at 24,000 samples per second. */
const USER_FRAME = new Uint8Array(640);
const MODEL_FRAME = new Uint8Array(960);

/** One live session with its frames: both sides speak at once. */
export class Call {
  /** Milliseconds from a frame's arrival to whoever waits for it. */
  readonly delays: number[] = [];
  private sentAt = 0;
  private readonly arrivals: number[] = [];
  private readonly model = new WireModel(() => {
    this.delays.push(performance.now() - this.sentAt);
  });
  private readonly live: LiveSession;
  private readonly reading: Promise<void>;
  private connected: () => void = () => undefined;

  constructor(runner: Runner, sessionId: string) {
    this.live = runner.live({ userId: 'ada', sessionId, model: this.model });
    this.reading = this.read();
  }

  async begin(tools: number): Promise<void> {
    if (!this.model.connection) await new Promise<void>((resolve) => (this.connected = resolve));
    for (let call = 0; call < tools; call++)
      this.model.connection?.emit({ kind: 'toolCall', calls: [{ id: `c${String(call)}`, name: 'work' }] });
  }

  /** A frame of the user on its way to the model, and a frame of the model on its way to the reader. */
  speak(): void {
    this.sentAt = performance.now();
    void this.live.sendAudio(USER_FRAME);
    this.arrivals.push(performance.now());
    this.model.connection?.emit({ kind: 'audio', data: MODEL_FRAME });
  }

  /** What is stored goes on meanwhile: the words of the frames, and the end of a turn. */
  say(text: string, isLast: boolean): void {
    this.model.connection?.emit({ kind: 'outputTranscript', text });
    if (isLast) this.model.connection?.emit({ kind: 'turnComplete' });
  }

  async end(): Promise<void> {
    await this.live.close();
    await this.reading;
  }

  private async read(): Promise<void> {
    for await (const event of this.live) {
      if (event.live?.kind === 'connected') this.connected();
      if (!event.audio) continue;
      const arrived = this.arrivals.shift();
      if (arrived !== undefined) this.delays.push(performance.now() - arrived);
    }
  }
}

/** A runner whose tools run until their session ends, and report every 50 ms. @param storeMs of each write of its store */
export function openRunner(storeMs: number): Promise<Runner> {
  const work = new FunctionTool({
    name: 'work',
    description: 'Works.',
    run: async function* (_args: unknown, { signal }: { readonly signal: AbortSignal }) {
      for (let step = 0; !signal.aborted; step++) {
        await sleep(50);
        yield { step };
      }
    },
  });
  const sessions = storeMs === 0 ? new InMemorySessionService() : slow(new InMemorySessionService(), storeMs);
  const store = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const Desk = defineAgent({ name: 'desk', description: 'Works.', tools: [work] });
  return createRunner(Desk, { model: new ScriptedModel(), modules: [store, liveSessions] });
}

/** A store whose writes take time. */
function slow(sessions: InMemorySessionService, milliseconds: number): InMemorySessionService {
  return new Proxy(sessions, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'appendEvent') return value.bind(target) as unknown;
      return async (...args: unknown[]): Promise<unknown> => {
        await sleep(milliseconds);
        return Reflect.apply(value, target, args);
      };
    },
  });
}
