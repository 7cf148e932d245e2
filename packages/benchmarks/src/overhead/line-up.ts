import { builtIn, BUILT_IN_NAMES, type BuiltInName, type Contestant } from './contestants.js';
import { chosen, type BenchOptions } from './options.js';
import { type LeftOut, PEERS, preparePeer } from './peers.js';

/** Who takes part in a run, and who does not and why. */
export interface LineUp {
  readonly contestants: readonly Contestant[];
  readonly leftOut: readonly LeftOut[];
}

/** Finds the adapters that were asked for and gets the peers among them ready. Throws `UsageError` for others. */
export async function lineUp(
  { adapters, peers }: BenchOptions,
  log: (line: string) => void,
): Promise<LineUp> {
  const known = [...BUILT_IN_NAMES, ...(peers ? PEERS : [])];
  const names = adapters ? chosen('adapter', known, adapters.join(',')) : known;
  const contestants: Contestant[] = [];
  const leftOut: LeftOut[] = [];
  for (const name of names) {
    if (isBuiltIn(name)) {
      contestants.push(builtIn(name));
      continue;
    }
    log(`getting ${name} ready`);
    const peer = await preparePeer(name);
    if ('why' in peer) {
      log(`${name} is left out: ${peer.why}`);
      leftOut.push(peer);
    } else {
      contestants.push(peer);
    }
  }
  return { contestants, leftOut };
}

function isBuiltIn(name: string): name is BuiltInName {
  return BUILT_IN_NAMES.some((other) => other === name);
}
