import type { PendingRequest, ToolConfirmation } from './pending-request.js';

/** A person's decision about a call, and the request that they were shown. */
export interface Decision {
  readonly confirmation: ToolConfirmation;
  /** Why the person said no, where they said it. */
  readonly reason?: string;
  readonly shown: PendingRequest;
}

/**
 * Reads a person's decision in any of the forms in which clients send it: bare, under `toolConfirmation`, or under
 * `response` as an object or as JSON text. Undefined where it is none: only the booleans are a decision.
 */
export function readDecision(
  request: PendingRequest,
  response: Record<string, unknown> | undefined,
): Decision | undefined {
  const { confirmed, payload, reason } = unwrap(response ?? {});
  if (typeof confirmed !== 'boolean') return undefined;
  const confirmation = { hint: request.hint ?? '', confirmed, ...(payload !== undefined && { payload }) };
  return { confirmation, shown: request, ...(typeof reason === 'string' && { reason }) };
}

function unwrap(response: Record<string, unknown>): Record<string, unknown> {
  const inner = response['toolConfirmation'] ?? response['response'];
  if (typeof inner === 'string') return parseObject(inner);
  return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : response;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
