import { functionResponsesOf } from '../../content/content-parts.js';
import type { Content } from '../../content/genai-types.js';
import { isWithin, nodePathOf, rootNameOf, runPathOf } from '../../events/event-place.js';
import type { Event } from '../../events/event.js';

/** The agent that a history is for. */
export interface Viewer {
  readonly name: string;
  readonly path: string;
}

/** The part of a log that an agent sees. */
export interface HistoryPlace {
  readonly branch?: string | undefined;
  /** The scope of the call that runs the agent as a tool. */
  readonly scope?: string | undefined;
}

/** Which events of a log an agent sees, and which of them are its own or addressed to it. */
export class ViewOfLog {
  constructor(
    private readonly viewer: Viewer,
    private readonly place: HistoryPlace,
  ) {}

  /** True for the view of an agent that runs as a tool. */
  get isOfTool(): boolean {
    return this.place.scope !== undefined;
  }

  isOf({ path }: Viewer, { branch, scope }: HistoryPlace): boolean {
    return this.viewer.path === path && this.place.branch === branch && this.place.scope === scope;
  }

  /**
   * An event of a branch is visible in that branch, in branches below and above it, and outside all branches. What belongs
   * to the run of an agent as a tool is visible there alone, with the results that a user supplies.
   */
  includes({ branch, isolationScope, author, content }: Event): boolean {
    const { branch: own, scope } = this.place;
    if (isolationScope !== scope)
      return isolationScope === undefined && author === 'user' && functionResponsesOf(content).length > 0;
    if (branch === undefined || own === undefined || own === branch) return true;
    return own.startsWith(`${branch}.`) || branch.startsWith(`${own}.`);
  }

  /** True for a message of the user, and for the input that this agent, or one above it, was invoked with. */
  isAddressed(event: Event): boolean {
    const given = runPathOf(event);
    return given === undefined || isWithin(this.viewer.path, nodePathOf(given));
  }

  /** Of a user's message outside of a tool's run, its results alone. */
  shownPart({ isolationScope }: Event, content: Content): Content {
    if (isolationScope === this.place.scope) return content;
    return {
      ...content,
      parts: content.parts?.filter(({ functionResponse }) => functionResponse !== undefined),
    };
  }

  /** By the path; by the author's name in logs without paths. */
  isOwn(event: Event): boolean {
    const { name, path } = this.viewer;
    const madeAt = runPathOf(event);
    if (madeAt === path) return true;
    if (event.author !== name) return false;
    return madeAt === undefined || nodePathOf(madeAt) === path || !isOfTree(madeAt, path);
  }
}

/** False for a path of another ADK, which names the same agents in another way. */
function isOfTree(path: string, other: string): boolean {
  return rootNameOf(path) === rootNameOf(other);
}
