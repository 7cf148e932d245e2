/** True for media that models see, hear or read as they are: images, audio and PDF. */
export function isMedia(mimeType: string): boolean {
  return MEDIA.test(mimeType);
}

const MEDIA =
  /^(?:image\/(?:png|jpeg|webp|gif)|audio\/(?:wav|x-wav|mpeg|mp3|aac|ogg|flac|aiff|mp4)|application\/pdf)(?:;|$)/i;

/** The beginnings of files in base64, for bytes that have no type. */
const BEGINNINGS: readonly (readonly [beginning: RegExp, mimeType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^JVBERi0/, 'application/pdf'],
];

/** The media type of a file in base64 by its first bytes; undefined if they tell none that models see. */
export function mediaTypeOf(base64: string): string | undefined {
  return BEGINNINGS.find(([beginning]) => beginning.test(base64))?.[1];
}
