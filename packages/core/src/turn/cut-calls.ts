import type { FunctionCall } from '../events/genai-types.js';
import type { SettledCall } from '../gates/tool-call.js';
import { describeThrown } from '@adorn/schema';
import type { Event } from '../events/event.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { ModelResponse } from '../models/model-response.js';
import { ToolCallCutError } from '../tools/errors.js';
import type { ToolTable } from '../tools/tool-table.js';
import { UNREADABLE } from './response-to-event.js';

/**
 * Settled calls, with another error for a call whose arguments are invalid because the output limit cut it off: the last
 * call of an answer that ended with `MAX_TOKENS`. The model must write less, not correct what it wrote.
 */
export function withCutCalls(
  settled: readonly SettledCall[],
  origins: readonly Event[],
  { services, agent }: Pick<InvocationContext, 'services' | 'agent'>,
): readonly SettledCall[] {
  const last = origins.filter(endsAtLimit).map(({ functionCalls }) => functionCalls.at(-1));
  if (last.length === 0) return settled;
  return settled.map((one) => {
    const call = last.find((made) => made?.id === one.id);
    if (!call || !hasInvalidArguments(one)) return one;
    services.logger.warn('the output limit cut off a call, which did not run', {
      agent: agent.path,
      tool: one.name,
      cure: 'raise maxOutputTokens',
    });
    const error = new ToolCallCutError(one.name, writtenArguments(call));
    return { ...one, outcome: { kind: 'failed', response: { error: error.message }, error, invalid: true } };
  });
}

/** True if a call was cut off by the output limit. */
export function isCutCall({ outcome }: SettledCall): boolean {
  return outcome.kind === 'failed' && outcome.error instanceof ToolCallCutError;
}

/**
 * True for a call without arguments that ends an answer at the output limit, of a tool that takes some: providers that
 * complete the JSON of a cut call themselves report it like this.
 */
export function mayLackArguments(
  { name = '', args = {} }: FunctionCall,
  response: ModelResponse,
  tools: ToolTable,
): boolean {
  if (!endsAtLimit(response) || Object.keys(args).length > 0) return false;
  const schema: unknown = tools.find(name)?.tool.declaration()?.parametersJsonSchema;
  const { properties = {} } = (schema ?? {}) as { readonly properties?: object };
  return Object.keys(properties).length > 0;
}

function endsAtLimit({ finishReason }: Pick<ModelResponse, 'finishReason'> | Event): boolean {
  return finishReason === 'MAX_TOKENS';
}

function hasInvalidArguments({ outcome }: SettledCall): boolean {
  return outcome.kind === 'failed' && describeThrown(outcome.error).code === 'TOOL_ARGUMENTS_INVALID';
}

function writtenArguments({ args = {} }: FunctionCall): string {
  const text = args[UNREADABLE];
  return typeof text === 'string' ? text : JSON.stringify(args);
}
