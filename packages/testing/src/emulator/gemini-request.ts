import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** One request that reached the emulator. */
export interface GeminiRequest {
  /** The path with its query, as it was sent. */
  readonly path: string;
  /** `v1beta`, `v1beta1`, … */
  readonly apiVersion: string;
  /** The model's bare name, such as `gemini-2.5-flash`. */
  readonly model: string;
  readonly stream: boolean;
  /** As Node gives them, the key among them: assert on single ones, never print them whole. */
  readonly headers: IncomingHttpHeaders;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
}

const PATH =
  /^\/+(?<version>[^/]+)\/(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?(?:models|tunedModels|endpoints)\/(?<model>[^/:]+):(?<verb>generateContent|streamGenerateContent|batchEmbedContents|predict)(?:\?|$)/;

/** Reads a complete request; undefined if the emulator does not support it. */
export async function readGeminiRequest(incoming: IncomingMessage): Promise<GeminiRequest | undefined> {
  const text = await readText(incoming);
  const path = incoming.url ?? '';
  const found = PATH.exec(path)?.groups;
  const body = parseObject(text);
  if (incoming.method !== 'POST' || found === undefined || body === undefined) return undefined;
  return {
    path,
    apiVersion: found['version'] ?? '',
    model: decodeURIComponent(found['model'] ?? ''),
    stream: found['verb'] === 'streamGenerateContent',
    headers: incoming.headers,
    body,
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
