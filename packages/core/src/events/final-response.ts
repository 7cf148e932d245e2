import type { Content, Part } from '../content/genai-types.js';
import type { Event } from './event.js';

/** True for an answer, for a pause, and for a tool's response that is the answer. */
export function isFinalResponse(event: Event): boolean {
  if (event.actions.skipSummarization === true || event.longRunningToolIds.length > 0) return true;
  if (event.partial || isEndMark(event)) return false;
  return event.content?.parts?.some(isCallOrResponse) !== true && !endsWithCodeResult(event.content);
}

/** Records the end of an agent's run, and says nothing. */
function isEndMark({ actions, content }: Event): boolean {
  return actions.endOfAgent === true && content === undefined;
}

/** True if the content ends with the result of code that the model ran: the model has not answered yet. */
export function endsWithCodeResult(content: Content | undefined): boolean {
  return Boolean(content?.parts?.at(-1)?.codeExecutionResult);
}

function isCallOrResponse(part: Part): boolean {
  return part.functionCall !== undefined || part.functionResponse !== undefined;
}

/** The text of an event that is an answer: what was said, or the results of tools that stand for it. */
export function answerTextOf(event: Event): string | undefined {
  if (!event.isFinalResponse) return undefined;
  if (event.text !== '') return event.text;
  const results = event.functionResponses.map(({ response }) => resultText(response));
  return event.actions.skipSummarization === true && results.length > 0 ? results.join('\n') : undefined;
}

/** The text of a result that is one, else its JSON; a value that was wrapped to be an object is unwrapped. */
function resultText(response: Readonly<Record<string, unknown>> | undefined): string {
  if (!response) return '';
  const [key = '', ...others] = Object.keys(response);
  const isWrapped = others.length === 0 && (key === 'result' || key === 'text');
  const value = isWrapped ? response[key] : response;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
