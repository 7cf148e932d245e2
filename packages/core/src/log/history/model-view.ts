import { functionResponsesOf } from '../../events/content-parts.js';
import type { Content, FunctionResponse, Part } from '../../events/genai-types.js';
import {
  branchPlace,
  isBesideBranch,
  isWithin,
  nodePathOf,
  rootNameOf,
  runPathOf,
} from '../../events/event-place.js';
import type { Event } from '../../events/event.js';
import { isRequestName } from '../../events/pending-request.js';
import { isOwnCallId } from '../../runtime/ids.js';

/** The agent that a history is for. */
export interface Viewer {
  /** The name of the agent. */
  readonly name: string;
  /** Its path in the tree of agents, such as `root/clerk`. */
  readonly path: string;
  /** True if it has the tool that reads results which requests show cut, or not at all. Default: false. */
  readonly readsResults?: boolean;
}

/** The part of a log that an agent sees. */
export interface HistoryPlace {
  /** The branch of the agent's run; undefined outside of parallel agents. */
  readonly branch?: string | undefined;
  /** The scope of the call that runs the agent as a tool. */
  readonly scope?: string | undefined;
}

/** Which events of a log an agent sees, and which of them are its own or addressed to it. */
export class ViewOfLog {
  /** The branch without the numbers of runs, so that the rounds of a loop share a view. */
  private readonly branchPlace: string | undefined;

  constructor(
    private readonly viewer: Viewer,
    private readonly place: HistoryPlace,
  ) {
    this.branchPlace = placeOf(place.branch);
  }

  /** True for the view of an agent that runs as a tool. */
  get isOfTool(): boolean {
    return this.place.scope !== undefined;
  }

  get readsResults(): boolean {
    return this.viewer.readsResults === true;
  }

  isOf({ path }: Viewer, { branch, scope }: HistoryPlace): boolean {
    return this.viewer.path === path && this.branchPlace === placeOf(branch) && this.place.scope === scope;
  }

  /**
   * Events of an agent that runs as a tool are visible only in that run, together with the results that a user supplies.
   */
  includes({ isolationScope, author, content }: Event): boolean {
    if (isolationScope === this.place.scope) return true;
    return isolationScope === undefined && author === 'user' && functionResponsesOf(content).length > 0;
  }

  /** True for an event of a run that is, or was in an earlier round or turn, begun beside this agent's branch. */
  isBeside({ branch }: Event): boolean {
    const own = this.branchPlace;
    return own !== undefined && branch !== undefined && isBesideBranch(branchPlace(branch), own);
  }

  /** True for an event that this agent made on its branch, in this round or an earlier one. */
  isOnOwnBranch(event: Event): boolean {
    return this.branchPlace !== undefined && placeOf(event.branch) === this.branchPlace && this.isOwn(event);
  }

  /** True for a message of the user, and for the input that this agent, or one above it, was invoked with. */
  isAddressed(event: Event): boolean {
    const given = runPathOf(event);
    return given === undefined || isWithin(this.viewer.path, nodePathOf(given));
  }

  /** The visible part: of a user's message from outside the tool's run, only the results. */
  shownPart({ isolationScope }: Event, content: Content): Content {
    if (isolationScope === this.place.scope) return content;
    return {
      ...content,
      parts: content.parts?.filter(({ functionResponse }) => functionResponse !== undefined),
    };
  }

  /** True for an event of this agent, compared by path, or by the author's name in logs without paths. */
  isOwn(event: Event): boolean {
    const { name, path } = this.viewer;
    const madeAt = runPathOf(event);
    if (madeAt === path) return true;
    if (event.author !== name) return false;
    return madeAt === undefined || nodePathOf(madeAt) === path || !isOfTree(madeAt, path);
  }
}

function placeOf(branch: string | undefined): string | undefined {
  return branch === undefined ? undefined : branchPlace(branch);
}

/** True if both paths have the same root. False for a path of another ADK, which names the same agents differently. */
function isOfTree(path: string, other: string): boolean {
  return rootNameOf(path) === rootNameOf(other);
}

/** True for the message that an agent was invoked with in place of the user's. */
export function isInput(event: Event): boolean {
  return event.author === 'user' && runPathOf(event) !== undefined;
}

