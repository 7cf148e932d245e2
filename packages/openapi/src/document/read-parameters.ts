import { composedKey } from '@adorn/core/backend';

import { type JsonObject, textOf } from './json-object.js';
import type { OpenApiDocument } from './openapi-document.js';
import type { Parameter, ParameterPlace, ParameterStyle, Serialization } from './operation.js';
import { OperationFault } from '../errors.js';
import { kindOfMedia } from './media-kind.js';
import { snakeName } from './operation-name.js';

const STYLES: Readonly<Record<ParameterPlace, readonly [ParameterStyle, ...ParameterStyle[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Headers that are not parameters by the specification, or that frame the request. */
export const NOT_PARAMETERS: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const MOST_PARAMETERS = 500;

/** Providers limit the names of properties as well. */
const LONGEST_ARGUMENT = 50;

/** The name of the argument that is the request body. */
export const BODY_ARGUMENT = 'body';

/** The query of a path key, such as `beta=true` of `/responses?beta=true`; undefined if it has none. */
export function queryOfPath(path: string): string | undefined {
  const withoutFragment = path.split('#')[0] ?? '';
  const start = withoutFragment.indexOf('?');
  return start === -1 ? undefined : withoutFragment.slice(start + 1);
}

/**
 * The parameters of an operation: those of its path item, overridden by its own with the same name and place. A query
 * parameter that the path key fixes is none: its value would call another operation.
 *
 * @throws {OperationFault} if one cannot be read
 */
export function readParameters(
  document: OpenApiDocument,
  path: string,
  pathItem: JsonObject,
  operation: JsonObject,
): Parameter[] {
  const fixed = new URLSearchParams(queryOfPath(path));
  const found = new Map<string, JsonObject>();
  const lists = [pathItem, operation].map(({ parameters }) => document.list(parameters, 'its parameters'));
  for (const listed of lists.flat()) {
    const parameter = document.object(listed, 'a parameter of it');
    const name = textOf(parameter['name']);
    if (name === undefined || !isPlace(parameter['in']))
      throw new OperationFault(
        'it has a parameter without a name, or whose "in" is not path, query, header or cookie',
      );
    if (parameter['in'] === 'header' && NOT_PARAMETERS.has(name.toLowerCase())) continue;
    if (parameter['in'] === 'query' && fixed.has(name)) continue;
    found.set(composedKey(parameter['in'], name), parameter);
  }
  if (found.size > MOST_PARAMETERS)
    throw new OperationFault(`it has more than ${String(MOST_PARAMETERS)} parameters`);
  const names = argumentNames([...found.values()]);
  return [...found.values()].map((parameter, index) => parameterOf(document, parameter, names[index] ?? ''));
}

function isPlace(place: unknown): place is ParameterPlace {
  return typeof place === 'string' && Object.hasOwn(STYLES, place);
}

function parameterOf(document: OpenApiDocument, fields: JsonObject, argument: string): Parameter {
  const place = fields['in'] as ParameterPlace;
  const [mediaType, content] =
    Object.entries(document.object(fields['content'], 'the content of a parameter'))[0] ?? [];
  const description = textOf(fields['description']);
  return {
    argument,
    name: fields['name'] as string,
    place,
    isRequired: place === 'path' || fields['required'] === true,
    description: fields['deprecated'] === true ? `Deprecated. ${description ?? ''}`.trim() : description,
    schema:
      mediaType === undefined
        ? fields['schema']
        : document.object(content, 'the content of a parameter')['schema'],
    contentKind: mediaType === undefined ? undefined : kindOfMedia(mediaType),
    ...readSerialization(fields, place),
  };
}

/** How a parameter, or a property of a form, is written, with the defaults of the specification. */
export function readSerialization(fields: JsonObject, place: ParameterPlace): Serialization {
  const styles = STYLES[place];
  const stated = styles.find((style) => style === fields['style']);
  const style = stated ?? styles[0];
  const { explode } = fields;
  return {
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
    allowReserved: fields['allowReserved'] === true,
  };
}

/** A name for each argument: in snake_case, with its place where two would be the same. */
function argumentNames(parameters: readonly JsonObject[]): string[] {
  const taken = new Set([BODY_ARGUMENT]);
  return parameters.map((parameter) => {
    const own = snakeName(String(parameter['name'])).slice(0, LONGEST_ARGUMENT) || 'value';
    const wished = /^[0-9]/.test(own) ? `_${own}` : own;
    const placed = `${String(parameter['in'])}_${own}`;
    let name = [wished, placed].find((one) => !taken.has(one));
    for (let number = 2; name === undefined; number++) {
      const numbered = `${placed}_${String(number)}`;
      if (!taken.has(numbered)) name = numbered;
    }
    taken.add(name);
    return name;
  });
}
