import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { serveA2a } from '@adorn/a2a';
import { type Check, type Section, timed } from '@adorn/conformance/check';

import { Child } from '../child-process.js';
import type { Death } from '../processes/life.js';
import { Clerk, ORDERED } from './clerk.agent.js';
import { clientOf, converse, openPeer, serverFault } from './open-peer.js';
import type { PeerWork } from './peer.child.js';
import { chaosSuite } from '../suite.js';

/** No conversation has more writes. */
const MOST_WRITES = 60;

export const peersChaos = chaosSuite({
  name: 'peers',
  takes: 'four minutes',
  summary:
    'the client, and then the server, of a conversation over A2A is killed behind each write to its log, ' +
    'and started anew; there must be one task with one answer',
  run: breakPeers,
});

/** Kills the client, and then the server, of a conversation over A2A behind each write to its log. */
async function* breakPeers(): AsyncGenerator<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-peers-'));
  try {
    for (const [name, round] of [
      ['the client is killed', clientRound],
      ['the server is killed', serverRound],
    ] as const)
      yield await timed(name, async () => [
        {
          name: 'one task, one answer',
          checks: await behindEachWrite((death) => round(join(folder, name), death)),
        },
      ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `well`, or what is wrong; undefined if the conversation has fewer writes. */
type Round = string | undefined;

async function behindEachWrite(round: (death: Death) => Promise<Round>): Promise<Check[]> {
  const checks: Check[] = [];
  for (const moment of ['at once', 'before the next'] as const)
    for (let behind = 1; behind < MOST_WRITES; behind++) {
      const outcome = await round({ behind, moment });
      if (outcome === undefined) break;
      const what = `behind write ${String(behind)}, ${moment}`;
      checks.push({ what, fault: outcome === 'well' ? undefined : outcome });
    }
  return checks;
}

async function clientRound(base: string, death: Death): Promise<Round> {
  const place = `${base} ${death.moment} ${String(death.behind)}`;
  const server = await openPeer(Clerk, `${place} server.db`);
  const serving = await serveA2a(server.runner);
  try {
    const work = { file: `${place} client.db`, server: serving.url };
    const first = childFor({ ...work, death });
    if ((await first.ended) !== null) return undefined;
    const next = childFor(work);
    const fault = await next.fault();
    if (fault !== undefined) return fault;
    return verdict(JSON.parse(next.lines[0] ?? '[]') as string[], await serverFault(server.sessions));
  } finally {
    await serving.close();
    await server.close();
  }
}

async function serverRound(base: string, death: Death): Promise<Round> {
  const place = `${base} ${death.moment} ${String(death.behind)}`;
  const file = `${place} server.db`;
  const first = childFor({ file, port: 0, death });
  await first.untilLines(1);
  const url = first.lines[0] ?? '';
  const restarted: Child[] = [];
  // A supervisor, which starts the server anew at its address.
  void first.ended.then(() => restarted.push(childFor({ file, port: Number(new URL(url).port) })));
  const client = await openPeer(clientOf(url), `${place} client.db`);
  const answers = await converse(client);
  await client.close();
  const [next] = restarted;
  if (!next) {
    await first.kill();
    for (const child of restarted) await child.kill();
    return undefined;
  }
  await next.kill();
  const server = await openPeer(Clerk, file);
  try {
    return verdict(answers, await serverFault(server.sessions));
  } finally {
    await server.close();
  }
}

function childFor(work: PeerWork): Child {
  return new Child('peer.child.js', import.meta.url, [JSON.stringify(work)]);
}

function verdict(answers: readonly string[], serverFound: string | undefined): string {
  if (!isDeepStrictEqual(answers, [ORDERED])) return `the client has the answers ${JSON.stringify(answers)}`;
  return serverFound ?? 'well';
}
