import type { Event } from 'adorn';

import { findDifference } from '../find-difference.js';
import type { ExpectedEvent } from './expected-event.js';
import type { RecordedPart } from './gemini-json.js';
import { joinedParts } from './joined-parts.js';

type Compared = Pick<
  Event,
  'content' | 'errorCode' | 'errorMessage' | 'finishReason' | 'usageMetadata' | 'groundingMetadata'
> &
  Pick<Event, 'citationMetadata' | 'modelVersion' | 'turnComplete' | 'functionCalls'>;

/** The ids that Adorn gives to calls; the model knows nothing of them. */
const OWN_ID = 'adk-';

/** What is wrong with the event that a recorded answer became; undefined where nothing is. */
export function faultOfEvent(expected: ExpectedEvent, event: Compared | undefined): string | undefined {
  if (!event) return 'there was no event';
  return faultOfError(expected, event) ?? faultOfParts(expected, event) ?? faultOfFacts(expected, event);
}

function faultOfError({ errorCodes, message = '' }: ExpectedEvent, event: Compared): string | undefined {
  const { errorCode, errorMessage = '' } = event;
  if (!errorCodes.includes(errorCode)) {
    return `expected ${errorCodes.map(nameOf).join(' or ')}, got ${nameOf(errorCode)}: ${errorMessage}`;
  }
  if (errorCode === undefined) return undefined;
  if (errorMessage === '') return `the event bears ${errorCode} without a word`;
  return errorMessage.includes(message) ? undefined : `the message lacks "${message}": ${errorMessage}`;
}

/** Of an answer that may not be used, what was said may be missing, but not be something else. */
function faultOfParts({ parts }: ExpectedEvent, { content, errorCode }: Compared): string | undefined {
  if (errorCode !== undefined && !content) return undefined;
  if (!content) return parts.length === 0 ? 'the event has no content' : 'what was said is lost';
  if (content.role !== 'model') return `the role is ${content.role ?? 'absent'}`;
  return findDifference(parts, joinedParts(partsOf(content)), '$.parts');
}

function faultOfFacts(expected: ExpectedEvent, event: Compared): string | undefined {
  const { finishReason, usageMetadata, groundingMetadata, citations, modelVersion } = expected;
  const calls = expected.parts.filter(({ functionCall }) => functionCall !== undefined).length;
  return findDifference(
    { finishReason, usageMetadata, groundingMetadata, citations, modelVersion, turnComplete: calls === 0 },
    {
      finishReason: event.finishReason,
      usageMetadata: event.usageMetadata,
      groundingMetadata: event.groundingMetadata,
      citations: event.citationMetadata?.citations,
      modelVersion: event.modelVersion,
      turnComplete: event.turnComplete,
    },
    '$event',
  );
}

function partsOf({ parts = [] }: NonNullable<Event['content']>): RecordedPart[] {
  return (parts as readonly RecordedPart[]).map((part) =>
    part.functionCall?.id?.startsWith(OWN_ID) === true
      ? { ...part, functionCall: withoutId(part.functionCall) }
      : part,
  );
}

function withoutId({ id: _own, ...call }: NonNullable<RecordedPart['functionCall']>) {
  return call;
}

function nameOf(code: string | undefined): string {
  return code ?? 'no error';
}
