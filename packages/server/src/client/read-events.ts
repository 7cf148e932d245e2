/** A server-sent event. */
export interface ServerSentEvent {
  /** The id of the last event that had one. */
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events (HTML, section 9.2.6) from a body. Comments are skipped. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') };
      data = [];
    } else if (line.startsWith('data:')) data.push(valueOf(line, 'data:'));
    else if (line.startsWith('id:')) id = valueOf(line, 'id:');
  }
}

function valueOf(line: string, field: string): string {
  return line.slice(line[field.length] === ' ' ? field.length + 1 : field.length);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield* lines;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
