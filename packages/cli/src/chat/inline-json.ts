/** A JSON value on one line, in JavaScript notation: `{status: "ok", items: [1, 2]}`. */
export function inlineJson(value: unknown): string {
  if (Array.isArray(value)) return `[${(value as unknown[]).map(inlineJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{${inlineEntries(value)}}`;
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

/** The entries alone, as a call's arguments are written. */
export function inlineEntries(value: object): string {
  return Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .map(([key, entry]) => `${inlineKey(key)}: ${inlineJson(entry)}`)
    .join(', ');
}

export function inlineKey(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : JSON.stringify(key);
}

/** The text on one line, cut to `width` characters with a `…`. */
export function cut(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
