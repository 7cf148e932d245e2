import type { ForeignObject, LiveEvent } from '@adorn/core/backend';

type Usage = Extract<LiveEvent, { kind: 'usage' }>['usage'];

/** A call of an answer. */
export interface RealtimeCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** An answer that has ended. */
export interface RealtimeResponse {
  /** `completed`, `cancelled`, `failed` or `incomplete`; undefined if the server does not say. */
  readonly status: string | undefined;
  /** Why it was cancelled, or is incomplete. */
  readonly reason: string | undefined;
  /** The code, or the type, of its failure. */
  readonly error: string | undefined;
  readonly calls: readonly RealtimeCall[];
  /** The ids of calls whose arguments are not a JSON object. */
  readonly malformed: readonly string[];
  /** The tokens of the answer, in Google's words. */
  readonly usage: Usage | undefined;
}

/** @throws {UnexpectedShapeError} if a field has another type, or a call has no name */
export function readResponse(response: ForeignObject | undefined): RealtimeResponse {
  const details = response?.object('status_details');
  const error = details?.object('error');
  const usage = response?.object('usage');
  return {
    status: response?.text('status'),
    reason: details?.text('reason'),
    error: error?.text('code') ?? error?.text('type'),
    ...callsIn(response?.objects('output') ?? []),
    usage: usage && usageOf(usage),
  };
}

function callsIn(output: readonly ForeignObject[]): Pick<RealtimeResponse, 'calls' | 'malformed'> {
  const calls: RealtimeCall[] = [];
  const malformed: string[] = [];
  for (const item of output) {
    if (item.text('type') !== 'function_call') continue;
    const id = item.text('call_id') ?? item.text('id') ?? '';
    const args = objectIn(item.text('arguments') ?? '');
    if (!args) malformed.push(id);
    else calls.push({ id, name: item.requiredText('name'), args });
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

function usageOf(usage: ForeignObject): Usage {
  const [input = 0, output = 0] = [usage.number('input_tokens'), usage.number('output_tokens')];
  const cached = usage.object('input_token_details')?.number('cached_tokens') ?? 0;
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: usage.number('total_tokens') ?? input + output,
    cachedContentTokenCount: cached > 0 ? cached : undefined,
  };
}
