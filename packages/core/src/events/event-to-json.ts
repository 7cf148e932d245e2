import type { Event } from './event.js';
import type { EventActions } from './event-actions.js';
import { copyWireFields } from './wire-fields.js';

/**
 * The ADK's wire form of an event: camelCase, without empty fields, except for the four maps of the actions, which ADK
 * clients read without a check.
 */
export function eventToJson(event: Event): Record<string, unknown> {
  const json = withoutEmpty({
    invocationId: event.invocationId,
    author: event.author,
    id: event.id,
    branch: event.branch,
    nodeInfo: event.nodeInfo,
    content: event.content,
    actions: actionsToJson(event.actions),
    longRunningToolIds: event.longRunningToolIds.length > 0 ? event.longRunningToolIds : undefined,
    timestamp: event.timestamp,
    partial: event.partial,
    turnComplete: event.turnComplete,
    finishReason: event.finishReason,
    errorCode: event.errorCode,
    errorMessage: event.errorMessage,
    usageMetadata: event.usageMetadata,
    groundingMetadata: event.groundingMetadata,
    citationMetadata: event.citationMetadata,
    modelVersion: event.modelVersion,
    customMetadata: event.customMetadata,
  });
  copyWireFields(event, json);
  return json;
}

function actionsToJson(actions: EventActions): Record<string, unknown> {
  const { stateDelta, artifactDelta, requestedAuthConfigs, requestedToolConfirmations, ...rest } = actions;
  return {
    stateDelta,
    artifactDelta,
    requestedAuthConfigs,
    requestedToolConfirmations,
    ...withoutEmpty(rest),
  };
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null && value !== false) kept[key] = value;
  }
  return kept;
}
