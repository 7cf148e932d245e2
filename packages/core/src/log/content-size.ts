import type { Content, GenerateContentConfig } from '../events/genai-types.js';

/** The size that a file counts with, whatever its bytes: images cost models about as much as 1,500 tokens of text. */
const FILE_SIZE = 6_000;

/** Audio and video cost about one token for each 500 bytes of base64. */
const MEDIA_SHARE = 125;

/** What a value takes beside its texts: quotes, commas, and the names of a provider's wire. */
const OVERHEAD = 4;

const contents = new WeakMap<object, number>();

/** The size of a content in bytes of text, measured once. Files count with what they cost a model. */
export function sizeOfContent(content: Content): number {
  return cached(content);
}

/** The size of a response of a call, as of a content. */
export function sizeOfValue(value: unknown): number {
  return measured(value);
}

/** The size of the system instruction, the declarations and the schema of a request. */
export function sizeOfConfig({
  systemInstruction,
  tools,
  responseJsonSchema,
}: GenerateContentConfig): number {
  const schema =
    typeof responseJsonSchema === 'object' && responseJsonSchema !== null ? responseJsonSchema : undefined;
  const parts = [tools, schema].reduce((sum, part) => sum + (part === undefined ? 0 : cached(part)), 0);
  return parts + measured(systemInstruction);
}

function cached(value: object): number {
  let size = contents.get(value);
  if (size === undefined) contents.set(value, (size = measured(value)));
  return size;
}

function measured(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return Buffer.byteLength(value) + OVERHEAD;
    case 'number':
    case 'bigint':
    case 'boolean':
      return OVERHEAD;
    case 'object':
      return value === null ? OVERHEAD : measuredObject(value);
    default:
      return 0;
  }
}

function measuredObject(value: object): number {
  if (Array.isArray(value)) return value.reduce((sum: number, element) => sum + measured(element), OVERHEAD);
  const { mimeType, data, fileUri } = value as {
    readonly [Name in 'mimeType' | 'data' | 'fileUri']?: unknown;
  };
  if (typeof mimeType === 'string' && typeof data === 'string') return sizeOfFile(mimeType, data);
  if (typeof fileUri === 'string') return FILE_SIZE;
  let size = OVERHEAD;
  for (const [key, member] of Object.entries(value)) size += key.length + measured(member);
  return size;
}

function sizeOfFile(mimeType: string, data: string): number {
  if (mimeType.startsWith('image/')) return FILE_SIZE;
  if (/^(?:audio|video)\//.test(mimeType)) return FILE_SIZE + data.length / MEDIA_SHARE;
  return data.length;
}
