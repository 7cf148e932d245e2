import { isBinary, itemSchemas, propertySchemas } from './composed-schema.js';
import { type JsonObject, objectOf, textOf } from './json-object.js';
import type { OpenApiDocument } from './openapi-document.js';
import type { BodyKind, PartEncoding, RequestBody } from './operation.js';
import { kindOfMedia } from './media-kind.js';
import { readSerialization } from './read-parameters.js';

/** The kinds of bodies, the preferred one first. */
const KINDS: readonly BodyKind[] = ['json', 'form', 'multipart', 'bytes', 'text'];

/**
 * The request body of an operation, in the media type that says most: JSON, else a form, else bytes or text.
 *
 * @throws {OperationFault} if it cannot be read
 */
export function readBody(document: OpenApiDocument, operation: JsonObject): RequestBody | undefined {
  const body = document.object(operation['requestBody'], 'its request body');
  const offered = Object.entries(document.object(body['content'], 'the content of its request body')).map(
    ([mediaType, content]) => ({
      kind: kindOfMedia(mediaType),
      mediaType,
      content: document.object(content, 'the content of its request body'),
    }),
  );
  const chosen = KINDS.flatMap((kind) => offered.filter((one) => one.kind === kind))[0];
  if (chosen === undefined) return undefined;
  const { kind, mediaType, content } = chosen;
  const encodings = readEncodings(
    document,
    document.object(content['encoding'], 'the encoding of its request body'),
  );
  const { schema } = content;
  return {
    kind,
    mediaType: sentMediaType(kind, mediaType),
    isRequired: body['required'] === true,
    description: textOf(body['description']),
    schema: kind === 'multipart' ? withBytes(document, schema, encodings) : schema,
    encodings,
  };
}

/** A range, such as `image/*`, is not a type that can be sent. */
function sentMediaType(kind: BodyKind, mediaType: string): string {
  if (!mediaType.includes('*')) return mediaType;
  if (kind === 'json') return 'application/json';
  return kind === 'multipart' ? 'multipart/form-data' : 'application/octet-stream';
}

function readEncodings(document: OpenApiDocument, encodings: JsonObject): ReadonlyMap<string, PartEncoding> {
  return new Map(
    Object.entries(encodings).map(([name, value]) => {
      const encoding = document.object(value, 'the encoding of its request body');
      const isStyled = ['style', 'explode', 'allowReserved'].some((field) => Object.hasOwn(encoding, field));
      return [
        name,
        {
          contentType: partMediaType(textOf(encoding['contentType'])),
          serialization: isStyled ? readSerialization(encoding, 'query') : undefined,
        },
      ];
    }),
  );
}

/** The first of several media types; of a range, the type of bytes that are not known. */
function partMediaType(stated: string | undefined): string | undefined {
  const first = stated?.split(',')[0]?.trim();
  if (first === undefined || first.startsWith('*')) return undefined;
  return sentMediaType(kindOfMedia(first), first);
}

const BYTES = { type: 'string', format: 'binary' };

/** The schema of a multipart body, in which a part is bytes also where only its media type says so. */
function withBytes(
  document: OpenApiDocument,
  schema: unknown,
  encodings: ReadonlyMap<string, PartEncoding>,
): unknown {
  const properties = [...encodings]
    .filter(([, { contentType }]) => contentType !== undefined && kindOfMedia(contentType) === 'bytes')
    .map(([name]) => [name, bytesOf(document, propertySchemas(document, schema, name))] as const)
    .filter(([, property]) => property !== undefined);
  if (properties.length === 0) return schema;
  const target = objectOf(document.resolve(schema));
  return { ...target, properties: { ...objectOf(target['properties']), ...Object.fromEntries(properties) } };
}

/** A property as bytes; undefined if it is described as bytes already, or as something that has another text form. */
function bytesOf(document: OpenApiDocument, schemas: readonly JsonObject[]): JsonObject | undefined {
  const [own] = schemas;
  const items = itemSchemas(document, schemas);
  if (own === undefined || [...schemas, ...items].some(isBinary)) return undefined;
  const types = schemas.flatMap(({ type }) => [type].flat()).filter((type) => type !== undefined);
  if (types.length > 0 && types.every((type) => type === 'array')) return { ...own, items: BYTES };
  const isText =
    types.every((type) => type === 'string') && schemas.every(({ format }) => format === undefined);
  return isText ? { ...own, ...BYTES } : undefined;
}
