/** A step of a JSON pointer that stands in the fragment of a URL (RFC 6901, section 6). */
export function pointerStep(step: string): string {
  return percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
