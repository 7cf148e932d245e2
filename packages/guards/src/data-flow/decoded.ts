/** A text, and what it says where it is encoded for a URL, in base64 or in hexadecimal digits. */
export function* decoded(text: string): Generator<string, void, undefined> {
  yield text;
  if (text.includes('%')) yield* withoutPercents(text);
  for (const [word] of text.matchAll(/[\w+/-]{8,}={0,2}/g)) {
    for (const encoding of /^(?:[\da-f]{2})+$/i.test(word)
      ? (['hex', 'base64'] as const)
      : (['base64'] as const)) {
      const read = Buffer.from(word, encoding).toString('utf8');
      if (isReadable(read)) yield read;
    }
  }
}

function* withoutPercents(text: string): Generator<string, void, undefined> {
  try {
    yield decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A percent sign that is one.
  }
}

/** True if bytes were a text: other words decode to noise. */
function isReadable(text: string): boolean {
  return text.length >= 4 && !/[\uFFFD\p{Cc}\p{Cn}\p{Co}]/u.test(text.replace(/[\n\r\t]/g, ' '));
}
