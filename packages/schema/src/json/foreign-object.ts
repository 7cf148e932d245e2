import { kindOf } from '../errors/describe-thrown.js';
import { decodeBase64 } from './base64.js';

/**
 * A JSON object that somebody else has made: a frame of a socket, the body of a peer. Each field is read as the type that
 * the reader expects; a field that is absent or null is undefined, and one of another type throws.
 *
 * Read inside a `Boundary`, so that an unexpected shape ends the one conversation that it came from.
 *
 * @example
 * const response = ForeignObject.read(JSON.parse(text), 'the event').object('response');
 * const id = response?.text('id') ?? '';
 */
export class ForeignObject {
  private constructor(
    /** All fields, unread. */
    readonly fields: Readonly<Record<string, unknown>>,
    private readonly place: string,
  ) {}

  /**
   * Reads an object.
   *
   * @param place what is read, for errors: `the event`
   * @throws {UnexpectedShapeError} if it is no object
   */
  static read(value: unknown, place: string): ForeignObject {
    if (!isObject(value)) throw new UnexpectedShapeError(place, 'an object', value);
    return new ForeignObject(value, place);
  }

  /** A text; undefined if it is absent or null. @throws {UnexpectedShapeError} */
  text(name: string): string | undefined {
    return this.typed(name, 'a text', (value) => typeof value === 'string');
  }

  /** A text that must be there. @throws {UnexpectedShapeError} also if the field is absent */
  requiredText(name: string): string {
    const text = this.text(name);
    if (text === undefined) throw this.unexpected(name, 'a text');
    return text;
  }

  /** A number; undefined if it is absent or null. @throws {UnexpectedShapeError} */
  number(name: string): number | undefined {
    return this.typed(name, 'a number', (value) => typeof value === 'number');
  }

  /** A boolean; undefined if it is absent or null. @throws {UnexpectedShapeError} */
  flag(name: string): boolean | undefined {
    return this.typed(name, 'a boolean', (value) => typeof value === 'boolean');
  }

  /** The bytes of a base64 text. */
  bytes(name: string): Buffer | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const bytes = decodeBase64(text);
    if (!bytes) throw this.unexpected(name, 'base64');
    return bytes;
  }

  /** An object; undefined if it is absent or null. @throws {UnexpectedShapeError} */
  object(name: string): ForeignObject | undefined {
    const value = this.fields[name] ?? undefined;
    return value === undefined ? undefined : ForeignObject.read(value, `${this.place}.${name}`);
  }

  /** The objects of a list; none if it is absent. */
  objects(name: string): ForeignObject[] {
    return this.list(name).map((value, index) =>
      ForeignObject.read(value, `${this.place}.${name}[${String(index)}]`),
    );
  }

  /** The texts of a list; none if it is absent. */
  texts(name: string): string[] {
    return this.list(name).map((value, index) => {
      if (typeof value === 'string') return value;
      throw this.unexpected(`${name}[${String(index)}]`, 'a text', value);
    });
  }

  private list(name: string): readonly unknown[] {
    return this.typed(name, 'a list', (value): value is unknown[] => Array.isArray(value)) ?? [];
  }

  private typed<Value>(
    name: string,
    expected: string,
    fits: (value: unknown) => value is Value,
  ): Value | undefined {
    const value = this.fields[name] ?? undefined;
    if (value === undefined || fits(value)) return value;
    throw this.unexpected(name, expected, value);
  }

  private unexpected(name: string, expected: string, value?: unknown): UnexpectedShapeError {
    return new UnexpectedShapeError(`${this.place}.${name}`, expected, value);
  }
}

/** Something foreign has another shape than its protocol says. Its message has no contents. Caught by a boundary. */
export class UnexpectedShapeError extends Error {
  constructor(place: string, expected: string, value: unknown) {
    super(`${place} is ${kindOf(value)}, and not ${expected}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
