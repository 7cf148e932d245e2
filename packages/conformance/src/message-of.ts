/** What was thrown, in its own words. Of an error that hid another while things were closed, the hidden one came first. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  if ('suppressed' in thrown) return messageOf(thrown.suppressed);
  return 'message' in thrown ? String(thrown.message) : JSON.stringify(thrown);
}
