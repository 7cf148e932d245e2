import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import {
  AdornError,
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
  EffectLedger,
  type InboxChange,
  mayAnswer,
  type PluginHost,
  type PrincipalInput,
  type RunEnd,
  toPrincipal,
} from '@adorn/core/backend';

import type {
  Channel,
  ChannelMessage,
  ChannelPerson,
  ChannelPress,
  PostedMessage,
  Thread,
} from './channel.js';
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
    submission: { readonly userId: string; readonly sessionId: string; readonly by: PrincipalInput } & (
      { readonly approve: PendingRequest } | { readonly reject: PendingRequest }
    ),
  ): Promise<unknown>;
}

/** How often a message to the platform is tried, and the longest pause before, in milliseconds. */
const ATTEMPTS = 4;
const LONGEST_PAUSE_MS = 30_000;
/** How long a card is known to be on its way to the platform, in seconds. */
const POSTING_S = 120;

/**
 * A channel as an application has it: an endpoint of the server, which takes messages and presses, and a plugin of the runner, which
 * writes the answers of runs into their threads, in whatever process a run ends.
 *
 * A thread is a session, of a user who is the place of the thread; each message and each press is in the name of its principal. The open
 * requests of these sessions are cards. Who may press is decided by `approvers` of the tool, as at every door.
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
    const sessions = this.runtime?.get(SessionService);
    if (!thread || !sessions) return;
    const session = await sessions.getSession({ appName, userId, sessionId }, { numRecentEvents: 1 });
    const last = session?.events.at(-1);
    const text = last?.invocationId === invocationId ? answerIn(last) : undefined;
    if (text !== undefined) await this.insist('an answer', () => this.channel.post(thread, text));
  }

  /** Answers a request of the platform. */
  async receive(
    request: { readonly headers: Headers; readonly body: Uint8Array },
    host: EndpointHost,
  ): Promise<Response> {
    const inbound = await this.channel.read(request, host.runner.get(Clock).now());
    if (inbound.kind === 'reply') return inbound.response;
    const given = await this.options.principal(inbound.person);
    if (given !== undefined) {
      const by = toPrincipal(given, `principal of ${this.name}`);
      if (inbound.kind === 'message') await this.receiveMessage(inbound, by, host.runner);
      else await this.receivePress(inbound, by, host);
    }
    return new Response(null, { status: 200 });
  }

  /** Shows the open requests of the channel's sessions as cards, and takes the buttons from those that are answered. */
  open({ runner, logger }: EndpointHost): () => Promise<void> {
    const closing = new AbortController();
    const watch = async (): Promise<void> => {
      while (!closing.signal.aborted) {
        try {
          for await (const change of runner.watchInbox({}, { signal: closing.signal }))
            await this.showChange(change, runner);
        } catch (error) {
          if (AdornError.is(error) && ['NOT_SUPPORTED', 'RUNNER_CLOSED'].includes(error.code)) {
            logger.error('the cards of a channel have ended', { channel: this.name, error });
            return;
          }
          logger.warn('the cards of a channel cannot be shown', { channel: this.name, error });
        }
        await rest(1_000, closing.signal);
      }
    };
    const watching = watch();
    return async () => {
      closing.abort();
      await watching;
    };
  }

  private async receiveMessage(
    { id, thread, text, isAddressed }: ChannelMessage,
    by: PrincipalInput,
    runner: Runner<unknown>,
  ): Promise<void> {
    const { appName } = runner;
    const address = this.addressOf(thread);
    if (!isAddressed && !(await runner.sessions.getSession({ appName, ...address }, { numRecentEvents: 0 })))
      return;
    const message = { id: `${this.name}@${id}`, ...address, message: text, by, channel: this.name };
    await sendOnce(message, runner, this.options.fleet);
  }

  private async receivePress(
    press: ChannelPress,
    by: PrincipalInput,
    { runner, logger }: EndpointHost,
  ): Promise<void> {
    const { thread, person, requestId, isApproved } = press;
    const address = this.addressOf(thread);
    const open = await runner.pending(address);
    const request = open.find(({ id }) => id === requestId);
    const tell = async (text: string): Promise<void> => {
      await this.insist('a notice', () => this.channel.tell(thread, person, text));
    };
    if (!request) return tell('This was answered already.');
    if (!mayAnswer(request, by, runner.get(Clock).now())) return tell('You may not answer this.');
    const { fleet } = this.options;
    if (fleet) {
      await fleet.submit({ ...address, by, ...(isApproved ? { approve: request } : { reject: request }) });
      return;
    }
    const options = { by, channel: this.name };
    const run = isApproved ? runner.approve(request, options) : runner.reject(request, options);
    // The platform waits three seconds, and the run may take longer.
    void Promise.resolve(run).catch((error: unknown) => {
      logger.warn('an answer of a channel was not taken', { channel: this.name, error });
      void tell('Your answer was not taken. The question is still open, or somebody was faster.');
    });
  }

  private async showChange({ kind, request }: InboxChange, runner: Runner<unknown>): Promise<void> {
    const thread = this.threadOf(request.userId, request.sessionId);
    if (!thread || request.kind !== 'confirmation') return;
    const ledger = runner.get(EffectLedger);
    const now = runner.get(Clock).now();
    const key = hash('sha256', JSON.stringify([request.sessionId, request.id]), 'base64url');
    const address = { appName: runner.appName, scope: 'adorn:channels', tool: this.name, key };
    const claim = {
      id: `${request.id}#${crypto.randomUUID()}`,
      by: request.userId,
      at: now,
      until: now + POSTING_S,
    };
    const first = await ledger.claim(address, claim);
    // One whose process died before it was posted.
    const entry =
      first.isNew || first.done || first.claim.until > now
        ? first
        : await ledger.claim(address, claim, first.claim.id);
    if (kind === 'closed') {
      if (entry.done) {
        await this.insist('an edit', () =>
          this.channel.edit(entry.done?.result as PostedMessage, closedText(request)),
        );
        await ledger.revoke(address, entry.claim.id);
      } else if (entry.isNew) await ledger.release(address, claim.id);
      return;
    }
    if (!entry.isNew) return;
    const posted = await this.insist('a card', () => this.channel.postCard(thread, request));
    if (posted) await ledger.complete(address, claim.id, { result: posted, at: now });
    else await ledger.release(address, claim.id);
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
        await rest(Math.min(wait, LONGEST_PAUSE_MS));
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

/** What the last event of a run says to people; undefined if nothing, as when the run waits for an answer. */
function answerIn({ author, errorCode, errorMessage, text }: Event): string | undefined {
  if (author === 'user') return undefined;
  if (errorCode !== undefined) return errorMessage ?? `This failed: ${errorCode}.`;
  return text === '' ? undefined : text;
}

function closedText({ tool }: PendingRequest): string {
  return `Answered: ${tool}.`;
}

/** Ends early if the signal aborts. */
async function rest(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
