import { Model, type ModelRequest, type ModelResponse } from 'adorn';

import type { Scenario } from '../../adapter.js';
import { chunkContent, lastCallId, modelContent } from '../../gemini-words.js';
import { pause } from '../../pause.js';
import { CHUNKS, nextAction, type Speaker } from '../../script.js';
import { countModelCall } from '../../tally.js';

/** The script behind Adorn's own model port. */
export class ScriptedBenchModel extends Model {
  readonly name = 'scripted';

  constructor(
    private readonly scenario: Scenario,
    private readonly speaker: Speaker,
  ) {
    super();
  }

  /** Reads the signal of the request, as every model does that passes it to `fetch`. */
  async *generate({
    contents,
    stream,
    signal,
  }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    signal.throwIfAborted();
    countModelCall(contents.length);
    const { kind, delayMs } = this.scenario;
    if (delayMs > 0) await pause(delayMs);
    const action = nextAction(kind, lastCallId(contents), this.speaker);
    if (action.kind === 'stream' && stream) {
      for (let sent = 0; sent < CHUNKS; sent++) yield { content: chunkContent(), partial: true };
    }
    yield { content: modelContent(action) };
  }
}
