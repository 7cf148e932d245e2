import { kindOf } from '@adorn/core/backend';
import type { Context } from 'hono';

import { RequestInvalidError } from '../errors.js';
import type { Limits } from '../limits/limits.js';
import type { Share } from '../limits/quota.js';
import { jsonSize } from './json-size.js';

/** As many as stored values may have. */
const MOST_LEVELS = 200;

type Kind = 'a text' | 'an object' | 'a list' | 'a boolean';

/** The JSON object in the body of a request. Names in snake_case are read too; `null` means absent. */
export class RequestBody {
  private constructor(private readonly fields: Readonly<Record<string, unknown>>) {}

  /**
   * Reads the body. An empty body, and `null`, is an empty object.
   *
   * @param held what the body holds of the bytes that are read at once
   * @throws {RequestInvalidError} if it is too large or no JSON object
   * @throws {LimitReachedError} if too many bodies are read at once
   */
  static async read(
    { req }: Context,
    { bodyBytes, bodyValues }: Pick<Limits, 'bodyBytes' | 'bodyValues'>,
    held: Share,
  ): Promise<RequestBody> {
    const text = await textOf(req.raw, bodyBytes, held);
    requireFewValues(text, bodyValues);
    const value = text.trim() === '' ? {} : (parse(text) ?? {});
    if (kindOf(value) !== 'an object')
      throw new RequestInvalidError(`its body is ${kindOf(value)}`, 'Send a JSON object.');
    return new RequestBody(value as Record<string, unknown>);
  }

  /** Reads an object inside a body. */
  static of(fields: Readonly<Record<string, unknown>>): RequestBody {
    return new RequestBody(fields);
  }

  text(name: string): string {
    return this.optionalText(name) ?? refuseAbsent(name);
  }

  object(name: string): Record<string, unknown> {
    return this.optionalObject(name) ?? refuseAbsent(name);
  }

  optionalText(name: string): string | undefined {
    return this.checked(name, 'a text') as string | undefined;
  }

  optionalObject(name: string): Record<string, unknown> | undefined {
    return this.checked(name, 'an object') as Record<string, unknown> | undefined;
  }

  optionalList(name: string): readonly unknown[] | undefined {
    return this.checked(name, 'a list') as readonly unknown[] | undefined;
  }

  optionalBoolean(name: string): boolean | undefined {
    return this.checked(name, 'a boolean') as boolean | undefined;
  }

  /** Any value; undefined if it is absent or null. */
  value(name: string): unknown {
    const value = own(this.fields, name) ?? own(this.fields, snakeCase(name));
    return value ?? undefined;
  }

  /** True if it is there, and null. */
  isNull(name: string): boolean {
    return own(this.fields, name) === null;
  }

  private checked(name: string, kind: Kind): unknown {
    const value = this.value(name);
    if (value === undefined || kindOf(value) === kind) return value;
    throw new RequestInvalidError(`"${name}" is ${kindOf(value)}`, `Send ${kind}.`, name);
  }
}

function refuseAbsent(name: string): never {
  throw new RequestInvalidError(`"${name}" is absent`, 'Add it to the body.', name);
}

function own(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestInvalidError('its body is not JSON', 'Send a JSON object.');
  }
}

async function textOf(request: Request, maxBytes: number, held: Share): Promise<string> {
  return Buffer.from(await readBytes(request, maxBytes, held)).toString('utf8');
}

/**
 * Reads no more than the limit, whatever the request says of its length.
 *
 * @throws {RequestInvalidError} if the body is larger
 */
export async function readBytes(request: Request, maxBytes: number, held: Share): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    held.hold(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Refuses a JSON text that takes long to parse or is too deep to walk through, before it is parsed.
 *
 * @throws {RequestInvalidError}
 */
export function requireFewValues(text: string, most: number): void {
  const { values, levels } = jsonSize(text);
  if (values > most)
    throw tooMuch(
      `its JSON has more than ${String(most)} values`,
      'Send fewer, or raise limits.bodyValues of the server.',
    );
  if (levels > MOST_LEVELS)
    throw new RequestInvalidError(
      `its JSON has more than ${String(MOST_LEVELS)} levels`,
      'Send objects and lists that are less deep.',
    );
}

function tooLarge(maxBytes: number): RequestInvalidError {
  return tooMuch(
    `its body has more than ${String(maxBytes)} bytes`,
    'Send less, or raise limits.bodyBytes of the server.',
  );
}

function tooMuch(fault: string, cure: string): RequestInvalidError {
  return new RequestInvalidError(fault, cure, undefined, 413);
}
