// Runs in a worker thread of its own, which is terminated: nothing here has to stop by itself.
import { parentPort, workerData } from 'node:worker_threads';

import type { FoundText, SearchSettings } from './messages.js';

const { source, flags } = workerData as SearchSettings;
const expression = new RegExp(source, flags);

// eslint-disable-next-line adorn/guarded-listeners -- what a worker throws ends the worker, and so its search
parentPort?.on('message', (texts: readonly string[]) => {
  const found: FoundText[] = [];
  for (const [index, text] of texts.entries()) {
    const match = expression.exec(text);
    if (match) found.push({ index, at: match.index });
  }
  parentPort?.postMessage(found);
});
