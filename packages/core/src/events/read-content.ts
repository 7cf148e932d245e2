import type {
  CodeExecutionResult,
  ExecutableCode,
  FileData,
  FunctionResponsePart,
  VideoMetadata,
} from '@google/genai';

import { AdornError, kindOf, isJsonValue, isPlain, toJsonValue, ValueNotJsonError } from '@adorn/schema';
import type { Content, FunctionCall, FunctionResponse, Part } from './genai-types.js';

/** A value of the wrong type, or one that is not JSON. */
export interface ContentFault {
  /** Such as `functionCall.args`. */
  readonly field: string;
  /** The expected kind of value, in words. */
  readonly wanted: string;
  /** The kind of the value, in words. */
  readonly found: string;
  /** The invalid value itself. */
  readonly value: unknown;
}

/** Handles an invalid value: returns a replacement, returns undefined to drop the field, or throws. */
export type OnContentFault = (fault: ContentFault) => unknown;

/**
 * Reads a content from an untrusted source. Drops fields that are null or unknown, empty parts, and, unless `onFault`
 * handles them, values of the wrong type or nested deeper than `MAX_JSON_DEPTH`. Returns the same object if it is
 * clean; undefined if it is not a content.
 *
 * Every event reads its content with this function, so readers of a log can rely on its shape.
 */
export function readContent(value: unknown, onFault?: OnContentFault): Content | undefined {
  if (value === undefined || value === null) return undefined;
  const reader = onFault === undefined ? LENIENT : new ContentReader(onFault);
  return reader.read(CONTENT, value, 'content') as Content | undefined;
}

/**
 * Reads what is to be stored outside of a session with its contents, such as memories: all or none.
 *
 * @throws {ContentInvalidError} for a value that is no list, and for a content with a value of the wrong type
 */
export function requireContents<Entry extends { readonly content: Content }>(
  entries: readonly Entry[],
): Entry[] {
  if (!Array.isArray(entries)) throw new ContentInvalidError('list', 'an array', kindOf(entries));
  return entries.map((entry: Entry | null) => {
    const content = requireContent(entry?.content);
    return { ...(entry as Entry), content };
  });
}

function requireContent(value: unknown): Content {
  const content = readContent(value, refuse);
  if (content === undefined) throw new ContentInvalidError('value', 'an object', kindOf(value));
  return content;
}

function refuse({ field, wanted, found }: ContentFault): never {
  throw new ContentInvalidError(field, wanted, found);
}

type Fields = Record<string, unknown>;

class ContentReader {
  constructor(private readonly onFault: OnContentFault) {}

  /** @param owner the label of the message that the value is in, to be joined with `name` */
  read(kind: FieldKind, value: unknown, owner: string, name?: string): unknown {
    if (typeof kind === 'string') {
      return isOfKind(kind, value) ? value : this.converted(kind, value, owner, name);
    }
    if ('listOf' in kind) {
      if (Array.isArray(value)) return this.readList(kind.listOf, value);
      return this.refuse('a list', value, owner, name);
    }
    return isObject(value) ? this.readMessage(kind, value) : this.refuse('an object', value, owner, name);
  }

  /** The same object where every field is known and of its kind. */
  private readMessage(shape: Shape, fields: Fields): Fields {
    const isCopied = typeof fields['toJSON'] === 'function' || !isPlain(fields);
    let copy: Fields | undefined = isCopied ? {} : undefined;
    const names = Object.keys(fields);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const value = fields[name];
      const read = this.readNamed(shape, name, value);
      if (read !== value) copy ??= pick(fields, names, index);
      if (copy !== undefined && read !== undefined) copy[name] = read;
    }
    return copy ?? fields;
  }

  private readNamed(shape: Shape, name: string, value: unknown): unknown {
    if (value === undefined || value === null) return undefined;
    const kind = shape.kinds[name];
    if (kind === undefined) return undefined;
    const read = this.read(kind, value, shape.label, name);
    return isMessage(kind) && !kind.mayBeEmpty && isObject(read) && isEmpty(read) ? undefined : read;
  }

  /** Without the elements that are no such messages, or have nothing in them. */
  private readList(shape: Shape, values: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      const read = this.readElement(shape, value);
      if (read !== value || read === undefined) copy ??= values.slice(0, index);
      if (copy !== undefined && read !== undefined) copy.push(read);
    }
    return copy ?? values;
  }

  private readElement(shape: Shape, value: unknown): unknown {
    if (value === undefined || value === null) return undefined;
    const read = this.read(shape, value, shape.label);
    return isObject(read) && isEmpty(read) ? undefined : read;
  }

  /** What JSON has a form for stays in that form: a date in the arguments is its text. */
  private converted(kind: SimpleKind, value: unknown, owner: string, name: string | undefined): unknown {
    if (kind !== 'json' && (kind !== 'fields' || !isObject(value))) {
      return this.refuse(WANTED[kind], value, owner, name);
    }
    try {
      const written = toJsonValue(value);
      if (kind === 'json' || isObject(written)) return written;
    } catch (error) {
      const wanted = `${WANTED[kind]} that JSON can hold`;
      const found = error instanceof ValueNotJsonError ? `one with ${error.found}` : 'one that throws';
      return this.onFault({ field: fieldOf(owner, name), wanted, found, value });
    }
    return this.refuse(WANTED[kind], value, owner, name);
  }

  private refuse(wanted: string, value: unknown, owner: string, name: string | undefined): unknown {
    return this.onFault({ field: fieldOf(owner, name), wanted, found: kindOf(value), value });
  }
}

