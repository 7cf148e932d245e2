import type { RecordedResponse } from '@adorn/testing';

import { verdictOf } from './finish-reason.js';
import type { Json, RecordedContent, RecordedPart } from './gemini-json.js';
import { joinedParts } from './joined-parts.js';
import { type RecordedAnswer, readAnswer } from './read-answer.js';

/** What the event that a recorded answer becomes must hold. */
export interface ExpectedEvent {
  /** The error codes it may bear; undefined stands for none. */
  readonly errorCodes: readonly (string | undefined)[];
  /** What the error's message must contain. */
  readonly message?: string;
  /** What was said; where the answer may not be used it may be kept or left out. */
  readonly parts: readonly RecordedPart[];
  readonly finishReason?: string | undefined;
  readonly usageMetadata?: Json | undefined;
  readonly groundingMetadata?: Json | undefined;
  readonly citations?: readonly Json[] | undefined;
  readonly modelVersion?: string | undefined;
}

interface Candidate {
  readonly content?: RecordedContent;
  readonly finishReason?: string;
  readonly groundingMetadata?: Json;
  readonly citationMetadata?: {
    readonly citations?: readonly Json[];
    readonly citationSources?: readonly Json[];
  };
}

interface Chunk {
  readonly candidates?: readonly Candidate[];
  readonly promptFeedback?: { readonly blockReason?: string; readonly blockReasonMessage?: string };
  readonly usageMetadata?: Json;
  readonly modelVersion?: string;
}

interface AnswerEnd {
  readonly chunks: readonly Chunk[];
  /** The candidate with the finish reason. */
  readonly end: Candidate | undefined;
  /** The answer holds a part that is neither a thought nor a blank text. */
  readonly isSaid: boolean;
  readonly streamed: boolean;
}

/** Derives the event from the answer alone, by rules that know no file. */
export function expectEvent(response: RecordedResponse): ExpectedEvent {
  const answer = readAnswer(response);
  switch (answer.kind) {
    case 'refused':
      return { errorCodes: [codeOfRefusal(answer)], message: answer.message, parts: [] };
    case 'malformed':
      return { errorCodes: ['MALFORMED_RESPONSE', 'EMPTY_RESPONSE'], parts: [] };
    case 'broken':
      return { errorCodes: ['STREAM_INTERRUPTED', 'MALFORMED_RESPONSE', 'MODEL_FAILED'], parts: [] };
    case 'answered':
      return expectAnswer(answer.chunks, response.stream);
  }
}

/** A model that is not there, a key that is not taken, anything else. */
function codeOfRefusal({ status, message }: RecordedAnswer & { kind: 'refused' }): string {
  if (status === 404) return 'MODEL_NOT_FOUND';
  const isOfTheKey = status === 401 || status === 403 || (status === 400 && /api[ _]key/i.test(message));
  return isOfTheKey ? 'MODEL_UNAVAILABLE' : 'MODEL_FAILED';
}

function expectAnswer(chunks: readonly Chunk[], streamed: boolean): ExpectedEvent {
  const candidates = chunks.flatMap(({ candidates = [] }) => candidates.slice(0, 1));
  const parts = joinedParts(candidates.flatMap(({ content }) => content?.parts ?? []));
  const isSaid = parts.some(({ text, thought }) => thought !== true && text?.trim() !== '');
  const ended = candidates.filter(({ finishReason }) => finishReason !== undefined);
  const end = ended.find(({ finishReason }) => verdictOf(finishReason) === 'blocked') ?? ended.at(-1);
  const citations = candidates.flatMap(
    ({ citationMetadata: said }) => said?.citations ?? said?.citationSources ?? [],
  );
  const grounding = candidates.flatMap(({ groundingMetadata = {} }) => Object.entries(groundingMetadata));
  return {
    ...expectFault({ chunks, end, isSaid, streamed }),
    parts,
    finishReason: end?.finishReason,
    usageMetadata: chunks.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.usageMetadata,
    groundingMetadata: grounding.length > 0 ? Object.fromEntries(grounding) : undefined,
    citations: citations.length > 0 ? withoutRepeats(citations) : undefined,
    modelVersion: chunks.findLast(({ modelVersion }) => modelVersion !== undefined)?.modelVersion,
  };
}

/** The prompt or the answer was blocked, the stream ended without a finish reason, or nothing was said. */
function expectFault({
  chunks,
  end,
  isSaid,
  streamed,
}: AnswerEnd): Pick<ExpectedEvent, 'errorCodes' | 'message'> {
  const block = chunks
    .map(({ promptFeedback }) => promptFeedback)
    .find((feedback) => feedback?.blockReason !== undefined);
  if (block) return { errorCodes: [block.blockReason], message: block.blockReasonMessage ?? '' };
  const finishReason = end?.finishReason;
  const verdict = verdictOf(finishReason);
  if (verdict === 'blocked') return { errorCodes: [finishReason] };
  if (isSaid && streamed && finishReason === undefined) return { errorCodes: ['STREAM_INTERRUPTED'] };
  if (isSaid) return { errorCodes: verdict === 'unknown' ? [undefined, finishReason] : [undefined] };
  const isPlainEnd =
    finishReason === undefined || finishReason === 'STOP' || finishReason === 'FINISH_REASON_UNSPECIFIED';
  return { errorCodes: [isPlainEnd ? 'EMPTY_RESPONSE' : finishReason] };
}

function withoutRepeats(citations: readonly Json[]): Json[] {
  return [...new Map(citations.map((citation) => [JSON.stringify(citation), citation])).values()];
}
