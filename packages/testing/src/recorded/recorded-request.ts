import { createHash } from 'node:crypto';

import { canonicalJson, isObject } from '@adorn/core/backend';
import type { ModelRequest } from '@adorn/core';

/**
 * What a recorded answer is found by: the name of the model, the fields of the request's settings, and `contents`. It is
 * JSON without ids, times, signatures and secrets, so that the same conversation gives the same request on another day and
 * in another process.
 */
export type RecordedRequest = Readonly<Record<string, unknown>>;

/** Settings that say how a request is sent, not what is asked. */
const TRANSPORT: ReadonlySet<string> = new Set(['abortSignal', 'httpOptions']);

/** A UUID, or a date with its time of day, as in RFC 9562 and RFC 3339. */
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/gi;
const DATE_TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?\b/g;

/**
 * The request as it is recorded. Ids are numbered in the order in which they first occur: `<call-1>` for those of calls,
 * `<id-1>` for UUIDs in any text. Declarations are in the order of their names; files are named by their digest.
 *
 * @param clean takes out of a text what must not be recorded, and what changes from run to run
 */
export function recordedRequest(
  model: string,
  { config, contents }: Pick<ModelRequest, 'config' | 'contents'>,
  clean: (text: string) => string,
): RecordedRequest {
  // A setting that is null is none.
  const asked = Object.entries(config).filter(([name, value]) => !TRANSPORT.has(name) && value !== null);
  const settings = Object.fromEntries(asked);
  const { tools, ...others } = JSON.parse(JSON.stringify({ ...settings, contents })) as Record<
    string,
    unknown
  >;
  const request = { model, ...others, ...(tools !== undefined && { tools: inOrder(tools) }) };
  return cleanedRequest(request, clean);
}

/** A recorded request, without what another recording left in it. */
export function cleanedRequest(request: RecordedRequest, clean: (text: string) => string): RecordedRequest {
  return new Canonical(clean).value(request, '') as RecordedRequest;
}

/** Equal requests have equal keys. */
export function requestKey(request: RecordedRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

/** Function declarations in the order of their names: toolsets list theirs in any order. */
export function inOrder(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools;
  return tools.map((tool: unknown) => {
    if (!isObject(tool) || !Array.isArray(tool['functionDeclarations'])) return tool;
    const declarations: readonly unknown[] = tool['functionDeclarations'];
    return { ...tool, functionDeclarations: declarations.toSorted(byName) };
  });
}

function byName(one: unknown, other: unknown): number {
  const [a, b] = [nameOf(one), nameOf(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function nameOf(declaration: unknown): string {
  return isObject(declaration) ? String(declaration['name']) : '';
}

/** A copy of a JSON value, in which what changes from run to run has a name that does not. */
export class Canonical {
  private readonly callIds = new Map<string, string>();
  private readonly uuids = new Map<string, string>();

  constructor(private readonly clean: (text: string) => string) {}

  /** @param field the name of the field that holds the value */
  value(value: unknown, field: string): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((element) => this.value(element, field));
    if (!isObject(value)) return value;
    if (field === 'inlineData' && typeof value['data'] === 'string') return fileOf(value, value['data']);
    const isCall = field === 'functionCall' || field === 'functionResponse';
    const fields = Object.entries(value)
      .filter(([name]) => name !== 'thoughtSignature')
      .map(([name, part]) => {
        const isCallId = isCall && name === 'id' && typeof part === 'string';
        return [name, isCallId ? numbered(this.callIds, part, 'call') : this.value(part, name)] as const;
      });
    return Object.fromEntries(fields);
  }

  private text(text: string): string {
    return this.clean(text)
      .replaceAll(UUID, (id) => numbered(this.uuids, id.toLowerCase(), 'id'))
      .replaceAll(DATE_TIME, '<time>');
  }
}

function numbered(known: Map<string, string>, id: string, kind: string): string {
  const name = known.get(id) ?? `<${kind}-${String(known.size + 1)}>`;
  known.set(id, name);
  return name;
}

/** A file by its type, size and digest: its bytes are nothing that a person reads in a diff. */
function fileOf({ data: _bytes, ...others }: Readonly<Record<string, unknown>>, data: string): unknown {
  const bytes = Buffer.from(data, 'base64');
  return { ...others, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
