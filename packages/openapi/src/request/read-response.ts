import type { ToolContext } from '@adorn/core';

import type { Operation, Parameter } from '../document/operation.js';
import { decodeText, kindOfMedia } from '../document/media-kind.js';

/** What a call of an operation gives to the model. */
export interface OperationResult {
  /** The HTTP status code, also of a failed call. */
  readonly status: number;
  /** The body: JSON as it is, another text as a text; null if it is empty. Bytes are saved as an artifact. */
  readonly body: unknown;
  /** The arguments of the next page, where the response links to it. */
  readonly next?: Readonly<Record<string, string>>;
  /** Where a redirect leads that was not followed. */
  readonly location?: string;
}

/** Reads a response. The limits of size and time are those of the fetch that gave it. */
export async function readResponse(
  response: Response,
  { name, parameters }: Pick<Operation, 'name' | 'parameters'>,
  context: ToolContext,
): Promise<OperationResult> {
  const { status, headers } = response;
  const next = nextPage(response, parameters);
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  return {
    status,
    body: await readBody(response, name, context),
    ...(next !== undefined && { next }),
    ...(location !== null && { location }),
  };
}

async function readBody(response: Response, tool: string, context: ToolContext): Promise<unknown> {
  const mediaType = response.headers.get('content-type') ?? '';
  const kind = kindOfMedia(mediaType || 'text/plain');
  if (kind === 'bytes' || kind === 'multipart') return saveBytes(response, { tool, mediaType }, context);
  const text = decodeText(await response.arrayBuffer(), mediaType);
  if (text === '') return null;
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A model reads no bytes: it learns where they are. */
async function saveBytes(
  response: Response,
  { tool, mediaType }: { readonly tool: string; readonly mediaType: string },
  context: ToolContext,
): Promise<unknown> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length === 0) return null;
  const mimeType = mediaType.split(';')[0]?.trim() ?? 'application/octet-stream';
  const artifact = `${tool}/${context.functionCallId}`;
  const described = { mimeType, bytes: bytes.length };
  try {
    await context.saveArtifact(artifact, { inlineData: { mimeType, data: bytes.toString('base64') } });
    return { artifact, ...described };
  } catch (error) {
    context.logger.error('the body of a response could not be kept', { tool, error });
    return { ...described, note: 'The bytes could not be kept.' };
  }
}

/** What the link to the next page asks for, in the names of the tool's arguments (RFC 8288). */
function nextPage(
  { headers, url }: Response,
  parameters: readonly Parameter[],
): Readonly<Record<string, string>> | undefined {
  const target = linkTarget(headers.get('link') ?? '');
  if (target === undefined || !URL.canParse(target, url)) return undefined;
  const asked = new URL(target, url).searchParams;
  const before = new URL(url).searchParams;
  const changed = parameters
    .filter(({ place, name }) => place === 'query' && asked.has(name) && asked.get(name) !== before.get(name))
    .map(({ argument, name }) => [argument, asked.get(name) ?? ''] as const);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** The longest Link header that is read. */
const LONGEST_LINK = 8_192;

function linkTarget(header: string): string | undefined {
  if (header.length > LONGEST_LINK) return undefined;
  for (const link of header.split(/,(?=\s*<)/)) {
    const end = link.indexOf('>');
    const relations = /;\s*rel="?([^";,]*)/i.exec(link.slice(end))?.[1]?.toLowerCase().split(/\s+/) ?? [];
    if (end > 0 && relations.includes('next')) return link.slice(link.indexOf('<') + 1, end);
  }
  return undefined;
}
