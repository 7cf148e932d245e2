import { CallbackFailedError } from '../gates/callbacks/errors.js';
import {
  callbackLabel,
  type Plugin,
  type PluginHost,
  type RunCallbacks,
  type RunEnd,
} from '../gates/callbacks/plugin.js';
import { functionCallsOf, functionResponsesOf } from '../events/content-parts.js';
import type { Content } from '../events/genai-types.js';
import { readContent } from '../events/read-content.js';
import { kindOf, frozenJson, isSameJson, present } from '@adorn/schema';
import type { EventActions } from '../events/event-actions.js';
import { Event, type EventFields } from '../events/event.js';
import type { AgentNode } from '../run/agent-node.js';
import { CallbackContext, ReadonlyContext } from '../run/callback-context.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { Replacement } from '../run/replacement.js';

/** The callbacks of all plugins around a run, each hook merged into one function. A hook without callbacks is absent. */
export interface RunHooks {
  /** Rejects if the message must not be stored. Without a content, the message stays as it is. */
  readonly onUserMessage?: (message: Content, invocation: InvocationContext) => Promise<Replacement>;
  /** @param first the context of the first agent of the run, whose answer a returned content is */
  readonly beforeRun?: (first: InvocationContext) => Promise<Replacement>;
  /** Resolves to the event to store and show. */
  readonly onEvent?: (event: Event, invocation: InvocationContext) => Promise<Event>;
  /** Rejects with the first error of a callback, unless the run has failed already. */
  readonly afterRun?: (end: RunEnd, invocation: InvocationContext) => Promise<void>;
}

/** How long callbacks of a cancelled run may take, in milliseconds. */
const GRACE_MS = 1_000;

/** @param plugins in the order of registration */
export function chainRunCallbacks(plugins: readonly Plugin[], root: AgentNode): RunHooks {
  const listeners = callbacksOf(plugins, 'onUserMessage');
  const starters = callbacksOf(plugins, 'beforeRun');
  const watchers = callbacksOf(plugins, 'onEvent');
  const enders = callbacksOf(plugins, 'afterRun');
  const hooks: RunHooks = {
    onUserMessage: (message, invocation) => replaceMessage(listeners, message, { agent: root, invocation }),
    beforeRun: (first) => replaceRun(starters, { agent: first.agent, invocation: first }),
    onEvent: (event, invocation) => replaceEvent(watchers, event, { agent: root, invocation }),
    afterRun: (end, invocation) => endRun(enders, end, { agent: root, invocation }),
  };
  return present({
    onUserMessage: listeners.length > 0 ? hooks.onUserMessage : undefined,
    beforeRun: starters.length > 0 ? hooks.beforeRun : undefined,
    onEvent: watchers.length > 0 ? hooks.onEvent : undefined,
    afterRun: enders.length > 0 ? hooks.afterRun : undefined,
  });
}

type RunHook = Exclude<keyof RunCallbacks, 'onRegister' | 'observe'>;

/** One callback of one plugin. */
interface RunCallback {
  /** The plugin and callback, for errors. */
  readonly label: string;
  /** Rejects with an error that names the plugin. */
  readonly call: (...args: readonly unknown[]) => Promise<unknown>;
}

function callbacksOf(plugins: readonly Plugin[], hook: RunHook): RunCallback[] {
  return plugins
    .filter((plugin) => typeof plugin[hook] === 'function')
    .map((plugin) => callbackOf(plugin, hook));
}

function callbackOf(plugin: Plugin, hook: RunHook): RunCallback {
  const label = callbackLabel(hook, plugin);
  const call = async (...args: readonly unknown[]): Promise<unknown> => {
    try {
      return await (plugin as unknown as Record<RunHook, (...given: readonly unknown[]) => unknown>)[hook](
        ...args,
      );
    } catch (error) {
      throw CallbackFailedError.from(label, error);
    }
  };
  return { label, call };
}

interface Place {
  readonly agent: AgentNode;
  readonly invocation: InvocationContext;
}

async function replaceMessage(
  callbacks: readonly RunCallback[],
  message: Content,
  { agent, invocation }: Place,
): Promise<Replacement> {
  const context = new CallbackContext(invocation, agent);
  let replaced: Content | undefined;
  try {
    for (const { label, call } of callbacks) {
      const returned = await invocation.cancellation.wait(call(frozenJson(replaced ?? message), context));
      if (!isNothing(returned)) replaced = readMessage(label, returned, message);
    }
  } finally {
    context.close();
  }
  return { content: replaced, actions: context.drainActions() };
}

/** Reads a replaced message. Its answers were checked before, so a callback cannot add, change or remove one. */
function readMessage(label: string, returned: unknown, message: Content): Content {
  const content = readReplacement(label, returned);
  if (isSameJson(functionResponsesOf(content), functionResponsesOf(message)))
    return { ...content, role: 'user' };
  throw new CallbackFailedError(
    label,
    'the returned message has other function responses. Return those of the message as they are.',
  );
}

async function replaceRun(
  callbacks: readonly RunCallback[],
  { agent, invocation }: Place,
): Promise<Replacement> {
  const context = new CallbackContext(invocation, agent);
  let content: Content | undefined;
  try {
    for (const { label, call } of callbacks) {
      const returned = await invocation.cancellation.wait(call(context));
      if (isNothing(returned)) continue;
      content = readReplacement(label, returned);
      break;
    }
  } finally {
    context.close();
  }
  return { content, actions: context.drainActions() };
}

