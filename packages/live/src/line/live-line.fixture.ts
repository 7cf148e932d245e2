import { isResumable, ManualClock, ScriptedLive } from '@adorn/testing';

import { Event, Logger } from '@adorn/core';
import { Cancellation, type LiveNotice, type LiveSetup, type LogFacts } from '@adorn/core/backend';
import { type LiveItem, LiveLine, type LiveLineOptions, type LiveSpeaker } from './live-line.js';
import { LiveOutput } from './live-output.js';

/** A line without a session, by a clock that the test moves. */
export class LineWorld {
  readonly clock = new ManualClock();
  readonly output = new LiveOutput(this.clock);
  readonly cancellation = new Cancellation(this.clock);
  readonly logger = new Warnings();
  readonly line: LiveLine;

  constructor(options: Partial<LiveLineOptions> = {}) {
    this.line = new LiveLine(
      {
        modality: 'audio',
        transcribe: {},
        activity: 'automatic',
        connectTimeout: 10_000,
        reconnectLimit: 30_000,
        ...options,
      },
      this.output,
      this,
      this.cancellation,
    );
  }

  /** A world whose line has a connection. */
  static async connected(model = new ScriptedLive(), options: Partial<LiveLineOptions> = {}) {
    const world = new LineWorld(options);
    await world.connect(model);
    return Object.assign(world, { model });
  }

  /** A world whose connection can be continued by the handle `h1`. */
  static async resumable(model = new ScriptedLive()) {
    const world = await LineWorld.connected(model);
    model.connection.emit(isResumable('h1'));
    await settled();
    return world;
  }

  connect(model: ScriptedLive, setup: Partial<LiveSetup> = {}) {
    return this.line.connect(model, CLERK, () => Promise.resolve(setupWith(setup)));
  }

  /** What was shown and nobody has read. Ends the output. */
  async shown(): Promise<Event[]> {
    const events: Event[] = [];
    this.output.end();
    for (let step = await this.output.next(); step.done !== true; step = await this.output.next())
      events.push(step.value);
    return events;
  }

  /** The news that were shown. Ends the output. */
  async news(): Promise<LiveNotice[]> {
    return (await this.shown()).flatMap(({ live }) => live ?? []);
  }

  /** The items that wait for the agent. Ends the line. */
  async items(): Promise<LiveItem[]> {
    const items: LiveItem[] = [];
    this.line.close();
    for (let item = await this.line.next(); item.kind !== 'close'; item = await this.line.next())
      items.push(item);
    return items;
  }
}

export const CLERK: LiveSpeaker = {
  agent: { name: 'clerk' },
  path: 'clerk',
  event: (body) => new Event({ invocationId: 'e-1', ...body }),
};

export function setupWith(setup: Partial<LiveSetup> = {}): Omit<LiveSetup, 'resume'> {
  return {
    instruction: 'Be kind.',
    tools: [],
    backgroundTools: [],
    history: [],
    modality: 'audio',
    transcribe: { input: true, output: true },
    activity: 'automatic',
    config: {},
    ...setup,
  };
}

class Warnings extends Logger {
  readonly warnings: [message: string, facts?: LogFacts][] = [];

  debug = (): void => undefined;
  info = (): void => undefined;
  warn = (...warning: [message: string, facts?: LogFacts]): void => void this.warnings.push(warning);
  error = (): void => undefined;
}

/** Lets everything happen that needs no time. */
export async function settled(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
