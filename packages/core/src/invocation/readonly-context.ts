import type { Content } from '../content/genai-types.js';
import type { MemoryEntry, SearchMemoryOptions } from '../memory/memory.service.js';
import type { Logger } from '../runtime/logger.js';
import { ReadonlyState } from '../state/state.js';
import type { AgentNode } from './agent-node.js';
import type { InvocationContext } from './invocation-context.js';

/** What instructions and toolsets see of an invocation. */
export class ReadonlyContext {
  constructor(
    protected readonly invocation: InvocationContext,
    protected readonly agent: AgentNode,
  ) {}

  get appName(): string {
    return this.invocation.appName;
  }

  get userId(): string {
    return this.invocation.userId;
  }

  get sessionId(): string {
    return this.invocation.session.id;
  }

  get invocationId(): string {
    return this.invocation.invocationId;
  }

  get agentName(): string {
    return this.agent.name;
  }

  /** What the user said that began this invocation. */
  get userContent(): Content | undefined {
    return this.invocation.userContent;
  }

  /** The runner's log. */
  get logger(): Logger {
    return this.invocation.services.logger;
  }

  get state(): ReadonlyState {
    return new ReadonlyState(this.invocation);
  }

  /** Searches what was remembered of this user. */
  searchMemory(query: string, options?: SearchMemoryOptions): Promise<MemoryEntry[]> {
    const { appName, userId } = this.invocation;
    return this.invocation.services.memory.searchMemory({ appName, userId }, query, options);
  }
}
