import {
  Clock,
  ContainerModule,
  createRunner,
  type CreateRunnerOptions,
  type Event,
  type PendingRequest,
  type Runner,
} from 'adorn';
import {
  callsLive,
  type LiveStep,
  type ManualClock,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { quiet } from '../quiet-logger.js';

const ADDRESS = { userId: 'c-1999', sessionId: 'call-7' };

type Root = Parameters<typeof createRunner>[0];
type LiveSession = ReturnType<Runner['live']>;

export interface LiveCallOptions extends Pick<CreateRunnerOptions, 'modules'> {
  /** Plays the agents that answer by text. */
  readonly text?: ScriptedModel;
  /** The clock of the runner and of the scripted model. */
  readonly clock?: ManualClock;
}

/** A call of a scripted turn: name, id, arguments, and the number of responses that the model waits for. */
export type TurnCall = readonly [
  name: string,
  id: string,
  args?: Record<string, unknown>,
  responses?: number,
];

/** A turn in which the model calls tools, one after another, and then speaks. */
export function turnWith(...calls: readonly TurnCall[]): LiveStep[] {
  const steps = calls.flatMap(([name, id, args = {}, responses = 1]) => [
    callsLive(name, args, id),
    untilResponse(id, responses),
  ]);
  return [untilText(), ...steps, speaks('Noted.')];
}

/** A spoken conversation with a scripted model. */
export class LiveCall implements AsyncDisposable {
  /** The events so far. */
  readonly events: Event[] = [];

  private constructor(
    readonly runner: Runner<unknown>,
    readonly model: ScriptedLive,
    readonly session: LiveSession,
  ) {}

  /** Begins a conversation with an agent. */
  static async with(
    agent: Root,
    steps: readonly LiveStep[],
    options: LiveCallOptions = {},
  ): Promise<LiveCall> {
    const { text = new ScriptedModel(), clock, modules = [] } = options;
    const model = new ScriptedLive(...steps);
    if (clock) model.clock = clock;
    const clocks = clock ? [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))] : [];
    const runner = await createRunner(agent, { model: text, modules: [quiet, ...modules, ...clocks] });
    return new LiveCall(runner, model, runner.live({ ...ADDRESS, model }));
  }

  /** Says something, and waits until the model has spoken. */
  async talk(): Promise<void> {
    this.session.sendText('Go on.');
    await this.untilTurnEnd();
  }

  /** Waits until the model has spoken. */
  async untilTurnEnd(): Promise<void> {
    await this.until(({ author, turnComplete, partial }) => author !== 'user' && turnComplete && !partial);
  }

  /** Says something that moves the conversation to another phase, which has a connection of its own. */
  async talkIntoNextPhase(): Promise<void> {
    await this.talk();
    await this.until(({ live }) => live?.kind === 'connected');
  }

  /** Reads events up to the first one like this. */
  async until(isMet: (event: Event) => boolean): Promise<Event> {
    for await (const event of this.session) {
      this.events.push(event);
      if (isMet(event)) return event;
    }
    throw new Error('The call has ended.');
  }

  /** Waits until an event has a response to the call, stored or as a piece. */
  async untilResponse(id: string, isMet: (response: Record<string, unknown>) => boolean = () => true) {
    return this.until(({ functionResponses }) =>
      functionResponses.some((one) => one.id === id && isMet(one.response ?? {})),
    );
  }

  /** What the model has read of its calls, by their ids. */
  get told(): Record<string, unknown[]> {
    const told: Record<string, unknown[]> = {};
    for (const { responses } of this.model.connections)
      for (const { id, response } of responses) (told[id] ??= []).push(response);
    return told;
  }

  get state(): Promise<Readonly<Record<string, unknown>>> {
    return this.stored.then((session) => session?.state ?? {});
  }

  pending(): Promise<readonly PendingRequest[]> {
    return this.runner.pending(ADDRESS);
  }

  private get stored() {
    return this.runner.sessions.getSession({ appName: this.runner.appName, ...ADDRESS });
  }

  /** Hangs up, calls again, and returns what the model is told then of the conversation before. */
  async historyOfNextConnection(): Promise<string> {
    await this.session.close();
    const next = this.runner.live({ ...ADDRESS, model: this.model });
    for await (const { live } of next) if (live?.kind === 'connected') break;
    const { history } = this.model.connection.setup;
    await next.close();
    return JSON.stringify(history);
  }

  /** Hangs up. */
  async hangUp(): Promise<void> {
    await this.session.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    await this.runner.close();
  }
}
