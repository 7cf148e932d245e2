import {
  createRunner,
  defineAgent,
  defineTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import { type Fleet, type FollowInput, InProcessQueue, type InvocationQueue, openFleet } from '@adorn/fleet';
import { PgBossQueue } from '@adorn/pg-boss';
import { RestateQueue, type RestateQueueOptions } from '@adorn/restate';
import { sqlStorage } from '@adorn/storage';

export const ENGINES = ['process', 'pg-boss', 'restate'] as const;
export type Engine = (typeof ENGINES)[number];

/** What all processes of a measurement are told. */
export interface BenchPlace {
  readonly engine: Engine;
  readonly url: string;
  readonly restate: RestateQueueOptions | undefined;
  /** Milliseconds that a model takes. */
  readonly modelMs: number;
  /** The number of runs of a worker at a time. */
  readonly concurrency: number;
}

export const USER = 'ada';

export function newQueue({ engine, url, restate }: BenchPlace): InvocationQueue {
  if (engine === 'process') return new InProcessQueue();
  return engine === 'pg-boss' ? new PgBossQueue(url) : new RestateQueue(restate);
}

/** A run stores its message and one answer; the message `ask` waits for a person. */
export function openRunner({ url, modelMs }: BenchPlace): Promise<Runner<unknown>> {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object' },
    confirm: true,
    run: () => 'paid',
  });
  const root = defineAgent({
    name: 'clerk',
    description: '',
    model: new AnsweringModel(modelMs),
    tools: [pay],
  });
  return createRunner(root, {
    appName: 'bench',
    modules: [sqlStorage(url, { poolSize: 10 })],
  });
}

/** Signals go over PostgreSQL also for the queue in the process, so that the engines differ in their queue alone. */
export async function openMachine(place: BenchPlace): Promise<Fleet> {
  return openFleet(await openRunner(place), { queue: newQueue(place), url: place.url });
}

let asked = 0;

/** The runs of this process that have reached their model. */
export function runsBegun(): number {
  return asked;
}

class AnsweringModel extends Model {
  override readonly name = 'answering';

  constructor(private readonly ms: number) {
    super();
  }

  override async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    asked++;
    if (this.ms > 0) await new Promise((resolve) => setTimeout(resolve, this.ms));
    const [part] = contents.at(-1)?.parts ?? [];
    const answer =
      part?.text === 'ask' ? { functionCall: { name: 'pay', args: {} } } : { text: 'It is on its way.' };
    yield { content: { role: 'model', parts: [answer] } };
  }
}

/** Waits until an invocation has ended, or waits for a person. */
export async function followToEnd(fleet: Fleet, input: FollowInput): Promise<string> {
  let last = '';
  for await (const { event } of fleet.follow(input)) last = event.text;
  return last;
}
