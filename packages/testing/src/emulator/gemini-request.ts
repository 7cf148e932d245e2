import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { Wire } from './wires/wire.js';

/** One request that reached the emulator. */
export interface GeminiRequest {
  /** The path with its query, as it was sent. */
  readonly path: string;
  /** `v1beta`, `v1`, … */
  readonly apiVersion: string;
  /** The model's bare name, such as `gemini-2.5-flash`. */
  readonly model: string;
  readonly stream: boolean;
  /** As Node gives them, the key among them: assert on single ones, never print them whole. */
  readonly headers: IncomingHttpHeaders;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The body of a request, if it is a JSON object. */
export async function readBody(
  incoming: IncomingMessage,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return parseObject(await readText(incoming));
}

/** Reads a request by the first wire format that recognises it; undefined if none does. */
export function readRequest(
  incoming: IncomingMessage,
  body: Readonly<Record<string, unknown>> | undefined,
  wires: readonly Wire[],
): { readonly request: GeminiRequest; readonly wire: Wire } | undefined {
  const path = incoming.url ?? '';
  if (incoming.method !== 'POST' || !body) return undefined;
  for (const wire of wires) {
    const target = wire.read(path, body);
    if (target) return { request: { path, ...target, headers: incoming.headers, body }, wire };
  }
  return undefined;
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
