import { EventMarker } from './finished-events.js';

describe('EventMarker', () => {
  it('marks JSON that stands where an event begins', () => {
    expect(marked('data: {"a":1}\n\n{"error":{}}\n')).toBe('data: {"a":1}\n\ndata: {"error":{}}\n');
  });

  it('leaves a stream of marked events as it is', () => {
    expect(marked('data: {"a":1}\r\n\r\ndata: {"b":{"c":2}}\n\n')).toBe(
      'data: {"a":1}\r\n\r\ndata: {"b":{"c":2}}\n\n',
    );
  });

  it('sees the beginning of an event across chunks', () => {
    expect(marked('data: {"a":1}\n', '\n', '{"error":{}}')).toBe('data: {"a":1}\n\ndata: {"error":{}}');
  });

  it('marks an answer that is nothing but an error', () => {
    expect(marked('{"error":{"code":500}}')).toBe('data: {"error":{"code":500}}');
  });
});

function marked(...chunks: readonly string[]): string {
  const marker = new EventMarker();
  return chunks
    .map((chunk) => new TextDecoder().decode(marker.mark(new TextEncoder().encode(chunk))))
    .join('');
}
