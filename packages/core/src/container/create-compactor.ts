import type { Container, Newable } from 'inversify';

import type { TreeResolver } from '../agents/tree/model-resolver.js';
import {
  CompactionConfigInvalidError,
  compactionRules,
  type EventsCompactionConfig,
} from '../compaction/events-compaction-config.js';
import { Compactor } from '../compaction/compactor.js';
import { EventSummarizer, LlmEventSummarizer } from '../compaction/event-summarizer.js';
import type { InvocationServices, ServiceToken } from '../invocation/invocation-services.js';
import type { Model } from '../models/model.js';
import type { ClassBinder } from './bind-class.js';

/** The dependencies of `createCompactor`. */
export interface CompactorMaterials {
  readonly container: Container;
  readonly binder: ClassBinder;
  readonly resolve: TreeResolver;
  readonly services: InvocationServices;
  /** The root agent's model, if it has one. */
  readonly findModel: () => Promise<Model | undefined>;
}

/**
 * Creates the compactor of a runner; undefined without compaction.
 *
 * @throws {CompactionConfigInvalidError | ServiceNotBoundError}
 */
export async function createCompactor(
  config: EventsCompactionConfig | undefined,
  materials: CompactorMaterials,
): Promise<Compactor | undefined> {
  if (config === undefined) return undefined;
  const rules = compactionRules(config);
  const summarizer = await summarizerOf(config, materials);
  await summarizer.ready();
  return new Compactor({ rules, summarizer, services: materials.services });
}

async function summarizerOf(
  { summarizer: stated }: EventsCompactionConfig,
  { container, binder, resolve, findModel }: CompactorMaterials,
): Promise<EventSummarizer> {
  if (typeof stated === 'object') return requireSummarizer(stated);
  if (stated !== undefined) {
    if (typeof stated === 'function' && stated !== EventSummarizer) binder.bind(stated, 'singleton');
    return requireSummarizer(await resolve(stated, 'createRunner'));
  }
  const identifier = EventSummarizer as unknown as Newable<EventSummarizer>;
  if (container.isBound(identifier)) return requireSummarizer(await resolve(EventSummarizer, 'createRunner'));
  const model = await findModel();
  if (model !== undefined) return new LlmEventSummarizer({ model });
  throw new CompactionConfigInvalidError(
    'the root agent has no model to summarise with, and there is no summarizer',
    'Set compaction.summarizer, or bind EventSummarizer.',
  );
}

/** Checks for the method, not the class: two copies of this package may be installed. */
function requireSummarizer(found: ServiceToken<EventSummarizer> | EventSummarizer): EventSummarizer {
  if (typeof found === 'object' && typeof found.summarize === 'function') return found;
  throw new CompactionConfigInvalidError(
    'its summarizer has no summarize method',
    'Extend EventSummarizer or LlmEventSummarizer.',
  );
}
