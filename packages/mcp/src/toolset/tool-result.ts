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
 * audio and binary resources are saved as artifacts, and the list holds their names.
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
  checkStructured(structured, checkOutput);
  const texts = blocks.map(textOf);
  if (texts.every((text) => text !== undefined)) {
    if (isRecord(structured)) return { ...structured };
    if (structured !== undefined) return { result: structured };
    return { result: texts.join('\n') };
  }
  const content: unknown[] = [];
  for (const [index, block] of blocks.entries()) content.push(await keptBlock(block, index, context));
  return { content, ...(structured !== undefined && { structuredContent: structured }) };
}

function blocksOf({ content }: RawResult): Block[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function errorText(blocks: readonly Block[]): string {
  const text = blocks.map((block) => textOf(block) ?? `[${String(block['type'])}]`).join('\n');
  return cleanText(text, LONGEST_ERROR) || 'The MCP server said that the call failed, and nothing else.';
}

/** Results that do not fit what the server itself declared are not passed on. */
function checkStructured(structured: unknown, check: ArgumentCheck | undefined): void {
  if (check === undefined) return;
  if (!isRecord(structured))
    throw new ToolError('The MCP server answered without the structured content it declares.');
  const checked = check(structured);
  if (checked.kind === 'valid') return;
  throw new ToolError(
    `The MCP server answered with structured content that does not fit its schema: ${checked.problems.join('; ')}.`,
  );
}

/** The text of a block; undefined if it is something else. */
function textOf({ type, text }: Block): string | undefined {
  return type === 'text' && typeof text === 'string' ? text : undefined;
}

/** A block as the model reads it: data in it becomes an artifact. */
async function keptBlock(block: Block, index: number, context: ToolContext): Promise<unknown> {
  const { type, data, mimeType, resource } = block;
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { type, mimeType, ...(await saved(data, mimeType, index, context)) };
  if (type === 'resource' && isRecord(resource) && typeof resource['blob'] === 'string') {
    const { blob, ...told } = resource;
    return { type, resource: { ...told, ...(await saved(blob, resource['mimeType'], index, context)) } };
  }
  return block;
}

/** Saves data as an artifact and tells its name, or why it could not be saved. */
async function saved(
  data: string,
  mimeType: unknown,
  index: number,
  context: ToolContext,
): Promise<Record<string, unknown>> {
  const artifact = `mcp/${context.functionCallId}/${String(index)}`;
  const type = typeof mimeType === 'string' && mimeType !== '' ? mimeType : 'application/octet-stream';
  const part: Part = { inlineData: { data, mimeType: type } };
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
