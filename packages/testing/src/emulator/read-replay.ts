import { readFile } from 'node:fs/promises';

import type { RecordedExchange } from './recorded-exchange.js';
import { recordingUnreadable } from './errors.js';

interface ReplayInteraction {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly bodySegments: Segments;
  };
  readonly response: {
    readonly statusCode: number;
    readonly headers: Headers;
    readonly bodySegments: Segments;
  };
}

type Headers = Readonly<Record<string, string>> | null | undefined;

/** The recorder writes `null` for a body without content. */
type Segments = readonly unknown[] | null | undefined;

/**
 * Reads a replay file of js-genai. It keeps bodies parsed, so the bytes served are the same JSON written anew; the
 * segments of a streamed answer become one event each.
 *
 * @throws SyntaxError naming the file, and the interaction that does not have the form of one.
 */
export async function readReplay(file: string): Promise<RecordedExchange[]> {
  const replay = parse(await readFile(file, 'utf8'));
  const interactions = isObject(replay) ? replay['interactions'] : undefined;
  if (!Array.isArray(interactions)) throw recordingUnreadable(file, 'it has no list of interactions');
  return (interactions as unknown[]).map((interaction, index) => {
    const fault = faultOf(interaction);
    if (fault !== undefined) throw recordingUnreadable(file, `interactions[${String(index)}] ${fault}`);
    return readInteraction(interaction as ReplayInteraction);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function faultOf(interaction: unknown): string | undefined {
  const { request, response } = isObject(interaction) ? interaction : {};
  if (!isObject(request) || typeof request['url'] !== 'string' || typeof request['method'] !== 'string')
    return 'has no request with a method and a url';
  if (!isObject(response) || !Number.isInteger(response['statusCode']))
    return 'has no response with a statusCode';
  for (const [name, { bodySegments = null, headers = null }] of Object.entries({ request, response })) {
    if (bodySegments !== null && !Array.isArray(bodySegments))
      return `has a ${name} whose bodySegments are no list`;
    if (headers !== null && !isObject(headers)) return `has a ${name} whose headers are no object`;
  }
  return undefined;
}

function readInteraction({ request, response }: ReplayInteraction): RecordedExchange {
  const headers = inLowerCase(response.headers);
  const stream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  return {
    request: {
      method: request.method,
      path: request.url,
      headers: inLowerCase(request.headers),
      body: request.bodySegments?.[0],
    },
    response: {
      status: response.statusCode,
      headers,
      body: writeBody(response.bodySegments ?? [], stream),
      stream,
    },
  };
}

function writeBody(segments: readonly unknown[], stream: boolean): Buffer {
  if (!stream) return Buffer.from(segments.length === 0 ? '' : JSON.stringify(segments[0]));
  return Buffer.from(segments.map((segment) => `data: ${JSON.stringify(segment)}\r\n\r\n`).join(''));
}

function inLowerCase(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
