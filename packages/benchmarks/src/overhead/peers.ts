import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { type Contestant, versionOf } from './contestants.js';
import { messageOf } from '../message-of.js';
import { npmInstall } from './npm-install.js';

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

/** The folders of this package: what is kept of a peer, and where it is installed; git ignores the second. */
export const PEER_FOLDERS = {
  sources: fileURLToPath(new URL('../../peers/', import.meta.url)),
  installed: fileURLToPath(new URL('../../.peers/', import.meta.url)),
};

const STAMP = '.installed';

/**
 * Gets a peer ready: copies its adapter into a folder of its own and installs the framework there, once per set of
 * pinned versions. Where that fails (no network, a registry that refuses) the peer is left out with the reason.
 */
export async function preparePeer(
  name: string,
  folders = PEER_FOLDERS,
  npmFlags: readonly string[] = [],
): Promise<Contestant | LeftOut> {
  const folder = join(folders.installed, name);
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'adapter.mjs', 'entry.mjs']) {
    cpSync(join(folders.sources, name, file), join(folder, file));
  }
  try {
    await installOnce(folder, npmFlags);
    return await contestant(name, folder);
  } catch (error) {
    return { name, why: messageOf(error) };
  }
}

/** Installs what a folder of `peers` names, without an adapter. @returns where it is */
export async function installPeer(name: string, folders = PEER_FOLDERS): Promise<string> {
  const folder = join(folders.installed, name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(folders.sources, name, 'package.json'), join(folder, 'package.json'));
  await installOnce(folder, []);
  return folder;
}

async function installOnce(folder: string, npmFlags: readonly string[]): Promise<void> {
  const stamp = join(folder, STAMP);
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await npmInstall(folder, npmFlags);
  writeFileSync(stamp, wanted);
}

async function contestant(name: string, folder: string): Promise<Contestant> {
  const url = (file: string): string => pathToFileURL(join(folder, file)).href;
  const { framework, entry } = (await import(url('entry.mjs'))) as PeerEntry;
  const version = `${framework} ${versionOf(framework, url('entry.mjs'))}`;
  return { name, module: url('adapter.mjs'), entry, folder, version, peer: true };
}
