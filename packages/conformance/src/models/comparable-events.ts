import type { Content, Event, Part } from 'adorn';

/** The events without ids, times and words of the provider. Call ids are numbered in the order in which they come. */
export function comparable(events: readonly Event[]): readonly object[] {
  const ids = new Map<string, string>();
  const numbered = (id: string | undefined): string | undefined => {
    if (id === undefined) return undefined;
    if (!ids.has(id)) ids.set(id, `call ${String(ids.size + 1)}`);
    return ids.get(id);
  };
  return events.map((event) => ({
    author: event.author,
    partial: event.partial,
    content: contentOf(event.content, numbered),
    finishReason: event.finishReason,
    errorCode: event.errorCode,
    turnComplete: event.turnComplete,
    isFinalResponse: event.isFinalResponse,
    actions: event.actions,
  }));
}

function contentOf(
  content: Content | undefined,
  numbered: (id: string | undefined) => string | undefined,
): object | undefined {
  return (
    content && { role: content.role, parts: (content.parts ?? []).map((part) => partOf(part, numbered)) }
  );
}

function partOf(part: Part, numbered: (id: string | undefined) => string | undefined): object {
  const { partMetadata: _ofProvider, functionCall: call, functionResponse: response, ...rest } = part;
  return {
    ...rest,
    ...(call && { functionCall: { ...call, id: numbered(call.id) } }),
    ...(response && { functionResponse: { ...response, id: numbered(response.id) } }),
  };
}
