import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import type { Content, FunctionCall, FunctionResponse, Part } from '../../events/genai-types.js';
import { isBesideBranch } from '../../events/event-place.js';
import { isReadWithin } from '../../events/mail.js';
import { type Event, isRetried } from '../../events/event.js';
import { isRequestName } from '../../events/pending-request.js';
import { logOf, type Session } from '../../events/session.js';
import { contentForModel } from '../../events/responses-for-model.js';
import { frozenJson } from '@adorn/schema';
import { type CallId, compactedView, isCompaction, summaryContent } from '../compaction-event.js';
import { beginsTurn } from '../invocation-chains.js';
import { Projection, SessionSlot } from '../projection.js';
import { sizeOfContent } from '../content-size.js';
import { withReadingHints } from '../long-result.js';
import { type Cut, cutsOf, isReadLater, shortenedContent } from '../shortening.js';
import { effectiveEntries, type LogEntry } from '../effective-events.js';
import { inOrderOfSpeech, isSaidBefore } from '../said-before.js';
import {
  asContext,
  asVisible,
  type HistoryPlace,
  isInput,
  responseAsText,
  toModelView,
  type Viewer,
  ViewOfLog,
} from './model-view.js';

/** The histories of each session: few, so a list. */
const histories = new SessionSlot<History[]>(() => []);

/** A turn: a message of the user and what follows it, up to the next message. Indexes of contents. */
interface Turn {
  readonly start: number;
  /** Undefined for the current turn. */
  end?: number;
  /** Earlier turns whose calls were answered in this one. */
  resumed?: Set<Turn>;
  /** The turn before, if the message held only answers. */
  readonly previous?: Turn | undefined;
}

/** The calls of one content. Their responses are in the next content. */
interface Batch {
  readonly index: number;
  readonly calls: readonly FunctionCall[];
  readonly turn: Turn;
}

/** An interim response to another agent's call, shown as text, which a newer response replaces. */
interface InterimText {
  readonly author: string;
  readonly index: number;
  /** Index among the parts of that content. */
  readonly part: number;
  readonly turn: Turn;
}

/**
 * The conversation as one agent's model sees it. Contents are appended as events come, so a turn costs the same however
 * long the conversation is. A rewind, a compaction, and a late answer to a call that a summary covers rebuild it.
 *
 * Every call has exactly one response, right behind the call: the newest if there are several, or an error if the call
 * was never answered. Calls of other agents are shown as text, also with the newest response only.
 */
export class History extends Projection {
  private readonly list: Content[] = [];
  private turn: Turn = { start: 0 };
  /** The last calls, until another content follows. */
  private unanswered: Batch | undefined;
  /** Calls whose response may still change: it is missing or an interim one. By call id. */
  private changeable: Map<CallId, Batch> | undefined;
  /** The same for other agents' calls. */
  private interimTexts: Map<CallId, InterimText> | undefined;
  /** Ids of the calls that a summary covers. */
  private covered: Set<CallId> | undefined;
  /** Events of runs beside this agent's, which it sees once they have ended: in a later round, or a later turn. */
  private beside: Event[] = [];
  /** The branch of the agent's last run. */
  private branch: string | undefined;
  /** What the model does not read of events; undefined if it reads all. */
  private cuts: ReadonlyMap<Event, Cut> | undefined;
  /** See `lacksResults`. */
  private isLacking = false;
  /** The sizes of the contents that were measured, in the order of the contents, and their sum. */
  private sizes: number[] = [];
  private measured = 0;

  private constructor(private readonly view: ViewOfLog) {
    super();
  }

  /** The history of a session as an agent sees it in a branch, up to date. */
  static of(session: Session, viewer: Viewer, place: HistoryPlace = {}): History {
    const views = histories.of(session);
    let history = views.find(({ view }) => view.isOf(viewer, place));
    if (!history) views.push((history = new History(new ViewOfLog(viewer, place))));
    history.catchUp(session);
    if (place.branch !== undefined) history.enter(place.branch);
    history.answerLast();
    return history;
  }

