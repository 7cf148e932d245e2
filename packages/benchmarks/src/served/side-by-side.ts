import { setTimeout } from 'node:timers/promises';

import { formatTable } from '../overhead/report/format.js';
import { percentile } from '../percentile.js';
import { openUnread, rateOf } from './measures.js';
import type { ServedOptions } from './options.js';
import { type ServerName, ServerProcess, SERVERS } from './server-process.js';

const SHORT = { pieces: 4, length: 8 };
const LONG = { pieces: 500, length: 2_000 };
const WARM_UP = 200;

/** What one server did. Absent: it could not be measured. */
interface Row {
  readonly name: ServerName;
  readonly cells: readonly string[];
}

/** Servers in processes of their own, on the same model, as a table. */
export async function sideBySide(options: ServedOptions): Promise<string> {
  const rows: Row[] = [];
  for (const name of SERVERS)
    rows.push({ name, cells: [...(await speed(name, options)), await memory(name, options)] });
  const heads = ['run_sse p50 ms', 'p99 ms', 'turns/s', 'GET /list-apps/s', 'KB for an unread stream'];
  return formatTable(
    ['server', ...heads],
    rows.map(({ name, cells }) => [name, ...cells]),
  );
}

async function speed(name: ServerName, { turns, requests }: ServedOptions): Promise<string[]> {
  await using server = await ServerProcess.open(name, SHORT);
  const { url, headers } = server;
  const send = (body: string): Promise<Response> =>
    fetch(`${url}/run_sse`, { method: 'POST', headers, body });
  const times: number[] = [];
  for (let turn = -WARM_UP; turn < turns; turn++) {
    const body = await server.session();
    const begun = performance.now();
    const text = await (await send(body)).text();
    if (!text.includes('-'.repeat(SHORT.pieces * SHORT.length))) throw new Error(text);
    if (turn >= 0) times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  const turnsPerSecond = await rateOf(Math.ceil(requests / 5), async () => send(await server.session()));
  const listsPerSecond = await rateOf(requests, () => fetch(`${url}/list-apps`, { headers }));
  const shares = [0.5, 0.99].map((share) => percentile(times, share).toFixed(2));
  return [...shares, turnsPerSecond.toFixed(0), listsPerSecond.toFixed(0)];
}

/** Opens streams of long answers, whose clients read the head and nothing more. */
async function memory(name: ServerName, { streams }: ServedOptions): Promise<string> {
  await using server = await ServerProcess.open(name, LONG);
  const bodies: string[] = [];
  for (let stream = 0; stream < streams; stream++) bodies.push(await server.session());
  const before = server.residentBytes;
  const open = await Promise.all(bodies.map((body) => openUnread(server, body)));
  await setTimeout(3_000);
  const bytes = (server.residentBytes - before) / streams;
  for (const response of open) response.destroy();
  return (bytes / 1_024).toFixed(0);
}
