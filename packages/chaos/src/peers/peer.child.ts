import { writeSync } from 'node:fs';

import { serveA2a } from '@adorn/a2a';

import { type Death, Life } from '../processes/life.js';
import { Clerk } from './clerk.agent.js';
import { clientOf, converse, openPeer } from './open-peer.js';

/** What the process is, and behind which of its writes it dies, if any. */
export type PeerWork = { readonly file: string; readonly death?: Death } & (
  { readonly port: number } | { readonly server: string }
);

/** `peer.child.js WORK`: a server says its URL and serves until it is killed; a client says its answers as JSON. */
const work = JSON.parse(process.argv[2] ?? '') as PeerWork;
const life = new Life(work.death, kill);

if ('port' in work) {
  const { runner } = await openPeer(Clerk, work.file, life);
  const { url } = await serveA2a(runner, { port: work.port, recover: { olderThan: 0 } });
  writeSync(1, `${url}\n`);
} else {
  const peer = await openPeer(clientOf(work.server), work.file, life);
  writeSync(1, `${JSON.stringify(await converse(peer))}\n`);
  await peer.close();
}

/** Ends the process as the loss of power would. No statement runs between the signal and the end. */
function kill(): void {
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
