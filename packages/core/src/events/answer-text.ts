import type { Event } from './event.js';

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
