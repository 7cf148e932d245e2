import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { copyPeer, installPeer } from '@adorn/conformance/install-peer/install-peer';
import { messageOf } from '@adorn/conformance/message-of';

import { PEER_FOLDERS } from '../../overhead/peers.js';
import { formatTable } from '../../overhead/report/format.js';
import { quantilesOf } from '../quantiles.js';
import type { CallReport } from './call-child.js';

const SESSIONS = 50;
const SECONDS = 10;

/** A client of a wire. `peer`: the folder of `peers` that has its module. */
interface Contestant {
  readonly name: string;
  readonly module?: string;
  readonly peer?: string;
}

const CONTESTANTS: readonly Contestant[] = [
  { name: "Gemini: Google's client alone", module: 'genai.js' },
  { name: 'Gemini: Adorn', module: 'adorn-gemini.js' },
  { name: 'Gemini: Google ADK 2.0.0', peer: 'google-adk' },
  { name: 'OpenAI: Adorn', module: 'adorn-openai.js' },
  { name: 'OpenAI: agents-realtime 0.20.0', peer: 'openai-agents' },
];

/** The same frames through Adorn and others, each in a process of its own beside one server, as a table. */
export async function sideBySide(): Promise<string> {
  const rows: string[][] = [];
  for (const contestant of CONTESTANTS) rows.push([contestant.name, ...(await measured(contestant))]);
  return formatTable(
    [
      `${String(SESSIONS)} conversations`,
      'of a core',
      'MB',
      'heard',
      'p50 ms',
      'p99 ms',
      'sent',
      'p50 ms',
      'p99 ms',
    ],
    rows,
  );
}

/** The cells of a row; the reason in the first where it cannot be measured. */
async function measured(contestant: Contestant): Promise<string[]> {
  try {
    return await measure(await moduleOf(contestant));
  } catch (error) {
    return [messageOf(error), '', '', '', '', '', '', ''];
  }
}

async function moduleOf({ module, peer }: Contestant): Promise<string> {
  if (module !== undefined) return new URL(module, import.meta.url).href;
  const folder = await installPeer(peer ?? '', PEER_FOLDERS);
  copyPeer(peer ?? '', PEER_FOLDERS, ['live.mjs']);
  return pathToFileURL(join(folder, 'live.mjs')).href;
}

async function measure(module: string): Promise<string[]> {
  const server = child('wire-child.js', [], 'pipe');
  const [url] = (await once(createInterface(server.stdout as NodeJS.ReadableStream), 'line')) as [string];
  const caller = child('call-child.js', [module, url, String(SESSIONS), String(SECONDS)], 'inherit');
  try {
    await messageFrom(caller);
    await delaysOf(server);
    const { share, delays, megabytes } = (await messageFrom(caller)) as CallReport;
    const sent = await delaysOf(server);
    return [`${(share * 100).toFixed(0)} %`, megabytes.toFixed(0), ...cellsOf(delays), ...cellsOf(sent)];
  } finally {
    caller.kill();
    server.kill();
  }
}

function cellsOf(delays: readonly number[]): string[] {
  const [count, p50, p99] = quantilesOf(delays);
  return [count, p50, p99];
}

function child(file: string, args: readonly string[], stdout: 'pipe' | 'inherit'): ChildProcess {
  const script = fileURLToPath(new URL(file, import.meta.url));
  return fork(script, args, { stdio: ['ignore', stdout, 'inherit', 'ipc'] });
}

async function delaysOf(server: ChildProcess): Promise<number[]> {
  server.send('delays');
  return (await messageFrom(server)) as number[];
}

/** @throws {Error} if the process ends before */
async function messageFrom(process: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  const ended = once(process, 'exit', { signal: stop.signal }).then(([code]) => {
    throw new Error(`The process ended with ${String(code)}.`);
  });
  try {
    const [message] = (await Promise.race([once(process, 'message', { signal: stop.signal }), ended])) as [
      unknown,
    ];
    return message;
  } finally {
    stop.abort();
    ended.catch(() => undefined);
  }
}
