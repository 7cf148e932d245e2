import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { recorded } from '@adorn/testing';

import { type Check, type Section, timed } from '../check.js';
import type { ProviderWire } from '../models/provider-wires.js';
import type { Suite } from '../suite.js';
import { converse, SCRIPT, TURNS } from './long-conversation.js';
import { RECORDED_WIRES } from './recorded-wires.js';

/**
 * A conversation of thirty turns, recorded on each wire and replayed by another process that has neither a network nor a
 * key: the same bytes. A changed instruction is told, and asks nobody.
 */
export const recordedConformance: Suite = {
  name: 'recorded',
  summary:
    'a conversation of thirty turns, recorded on each wire and replayed in a process without a network',
  takes: 'about 20 seconds',
  async *run(): AsyncGenerator<Section> {
    for (const wire of RECORDED_WIRES) {
      yield await timed(wire.name, async () => [
        { name: `${String(TURNS)} turns`, checks: await recordAndReplay(wire) },
      ]);
    }
  },
};

async function recordAndReplay(wire: ProviderWire): Promise<readonly Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'adorn-recorded-'));
  const cassette = join(folder, 'shop.cassette.json');
  try {
    const said = await recordOn(wire, cassette);
    const written = await readFile(cassette, 'utf8');
    const [first, second] = [await replayed(wire, cassette), await replayed(wire, cassette)];
    const changed = await replayed(wire, cassette, 'Serve nobody.');
    return [
      { what: 'replayed byte for byte', fault: faultOf(said, first) },
      { what: 'replayed once more', fault: faultOf(said, second) },
      {
        what: 'the cassette is as it was',
        fault: faultOf(written, { out: await readFile(cassette, 'utf8') }),
      },
      {
        what: 'a changed instruction is shown',
        fault: lacks(changed, ['Serve the customers', 'Serve nobody.']),
      },
      { what: 'no key is recorded', fault: /apiKey|x-api-key|authorization/i.exec(written)?.[0] },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordOn(wire: ProviderWire, cassette: string): Promise<string> {
  await using server = await wire.start(SCRIPT, {});
  return await converse(recorded(wire.model(server.url, 3), cassette, { mode: 'record' }));
}

interface Replay {
  readonly out: string;
  readonly failure?: string;
}

async function replayed(wire: ProviderWire, cassette: string, ...instruction: string[]): Promise<Replay> {
  const program = fileURLToPath(new URL('replay.child.js', import.meta.url));
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, wire.name, cassette, ...instruction],
      {
        env: { PATH: process.env['PATH'] },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    return { out: stdout };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    return { out: stdout, failure: stderr };
  }
}

function faultOf(expected: string, { out, failure }: Replay): string | undefined {
  if (failure !== undefined) return failure;
  return out === expected ? undefined : `${String(out.length)} bytes differ from ${String(expected.length)}`;
}

/** The conversation must have failed with these words. */
function lacks({ failure = '' }: Replay, words: readonly string[]): string | undefined {
  const lacking = words.filter((word) => !failure.includes(word));
  return lacking.length === 0
    ? undefined
    : `"${lacking.join('", "')}" is missing in: ${failure.slice(0, 300)}`;
}
