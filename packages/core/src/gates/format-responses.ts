import { describeThrown } from '@adorn/schema';
import type { Event } from '../events/event.js';
import type { ResponsesForModel } from '../events/responses-for-model.js';
import { isRunning, isWaiting, type SettledCall, type ToolOutcome, type ToolResponse } from './tool-call.js';

/** What models read in place of the responses of background tools with a `format`. */
export function formattedResponses(
  settled: readonly SettledCall[],
  event: Event,
): ResponsesForModel | undefined {
  const responses = new Map(event.functionResponses.map(({ id, response }) => [id, response]));
  const told = settled.flatMap((one): [string, ToolResponse][] => {
    const formatted = formattedResponse(one, responses.get(one.id) ?? {});
    return formatted ? [[one.id, formatted]] : [];
  });
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}

function formattedResponse(settled: SettledCall, response: ToolResponse): ToolResponse | undefined {
  const { call, id, name, outcome } = settled;
  const { background } = call?.entry.tool.traits ?? {};
  const format = typeof background === 'object' ? background.format : undefined;
  if (!call || !format || isWaiting(outcome)) return undefined;
  const told = { id, name, args: call.args };
  try {
    if (isRunning(settled)) return format.running?.(told);
    if (isStopped(outcome) && format.cancelled) return format.cancelled(told);
    return format.result?.(told, response);
  } catch (error) {
    const { logger } = call.invocation.services;
    logger.error('the format of a background tool failed', { tool: name, callId: id, error });
    return FORMAT_FAILED;
  }
}

function isStopped(outcome: ToolOutcome): boolean {
  return outcome.kind === 'failed' && describeThrown(outcome.error).code === 'CANCELLED';
}

const FORMAT_FAILED = Object.freeze({ error: 'The response could not be formatted.' });