  /** A copy of all contents. */
  get contents(): readonly Content[] {
    return this.list.slice();
  }

  /** The size of all contents in bytes, as `sizeOfContent` counts them. Each content is measured once. */
  get size(): number {
    const { list, sizes } = this;
    while (sizes.length < list.length)
      this.measured += sizes[sizes.push(sizeAt(list, sizes.length)) - 1] ?? 0;
    return this.measured;
  }

  /** True if results are shown cut or in a summary, and the agent has the tool that reads them. */
  get lacksResults(): boolean {
    return this.isLacking;
  }

  /**
   * The contents of the current turn. Includes earlier turns whose calls the turn answers, so that every call has its
   * response and the message that led to it.
   */
  currentTurn(): Content[] {
    const { start, resumed, previous } = this.turn;
    if (!resumed && !previous) return this.list.slice(start);
    const turns = [...turnsOf(this.turn)].sort((a, b) => a.start - b.start);
    return turns.flatMap((turn) => this.list.slice(turn.start, turn.end));
  }

  /** The last calls have no response, and the model reads on. */
  private answerLast(): void {
    if (this.unanswered) this.addMissingResponses(this.unanswered);
  }

  protected override isInvalidatedBy(event: Event): boolean {
    if (super.isInvalidatedBy(event) || isCompaction(event) || isSaidBefore(event)) return true;
    const { covered } = this;
    if (!covered) return false;
    for (const { id } of functionCallsOf(event.content)) covered.delete(id);
    return functionResponsesOf(event.content).some(({ id }) => covered.has(id));
  }

  protected override reset(): void {
    this.list.length = 0;
    this.turn = { start: 0 };
    this.unanswered = undefined;
    this.changeable = undefined;
    this.interimTexts = undefined;
    this.beside = [];
    this.branch = undefined;
    this.cuts = undefined;
    this.isLacking = false;
    this.sizes = [];
    this.measured = 0;
  }

  protected override rebuild(session: Session): void {
    const isWhole = session.nextSeq === logOf(session).length;
    const entries = effectiveEntries(session);
    const { shown, coveredCalls } = compactedView(entries, isWhole);
    this.cuts = cutsOf(entries);
    this.covered = coveredCalls.size === 0 ? undefined : new Set(coveredCalls);
    if (this.covered && this.view.readsResults) this.isLacking = this.coversResults(entries, shown);
    for (const { event } of inOrderOfSpeech(shown)) this.apply(event);
  }

  protected override apply(event: Event): void {
    const { actions, branch } = event;
    const content = this.contentOf(event);
    if (actions.compaction) {
      this.addSummary(actions.compaction.compactedContent);
      return;
    }
    if (!content || isRetried(event) || !this.view.includes(event)) return;
    if (this.view.isBeside(event)) {
      this.beside.push(event);
      return;
    }
    if (this.beside.length > 0 && beginsTurn(event)) this.release(() => true);
    if (branch !== undefined && this.view.isOnOwnBranch(event)) this.enter(branch);
    this.add(event, this.view.shownPart(event, content));
  }

  private contentOf(event: Event): Content | undefined {
    const content = contentForModel(event);
    if (!content) return undefined;
    const canRead = this.view.readsResults && this.view.includes(event);
    const cut = this.cuts?.get(event);
    if (!canRead) return cut ? shortenedContent(content, cut, false) : content;
    const told = withReadingHints(content, event.content);
    if (told !== content || (cut && [...cut.results.values()].some(isReadLater))) this.isLacking = true;
    return cut ? shortenedContent(told, cut, true) : told;
  }

