import { BOOLEAN, checkOptions, OBJECT, type OptionRules, present } from '@adorn/schema';

import type { InvocationServices } from '../../run/invocation-services.js';
import type { StandIns } from '../../run/stand-ins.js';
import { InMemoryArtifactService } from '../../stores/artifacts/in-memory-artifact.service.js';
import { InMemoryMemoryService } from '../../stores/memory/in-memory-memory.service.js';
import type {
  MemoryEntry,
  MemoryScope,
  MemoryService,
  SearchMemoryOptions,
} from '../../stores/memory/memory.service.js';
import { InMemoryEffectLedger } from '../../stores/effects/in-memory-effect-ledger.js';
import { InMemorySessionService } from '../../stores/sessions/in-memory-session.service.js';
import type { SessionService } from '../../stores/sessions/session.service.js';
import type { RunnerFields } from '../runner.js';

/** The options of `runner.isolated`. */
export interface IsolatedOptions {
  /** Functions in place of tools and models. Default: those of this runner. */
  readonly standIns?: StandIns;
  /**
   * True for a runner on the stores of this one, as a second process would have it. Default: false, stores of its own, which
   * are empty.
   */
  readonly sharesStores?: boolean;
  /** The session service, such as one in front of that of this runner. Default: as `sharesStores` says. */
  readonly sessions?: SessionService;
}

const RULES: OptionRules<IsolatedOptions> = {
  standIns: OBJECT,
  sharesStores: BOOLEAN,
  sessions: OBJECT,
};

/**
 * The fields of a runner with the same agents, tools and plugins, and with stores of its own in memory: no sessions, no
 * state, no artifacts and no effects; memories of the original are found, and added ones stay here. Closing it closes
 * nothing of the original.
 *
 * @throws {OptionInvalidError}
 */
export function isolatedFields(
  { services, ...fields }: RunnerFields,
  options: IsolatedOptions = {},
): RunnerFields {
  checkOptions('runner.isolated', options, RULES);
  const { standIns = services.standIns, sharesStores = false } = options;
  const stores = sharesStores ? services : ownStores(services);
  const { artifacts, memory, effects, sessions } = { ...stores, ...present({ sessions: options.sessions }) };
  return {
    ...fields,
    services: { ...services, sessions, artifacts, memory, effects, standIns },
    // A compactor writes to the store of the original.
    compactor: undefined,
    dispose: () => Promise.resolve(),
  };
}

function ownStores({ memory }: InvocationServices) {
  return {
    sessions: new InMemorySessionService(),
    artifacts: new InMemoryArtifactService(),
    memory: new OverlaidMemory(memory),
    effects: new InMemoryEffectLedger(),
  };
}

/** Finds its own memories first, then those of another service, to which it adds none. */
class OverlaidMemory extends InMemoryMemoryService {
  constructor(private readonly original: MemoryService) {
    super();
  }

  override async searchMemory(
    scope: MemoryScope,
    query: string,
    options: SearchMemoryOptions = {},
  ): Promise<MemoryEntry[]> {
    const own = await super.searchMemory(scope, query, options);
    const others = await this.original.searchMemory(scope, query, options);
    return [...own, ...others].slice(0, Math.max(0, options.limit ?? 10));
  }
}
