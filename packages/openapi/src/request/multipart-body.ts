import { randomUUID } from 'node:crypto';

/** One part of a multipart body. */
export interface BodyPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Without one, servers take the part for text. */
  readonly contentType?: string | undefined;
  /** True for a file: servers tell files and values apart by the file name. */
  readonly isFile: boolean;
}

/**
 * Writes a multipart body of any subtype (RFC 2046, with the part names of RFC 7578). `FormData` is always
 * `multipart/form-data`, and gives a file name to each part with a content type.
 *
 * @param mediaType such as `multipart/mixed`
 */
export function multipartBody(
  parts: readonly BodyPart[],
  mediaType: string,
): { readonly content: Uint8Array; readonly contentType: string } {
  const boundary = `adorn-${randomUUID()}`;
  const written = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`),
    Buffer.from(part.content),
    Buffer.from('\r\n'),
  ]);
  return {
    content: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `${mediaType}; boundary=${boundary}`,
  };
}

function headersOf({ name, contentType, isFile }: BodyPart): string {
  const shown = quotable(name);
  const fileName = isFile ? `; filename="${shown}"` : '';
  const disposition = `Content-Disposition: form-data; name="${shown}"${fileName}`;
  return contentType === undefined ? disposition : `${disposition}\r\nContent-Type: ${contentType}`;
}

/** As browsers write names: a quote or a line break would begin another header. */
function quotable(name: string): string {
  return name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}
