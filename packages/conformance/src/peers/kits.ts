import { fileURLToPath } from 'node:url';

import { copyPeer, installPeer, PEER_FOLDERS } from '../install-peer/install-peer.js';

/** A kit beside Adorn. */
export interface PeerKit {
  /** Its name and version, as the README has them. */
  readonly name: string;
  /** Its folder in `peers`. */
  readonly folder: string;
}

/** In the order of the README's columns. */
export const PEER_KITS: readonly PeerKit[] = [
  { name: 'AI SDK 7.0.173', folder: 'kit-ai-sdk' },
  { name: 'OpenAI Agents 0.20.0', folder: 'kit-openai-agents' },
  { name: 'LangGraph 1.7.3', folder: 'kit-langgraph' },
  { name: 'Mastra 1.71.0', folder: 'kit-mastra' },
];

/** The program that plays the trials with Adorn. */
export const ADORN_PROGRAM = fileURLToPath(new URL('./adorn-kit.js', import.meta.url));

const PROGRAM = 'kit.mjs';

/** Installs a kit, unless it is there. @returns the program that plays the trials with it */
export async function programOf({ folder }: PeerKit): Promise<string> {
  await installPeer(folder);
  return `${copyPeer(folder, PEER_FOLDERS, [PROGRAM])}/${PROGRAM}`;
}
