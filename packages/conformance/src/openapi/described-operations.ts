import { createRequire } from 'node:module';

import { asJson, asList, isJson, type Json } from '../types/json-shape.js';

const require = createRequire(import.meta.url);

/** An operation as another reader of OpenAPI documents describes it: Stoplight's, which Prism validates requests with. */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly DescribedParameter[];
  readonly body: DescribedBody | undefined;
  /** What references of the schemas are relative to. */
  readonly root: Json;
}

export interface DescribedParameter {
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly name: string;
  readonly isRequired: boolean;
  /** In JSON Schema, draft 7. */
  readonly schema: Json;
}

export interface DescribedBody {
  readonly isRequired: boolean;
  readonly mediaType: string;
  readonly schema: Json;
}

/** Headers that are no parameters by the specification, or that a client writes itself. */
const NO_PARAMETERS =
  /^(accept|authorization|content-type|content-length|host|cookie|connection|expect|te|upgrade)$/i;

/** All operations of a document, read without code of Adorn. */
export async function describedOperations(document: string): Promise<readonly DescribedOperation[]> {
  const { getHttpOperationsFromSpec } = require('@stoplight/prism-http') as {
    readonly getHttpOperationsFromSpec: (document: string) => Promise<readonly Json[]>;
  };
  return (await getHttpOperationsFromSpec(document)).map(describe);
}

function describe(root: Json): DescribedOperation {
  const request = asJson(root['request']);
  const keys = keysOf(root);
  const parameters = (['path', 'query', 'header', 'cookie'] as const).flatMap((place) =>
    asList(request[place === 'header' ? 'headers' : place]).map((one) => parameterOf(place, asJson(one))),
  );
  return {
    method: String(root['method']).toUpperCase(),
    path: String(root['path']),
    parameters: parameters.filter(
      ({ place, name }) =>
        !(place === 'header' && NO_PARAMETERS.test(name)) && !keys.has(`${place} ${name.toLowerCase()}`),
    ),
    body: bodyOf(asJson(request['body'])),
    root,
  };
}

/** The places of API keys, which are no parameters of a call. */
function keysOf(root: Json): ReadonlySet<string> {
  const schemes = asList(asList(root['security'])[0]).map(asJson);
  return new Set(
    schemes
      .filter(({ type }) => type === 'apiKey')
      .map((scheme) => `${String(scheme['in'])} ${String(scheme['name']).toLowerCase()}`),
  );
}

function parameterOf(place: DescribedParameter['place'], fields: Json): DescribedParameter {
  const isRequired = place === 'path' || fields['required'] === true;
  return { place, name: String(fields['name']), isRequired, schema: asJson(fields['schema']) };
}

/** Media types by how much they say of a body; the first of them that a document has is taken. */
const PREFERRED = [
  /^application\/(.*\+)?json\b|^\*\/\*/,
  /^application\/x-www-form-urlencoded/,
  /^multipart\//,
];

function bodyOf(body: Json): DescribedBody | undefined {
  const contents = asList(body['contents']).map(asJson);
  const typed = PREFERRED.flatMap((type) => contents.filter(({ mediaType }) => type.test(String(mediaType))));
  const chosen = typed[0] ?? contents[0];
  if (!chosen) return undefined;
  return {
    isRequired: body['required'] === true,
    mediaType: String(chosen['mediaType']),
    schema: asJson(chosen['schema']),
  };
}

/** A schema without the properties that only responses have. */
export function requestSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(requestSchema);
  if (!isJson(schema)) return schema;
  const properties = Object.entries(asJson(schema['properties']));
  const hidden = new Set(
    properties.filter(([, one]) => asJson(one)['readOnly'] === true).map(([name]) => name),
  );
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'enum' ? value : requestSchema(value)]),
  );
  if (hidden.size === 0) return copy;
  const kept = Object.entries(asJson(copy['properties'])).filter(([name]) => !hidden.has(name));
  const required = asList(schema['required']).filter((name) => !hidden.has(String(name)));
  return { ...copy, properties: Object.fromEntries(kept), required };
}
