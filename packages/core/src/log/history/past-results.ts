import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import { isBesideBranch } from '../../events/event-place.js';
import type { FunctionResponse } from '../../events/genai-types.js';
import { isRequestName } from '../../events/pending-request.js';
import { contentForModel } from '../../events/responses-for-model.js';
import type { Session } from '../../events/session.js';
import { shownEntries } from '../compaction-event.js';
import { effectiveEntries } from '../effective-events.js';
import { beginsTurn } from '../invocation-chains.js';
import { isBeginning, longResultName } from '../long-result.js';
import { cutsOf } from '../shortening.js';
import { type HistoryPlace, type Viewer, ViewOfLog } from './model-view.js';

/** A result of an earlier call. */
export interface PastResult {
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments of the call. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
  /** The artifact with the full result as JSON, if the response has its beginning only. */
  readonly artifact: string | undefined;
  /** False for a result that requests show cut, as a note, or in a summary. */
  readonly isWhole: boolean;
}

/**
 * The results in a conversation that an agent may read, oldest first, each as models are told of it. Reads the whole log.
 * What a rewind has undone is not among them; what a summary covers is.
 */
export function pastResults(session: Session, viewer: Viewer, place: HistoryPlace): PastResult[] {
  const view = new ViewOfLog(viewer, place);
  const entries = effectiveEntries(session);
  const cuts = cutsOf(entries);
  const shown = new Set(shownEntries(entries).map(({ event }) => event));
  const turn = entries.findLast(({ event }) => beginsTurn(event))?.seq ?? 0;
  const args = new Map<string | undefined, PastResult['args']>();
  const results: PastResult[] = [];
  for (const { event, seq } of entries) {
    for (const call of functionCallsOf(event.content)) args.set(call.id, call.args ?? {});
    // Runs beside the agent's own are seen once they have ended.
    const isHidden = seq >= turn && view.isBeside(event) && isBeside(event.branch, place.branch);
    if (!view.includes(event) || isHidden) continue;
    const stored = new Set(functionResponsesOf(event.content));
    for (const given of functionResponsesOf(contentForModel(event))) {
      if (!isFinal(given)) continue;
      const { id, name = '', response = {} } = given;
      const isCut = stored.has(given) && isBeginning(given);
      const isWhole = !isCut && shown.has(event) && cuts?.get(event)?.results.has(id) !== true;
      const artifact = isCut ? longResultName(id) : undefined;
      results.push({ id, name, args: args.get(id) ?? {}, response, artifact, isWhole });
    }
  }
  return results;
}

function isBeside(branch: string | undefined, own: string | undefined): boolean {
  return branch !== undefined && own !== undefined && isBesideBranch(branch, own);
}

function isFinal(given: FunctionResponse): given is FunctionResponse & { readonly id: string } {
  return given.id !== undefined && given.willContinue !== true && !isRequestName(given.name);
}