/** Reads a returned content. A value without parts is refused, because its text would be lost. */
function readReplacement(label: string, returned: unknown): Content {
  try {
    const content =
      typeof returned === 'object' && !Array.isArray(returned) ? readContent(returned) : undefined;
    if (content?.parts !== undefined) return content;
  } catch (error) {
    throw CallbackFailedError.from(label, error);
  }
  throw new CallbackFailedError(
    label,
    `it returned ${kindOf(returned)}${typeof returned === 'object' ? ' without parts' : ''}. ` +
      "Return a Content, such as { role: 'model', parts: [{ text }] }, or nothing.",
  );
}

/** Calls `onEvent`. The wait is limited only after a cancellation; the remaining events are passed to callbacks too. */
async function replaceEvent(
  callbacks: readonly RunCallback[],
  event: Event,
  { agent, invocation }: Place,
): Promise<Event> {
  const context = new ReadonlyContext(invocation, agent);
  let current = event;
  for (const { label, call } of callbacks) {
    const calling = call(current, context);
    const returned = await invocation.cancellation.wait(calling, { grace: GRACE_MS });
    if (!isNothing(returned)) current = replacementOf(label, event, returned);
  }
  return current;
}

/** Calls every `afterRun` callback, even if others throw. */
async function endRun(
  callbacks: readonly RunCallback[],
  end: RunEnd,
  { agent, invocation }: Place,
): Promise<void> {
  const context = new ReadonlyContext(invocation, agent);
  const failures: unknown[] = 'error' in end ? [end.error] : [];
  for (const { label, call } of callbacks) {
    try {
      await invocation.cancellation.wait(call(end, context), { grace: GRACE_MS });
    } catch (error) {
      if (failures.push(error) > 1) {
        invocation.services.logger.error(`the callback ${label} failed after the run`, { error });
      }
    }
  }
  if (failures.length > 0 && !('error' in end)) throw failures[0];
}

function isNothing(returned: unknown): returned is null | undefined {
  return returned === undefined || returned === null;
}

/**
 * Registers every plugin with the runner, one after another.
 *
 * @throws {CallbackFailedError} for the first that fails; later ones are not called
 */
export async function registerPlugins(plugins: readonly Plugin[], host: PluginHost): Promise<void> {
  for (const plugin of plugins) {
    if (typeof plugin.onRegister !== 'function') continue;
    try {
      await plugin.onRegister(host);
    } catch (error) {
      throw CallbackFailedError.from(callbackLabel('onRegister', plugin), error);
    }
  }
}

/**
 * Checks an event that a callback returned in place of another. The run continues with the calls and control actions of
 * the original, so these must be the same.
 *
 * @throws {CallbackFailedError} if it is not an event, or differs in what it must keep
 */
function replacementOf(label: string, original: Event, returned: unknown): Event {
  if (!isEventLike(returned)) {
    throw new CallbackFailedError(label, `it returned ${kindOf(returned)}. Return an Event, or nothing.`);
  }
  const { id, invocationId, timestamp, branch, nodeInfo, partial } = original;
  const customMetadata = withOwnMetadata(returned.customMetadata, original.customMetadata);
  const event = new Event({
    ...returned,
    ...{ id, invocationId, timestamp, branch, nodeInfo, partial, customMetadata },
  });
  const changed = KEPT.find(([, read]) => !isSameJson(read(original), read(event)));
  if (changed === undefined) return event;
  throw new CallbackFailedError(
    label,
    `the returned event has another ${changed[0]}. Keep it as it is, such as with event.with({ content }).`,
  );
}

/** The custom metadata of a replacement, with the keys of the kit as they were: who began the run, what is untrusted. */
function withOwnMetadata(returned: Metadata | null = {}, original: Metadata = {}): Metadata | undefined {
  const isOwn = ([key]: readonly [string, unknown]): boolean => key.startsWith(OWN_METADATA);
  const others = Object.entries(returned ?? {}).filter((entry) => !isOwn(entry));
  const entries = [...others, ...Object.entries(original).filter(isOwn)];
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

type Metadata = Readonly<Record<string, unknown>>;

/** The beginning of every key of the kit. */
const OWN_METADATA = 'adorn:';

/** The fields that a replacement must keep. */
const KEPT: readonly (readonly [string, (event: Event) => unknown])[] = [
  ['author', ({ author }) => author],
  ['list of function calls', ({ content }) => functionCallsOf(content)],
  ['list of function responses', ({ content }) => addressesOf(content)],
  ['list of long-running calls', ({ longRunningToolIds }) => longRunningToolIds],
  ['set of actions', ({ actions }) => withoutState(actions)],
];

function isEventLike(returned: unknown): returned is EventFields {
  return (
    typeof returned === 'object' && returned !== null && typeof Reflect.get(returned, 'author') === 'string'
  );
}

/** The ids and names of the responses: results may change, but not the calls that they answer. */
function addressesOf(content: Content | undefined): unknown[] {
  return functionResponsesOf(content).map(({ id, name, willContinue }) => [
    id ?? '',
    name ?? '',
    willContinue ?? false,
  ]);
}

/** The actions without state and without undefined fields. */
function withoutState(actions: EventActions): unknown {
  return Object.fromEntries(
    Object.entries(actions).filter(([name, value]) => name !== 'stateDelta' && value !== undefined),
  );
}
