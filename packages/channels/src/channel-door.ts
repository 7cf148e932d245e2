import { setTimeout as pause } from 'node:timers/promises';

import {
  Clock,
  type Event,
  type PendingRequest,
  Plugin,
  type ReadonlyContext,
  type Runner,
  SessionService,
} from '@adorn/core';
import {
  type Awaitable,
  chainedInvocations,
  EffectLedger,
  followInbox,
  type InboxChange,
  mayAnswer,
  type PluginHost,
  type PrincipalInput,
  type RunEnd,
  toPrincipal,
} from '@adorn/core/backend';

import type {
  Channel,
  ChannelAnswer,
  ChannelMessage,
  ChannelPerson,
  MessageReference,
  Thread,
} from './channel.js';
import { ChannelRecords } from './channel-records.js';
import { type Endpoint, type EndpointHost, type MessageFleet, sendOnce } from './endpoint.js';
import { ChannelFailedError } from './errors.js';

/** How a channel is connected to an application. */
export interface ChannelOptions {
  /** Where the server answers the platform. */
  readonly path: string;
  /** Who somebody of the platform is, with roles and tenant; undefined for nobody, who is not answered. */
  readonly principal: (person: ChannelPerson) => Awaitable<PrincipalInput | undefined>;
  readonly app?: string | undefined;
  readonly fleet?: (MessageFleet & AnswerFleet) | undefined;
}

/** Where answers go on many machines. */
interface AnswerFleet {
  submit(
    submission: {
      readonly userId: string;
      readonly sessionId: string;
      readonly by: PrincipalInput;
      readonly channel: string;
    } & ({ readonly approve: PendingRequest } | { readonly reject: PendingRequest }),
  ): Promise<unknown>;
}

/** A run. */
type RunAddress = Pick<PendingRequest, 'appName' | 'userId' | 'sessionId' | 'invocationId'>;

/** How often a message to the platform is tried, and the longest pause before, in milliseconds. */
const ATTEMPTS = 4;
const LONGEST_PAUSE_MS = 30_000;
/** The events at the end of a log among which the answer is: behind it stand the ends of the workflows that it is part of. */
const RECENT_EVENTS = 30;

/**
 * A channel as an application has it: an endpoint of the server, which takes messages and answers, and a plugin of the runner, which
 * writes the answers of runs into their threads, in whatever process a run ends.
 *
 * A thread is a session, of a user who is the place of the thread; each message and each answer is in the name of its principal. The open
 * confirmations of these sessions are asked there. Who may answer is decided by `approvers` of the tool, as at every door.
 */
export class ChannelDoor extends Plugin implements Endpoint {
  readonly name: string;
  readonly path: string;
  readonly app: string | undefined;
  private runtime: Pick<PluginHost, 'logger' | 'get'> | undefined;

  constructor(
    private readonly channel: Channel,
    private readonly options: ChannelOptions,
  ) {
    super();
    this.name = channel.name;
    this.path = options.path;
    this.app = options.app;
  }

  /** The plugin reads logs and clocks of the runner. */
  override onRegister(host: PluginHost): void {
    this.runtime = host;
  }

  /** Writes the answer of a run into its thread, before the run ends: if its process dies, `recover` does so. */
  override async afterRun(_end: RunEnd, context: ReadonlyContext): Promise<void> {
    const { appName, userId, sessionId, invocationId } = context;
    const thread = this.threadOf(userId, sessionId);
    const { runtime } = this;
    if (!thread || !runtime) return;
    const session = await runtime
      .get(SessionService)
      .getSession({ appName, userId, sessionId }, { numRecentEvents: RECENT_EVENTS });
    const last = session?.events.findLast(saysSomething);
    const text = last?.invocationId === invocationId ? answerIn(last) : undefined;
    if (last === undefined || text === undefined) return;
    const answers = await this.referenceOf({ appName, userId, sessionId, invocationId }, runtime);
    await this.insist('an answer', () => this.channel.post(thread, { id: last.id, text, answers }));
  }

  /** Answers a request of the platform. */
  async receive(
    request: { readonly headers: Headers; readonly body: Uint8Array },
    host: EndpointHost,
  ): Promise<Response> {
    const inbound = await this.channel.read(request, host.runner.get(Clock).now());
    if (inbound.kind === 'response') return inbound.response;
    const why = inbound.kind === 'ignored' ? inbound.why : await this.receivePerson(inbound, host);
    if (why !== undefined)
      host.logger.debug('a request of a channel was ignored', { channel: this.name, why });
    return new Response(null, { status: 200 });
  }

  /** Takes what a person has written or answered. @returns why it was ignored; undefined if it was not */
  private async receivePerson(
    inbound: ChannelMessage | ChannelAnswer,
    host: EndpointHost,
  ): Promise<string | undefined> {
    const given = await this.options.principal(inbound.person);
    if (given === undefined) return 'it is of nobody';
    const by = toPrincipal(given, `principal of ${this.name}`);
    if (inbound.kind === 'message') await this.receiveMessage(inbound, by, host.runner);
    else await this.receiveAnswer(inbound, by, host);
    return undefined;
  }

  /** Asks the open confirmations of the channel's sessions, and closes the questions that are answered. */
  open({ runner, logger }: EndpointHost): () => Promise<void> {
    const closing = new AbortController();
    const following = followInbox(runner, {
      onChange: (change) => this.showChange(change, runner),
      signal: closing.signal,
      logger,
      name: `the channel ${this.name}`,
    });
    return async () => {
      closing.abort();
      await following;
    };
  }

