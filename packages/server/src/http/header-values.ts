/** A text as the value of a header, which holds visible ASCII only: every other character becomes `?`. */
export function printableAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}

/** `Content-Disposition` for a file of any name (RFC 6266). */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  return `${kind}; filename*=UTF-8''${percentEncoded(name)}`;
}

/** RFC 8187 takes fewer characters as they are than `encodeURIComponent`, which throws for half a surrogate pair. */
function percentEncoded(name: string): string {
  const whole = name.replace(
    /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
    '\uFFFD',
  );
  return encodeURIComponent(whole).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
