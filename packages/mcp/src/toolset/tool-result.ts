import { type Part, type ToolContext, ToolError } from '@adorn/core';
import { type ArgumentCheck } from '@adorn/core/backend';

import { cleanText } from './clean-text.js';

/** What a server answered to a call, as it came. */
export type RawResult = Readonly<Record<string, unknown>>;

type Block = Readonly<Record<string, unknown>>;

/** The longest text of an error that the model is told, in characters. */
const LONGEST_ERROR = 16_384;

/**
 * The response to the model: structured content as it is, text under `result`, and mixed content as a list. Images,
 * audio and binary resources are saved as artifacts, and the response holds their names wherever the server repeats their data.
 * The call has run: what does not fit the server's own schema is passed on, with a `note` that says so.
 *
 * @throws {ToolError} with the server's text if the server says that the call failed
 */
export async function responseOf(
  result: RawResult,
  context: ToolContext,
  checkOutput: ArgumentCheck | undefined,
): Promise<Record<string, unknown>> {
  const blocks = blocksOf(result);
  if (result['isError'] === true) throw new ToolError(errorText(blocks));
  const structured = result['structuredContent'];
  const note = noteOn(structured, checkOutput);
  const texts = blocks.map(textOf);
  if (texts.every((text) => text !== undefined)) {
    const result = texts.join('\n');
    if (note !== undefined)
      return { note, result, ...(structured !== undefined && { structuredContent: structured }) };
    if (isRecord(structured)) return { ...structured };
    return { result: structured === undefined ? result : structured };
  }
  const content: unknown[] = [];
  const saved: SavedData[] = [];
  for (const [index, block] of blocks.entries())
    content.push(await keptBlock(block, index, { context, saved }));
  const response = { content, ...(structured !== undefined && { structuredContent: structured }) };
  return { ...(note !== undefined && { note }), ...(withoutData(response, saved) as typeof response) };
}

function blocksOf({ content }: RawResult): Block[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function errorText(blocks: readonly Block[]): string {
  const text = blocks.map((block) => textOf(block) ?? `[${String(block['type'])}]`).join('\n');
  return cleanText(text, LONGEST_ERROR) || 'The MCP server said that the call failed, and nothing else.';
}

/** What is wrong with the structured content of a call that has run, by what the server itself declares; undefined if it fits. */
function noteOn(structured: unknown, check: ArgumentCheck | undefined): string | undefined {
  if (check === undefined) return undefined;
  if (!isRecord(structured))
    return 'The call has run. The MCP server answered without the structured content that it declares.';
  const checked = check(structured);
  if (checked.kind === 'valid') return undefined;
  const problems = checked.problems.map((problem) =>
    problem.replace(' is not a parameter', ' is not declared'),
  );
  return `The call has run. The structured content does not fit the schema of the MCP server: ${problems.join('; ')}.`;
}

/** Data that was saved as an artifact. */
interface SavedData {
  readonly data: string;
  readonly artifact: string;
}

/** Shorter data is left where it is: it may be a text that only looks like it. */
const SHORTEST_DATA = 64;

/** A copy in which saved data that the server repeats, such as in structured content, is replaced by the name of its artifact. */
function withoutData(value: unknown, saved: readonly SavedData[]): unknown {
  if (typeof value === 'string') {
    let text = value;
    for (const { data, artifact } of saved)
      if (data.length >= SHORTEST_DATA) text = text.replaceAll(data, `[the artifact ${artifact}]`);
    return text;
  }
  if (Array.isArray(value)) return value.map((one) => withoutData(one, saved));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutData(one, saved)]));
}

/** The text of a block; undefined if it is something else. */
function textOf({ type, text }: Block): string | undefined {
  return type === 'text' && typeof text === 'string' ? text : undefined;
}

/** Where the data of blocks goes. */
interface Keeping {
  readonly context: ToolContext;
  /** Takes the data that was saved. */
  readonly saved: SavedData[];
}

/** A block as the model reads it: data in it becomes an artifact. */
async function keptBlock(block: Block, index: number, keeping: Keeping): Promise<unknown> {
  const { type, data, mimeType, resource } = block;
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { type, mimeType, ...(await save(data, mimeType, index, keeping)) };
  if (type === 'resource' && isRecord(resource) && typeof resource['blob'] === 'string') {
    const { blob, ...told } = resource;
    return { type, resource: { ...told, ...(await save(blob, resource['mimeType'], index, keeping)) } };
  }
  return block;
}

/** Saves data as an artifact and tells its name, or why it could not be saved. */
async function save(
  data: string,
  mimeType: unknown,
  index: number,
  { context, saved }: Keeping,
): Promise<Record<string, unknown>> {
  const artifact = `mcp/${context.functionCallId}/${String(index)}`;
  const type = typeof mimeType === 'string' && mimeType !== '' ? mimeType : 'application/octet-stream';
  const part: Part = { inlineData: { data, mimeType: type } };
  saved.push({ data, artifact });
  try {
    return { artifact, version: await context.saveArtifact(artifact, part) };
  } catch (error) {
    context.logger.error('the content of an MCP server could not be saved as an artifact', {
      artifact,
      error,
    });
    return { error: 'The data could not be saved.' };
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