const LENIENT = new ContentReader(() => undefined);

type SimpleKind = Exclude<FieldKind, object>;

const WANTED: Readonly<Record<SimpleKind, string>> = {
  string: 'a text',
  boolean: 'a boolean',
  number: 'a number',
  json: 'a JSON value',
  fields: 'an object',
};

function isOfKind(kind: SimpleKind, value: unknown): boolean {
  if (kind === 'json') return isJsonValue(value);
  return kind === 'fields' ? isObject(value) && isJsonValue(value) : typeof value === kind;
}

function isMessage(kind: FieldKind): kind is Shape {
  return typeof kind !== 'string' && 'kinds' in kind;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(fields: Fields): boolean {
  for (const name in fields) if (fields[name] !== undefined) return false;
  return true;
}

/** The first so many fields. */
function pick(fields: Fields, names: readonly string[], count: number): Fields {
  const copy: Fields = {};
  for (const name of names.slice(0, count)) copy[name] = fields[name];
  return copy;
}

function fieldOf(owner: string, name: string | undefined): string {
  return name === undefined ? owner : `${owner}.${name}`;
}

/**
 * What a field holds: a value of that type, `json` (any JSON value), `fields` (a JSON object with names of its
 * own), a message with known fields, or a list of such messages.
 */
type FieldKind = 'string' | 'boolean' | 'number' | 'json' | 'fields' | Shape | { readonly listOf: Shape };

/** The known fields of a message of Google's wire format. */
interface Shape {
  /** How errors call it. */
  readonly label: string;
  readonly kinds: Readonly<Record<string, FieldKind | undefined>>;
  /** True if the message says something without any field: a call without a name is answered. */
  readonly mayBeEmpty: boolean;
}

/** One kind for every field of a type: a field that a new version of @google/genai adds does not compile without one. */
type Kinds<Message> = { readonly [Field in keyof Required<Message>]: FieldKind };

function shape<Message>(label: string, kinds: Kinds<Message>, mayBeEmpty = false): Shape {
  // Without a prototype, so that `constructor` or `__proto__` is no known field.
  return { label, kinds: Object.assign(Object.create(null) as Shape['kinds'], kinds), mayBeEmpty };
}

const BLOB = shape<{ data: string; mimeType: string; displayName: string }>('inlineData', {
  data: 'string',
  mimeType: 'string',
  displayName: 'string',
});

const FILE_DATA = shape<FileData>('fileData', {
  fileUri: 'string',
  mimeType: 'string',
  displayName: 'string',
});

const RESPONSE_PART = shape<FunctionResponsePart>('functionResponse.parts', {
  inlineData: BLOB,
  fileData: FILE_DATA,
  mediaProcessing: 'json',
});

const PART = shape<Part>('part', {
  text: 'string',
  thought: 'boolean',
  thoughtSignature: 'string',
  functionCall: shape<FunctionCall>(
    'functionCall',
    {
      id: 'string',
      name: 'string',
      args: 'fields',
      partialArgs: 'json',
      willContinue: 'boolean',
    },
    true,
  ),
  functionResponse: shape<FunctionResponse>(
    'functionResponse',
    {
      id: 'string',
      name: 'string',
      response: 'fields',
      willContinue: 'boolean',
      scheduling: 'string',
      parts: { listOf: RESPONSE_PART },
    },
    true,
  ),
  inlineData: BLOB,
  fileData: FILE_DATA,
  executableCode: shape<ExecutableCode>('executableCode', {
    code: 'string',
    language: 'string',
    id: 'string',
  }),
  codeExecutionResult: shape<CodeExecutionResult>('codeExecutionResult', {
    outcome: 'string',
    output: 'string',
    id: 'string',
  }),
  videoMetadata: shape<VideoMetadata>('videoMetadata', {
    startOffset: 'string',
    endOffset: 'string',
    fps: 'number',
  }),
  partMetadata: 'fields',
  toolCall: 'fields',
  toolResponse: 'fields',
  audioTranscription: 'fields',
  mediaProcessing: 'json',
  mediaResolution: 'json',
  speechMetadata: 'fields',
});

/** A content, with every field of its parts. */
const CONTENT: Shape = shape<Content>('content', { role: 'string', parts: { listOf: PART } });

/** A Content to be stored has a field of the wrong type. Nothing was written. */
class ContentInvalidError extends AdornError {
  readonly code = 'CONTENT_INVALID';

  /** @param field such as `functionCall.args` */
  constructor(field: string, wanted: string, found: string) {
    super(
      `The content cannot be stored: its ${field} must be ${wanted}, but is ${found}. ` +
        'Nothing was written. Pass a Content of JSON values, such as { parts: [{ text: "…" }] }.',
    );
  }
}
