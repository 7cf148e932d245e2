// `npm run bench -- --steering`: from `runner.send` to the model request that has the message, in the same process and in another.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { callsTool, says } from '@adorn/testing';
import { sqlStorage } from '@adorn/storage';
import {
  createRunner,
  defineAgent,
  FunctionTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from 'adorn';

import { formatTable } from '../overhead/report/format.js';
import { percentile } from '../percentile.js';

const SAMPLES = 60;

/** Milliseconds that a tool works: a message may come anywhere in a step. */
const STEP_MS = 10;

const MESSAGE = 'Only those of this year.';

/** Calls a tool until it reads the message. */
class Working extends Model {
  readonly name = 'working';
  /** Called when a request has the message. */
  read: () => void = () => undefined;
  private begun: () => void = () => undefined;

  untilBegun(): Promise<void> {
    return new Promise((resolve) => (this.begun = resolve));
  }

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    await Promise.resolve();
    this.begun();
    const isRead = contents.some(({ parts = [] }) => parts.some(({ text }) => text === MESSAGE));
    if (isRead) this.read();
    yield isRead ? says('Done.') : callsTool('step');
  }
}

const step = new FunctionTool({
  name: 'step',
  description: 'One step.',
  run: async () => {
    await setTimeout(STEP_MS);
    return { done: true };
  },
});

function start(model: Model, url: string): Promise<Runner> {
  const agent = defineAgent({ name: 'clerk', tools: [step] });
  return createRunner(agent, { appName: 'steering', model, modules: [sqlStorage(url)] });
}

/** Milliseconds from each `send` to the request, in ascending order. @param sender has the same store */
async function measure(runner: Runner, model: Working, sender: Runner): Promise<number[]> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const address = { userId: 'ada', sessionId: `s${String(sample)}-${String(sender === runner)}` };
    const begun = model.untilBegun();
    const run = runner.run({ ...address, message: 'Work.' });
    const ended = run.then((result) => result);
    await begun;
    await setTimeout((sample % 10) * 3);
    const read = new Promise<number>((resolve) => {
      model.read = () => {
        resolve(performance.now());
      };
    });
    const sentAt = performance.now();
    await sender.send(address, MESSAGE);
    times.push((await read) - sentAt);
    await ended;
  }
  return times.sort((one, other) => one - other);
}

const folder = await mkdtemp(join(tmpdir(), 'adorn-steering-'));
try {
  const model = new Working();
  const url = join(folder, 'steering.db');
  await using runner = await start(model, url);
  await using other = await start(new Working(), url);
  const rows = [
    ['the same process', await measure(runner, model, runner)],
    ['another process', await measure(runner, model, other)],
  ] as const;
  console.log(
    `Milliseconds from runner.send to the model request that has the message. Steps of ${String(STEP_MS)} ms, SQLite.\n`,
  );
  console.log(
    formatTable(
      ['sent by', 'p50', 'p95', 'samples'],
      rows.map(([by, times]) => [
        by,
        percentile(times, 0.5).toFixed(1),
        percentile(times, 0.95).toFixed(1),
        String(times.length),
      ]),
    ),
  );
} finally {
  await rm(folder, { recursive: true });
}
