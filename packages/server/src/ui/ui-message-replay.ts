import type { UiMessage } from './ui-message-history.js';

type Part = UiMessage['parts'][number];

/** A chunk of a UI message stream, as `useChat` of the AI SDK 5 and later reads it. */
export type Chunk = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * The chunks that make a message anew, from its start to where a run goes on with it. A page follows a run by a message of its own,
 * which has to hold the calls whose results come.
 */
export function* replayed({ id, parts }: UiMessage): Generator<Chunk> {
  yield { type: 'start', messageId: id };
  let isInStep = false;
  for (const [index, part] of parts.entries()) {
    if (part['type'] !== 'step-start') yield* chunksOf(part, index);
    else {
      if (isInStep) yield { type: 'finish-step' };
      isInStep = true;
      yield { type: 'start-step' };
    }
  }
  if (isInStep) yield { type: 'finish-step' };
}

function* chunksOf(part: Part, index: number): Generator<Chunk> {
  switch (part['type']) {
    case 'text':
    case 'reasoning': {
      const { type, text: delta } = part;
      const id = `${type}-before-${String(index)}`;
      yield { type: `${type}-start`, id };
      yield { type: `${type}-delta`, id, delta };
      yield { type: `${type}-end`, id };
      break;
    }
    case 'file':
      yield { type: 'file', mediaType: part['mediaType'], url: part['url'] };
      break;
    case 'dynamic-tool':
      yield* callChunks(part);
      break;
    default:
      yield { type: String(part['type']), id: part['id'], data: part['data'] };
  }
}

/** The approval of a part, while it is requested. */
interface Approval {
  readonly id: string;
  readonly reason?: string;
  readonly descriptor?: unknown;
}

/** A call whose request was answered runs: its result comes with the run. */
function* callChunks({ toolCallId, toolName, input, state, approval, ...outcome }: Part): Generator<Chunk> {
  yield { type: 'tool-input-available', toolCallId, toolName, input, dynamic: true };
  const { output, errorText, toolMetadata } = outcome;
  switch (state) {
    case 'approval-requested': {
      const { id: approvalId, reason, descriptor: approvalDescriptor } = approval as Approval;
      yield { type: 'tool-approval-request', approvalId, toolCallId, reason, approvalDescriptor };
      break;
    }
    case 'output-available':
      yield { type: 'tool-output-available', toolCallId, output, dynamic: true, toolMetadata };
      break;
    case 'output-error':
      yield { type: 'tool-output-error', toolCallId, errorText };
      break;
    case 'output-denied':
      yield { type: 'tool-output-denied', toolCallId };
      break;
    default:
  }
}
