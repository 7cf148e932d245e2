import type { Part } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import { isRequestName } from '../events/request-names.js';

/** Characters of one call's arguments, or of one result, that a summarizer reads. */
const LONGEST_VALUE = 4000;

/** What was said and done, a line for each; thoughts, talk about permissions and credentials, and bytes are left out. */
export function transcriptOf(events: readonly Event[]): string {
  return events.flatMap(linesOf).join('\n');
}

function linesOf({ author, content, actions }: Event): string[] {
  const { compaction } = actions;
  if (compaction === undefined) return (content?.parts ?? []).flatMap((part) => lineOf(author, part));
  return (compaction.compactedContent.parts ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
}

function lineOf(author: string, { text, thought, functionCall, functionResponse, ...rest }: Part): string[] {
  if (thought === true) return [];
  if (text !== undefined) return text.trim() === '' ? [] : [`${author}: ${text}`];
  if (functionCall !== undefined) {
    const { name, args } = functionCall;
    return isRequestName(name) ? [] : [`${author} called ${name ?? ''} with ${shortJson(args)}`];
  }
  if (functionResponse !== undefined) {
    const { name, response } = functionResponse;
    return isRequestName(name) ? [] : [`${name ?? ''} returned ${shortJson(response)}`];
  }
  const mimeType = rest.inlineData?.mimeType ?? rest.fileData?.mimeType;
  return mimeType === undefined ? [] : [`${author} sent a file of the type ${mimeType}`];
}

function shortJson(value: unknown): string {
  const json = JSON.stringify(value ?? {});
  return json.length <= LONGEST_VALUE ? json : `${json.slice(0, LONGEST_VALUE)}… (cut)`;
}
