/**
 * The sessions of an export, each as its lines. A session begins with a line that says how many events follow; what is no
 * such line is given on as it is, for `importSession` to refuse.
 */
export async function* exportedSessions(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let session: string[] = [];
  let events = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (session.length > 0 && session.length > events) {
      yield session;
      session = [];
    }
    if (session.length === 0) events = eventsAfter(line);
    session.push(line);
  }
  if (session.length > 0) yield session;
}

/** How many events follow the first line of a session; 0 if that is not known. */
function eventsAfter(line: string): number {
  try {
    const { events } = Object(JSON.parse(line)) as { readonly events?: unknown };
    return typeof events === 'number' && Number.isSafeInteger(events) && events > 0 ? events : 0;
  } catch {
    return 0;
  }
}
