import {
  type AgentClass,
  createRunner,
  defineAgent,
  defineTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  type RunConfig,
  type Runner,
  tool,
  type ToolContext,
  undo,
} from '@adorn/core';
import { sqlStorage } from '@adorn/storage';
import { callsTool, says } from '@adorn/testing';

import { type Fleet, type FleetOptions, openFleet } from './fleet.js';
import type { InvocationQueue } from './invocation-queue.js';
import { startWorker, type Worker, type WorkerOptions } from './worker.js';

/** What one machine is told. */
export type MachineOptions = Pick<FleetOptions, 'maxWaiting' | 'maxWaitingPerUser'> &
  Pick<RunConfig, 'confirmationExpiresAfter'> & {
    /** The agent of the version of its code. Default: `clerk`. */
    readonly root?: (clerk: AgentClass) => AgentClass;
  };

/** What the machines of a suite have in common. */
export interface World {
  readonly url: string;
  /** A queue for a new machine. */
  readonly queue: () => InvocationQueue;
  /** False if the world has one machine. */
  readonly hasMachines: boolean;
}

/** What happened on all machines of this process. */
export class Deeds {
  readonly effects: string[] = [];
  running = 0;
  most = 0;
  /** How many models were held at the same time, at most. */
  mostWaiting = 0;
  private waiting = 0;
  release: () => void = () => undefined;
  held: Promise<void> | undefined;

  async wait(signal: AbortSignal): Promise<void> {
    this.mostWaiting = Math.max(this.mostWaiting, ++this.waiting);
    await Promise.race([this.held, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    this.waiting--;
  }

  hold(): void {
    this.held = new Promise((resolve) => (this.release = resolve));
  }
}

/** Answers "echo" with the message; a message `note x`, `sign x` or `file x` first calls the tool of this name. */
class EchoModel extends Model {
  override readonly name = 'echo';

  constructor(private readonly deeds: Deeds) {
    super();
  }

  override async *generate({
    contents,
    signal,
  }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const { deeds } = this;
    deeds.most = Math.max(deeds.most, ++deeds.running);
    try {
      const [part] = contents.at(-1)?.parts ?? [];
      const text = part?.text ?? '';
      if (text.startsWith('wait') && deeds.held !== undefined) await deeds.wait(signal);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (text.endsWith('call step')) yield callsTool('step');
      else if (part?.functionResponse !== undefined) yield says('noted');
      else if (/^(note|sign|file) /.test(text)) yield callsTool(text.slice(0, 4), { text: text.slice(5) });
      else yield says(`echo ${text}`);
    } finally {
      deeds.running--;
    }
  }
}

const TEXT = { type: 'object', properties: { text: { type: 'string' } } };
const NOTHING = { type: 'object', properties: {} };

/** A machine: a runner, its fleet, and perhaps a worker. */
export class Machines {
  readonly deeds = new Deeds();
  private readonly runners: Runner<unknown>[] = [];
  private readonly fleets: Fleet[] = [];
  private readonly workers: Worker[] = [];

  constructor(private readonly world: World) {}

  /** Makes the tables of a world. */
  static async prepare(world: World): Promise<void> {
    const machines = new Machines(world);
    await machines.fleet();
    await machines.close();
  }

  /** Another machine, or the only one. */
  async fleet({ root = same, confirmationExpiresAfter, ...limits }: MachineOptions = {}): Promise<Fleet> {
    const [only] = this.fleets;
    if (!this.world.hasMachines && only !== undefined) return only;
    const { deeds, world } = this;
    const note = defineTool({
      name: 'note',
      description: 'Notes a text.',
      parameters: TEXT,
      confirm: true,
      run: ({ text }) => {
        deeds.effects.push(String(text));
        return 'noted';
      },
    });
    const step = defineTool({
      name: 'step',
      description: 'One step.',
      parameters: NOTHING,
      run: () => 'done',
    });
    const sign = defineTool({
      name: 'sign',
      description: 'Signs a text, as two managers say.',
      parameters: TEXT,
      approvers: { role: 'manager', count: 2 },
      run: ({ text }) => {
        deeds.effects.push(`sign ${String(text)}`);
        return 'signed';
      },
    });
    class Cabinet {
      @tool({ description: 'Files a text.', effect: 'write', parameters: TEXT })
      file({ text }: { text?: string }): string {
        deeds.effects.push(`file ${String(text)}`);
        return String(text);
      }

      @undo('file')
      withdraw(text: string, { requester }: ToolContext): void {
        deeds.effects.push(`${requester.id} withdraws ${text}`);
      }
    }
    const tools = [note, step, sign, Cabinet];
    const clerk = defineAgent({ name: 'clerk', description: '', model: new EchoModel(deeds), tools });
    const runner: Runner<unknown> = await createRunner(root(clerk), {
      appName: 'desk',
      model: new EchoModel(deeds),
      modules: [sqlStorage(world.url)],
      config: { confirmationExpiresAfter },
    });
    this.runners.push(runner);
    const queue = world.queue();
    const url = world.hasMachines ? world.url : undefined;
    const fleet = await openFleet(runner, { queue, url, ...limits });
    this.fleets.push(fleet);
    return fleet;
  }

  async worker(options?: WorkerOptions, machine?: MachineOptions): Promise<Worker> {
    const worker = await startWorker(await this.fleet(machine), options);
    this.workers.push(worker);
    return worker;
  }

  /** Stops all machines. Others may be started after it. */
  async close(): Promise<void> {
    this.deeds.release();
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop(2000)));
    await Promise.all(this.fleets.splice(0).map((fleet) => fleet.close()));
    await Promise.all(this.runners.splice(0).map((runner) => runner.close()));
  }
}

function same(clerk: AgentClass): AgentClass {
  return clerk;
}
