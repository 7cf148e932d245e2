import { setTimeout } from 'node:timers/promises';

import type { ModelRequest, ModelResponse } from '@adorn/core';

import type { Exchange } from './cassette.js';
import { RecordedFailureError } from './errors.js';
import type { RecordingOptions } from './recording-options.js';

/** A recorded answer as the model gave it: its pieces if the request streams, and its failure. @throws {RecordedFailureError} */
export async function* replayedAnswer(
  { answer, failure }: Exchange,
  { signal, stream }: ModelRequest,
  pace: RecordingOptions['pace'] = 'fast',
): AsyncGenerator<ModelResponse, void, undefined> {
  for (const { after, response } of answer) {
    if (pace === 'recorded' && after > 0) await setTimeout(after, undefined, { signal });
    signal.throwIfAborted();
    if (stream || response.partial !== true) yield structuredClone(response);
  }
  if (failure) throw new RecordedFailureError(failure);
}
