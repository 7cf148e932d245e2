import { OpenApiDocumentError } from '../errors.js';

/** How many values may come from aliases of YAML: some multiply a small text. */
const MOST_ALIASES = 10_000;

/** The maximum length of a parser's message. */
const LONGEST_FAULT = 200;

/**
 * Parses JSON or YAML. JSON is YAML as well, and the parser of YAML tells the line of a fault.
 *
 * @param label the document or the file, for messages
 * @throws {OpenApiDocumentError}
 */
export async function parseText(text: string, label: string): Promise<unknown> {
  if (text.trim() === '') throw new OpenApiDocumentError(label, 'it is empty', 'Check the text.');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { parse } = await import('yaml');
    try {
      return parse(text, { merge: true, maxAliasCount: MOST_ALIASES }) as unknown;
    } catch (cause) {
      const [first = ''] = (cause as Error).message.split('\n');
      const fault = `it is neither JSON nor YAML: ${first.replace(/:$/, '').slice(0, LONGEST_FAULT)}`;
      throw new OpenApiDocumentError(label, fault, 'Check the text.', { cause });
    }
  }
}
