import { AdornError } from '../errors/adorn.error.js';
import { describeThrown, kindOf } from '../errors/describe-thrown.js';
import type { AgentCallbacks } from './agent-callbacks.js';
import { Ask, Deny } from './tool-decision.js';

/**
 * The callbacks of an agent and its plugins, each hook merged into one function. A hook without callbacks is absent
 * and costs nothing. Built once per agent.
 */
export type CallbackChain = {
  readonly [Hook in keyof AgentCallbacks]: (
    ...args: Parameters<NonNullable<AgentCallbacks[Hook]>>
  ) => Promise<Awaited<ReturnType<NonNullable<AgentCallbacks[Hook]>>>>;
};

const HOOKS = [
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
const ANSWERS: Readonly<Record<string, string>> = {
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
  for (const hook of HOOKS) {
    const takers = members.filter((member) => typeof member[hook] === 'function');
    if (takers.length === 0) continue;
    chain[hook] = hook === 'checkTool' ? strictestDecision(takers) : firstAnswer(takers, hook);
  }
  return chain;
}

type Hook = (...args: readonly unknown[]) => unknown;

/** Calls each hook in turn until one returns something other than undefined or null. */
function firstAnswer(takers: readonly AgentCallbacks[], hook: keyof AgentCallbacks): Hook {
  const isToolHook = !(hook in ANSWERS);
  return async (...args): Promise<unknown> => {
    for (const taker of takers) {
      let answer: unknown;
      try {
        answer = await (taker as unknown as Record<string, Hook>)[hook]?.(...args);
      } catch (error) {
        throw isToolHook ? error : asFailure(hook, error);
      }
      if (answer === undefined || answer === null) continue;
      checkAnswer(hook, answer);
      return answer;
    }
    return undefined;
  };
}

/** Asks every `checkTool`: a `Deny` ends the chain, and the first `Ask` counts if nobody denies. */
function strictestDecision(takers: readonly AgentCallbacks[]): Hook {
  return async (...args): Promise<Deny | Ask | undefined> => {
    let asked: Ask | undefined;
    for (const taker of takers) {
      const decision: unknown = await (taker as { readonly checkTool: Hook }).checkTool(...args);
      if (Deny.is(decision)) return decision;
      if (Ask.is(decision)) asked ??= decision;
      else if (decision !== undefined && decision !== null) {
        const fault = `it returned ${kindOf(decision)}. Return new Deny(reason) or new Ask(hint), or nothing.`;
        throw new CallbackFailedError('checkTool', fault);
      }
    }
    return asked;
  };
}

function asFailure(hook: string, error: unknown): unknown {
  const { code, message } = describeThrown(error);
  return code === undefined ? new CallbackFailedError(hook, message, { cause: error }) : error;
}

function checkAnswer(hook: string, answer: unknown): void {
  const expected = ANSWERS[hook];
  const isAnswer = typeof answer === 'object' && !Array.isArray(answer);
  if (expected === undefined || isAnswer || (hook === 'onModelPiece' && answer === false)) return;
  const found = Array.isArray(answer) ? 'an array' : `a ${typeof answer}`;
  throw new CallbackFailedError(hook, `it returned ${found}. Return ${expected}, or nothing.`);
}

/** A callback threw, or returned a value of the wrong type. */
export class CallbackFailedError extends AdornError {
  readonly code = 'CALLBACK_FAILED';

  constructor(hook: string, fault: string, options?: ErrorOptions) {
    super(`The callback ${hook} failed: ${fault}`, options);
  }
}
