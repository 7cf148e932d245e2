import { readFile } from 'node:fs/promises';

import type { RecordedExchange, RecordedRequest, RecordedResponse } from './recorded-exchange.js';
import { recordingUnreadable } from './errors.js';

const FIRST_LINE = 'httprr trace v1\n';
const BLANK_LINE = '\r\n\r\n';

/** Reads a file of Go's `httprr`: per exchange a line with two lengths, then that many bytes of each side. */
export async function readHttprr(file: string): Promise<RecordedExchange[]> {
  const bytes = await readFile(file);
  if (!bytes.subarray(0, FIRST_LINE.length).equals(Buffer.from(FIRST_LINE))) {
    throw recordingUnreadable(file, 'it does not begin with "httprr trace v1"');
  }
  const exchanges: RecordedExchange[] = [];
  for (let at = FIRST_LINE.length; at < bytes.length;) {
    const { start, asked, answered } = readLengths(bytes, at, file);
    const middle = start + asked;
    at = middle + answered;
    if (at > bytes.length) throw recordingUnreadable(file, 'it ends in the middle of an exchange');
    exchanges.push({
      request: readRequest(bytes.subarray(start, middle)),
      response: readResponse(bytes.subarray(middle, at)),
    });
  }
  return exchanges;
}

function readLengths(
  bytes: Buffer,
  at: number,
  file: string,
): { start: number; asked: number; answered: number } {
  const end = bytes.indexOf('\n', at);
  const lengths = /^(\d+) (\d+)$/.exec(bytes.toString('latin1', at, end === -1 ? bytes.length : end));
  if (lengths === null) throw recordingUnreadable(file, `there are no lengths at byte ${String(at)}`);
  return { start: end + 1, asked: Number(lengths[1]), answered: Number(lengths[2]) };
}

function readRequest(message: Buffer): RecordedRequest {
  const { firstLine, headers, body } = readMessage(message);
  const [method = '', target = ''] = firstLine.split(' ');
  return { method, path: target.replace(/^https?:\/\/[^/]+/, ''), headers, body: parseJson(body) };
}

function readResponse(message: Buffer): RecordedResponse {
  const { firstLine, headers, body } = readMessage(message);
  const stream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  return { status: Number(firstLine.split(' ')[1]), headers, body, stream };
}

function readMessage(message: Buffer): { firstLine: string; headers: Record<string, string>; body: Buffer } {
  const blank = message.indexOf(BLANK_LINE);
  const head = blank === -1 ? message : message.subarray(0, blank);
  const [firstLine = '', ...lines] = head.toString('latin1').split('\r\n');
  const body = blank === -1 ? Buffer.alloc(0) : message.subarray(blank + BLANK_LINE.length);
  return { firstLine, headers: Object.fromEntries(lines.map(readHeader)), body };
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
