const DIGITS = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * The bytes of a base64 text: of either alphabet of RFC 4648, with or without padding. Undefined if it is none, where
 * `Buffer.from` would leave out what it cannot read.
 */
export function decodeBase64(text: string): Buffer<ArrayBuffer> | undefined {
  const isBase64 = DIGITS.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
  return isBase64 ? Buffer.from(text, 'base64') : undefined;
}
