import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { copyPeer, installOnce, type PeerFolders } from '@adorn/conformance/install-peer/install-peer';
import { messageOf } from '@adorn/conformance/message-of';

import { type Contestant, versionOf } from './contestants.js';

export const PEERS = ['google-adk', 'adk-ts', 'ai-sdk'] as const;

export type PeerName = (typeof PEERS)[number];

/** A peer that is not measured, and the reason. */
export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

/** What a peer's `entry.mjs` exports: it names the framework without loading it. */
interface PeerEntry {
  readonly framework: string;
  readonly entry: string;
}

/** The folders of this package. */
export const PEER_FOLDERS: PeerFolders = {
  sources: fileURLToPath(new URL('../../peers/', import.meta.url)),
  installed: fileURLToPath(new URL('../../.peers/', import.meta.url)),
};

/**
 * Gets a peer ready: copies its adapter into a folder of its own and installs the framework there, once per set of
 * pinned versions. Where that fails (no network, a registry that refuses) the peer is left out with the reason.
 */
export async function preparePeer(
  name: string,
  folders = PEER_FOLDERS,
  npmFlags: readonly string[] = [],
): Promise<Contestant | LeftOut> {
  const folder = copyPeer(name, folders, ['package.json', 'adapter.mjs', 'entry.mjs']);
  try {
    await installOnce(folder, npmFlags);
    return await contestant(name, folder);
  } catch (error) {
    return { name, why: messageOf(error) };
  }
}

async function contestant(name: string, folder: string): Promise<Contestant> {
  const url = (file: string): string => pathToFileURL(join(folder, file)).href;
  const { framework, entry } = (await import(url('entry.mjs'))) as PeerEntry;
  const version = `${framework} ${versionOf(framework, url('entry.mjs'))}`;
  return { name, module: url('adapter.mjs'), entry, folder, version, peer: true };
}
