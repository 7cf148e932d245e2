import { describeThrown, kindOf, optionNames, slipOf } from '@adorn/schema';
import { type AgentCallbacks, RequireConfirmation, Deny, rulesIn } from './agent-callbacks.js';
import { CallbackFailedError } from './errors.js';
import { callbackLabel, Plugin, type RunCallbacks } from './plugin.js';

/**
 * The callbacks of an agent and its plugins, each hook merged into one function. A hook without callbacks is absent
 * and costs nothing. Built once per agent.
 */
export type CallbackChain = {
  readonly [Hook in keyof AgentCallbacks]: (
    ...args: Parameters<NonNullable<AgentCallbacks[Hook]>>
  ) => Promise<Awaited<ReturnType<NonNullable<AgentCallbacks[Hook]>>>>;
};

/** The names of the callbacks of agents and plugins. */
export const AGENT_HOOKS = [
  'beforeAgent',
  'afterAgent',
  'beforeModel',
  'afterModel',
  'onModelPiece',
  'onModelError',
  'checkTool',
  'beforeTool',
  'afterTool',
  'onToolError',
] as const satisfies readonly (keyof AgentCallbacks)[];

/** What the agent and model hooks may return. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  beforeAgent: 'a Content',
  afterAgent: 'a Content',
  beforeModel: 'a ModelResponse',
  afterModel: 'a ModelResponse',
  onModelPiece: 'a ModelResponse or false',
  onModelError: 'a ModelResponse',
};

/** @param members the plugins in their order, then the agent */
export function chainCallbacks(members: readonly AgentCallbacks[]): CallbackChain {
  const chain: Record<string, unknown> = {};
  for (const hook of AGENT_HOOKS) {
    const takers = members.filter((member) => typeof member[hook] === 'function');
    if (takers.length === 0) continue;
    chain[hook] = hook === 'checkTool' ? strictestDecision(takers) : firstReplacement(takers, hook);
  }
  return chain;
}

/** The names of the callbacks that only plugins have. */
export const RUN_HOOKS = optionNames<RunCallbacks>({
  onRegister: true,
  onUserMessage: true,
  beforeRun: true,
  onEvent: true,
  afterRun: true,
  observe: true,
});

/** A method of a plugin whose name is a slip of a callback's, and that callback. It would never be called. */
export function misspeltCallback(
  plugin: object,
): { readonly method: string; readonly meant: string } | undefined {
  const hooks = new Set<string>([...AGENT_HOOKS, ...RUN_HOOKS]);
  let owner: object | null = plugin;
  for (; owner !== null && owner !== Plugin.prototype && owner !== Object.prototype;) {
    for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      const isMethod = typeof value === 'function' && method !== 'constructor';
      const meant = isMethod ? slipOf(method, hooks) : undefined;
      if (meant !== undefined) return { method, meant };
    }
    owner = Object.getPrototypeOf(owner) as object | null;
  }
  return undefined;
}

type Hook = (...args: readonly unknown[]) => unknown;

/** Calls each hook in turn until one returns something other than undefined or null. */
function firstReplacement(takers: readonly AgentCallbacks[], hook: keyof AgentCallbacks): Hook {
  const isToolHook = !(hook in REPLACEMENTS);
  return async (...args): Promise<unknown> => {
    for (const taker of takers) {
      let answer: unknown;
      try {
        answer = await (taker as unknown as Record<string, Hook>)[hook]?.(...args);
      } catch (error) {
        throw isToolHook ? error : CallbackFailedError.from(callbackLabel(hook, taker), error);
      }
      if (answer === undefined || answer === null) continue;
      checkReplacement(hook, answer, taker);
      return answer;
    }
    return undefined;
  };
}

/**
 * Asks every `checkTool`: a `Deny` ends the chain, and the first `RequireConfirmation` counts if nobody denies, with the
 * approvers of all. One that waits
 * for a person does not keep another one from denying.
 */
function strictestDecision(takers: readonly AgentCallbacks[]): Hook {
  return async (...args): Promise<Deny | RequireConfirmation | undefined> => {
    let asked: RequireConfirmation | undefined;
    let waits: { readonly error: unknown } | undefined;
    for (const taker of takers) {
      let decision: unknown;
      try {
        decision = await (taker as { readonly checkTool: Hook }).checkTool(...args);
      } catch (error) {
        if (describeThrown(error).code !== 'TOOL_PAUSED') throw error;
        waits ??= { error };
      }
      if (Deny.is(decision)) return decision;
      if (RequireConfirmation.is(decision)) asked = asked === undefined ? decision : both(asked, decision);
      else if (decision !== undefined && decision !== null) {
        const fault = `it returned ${kindOf(decision)}. Return new Deny(reason) or new RequireConfirmation(hint), or nothing.`;
        throw new CallbackFailedError(callbackLabel('checkTool', taker), fault);
      }
    }
    if (waits) throw waits.error;
    return asked;
  };
}

function checkReplacement(hook: string, answer: unknown, owner: object): void {
  const expected = REPLACEMENTS[hook];
  const fault = expected === undefined ? misplaced(answer) : mistyped(hook, answer, expected);
  if (fault !== undefined) throw new CallbackFailedError(callbackLabel(hook, owner), fault);
}

/** The first question, with the approvers of both. An approval for the session covers the call only if it covers both. */
function both(first: RequireConfirmation, other: RequireConfirmation): RequireConfirmation {
  const rules = [...rulesIn(first), ...rulesIn(other)];
  const remember = first.remember ?? other.remember;
  if (rules.length === 0 && remember === first.remember) return first;
  return new RequireConfirmation(first.hint, first.payload, rules, remember);
}

/** A result of a tool may be anything but an `RequireConfirmation`: it is too late to ask. */
function misplaced(answer: unknown): string | undefined {
  return RequireConfirmation.is(answer)
    ? 'it returned a RequireConfirmation. Return it from checkTool, which runs before the tool.'
    : undefined;
}

function mistyped(hook: string, answer: unknown, expected: string): string | undefined {
  if (Deny.is(answer) || RequireConfirmation.is(answer))
    return `it returned a decision about a tool. Return ${expected}, or nothing.`;
  const isReplacement = typeof answer === 'object' && !Array.isArray(answer);
  if (isReplacement || (hook === 'onModelPiece' && answer === false)) return undefined;
  const found = Array.isArray(answer) ? 'an array' : `a ${typeof answer}`;
  return `it returned ${found}. Return ${expected}, or nothing.`;
}
