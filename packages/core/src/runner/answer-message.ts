import type { Content } from '../content/genai-types.js';
import {
  type AddressedRequest,
  REQUEST_CONFIRMATION,
  REQUEST_CREDENTIAL,
} from '../events/pending-request.js';
import type { AnswerOptions, ResultOptions } from './run-input.js';

/** An answer to a request as the message that any client would send, with who gave it, how and when. */
export function answerMessage(
  request: AddressedRequest,
  response: Record<string, unknown>,
  { by = request.userId, channel, willContinue }: AnswerOptions & ResultOptions,
): Content {
  const decision = request.kind === 'result' ? response : { ...response, by, channel, at: Date.now() / 1000 };
  const given = Object.fromEntries(Object.entries(decision).filter(([, value]) => value !== undefined));
  return {
    role: 'user',
    parts: [
      {
        functionResponse: {
          id: request.id,
          name: nameOf(request),
          response: given,
          ...(willContinue !== undefined && { willContinue }),
        },
      },
    ],
  };
}

function nameOf({ kind, tool }: AddressedRequest): string {
  if (kind === 'result') return tool;
  return kind === 'confirmation' ? REQUEST_CONFIRMATION : REQUEST_CREDENTIAL;
}
