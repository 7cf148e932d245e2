import type { BodyKind } from './operation.js';

/** The kind of a body or of a part by its media type. */
export function kindOfMedia(mediaType: string): BodyKind {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type.endsWith('+json') || type === '*/*') return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (type.startsWith('text/') || type.endsWith('xml') || type.includes('yaml')) return 'text';
  return 'bytes';
}

/** A text in the charset of its content type; in UTF-8 if it names none, or one that is not known. */
export function decodeText(bytes: ArrayBuffer, contentType: string): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