/** A message with a text in place of an empty one, which models refuse: without it the message before would be the last. */
export function asVisible(content: Content): Content {
  return content.parts?.every(isEmptyText) === true ? { ...content, parts: [{ text: EMPTY }] } : content;
}

const EMPTY = '(empty message)';

/**
 * A content as a model sees it: without the framework's requests to a person, empty texts, ids made by the framework,
 * and `willContinue`. Returns the same object if nothing is left out, and undefined if nothing remains.
 */
export function toModelView(content: Content): Content | undefined {
  const { parts = [] } = content;
  if (parts.length === 0) return undefined;
  if (!parts.some(isChanged)) return content;
  const shown = parts.filter((part) => !isHidden(part)).map(toShown);
  return shown.length === 0 ? undefined : { ...content, parts: shown };
}

function isChanged(part: Part): boolean {
  const named = part.functionCall ?? part.functionResponse;
  if (!named) return isEmptyText(part) || isCalledCode(part);
  return isOwn(named.id) || isRequestName(named.name) || part.functionResponse?.willContinue !== undefined;
}

function isHidden(part: Part): boolean {
  const { functionCall, functionResponse } = part;
  if (isRequestName(functionCall?.name) || isRequestName(functionResponse?.name)) return true;
  return isEmptyText(part) || isCalledCode(part);
}

/** True for code that a tool has run, and for its result: the model reads the call and its response instead. */
function isCalledCode({ executableCode, codeExecutionResult }: Part): boolean {
  return isOwn(executableCode?.id) || isOwn(codeExecutionResult?.id);
}

/** An empty text with a thought signature is kept: models send signatures that way. */
function isEmptyText(part: Part): boolean {
  return part.text === '' && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

function toShown(part: Part): Part {
  if (part.functionCall && isOwn(part.functionCall.id)) {
    const { id: _own, ...functionCall } = part.functionCall;
    return { ...part, functionCall };
  }
  return part.functionResponse ? { ...part, functionResponse: shownResponse(part.functionResponse) } : part;
}

function shownResponse({ willContinue: _mark, id, ...response }: FunctionResponse): FunctionResponse {
  return id === undefined || isOwn(id) ? response : { id, ...response };
}

function isOwn(id: string | undefined): boolean {
  return id !== undefined && isOwnCallId(id);
}

/**
 * A content of another agent as text of the role `user`, because a model takes the role `model` for its own words.
 * Thoughts are left out. Undefined if nothing remains.
 *
 * @param onResponse called with each response and the index of the part that holds its text
 */
export function asContext(
  author: string,
  content: Content,
  onResponse?: (response: FunctionResponse, part: number) => void,
): Content | undefined {
  const texts: Part[] = [{ text: CONTEXT }];
  for (const part of content.parts ?? []) {
    const { text, thought, functionCall, functionResponse } = part;
    const isRequest = isRequestName(functionCall?.name) || isRequestName(functionResponse?.name);
    if (thought === true || isRequest || text?.trim() === '' || isCalledCode(part)) continue;
    if (functionResponse) onResponse?.(functionResponse, texts.length);
    texts.push(partAsText(author, part));
  }
  return texts.length === 1 ? undefined : { role: 'user', parts: texts };
}

const CONTEXT = 'For context:';

/** True for a content of another agent, which a model reads as a text of the user: `For context: [clerk] said: …`. */
export function isQuotedContent({ parts = [] }: Content): boolean {
  return parts.length > 1 && parts[0]?.text === CONTEXT;
}

function partAsText(author: string, part: Part): Part {
  const { text, functionCall, functionResponse } = part;
  if (text !== undefined) return { text: `[${author}] said: ${text}` };
  if (functionCall) {
    return {
      text: `[${author}] called tool \`${functionCall.name ?? ''}\` with ${asJson(functionCall.args)}`,
    };
  }
  return functionResponse ? responseAsText(author, functionResponse) : part;
}

/** A response of another agent's tool as text. */
export function responseAsText(author: string, { name = '', response }: FunctionResponse): Part {
  return { text: `[${author}] tool \`${name}\` returned ${asJson(response)}` };
}

function asJson(value: unknown): string {
  return JSON.stringify(value ?? {});
}
