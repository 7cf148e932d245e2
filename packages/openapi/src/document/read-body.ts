import { type JsonObject, objectOf, textOf } from './json-object.js';
import type { OpenApiDocument } from './openapi-document.js';
import type { BodyKind, PartEncoding, RequestBody } from './operation.js';
import { readSerialization } from './read-parameters.js';

/** The kinds of bodies, the preferred one first. */
const KINDS: readonly BodyKind[] = ['json', 'form', 'multipart', 'bytes', 'text'];

/**
 * The request body of an operation, in the media type that says most: JSON, else a form, else bytes or text.
 *
 * @throws {OperationFault} if it cannot be read
 */
export function readBody(document: OpenApiDocument, operation: JsonObject): RequestBody | undefined {
  const body = objectOf(document.resolve(operation['requestBody']));
  const offered = Object.entries(objectOf(body['content'])).map(([mediaType, content]) => ({
    kind: kindOfMedia(mediaType),
    mediaType,
    content: objectOf(document.resolve(content)),
  }));
  const chosen = KINDS.flatMap((kind) => offered.filter((one) => one.kind === kind))[0];
  if (chosen === undefined) return undefined;
  const { kind, mediaType, content } = chosen;
  return {
    kind,
    mediaType: sentMediaType(kind, mediaType),
    isRequired: body['required'] === true,
    description: textOf(body['description']),
    schema: content['schema'],
    encodings: readEncodings(objectOf(content['encoding'])),
  };
}

/** The kind of a body or of a part by its media type. */
export function kindOfMedia(mediaType: string): BodyKind {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type.endsWith('+json') || type === '*/*') return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (type.startsWith('text/') || type.endsWith('xml') || type.includes('yaml')) return 'text';
  return 'bytes';
}

/** A range, such as `image/*`, is not a type that can be sent. */
function sentMediaType(kind: BodyKind, mediaType: string): string {
  if (kind === 'json' && mediaType.includes('*')) return 'application/json';
  return mediaType.includes('*') ? 'application/octet-stream' : mediaType;
}

function readEncodings(encodings: JsonObject): ReadonlyMap<string, PartEncoding> {
  return new Map(
    Object.entries(encodings).map(([name, value]) => {
      const encoding = objectOf(value);
      const isStyled = ['style', 'explode', 'allowReserved'].some((field) => Object.hasOwn(encoding, field));
      return [
        name,
        {
          // The first of several types is taken.
          contentType: textOf(encoding['contentType'])?.split(',')[0]?.trim(),
          serialization: isStyled ? readSerialization(encoding, 'query') : undefined,
        },
      ];
    }),
  );
}
