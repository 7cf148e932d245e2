import { LlmEventSummarizer, sessionCompaction } from '@adorn/compaction';
import { ScriptedModel } from '@adorn/testing';

import { skipModelChecks } from '../backend.js';
import { createRunner, defineAgent, type Model, type Runner } from '../index.js';

/** Has no key. */
class Keyless extends ScriptedModel {
  override ready(): void {
    throw new Error('There is no API key.');
  }
}

describe('skipModelChecks', () => {
  it('lets a program that calls no model create runners without a key, until it is disposed of', async () => {
    {
      using _skipped = skipModelChecks();
      using _again = skipModelChecks();
      await (await created(new Keyless())).close();
    }
    await expect(created(new Keyless())).rejects.toThrow('There is no API key.');
  });

  it('holds for the model of summaries, too', async () => {
    const create = () => created(new ScriptedModel(), new Keyless());
    {
      using _skipped = skipModelChecks();
      await (await create()).close();
    }
    await expect(create()).rejects.toThrow('There is no API key.');
  });
});

function created(model: Model, summarizer: Model = new ScriptedModel()): Promise<Runner<unknown>> {
  return createRunner(defineAgent({ name: 'desk', model }), {
    modules: [sessionCompaction],
    compaction: {
      compactionInterval: 5,
      overlapSize: 1,
      summarizer: new LlmEventSummarizer({ model: summarizer }),
    },
  });
}
