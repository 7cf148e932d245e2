import { callerOf } from '../events/caller.js';
import { isMedia, mediaTypeOf } from '../events/media.js';
import { logOf } from '../events/session.js';
import type { ToolCall } from './tool-call.js';

/** Shorter data is a text that only looks like a file. */
const SHORTEST = 64;

/** The most files of one result that become artifacts. */
const MOST = 20;

/** A file within a result. */
interface FoundFile {
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
  /** What is said beside its data. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** True if a result has an image, audio or a PDF in it. */
export function hasMedia(result: unknown): boolean {
  if (fileIn(result)) return true;
  if (typeof result !== 'object' || result === null) return false;
  return Object.values(result).some(hasMedia);
}

/**
 * A result of a call that a model made, with its images, audio and PDF as artifacts: `{ mimeType, bytes, artifact }`
 * stands for each. The next request shows them. A script and a program get the data itself.
 */
export async function withMediaStored(call: ToolCall, result: unknown): Promise<unknown> {
  if (!isOfModel(call)) return result;
  let count = 0;
  const stored = async (value: unknown): Promise<unknown> => {
    const file = count < MOST ? fileIn(value) : undefined;
    if (file) return (await reference(call, file, count++)) ?? value;
    if (Array.isArray(value)) return inOrder(value, stored);
    if (typeof value !== 'object' || value === null || !hasMedia(value)) return value;
    const values = await inOrder(Object.values(value), stored);
    return Object.fromEntries(Object.keys(value).map((name, index) => [name, values[index]]));
  };
  return stored(result);
}

async function inOrder(
  values: readonly unknown[],
  change: (value: unknown) => Promise<unknown>,
): Promise<unknown[]> {
  const changed: unknown[] = [];
  for (const value of values) changed.push(await change(value));
  return changed;
}

function isOfModel({ agent, invocation, context }: ToolCall): boolean {
  if (agent.isScripted === true) return false;
  const origin = logOf(invocation.session).findLast(({ id }) => id === context.functionCallEventId);
  return origin !== undefined && callerOf(origin) === undefined;
}

/** What stands for a file; undefined if it could not be stored. */
async function reference(
  { id, context, invocation }: ToolCall,
  { mimeType, data, facts }: FoundFile,
  index: number,
): Promise<object | undefined> {
  const artifact = `tool-results/${id}/${String(index)}`;
  try {
    await context.saveArtifact(artifact, { inlineData: { mimeType, data } });
    return { ...facts, mimeType, bytes: Buffer.byteLength(data, 'base64'), artifact };
  } catch (error) {
    invocation.services.logger.error('a file of a result could not be stored', { callId: id, error });
    return undefined;
  }
}

/** Base64 with its media type, as bytes, parts of contents and results of MCP servers have it, or a data URL. */
function fileIn(value: unknown): FoundFile | undefined {
  if (typeof value === 'string') return fileOfUrl(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const { data, mimeType, mediaType = mimeType, ...facts } = value as Readonly<Record<string, unknown>>;
  if (typeof data !== 'string' || typeof mediaType !== 'string' || data.length < SHORTEST) return undefined;
  const type = mediaType === 'application/octet-stream' ? mediaTypeOf(data) : mediaType;
  return type !== undefined && isMedia(type) && isBase64(data) ? { mimeType: type, data, facts } : undefined;
}

const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/i;

function fileOfUrl(text: string): FoundFile | undefined {
  if (!text.startsWith('data:')) return undefined;
  const [beginning = '', mimeType = ''] = DATA_URL.exec(text) ?? [];
  const data = text.slice(beginning.length);
  return isMedia(mimeType) && isBase64(data) ? { mimeType, data, facts: {} } : undefined;
}

function isBase64(data: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
