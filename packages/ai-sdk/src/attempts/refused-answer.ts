import { isJsonObject } from '../is-json-object.js';

/** What a model wrote, and its provider refused: a slip of the model, not a fault of the request. */
export interface RefusedAnswer {
  /** The finish reason, in Gemini's words. */
  readonly reason: 'MALFORMED_FUNCTION_CALL' | 'MALFORMED_RESPONSE';
  /** The message of the provider. */
  readonly message: string;
  /** What the model wrote, if the provider says it. */
  readonly written: string | undefined;
}

/** Errors by the provider's code. All of Groq. */
const CODES: Readonly<Record<string, RefusedAnswer['reason']>> = {
  tool_use_failed: 'MALFORMED_FUNCTION_CALL',
  json_validate_failed: 'MALFORMED_RESPONSE',
  output_parse_failed: 'MALFORMED_RESPONSE',
};

/** Errors by their message: packages drop the code of an error within a stream, and some providers give none. */
const MESSAGES: readonly (readonly [RegExp, RefusedAnswer['reason']])[] = [
  // Groq.
  [/^failed to call a function\b/i, 'MALFORMED_FUNCTION_CALL'],
  [/^tool call validation failed\b/i, 'MALFORMED_FUNCTION_CALL'],
  [/^failed to (?:generate|validate) json\b/i, 'MALFORMED_RESPONSE'],
  [/^parsing failed\. the model generated output\b/i, 'MALFORMED_RESPONSE'],
  // Ollama.
  [/^error parsing tool call\b/i, 'MALFORMED_FUNCTION_CALL'],
  // Amazon Nova.
  [/^model produced invalid sequence as part of tooluse\b/i, 'MALFORMED_FUNCTION_CALL'],
];

/** The refused answer that an error of a provider tells of; undefined for any other error. */
export function refusedAnswerIn(error: Readonly<Record<string, unknown>>): RefusedAnswer | undefined {
  for (const told of [...bodiesOf(error), error]) {
    const { code, type, message, failed_generation: written } = told;
    const text = typeof message === 'string' ? message : '';
    const reason = reasonOf(code) ?? reasonOf(type) ?? MESSAGES.find(([form]) => form.test(text))?.[1];
    if (reason !== undefined)
      return { reason, message: text, written: typeof written === 'string' ? written : undefined };
  }
  return undefined;
}

function reasonOf(name: unknown): RefusedAnswer['reason'] | undefined {
  return typeof name === 'string' && Object.hasOwn(CODES, name) ? CODES[name] : undefined;
}

/** The error objects in the body of an answer: as it was sent, then as the package has read it. */
function bodiesOf({ responseBody, data }: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  return [parsed(responseBody), data].flatMap((body) => {
    if (!isJsonObject(body)) return [];
    const { error } = body;
    if (typeof error === 'string') return [{ message: error }];
    return isJsonObject(error) ? [error] : [{ ...body }];
  });
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
