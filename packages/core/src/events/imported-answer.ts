import type { Content, FunctionResponse } from './genai-types.js';
import { isRequestName } from './pending-request.js';

/** The key of an answer that came with the log of another store, whose word nobody can vouch for: it approves nothing. */
const IMPORTED = 'imported';

/** True for an answer that was imported: a call that has not run asks again. A rejection holds all the same. */
export function isImported(response: Readonly<Record<string, unknown>>): boolean {
  return response[IMPORTED] === true;
}

/** Marks the answers to requests in a message. */
export function withImportedAnswers({ parts = [], ...content }: Content): Content {
  return {
    ...content,
    parts: parts.map((part) =>
      part.functionResponse ? { ...part, functionResponse: marked(part.functionResponse) } : part,
    ),
  };
}

function marked(answer: FunctionResponse): FunctionResponse {
  const { name, response } = answer;
  if (!isRequestName(name)) return answer;
  return { ...answer, response: { ...response, [IMPORTED]: true } };
}