  private async receiveMessage(
    { id, thread, text, isAddressed, reference }: ChannelMessage,
    by: PrincipalInput,
    runner: Runner<unknown>,
  ): Promise<void> {
    const { appName } = runner;
    const address = this.addressOf(thread);
    if (!isAddressed && !(await runner.sessions.getSession({ appName, ...address }, { numRecentEvents: 0 })))
      return;
    const runId = this.runIdOf(id);
    if (reference) {
      const now = runner.get(Clock).now();
      await this.recordsOf(runner, appName).keepReference(runId, { userId: address.userId, reference }, now);
    }
    const message = { id: runId, ...address, message: text, by, channel: this.name };
    await sendOnce(message, runner, this.options.fleet);
  }

  private async receiveAnswer(
    answer: ChannelAnswer,
    by: PrincipalInput,
    { runner, logger }: EndpointHost,
  ): Promise<void> {
    const { thread, person, requestId, isApproved, reference } = answer;
    const address = this.addressOf(thread);
    const open = await runner.pending(address);
    const request = open.find(({ id }) => id === requestId);
    const tell = async (text: string): Promise<void> => {
      await this.insist('a notice', () => this.channel.tell(thread, person, text, reference));
    };
    if (!request) return tell('This was answered already.');
    if (!mayAnswer(request, by, runner.get(Clock).now())) return tell('You may not answer this.');
    if (isApproved === undefined) return tell(`This is no answer. ${this.channel.howToAnswer}`);
    const options = { by, channel: this.name };
    const notTaken = async (error: unknown): Promise<void> => {
      logger.warn('an answer of a channel was not taken', { channel: this.name, error });
      await tell('Your answer was not taken. The question is still open, or somebody was faster.');
    };
    const { fleet } = this.options;
    if (fleet) {
      const decision = isApproved ? { approve: request } : { reject: request };
      await fleet.submit({ ...address, ...options, ...decision }).catch(notTaken);
      return;
    }
    const run = isApproved ? runner.approve(request, options) : runner.reject(request, options);
    // The platform waits a few seconds at most, and the run may take longer.
    void Promise.resolve(run).catch(notTaken);
  }

  private async showChange({ kind, request }: InboxChange, runner: Runner<unknown>): Promise<void> {
    const thread = this.threadOf(request.userId, request.sessionId);
    if (!thread || request.kind !== 'confirmation') return;
    const records = this.recordsOf(runner, runner.appName);
    const now = runner.get(Clock).now();
    const state = await records.takeQuestion(request, now);
    if (state.kind === 'elsewhere') return;
    if (kind === 'closed') {
      if (state.kind === 'asked') await this.closeQuestion(state.question, request);
      await records.forgetQuestion(request, state.claim);
      return;
    }
    if (state.kind === 'asked') return;
    const answers = await this.referenceOf(request, runner);
    const question = await this.insist('a question', () => this.channel.ask(thread, request, answers));
    if (question) await records.keepQuestion(request, { claim: state.claim, question }, now);
    else await records.forgetQuestion(request, state.claim);
  }

  private async closeQuestion(question: MessageReference, request: PendingRequest): Promise<void> {
    await this.insist('a closed question', async () =>
      this.channel.closeQuestion?.(question, closedText(request)),
    );
  }

  /** How the message is answered that began a run, or the run that it continues. */
  private async referenceOf(
    { appName, userId, sessionId, invocationId }: RunAddress,
    services: Pick<PluginHost, 'get'>,
  ): Promise<MessageReference | undefined> {
    const ownIds = this.runIdOf('');
    let runId: string | undefined = invocationId;
    if (!invocationId.startsWith(ownIds)) {
      // Whoever answers a question begins a run with an id of its own.
      const session = await services.get(SessionService).getSession({ appName, userId, sessionId });
      const continued = session ? chainedInvocations(session, invocationId) : [];
      runId = [...continued].findLast((id) => id.startsWith(ownIds));
    }
    if (runId === undefined) return undefined;
    return this.recordsOf(services, appName).referenceOf(runId, services.get(Clock).now());
  }

  private runIdOf(messageId: string): string {
    return `${this.name}@${messageId}`;
  }

  private recordsOf(services: Pick<PluginHost, 'get'>, appName: string): ChannelRecords {
    return new ChannelRecords(services.get(EffectLedger), appName, this.name);
  }

  /** Tries again while the platform says so. Undefined if it was given up, which is logged. */
  private async insist<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const wait = error instanceof ChannelFailedError ? error.retryAfter : undefined;
        if (wait === undefined || attempt === ATTEMPTS) {
          this.runtime?.logger.error(`${what} was not taken by a channel`, { channel: this.name, error });
          return undefined;
        }
        await pause(Math.min(wait, LONGEST_PAUSE_MS), undefined, { ref: false });
      }
    }
  }

  private addressOf({ place, id }: Thread): { readonly userId: string; readonly sessionId: string } {
    return { userId: `${this.name}:${place}`, sessionId: `${this.name}:${place}/${id}` };
  }

  /** Undefined for a session of another door. */
  private threadOf(userId: string, sessionId: string): Thread | undefined {
    const prefix = `${userId}/`;
    if (!userId.startsWith(`${this.name}:`) || !sessionId.startsWith(prefix)) return undefined;
    return { place: userId.slice(this.name.length + 1), id: sessionId.slice(prefix.length) };
  }
}

/** False for an event that only says that an agent of a workflow has ended. */
function saysSomething({ content, errorCode }: Event): boolean {
  return content !== undefined || errorCode !== undefined;
}

/** What the last event of a run says to people; undefined if nothing, as when the run waits for an answer. */
function answerIn({ author, errorCode, errorMessage, text }: Event): string | undefined {
  if (author === 'user') return undefined;
  if (errorCode !== undefined) return errorMessage ?? `This failed: ${errorCode}.`;
  return text === '' ? undefined : text;
}

function closedText({ tool }: PendingRequest): string {
  return `Answered: ${tool}.`;
}
