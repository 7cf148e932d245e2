import { InMemoryArtifactService } from '../../stores/artifacts/in-memory-artifact.service.js';
import { InMemoryMemoryService } from '../../stores/memory/in-memory-memory.service.js';
import type {
  MemoryEntry,
  MemoryScope,
  MemoryService,
  SearchMemoryOptions,
} from '../../stores/memory/memory.service.js';
import { InMemorySessionService } from '../../stores/sessions/in-memory-session.service.js';
import type { RunnerFields } from '../runner.js';

/**
 * The fields of a runner with the same agents, tools and plugins, and with stores of its own in memory: no sessions, no
 * state and no artifacts; memories of the original are found, and added ones stay here. Closing it closes nothing of the
 * original.
 */
export function isolatedFields({ services, ...fields }: RunnerFields): RunnerFields {
  return {
    ...fields,
    services: {
      ...services,
      sessions: new InMemorySessionService(),
      artifacts: new InMemoryArtifactService(),
      memory: new OverlaidMemory(services.memory),
    },
    // A compactor writes to the store of the original.
    compactor: undefined,
    dispose: () => Promise.resolve(),
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
