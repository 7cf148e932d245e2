/** What `JSON.stringify` writes without line breaks: any value but undefined and functions. */
type Json = string | number | boolean | object | null;

/**
 * Writes one server-sent event. All streams are written by this function.
 *
 * @param data written as JSON, which has no line breaks
 * @param id at which a client continues. One with a line break or another character that a header cannot send back is left out
 */
export function serverSentEvent(data: Json, id?: string): string {
  const line = id !== undefined && /^[\x21-\x7e]+$/.test(id) ? `id: ${id}\n` : '';
  return `${line}data: ${JSON.stringify(data)}\n\n`;
}

/** The last event of a stream of the AI SDK, which is no JSON. */
export const DONE_EVENT = 'data: [DONE]\n\n';
