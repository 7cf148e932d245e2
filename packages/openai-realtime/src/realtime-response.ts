import type { LiveEvent } from '@adorn/core/backend';
import type { ConversationItem, RealtimeResponseUsage } from 'openai/resources/realtime/realtime';

type Usage = Extract<LiveEvent, { kind: 'usage' }>['usage'];

/** A call of an answer. */
export interface RealtimeCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** The calls of an answer, and the ids of those whose arguments are not a JSON object. */
export function callsOf(output: readonly ConversationItem[]): { calls: RealtimeCall[]; malformed: string[] } {
  const calls: RealtimeCall[] = [];
  const malformed: string[] = [];
  for (const item of output) {
    if (item.type !== 'function_call') continue;
    const id = item.call_id ?? item.id ?? '';
    const args = objectIn(item.arguments);
    if (!args) malformed.push(id);
    else calls.push({ id, name: item.name, args });
  }
  return { calls, malformed };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The tokens of an answer, in Google's words. */
export function usageOf(usage: RealtimeResponseUsage): Usage {
  const { input_tokens, output_tokens, total_tokens, input_token_details: input } = usage;
  const cached = input?.cached_tokens ?? 0;
  return {
    promptTokenCount: input_tokens ?? 0,
    candidatesTokenCount: output_tokens ?? 0,
    totalTokenCount: total_tokens ?? (input_tokens ?? 0) + (output_tokens ?? 0),
    cachedContentTokenCount: cached > 0 ? cached : undefined,
  };
}
