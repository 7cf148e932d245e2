import { QuietLogger } from '@adorn/conformance/quiet-logger';
import {
  agent,
  ContainerModule,
  createRunner,
  LlmAgent,
  Logger,
  Model,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import { schedule, type ScheduledRun } from '@adorn/schedules';
import { sqlStorage } from '@adorn/storage';

export const APP = 'schedules';
export const USER = 'ada';

/** The seconds between two occurrences. */
export const EVERY_S = 2;

class BriefModel extends Model {
  override readonly name = 'brief';

  override async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    yield await Promise.resolve({
      content: { role: 'model', parts: [{ text: 'done' }] },
      turnComplete: true,
    });
  }
}

/** Looks. */
@agent({})
class Watch extends LlmAgent {
  @schedule(`*/${String(EVERY_S)} * * * * *`, { name: 'watch', missed: 'all' })
  look(): ScheduledRun {
    // Another session each time it is called: what was stored first counts.
    return { userId: USER, message: 'Look.', sessionId: crypto.randomUUID() };
  }
}

/** A process of the application. */
export function openWatch(url: string): Promise<Runner<unknown>> {
  const quiet = new ContainerModule(({ bind }) => {
    bind(Logger).toConstantValue(new QuietLogger());
  });
  const options = url.startsWith('postgres') ? { poolSize: 3 } : {};
  return createRunner(Watch, {
    appName: APP,
    model: new BriefModel(),
    modules: [sqlStorage(url, options), quiet],
    config: { takeOverAfter: 3_000 },
  });
}