  /** True if a summary covers results of a size that no summary tells. */
  private coversResults(entries: readonly LogEntry[], shown: readonly LogEntry[]): boolean {
    const left = new Set(shown.map(({ event }) => event));
    return entries.some(({ event }) => {
      const { content } = event;
      if (!content || left.has(event) || functionResponsesOf(content).length === 0) return false;
      return this.view.includes(event) && sizeOfContent(content) > SMALLEST_LACKING;
    });
  }

  /** Begins a run of the agent, or continues one: runs that were begun beside an earlier one have ended. */
  private enter(branch: string): void {
    if (this.branch === branch) return;
    this.branch = branch;
    this.release((event) => event.branch === undefined || !isBesideBranch(event.branch, branch));
  }

  private release(hasEnded: (event: Event) => boolean): void {
    const held = this.beside;
    if (held.length === 0) return;
    this.beside = held.filter((event) => !hasEnded(event));
    for (const event of held) {
      const content = this.contentOf(event);
      if (content && hasEnded(event)) this.add(event, this.view.shownPart(event, content));
    }
  }

  /** An agent that runs as a tool sees nothing of the conversation around it, and no summary of it. */
  private addSummary(summary: Content): void {
    if (!this.view.isOfTool) this.push(summaryContent(summary));
  }

  private add(event: Event, content: Content): void {
    const { author } = event;
    if (author === 'user' ? !this.view.isAddressed(event) : !this.view.isOwn(event)) {
      this.addAsContext(author, content);
      return;
    }
    const responses = shownOf(functionResponsesOf(content));
    const answered = this.unanswered;
    const isPlaced = answered !== undefined && responses.length > 0 && answersAll(answered, responses);
    if (author === 'user' && !isReadWithin(event)) this.beginTurn(content, isPlaced);
    if (isPlaced) this.appendResponses(content, answered, responses);
    else if (responses.length === 0) this.push(isInput(event) ? asVisible(content) : content);
    else this.answer(responses, content);
  }

  /** @param isPlaced whether the message holds the responses to the last calls */
  private beginTurn({ parts = [] }: Content, isPlaced: boolean): void {
    if (this.unanswered && !isPlaced) this.addMissingResponses(this.unanswered);
    const start = this.list.length;
    const hasWords = parts.some(({ functionResponse }) => !functionResponse);
    const previous = hasWords ? undefined : this.turn;
    this.turn.end = start;
    this.turn = { start, previous };
  }

  private push(content: Content | undefined): void {
    if (!content) return;
    const view = toModelView(content);
    if (!view) return;
    if (this.unanswered) this.addMissingResponses(this.unanswered);
    const index = this.append(view);
    const calls = content.role === 'user' ? [] : shownOf(functionCallsOf(content));
    if (calls.length > 0) this.unanswered = { index, calls, turn: this.turn };
  }

  /** Freezes the content, because callbacks and models get it. @returns its index */
  private append(content: Content): number {
    return this.list.push(frozenJson(content)) - 1;
  }

  private change(index: number, content: Content): void {
    this.list[index] = frozenJson(content);
    const before = this.sizes[index];
    if (before === undefined) return;
    const size = sizeAt(this.list, index);
    this.sizes[index] = size;
    this.measured += size - before;
  }

  /** Adds a content of another agent as text. A newer response to one of its calls replaces the older one. */
  private addAsContext(author: string, content: Content): void {
    const { interimTexts } = this;
    for (const { id } of functionCallsOf(content)) interimTexts?.delete(id);
    const isLate = ({ functionResponse }: Part): boolean =>
      functionResponse !== undefined && this.replaceText(functionResponse);
    const parts = interimTexts ? content.parts?.filter((part) => !isLate(part)) : content.parts;
    const changeable: [id: string, part: number][] = [];
    const context = asContext(author, { ...content, parts }, ({ id, willContinue }, part) => {
      if (id !== undefined && willContinue === true) changeable.push([id, part]);
    });
    this.push(context);
    const index = this.list.length - 1;
    for (const [id, part] of changeable) {
      this.interimTexts ??= new Map();
      this.interimTexts.set(id, { author, index, part, turn: this.turn });
    }
  }

