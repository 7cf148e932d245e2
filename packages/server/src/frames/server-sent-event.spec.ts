import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import fc from 'fast-check';

import { serverSentEvent } from './server-sent-event.js';

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));
const ENCODER = 'server/src/frames/server-sent-event.ts';

/** Passes the events of Google on to its SDK, within this process: their data are one line of JSON, and they have no id. */
const REWRITER = 'gemini/src/attempts/finished-events.ts';

/** The fields of a stream as the HTML standard reads them: lines end with CR, LF or both; a blank line ends an event. */
function readEvents(stream: string): { data: string; id: string | undefined }[] {
  const events: { data: string; id: string | undefined }[] = [];
  let data: string[] = [];
  let id: string | undefined;
  for (const line of stream.split(/\r\n|\r|\n/)) {
    if (line === '' && data.length > 0) {
      events.push({ data: data.join('\n'), id });
      data = [];
      id = undefined;
    }
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'id') id = value;
  }
  return events;
}

describe('serverSentEvent', () => {
  it('writes one event with its data, whatever the data and the id hold', () => {
    const odd = fc.string({
      unit: fc.constantFrom('\n', '\r', '\0', ':', ' ', 'data: ', 'id: ', 'x', 'é', '\u2028'),
    });
    fc.assert(
      fc.property(fc.jsonValue(), fc.oneof(odd, fc.string(), fc.uuid()), odd, (data, id, text) => {
        const events = readEvents(serverSentEvent({ data, text }, id));
        expect(events).toHaveLength(1);
        expect(events[0]?.data).toBe(JSON.stringify({ data, text }));
        expect([undefined, id]).toContain(events[0]?.id);
      }),
    );
  });

  it('keeps ids that a client can send back', () => {
    const id = 'e-88baba32-9c66-4eff-8cd6-1b7330ed263f';
    expect(readEvents(serverSentEvent({ a: 1 }, id))).toEqual([{ data: '{"a":1}', id }]);
  });

  it('is the only place of the packages that writes events of a stream', () => {
    const places = readdirSync(PACKAGES)
      .flatMap((name) => sourcesIn(join(PACKAGES, name, 'src')))
      .filter((file) => /(['"`]|\\n)(data|id|event): (\$\{|['"`]\s*\+)/.test(readFileSync(file, 'utf8')))
      .map((file) => relative(PACKAGES, file).replaceAll('\\', '/'));
    expect(places.filter((place) => place !== REWRITER)).toEqual([ENCODER]);
  });
});

/** Sources that are published and are no emulator of a model's provider. */
function sourcesIn(folder: string): string[] {
  if (/\/(testing|conformance|chaos|benchmarks)\/src$/.test(folder)) return [];
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(file))
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}
