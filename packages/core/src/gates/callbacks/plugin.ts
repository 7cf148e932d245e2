/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging -- the callbacks are declared once; each is optional, so the class promises nothing that it lacks */
import type { Content } from '../../events/genai-types.js';
import type { Event } from '../../events/event.js';
import type { AgentNode } from '../../run/agent-node.js';
import type { CallbackContext, ReadonlyContext } from '../../run/callback-context.js';
import type { ServiceToken } from '../../run/invocation-services.js';
import { shareClass } from '../../metadata/shared-class.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { LogFacts, Logger } from '../../runtime/logger.js';
import type { Observation, Operation } from '../../run/telemetry/observation.js';
import type { AgentCallbacks, Reply } from './agent-callbacks.js';

/** The runner as a plugin sees it when it is registered. */
export interface PluginHost {
  /** The name of the application of the runner. */
  readonly appName: string;
  /** The root of the agent tree. */
  readonly root: AgentNode;
  /** The logger that is bound in the runner's container. */
  readonly logger: Logger;
  /** Fields without the secrets that are not logged, nor what the redactors of plugins remove. */
  redact(facts: LogFacts): LogFacts;
  /**
   * Adds a function that returns a text without what must not be logged. It is applied to log lines, and to texts about
   * failures. If it throws, the text is not logged.
   */
  addRedactor(redactor: (text: string) => string): void;
  /**
   * Resolves a service of the runner's container.
   *
   * @throws {AdornError} `SERVICE_NOT_BOUND`
   */
  get<Service>(token: ServiceToken<Service>): Service;
}

/** How a run ended. */
export interface RunEnd {
  /** The last event that was stored. Its `errorCode` says why a run failed with an event. */
  readonly last: Event | undefined;
  /** What the run threw. Absent if it did not throw. */
  readonly error?: unknown;
}

/**
 * The callbacks of a plugin around a whole run. All plugins are called, in the order of registration. A throw in
 * `onUserMessage`, `beforeRun` or `onEvent` aborts the run, which rejects with `CALLBACK_FAILED`.
 */
export interface RunCallbacks {
  /** Runs once when a runner is created. A throw rejects `createRunner`. */
  onRegister?(host: PluginHost): Awaitable<void>;
  /**
   * Runs before the message of a user is stored. A returned content replaces it, also for later plugins; the function
   * responses in it must stay as they are. State is written with the message.
   *
   * @param message frozen; credentials in it are removed
   */
  onUserMessage?(message: Content, context: CallbackContext): Reply<Content>;
  /**
   * Runs when the message is stored, before an agent. A returned content is the answer: no agent runs, and later
   * plugins are not called.
   */
  beforeRun?(context: CallbackContext): Reply<Content>;
  /**
   * Runs for each event of a run, also pieces of streamed answers, before it is stored and yielded; not for the
   * user's message. A returned event replaces it, also for later plugins. It may change the text, the results of calls,
   * the state delta and the metadata. Its id, author, calls and other actions must stay as they are.
   */
  onEvent?(event: Event, context: ReadonlyContext): Reply<Event>;
  /**
   * Runs after the last event of each run that has opened its session, also if the run failed, was cancelled or is no
   * longer read. The run ends when this has ended. A throw rejects the run unless the run has failed already.
   */
  afterRun?(end: RunEnd, context: ReadonlyContext): Awaitable<void>;
  /**
   * Watches the operations of a run: the run itself, its agents, requests to models and calls of tools. Called in the
   * async context in which the operation begins. An error is logged once, and changes nothing.
   *
   * @returns undefined to leave the operation unobserved
   */
  observe?(operation: Operation): Observation | undefined;
}

/**
 * Callbacks for all agents of a runner, and for its runs. Extend it and override the methods of {@link AgentCallbacks}
 * and {@link RunCallbacks} that you need.
 */
export abstract class Plugin {
  static {
    shareClass(this, 'Plugin');
  }

  /** Unique among the plugins of a runner. */
  abstract readonly name: string;
}

/** The callbacks, each of which a subclass may have as a method. */
export interface Plugin extends AgentCallbacks, RunCallbacks {}

/** The name of a callback in errors, with that of its plugin. */
export function callbackLabel(hook: string, owner: object): string {
  return owner instanceof Plugin ? `${hook} of the plugin "${owner.name}"` : hook;
}
