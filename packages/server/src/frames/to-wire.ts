import type { Event, FunctionCall, Part, Run, RunResult } from '@adorn/core';
import {
  describeThrown,
  type FunctionResponse,
  isRemark,
  isRetried,
  uiIn,
  withoutCredentials,
} from '@adorn/core/backend';

import { eventJson } from './event-json.js';
import type { EndFrame, Frame } from './frame.js';

/**
 * The frames of an event, in the order of its parts: texts, files, calls, results, requests and answers, then what it
 * changed, then its error. The last one has the event itself, unless it is a piece of a streamed answer. A remark has none: it is
 * not a part of the conversation.
 */
export function toWire(event: Event): Frame[] {
  if (isRemark(event)) return [];
  const place = placeOf(event);
  const requested = new Set(event.pending.map(({ id }) => id));
  const frames: Frame[] = (event.content?.parts ?? []).flatMap((part) =>
    framesOfPart(part, event, requested).map((frame) => ({ ...frame, ...place }) as Frame),
  );
  for (const request of event.pending) frames.push({ kind: 'request', request, ...place });
  if (changesState(event) || (frames.length === 0 && event.errorCode === undefined)) {
    const { stateDelta, artifactDelta, transferToAgent } = event.actions;
    frames.push({ kind: 'state', stateDelta, artifactDelta, transferToAgent, ...place });
  }
  const { errorCode: code, errorMessage: message = '' } = event;
  const retried = isRetried(event) ? true : undefined;
  if (code !== undefined) frames.push({ kind: 'error', code, message, retried, ...place });
  const last = frames.at(-1);
  if (event.partial || last === undefined) return frames;
  return [...frames.slice(0, -1), { ...last, event: eventJson(event) } as Frame];
}

function placeOf({ invocationId, id: eventId, author, timestamp, nodeInfo, isolationScope }: Event) {
  return { invocationId, eventId, author, timestamp, path: nodeInfo?.path, scope: isolationScope };
}

function framesOfPart(part: Part, event: Event, requested: ReadonlySet<string>): object[] {
  const partial = event.partial ? true : undefined;
  const { text, thought, inlineData, fileData, functionCall, functionResponse } = part;
  if (functionCall !== undefined) return callFrames(functionCall, partial, requested);
  if (functionResponse !== undefined) return [responseFrame(functionResponse, event)];
  if (text !== undefined) return text === '' ? [] : [{ kind: 'text', text, thought, partial }];
  if (inlineData !== undefined) {
    const { mimeType = 'application/octet-stream', data = '', displayName: name } = inlineData;
    return [{ kind: 'file', mimeType, data, name, partial }];
  }
  if (fileData !== undefined) {
    const { mimeType = 'application/octet-stream', fileUri: uri = '', displayName: name } = fileData;
    return [{ kind: 'file', mimeType, uri, name, partial }];
  }
  return codeFrames(part, partial);
}

/** The synthetic call of a request is told by the frame of the request. */
function callFrames(
  { id = '', name: tool = '', args = {} }: FunctionCall,
  partial: true | undefined,
  requested: ReadonlySet<string>,
): object[] {
  return requested.has(id) ? [] : [{ kind: 'call', id, tool, args, partial }];
}

function responseFrame(response: FunctionResponse, event: Event): object {
  const { id = '', name: tool = '', response: value = {}, willContinue } = response;
  const kind = event.author === 'user' ? 'answer' : 'result';
  return { kind, id, tool, response: value, willContinue, ui: uiIn(event, id) };
}

/** Code that the model's provider ran, and its output, as texts. */
function codeFrames({ executableCode, codeExecutionResult }: Part, partial: true | undefined): object[] {
  const text = executableCode?.code ?? codeExecutionResult?.output;
  return text === undefined ? [] : [{ kind: 'text', text, partial }];
}

function changesState({ actions }: Event): boolean {
  const { stateDelta, artifactDelta, transferToAgent } = actions;
  return (
    transferToAgent !== undefined ||
    Object.keys(stateDelta).length > 0 ||
    Object.keys(artifactDelta).length > 0
  );
}

/** How a run ended: its result, or the error that it threw. */
export type RunEnding<Output = unknown> =
  | { readonly result: RunResult<Output> }
  | { readonly error: unknown; readonly invocationId: string; readonly sessionId: string };

/** The ending of a run whose events have been read. Never rejects. */
export async function endingOf(run: Run<unknown>, sessionId: string): Promise<RunEnding> {
  try {
    return { result: await run };
  } catch (error) {
    return { error, invocationId: run.invocationId, sessionId };
  }
}

/** The last frame of a run. */
export function endFrame(ending: RunEnding): EndFrame {
  if ('error' in ending) return failedFrame(ending);
  const { status, text, output, pending, undo, error, invocationId, sessionId, events } = ending.result;
  const isCancelled = events.at(-1)?.errorCode === 'CANCELLED';
  return {
    kind: 'end',
    status: isCancelled ? 'cancelled' : status,
    invocationId,
    sessionId,
    text,
    output: output === text ? undefined : output,
    pending,
    undo,
    error: error && faultOf(error),
  };
}

function failedFrame(ending: Extract<RunEnding, { error: unknown }>): EndFrame {
  const { error, invocationId, sessionId } = ending;
  const fault = faultOf(error);
  const status = fault.code === 'CANCELLED' ? 'cancelled' : 'failed';
  return { kind: 'end', status, invocationId, sessionId, text: '', pending: [], error: fault };
}

/** The code and message of an error for a client. Errors without a code may hold anything, so they are not shown. */
export function faultOf(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = describeThrown(error);
  if (code !== undefined) return { code, message: withoutCredentials(message) };
  return { code: 'INTERNAL_ERROR', message: 'The server failed. Its log says why.' };
}