  /** Replaces the text of an interim response of another agent's call. False if there is none. */
  private replaceText(response: FunctionResponse): boolean {
    const interim = this.interimTexts?.get(response.id);
    const content = interim && this.list.at(interim.index);
    if (!interim || !content) return false;
    this.resume(interim.turn);
    const parts = content.parts?.with(interim.part, responseAsText(interim.author, response));
    this.change(interim.index, { ...content, parts });
    return true;
  }

  private answer(responses: readonly FunctionResponse[], content: Content): void {
    if (this.unanswered) this.addMissingResponses(this.unanswered);
    for (const response of responses) this.replace(response);
    const words = content.parts?.filter(({ functionResponse }) => functionResponse === undefined);
    this.push({ ...content, parts: words });
  }

  /** Adds the responses to the last calls, in the order of the calls: the usual case. */
  private appendResponses(content: Content, batch: Batch, responses: readonly FunctionResponse[]): void {
    const view = toModelView(content);
    if (view) this.append(view);
    this.unanswered = undefined;
    this.resume(batch.turn);
    for (const { id, willContinue } of responses) if (willContinue === true) this.markReplaceable(id, batch);
  }

  private resume(turn: Turn): void {
    if (turn !== this.turn) (this.turn.resumed ??= new Set()).add(turn);
  }

  private markReplaceable(id: CallId, batch: Batch): void {
    this.changeable ??= new Map();
    this.changeable.set(id, batch);
  }

  /** Replaces the response of an earlier call, or of another agent's call. */
  private replace(response: FunctionResponse): void {
    const batch = this.changeable?.get(response.id);
    if (!batch) {
      this.replaceText(response);
      return;
    }
    this.resume(batch.turn);
    const placed = this.list.at(batch.index + 1);
    const position = batch.calls.findIndex(({ id }) => id === response.id);
    const view = toModelView({ role: 'user', parts: [{ functionResponse: response }] });
    const parts = placed?.parts?.map((part, index) =>
      index === position ? (view?.parts?.[0] ?? part) : part,
    );
    if (placed && parts) {
      this.change(batch.index + 1, { ...placed, parts });
    }
  }

  /** Models refuse a call without a response: adds an error as the response, which a late response replaces. */
  private addMissingResponses(batch: Batch): void {
    const parts = batch.calls.map(({ id, name }) => ({
      functionResponse: { id, name, response: NEVER_ANSWERED },
    }));
    for (const { id } of batch.calls) this.markReplaceable(id, batch);
    this.unanswered = undefined;
    this.append(toModelView({ role: 'user', parts }) ?? { role: 'user', parts });
  }
}

/** A shorter result is not worth a tool that reads it, in bytes. */
const SMALLEST_LACKING = 2_000;

function sizeAt(list: readonly Content[], index: number): number {
  const content = list[index];
  return content ? sizeOfContent(content) : 0;
}

/** A turn and the earlier turns that it continues. */
function turnsOf(current: Turn): Set<Turn> {
  const turns = new Set([current]);
  // The set grows while it is iterated.
  for (const { resumed, previous } of turns) {
    if (resumed) for (const turn of resumed) turns.add(turn);
    else if (previous) turns.add(previous);
  }
  return turns;
}

/** The calls or responses of tools, without the framework's requests to a person. */
function shownOf<Named extends FunctionCall | FunctionResponse>(all: Named[]): Named[] {
  return all.every(isShown) ? all : all.filter(isShown);
}

function isShown({ name }: FunctionCall | FunctionResponse): boolean {
  return !isRequestName(name);
}

const NEVER_ANSWERED = Object.freeze({ error: 'This call was interrupted: its outcome is unknown.' });

function answersAll({ calls }: Batch, responses: readonly FunctionResponse[]): boolean {
  return calls.length === responses.length && calls.every(({ id }, index) => id === responses[index]?.id);
}
