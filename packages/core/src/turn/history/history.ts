import { functionCallsOf, functionResponsesOf } from '../../content/content-parts.js';
import type { Content, FunctionCall, FunctionResponse, Part } from '../../content/genai-types.js';
import { isMarker, summaryContent } from '../../events/compaction-marker.js';
import { type CallId, compactedView } from '../../events/compacted-view.js';
import { logOf, Projection, type Session } from '../../events/session.js';
import type { Event } from '../../events/event.js';
import { isRequestName } from '../../events/pending-request.js';
import { standingPlaces } from '../../events/standing-events.js';
import { asContext, toldResponse, toModelView } from './model-view.js';
import { SharedContents } from './shared-contents.js';

/** The views of each session: few, so they are not looked up but gone through. */
const histories = new Projection<History[]>(() => []);

/** Whose view of a session. */
export interface Viewer {
  readonly name: string;
  readonly path: string;
}

/** A turn: what a message of the user began, up to the next message. */
interface Turn {
  readonly start: number;
  /** Undefined for the current turn. */
  end?: number;
  /** Earlier turns whose calls were answered in this one: it goes on with them. */
  resumed?: Set<Turn>;
  /** The turn before, where the message held answers alone. */
  readonly previous?: Turn | undefined;
}

/** The calls of one content; their responses stand right behind it. */
interface Batch {
  readonly index: number;
  readonly calls: readonly FunctionCall[];
  readonly turn: Turn;
}

/** A response of another agent's call that a newer response may replace. */
interface ToldResponse {
  readonly author: string;
  readonly index: number;
  /** Its index among the parts of that content. */
  readonly part: number;
  readonly turn: Turn;
}

/**
 * The conversation as one agent's model sees it: a projection of the log, kept up behind a cursor by appending, so
 * that a turn costs the same however long the conversation is. A rewind, a compaction, and a late answer to a call
 * that a summary covers drop it, and it is made once from what still stands.
 *
 * Every call has exactly one response, right behind the call: the newest where there were several, and a response
 * that says so where the call was never answered. What is told of another agent's call holds the newest response too.
 */
export class History {
  /** What requests are made of. */
  readonly shared = new SharedContents();
  private turn: Turn = { start: 0 };
  private cursor = 0;
  /** The last calls, while nothing stands behind them. */
  private unanswered: Batch | undefined;
  /** The calls whose response may still change: it was never given, or said that more will come. */
  private changeable: Map<CallId, Batch> | undefined;
  /** The same of other agents' calls. */
  private told: Map<CallId, ToldResponse> | undefined;
  /** The ids of the calls that a summary covers. */
  private covered = new Set<CallId>();

  private constructor(
    private readonly viewer: Viewer,
    private readonly branch: string | undefined,
  ) {}

  /** The history of a session as an agent in a branch sees it, brought up to date. */
  static of(session: Session, viewer: Viewer, branch: string | undefined): History {
    const views = histories.of(session);
    let history = views.find((view) => view.viewer.path === viewer.path && view.branch === branch);
    if (history === undefined) views.push((history = new History(viewer, branch)));
    history.catchUp(session);
    return history;
  }

  /** A copy of all contents. */
  get contents(): readonly Content[] {
    return this.shared.slice(0);
  }

  /**
   * The contents of the current turn alone. A turn that answers calls of earlier turns holds those turns as well, so
   * that every call stands with its response and behind what it was made for.
   */
  currentTurn(): Content[] {
    const { start, resumed, previous } = this.turn;
    if (resumed === undefined && previous === undefined) return this.shared.slice(start);
    const turns = [...turnsOf(this.turn)].sort((a, b) => a.start - b.start);
    return turns.flatMap((turn) => this.shared.slice(turn.start, turn.end));
  }

  private catchUp(session: Session): void {
    const events = logOf(session);
    while (this.cursor < events.length) {
      const event = events[this.cursor++];
      if (event === undefined) continue;
      if (this.isTurningPoint(event)) this.rebuild(session);
      else this.see(event);
    }
    if (this.unanswered !== undefined) this.answerTheUnanswered(this.unanswered);
  }

  private isTurningPoint({ actions, content }: Event): boolean {
    if (actions.rewindBeforeInvocationId !== undefined || actions.compaction !== undefined) return true;
    if (this.covered.size === 0) return false;
    for (const { id } of functionCallsOf(content)) this.covered.delete(id);
    return functionResponsesOf(content).some(({ id }) => this.covered.has(id));
  }

  private rebuild(session: Session): void {
    this.shared.clear();
    this.turn = { start: 0 };
    this.unanswered = undefined;
    this.changeable = undefined;
    this.told = undefined;
    const { shown, coveredCalls } = compactedView(
      standingPlaces(session),
      session.nextSeq === logOf(session).length,
    );
    this.covered = new Set(coveredCalls);
    for (const { event } of shown) {
      if (isMarker(event)) this.summarise(event);
      else this.see(event);
    }
    this.cursor = logOf(session).length;
  }

  /** A summary stands for many turns, and begins none. */
  private summarise({ actions: { compaction } }: Event): void {
    if (compaction !== undefined) this.push(summaryContent(compaction.compactedContent));
  }

  private see(event: Event): void {
    if (event.content !== undefined && this.isVisible(event)) this.take(event, event.content);
  }

  /** Events of a branch are seen in it, beneath it, and on the trunk. */
  private isVisible({ branch }: Event): boolean {
    const { branch: own } = this;
    return branch === undefined || own === undefined || own === branch || own.startsWith(`${branch}.`);
  }

  private take({ author }: Event, content: Content): void {
    if (author !== 'user' && author !== this.viewer.name) {
      this.tell(author, content);
      return;
    }
    const responses = shownOf(functionResponsesOf(content));
    const answered = this.unanswered;
    const isPlaced = answered !== undefined && responses.length > 0 && answersAll(answered, responses);
    if (author === 'user') this.beginTurn(content, isPlaced);
    if (isPlaced) this.place(content, answered, responses);
    else if (responses.length === 0) this.push(content);
    else this.answer(responses, content);
  }

  /** @param isPlaced whether the message is the response to the calls before it */
  private beginTurn({ parts = [] }: Content, isPlaced: boolean): void {
    if (this.unanswered !== undefined && !isPlaced) this.answerTheUnanswered(this.unanswered);
    const start = this.shared.length;
    const hasWords = parts.some(({ functionResponse }) => !functionResponse);
    const previous = hasWords ? undefined : this.turn;
    this.turn.end = start;
    this.turn = { start, previous };
  }

  private push(content: Content | undefined): void {
    const view = content === undefined ? undefined : toModelView(content);
    if (view === undefined || content === undefined) return;
    if (this.unanswered !== undefined) this.answerTheUnanswered(this.unanswered);
    const index = this.shared.push(view);
    const calls = content.role === 'user' ? [] : shownOf(functionCallsOf(content));
    if (calls.length > 0) this.unanswered = { index, calls, turn: this.turn };
  }

  /** Tells what another agent said and did. A newer response to one of its calls replaces the older one. */
  private tell(author: string, content: Content): void {
    const { told } = this;
    for (const { id } of functionCallsOf(content)) told?.delete(id);
    const isLate = ({ functionResponse }: Part): boolean =>
      functionResponse !== undefined && this.retell(functionResponse);
    const parts = told === undefined ? content.parts : content.parts?.filter((part) => !isLate(part));
    const changeable: [id: string, part: number][] = [];
    const context = asContext(author, { ...content, parts }, ({ id, willContinue }, part) => {
      if (id !== undefined && willContinue === true) changeable.push([id, part]);
    });
    this.push(context);
    const index = this.shared.length - 1;
    for (const [id, part] of changeable) {
      this.told ??= new Map();
      this.told.set(id, { author, index, part, turn: this.turn });
    }
  }

  /** Replaces the response that was told of another agent's call. False where none was, or none that may change. */
  private retell(response: FunctionResponse): boolean {
    const place = this.told?.get(response.id);
    const content = place && this.shared.at(place.index);
    if (place === undefined || content === undefined) return false;
    this.resume(place.turn);
    const parts = content.parts?.with(place.part, toldResponse(place.author, response));
    this.shared.replace(place.index, { ...content, parts });
    return true;
  }

  private answer(responses: readonly FunctionResponse[], content: Content): void {
    if (this.unanswered !== undefined) this.answerTheUnanswered(this.unanswered);
    for (const response of responses) this.replace(response);
    const words = content.parts?.filter(({ functionResponse }) => functionResponse === undefined);
    this.push({ ...content, parts: words });
  }

  /** The usual case: one event that answers the calls in their order. */
  private place(content: Content, batch: Batch, responses: readonly FunctionResponse[]): void {
    const view = toModelView(content);
    if (view !== undefined) this.shared.push(view);
    this.unanswered = undefined;
    this.resume(batch.turn);
    for (const { id, willContinue } of responses) if (willContinue === true) this.keepChangeable(id, batch);
  }

  private resume(turn: Turn): void {
    if (turn !== this.turn) (this.turn.resumed ??= new Set()).add(turn);
  }

  private keepChangeable(id: CallId, batch: Batch): void {
    this.changeable ??= new Map();
    this.changeable.set(id, batch);
  }

  /** An answer that comes late, or alone: it takes the place that is kept for it. */
  private replace(response: FunctionResponse): void {
    const batch = this.changeable?.get(response.id);
    if (batch === undefined) {
      this.retell(response);
      return;
    }
    this.resume(batch.turn);
    const placed = this.shared.at(batch.index + 1);
    const position = batch.calls.findIndex(({ id }) => id === response.id);
    const view = toModelView({ role: 'user', parts: [{ functionResponse: response }] });
    const parts = placed?.parts?.map((part, index) =>
      index === position ? (view?.parts?.[0] ?? part) : part,
    );
    if (placed !== undefined && parts !== undefined) {
      this.shared.replace(batch.index + 1, { ...placed, parts });
    }
  }

  /** No model takes a call without a response: what never came is said so, until it comes. */
  private answerTheUnanswered(batch: Batch): void {
    const parts = batch.calls.map(({ id, name }) => ({
      functionResponse: { id, name, response: NEVER_ANSWERED },
    }));
    for (const { id } of batch.calls) this.keepChangeable(id, batch);
    this.unanswered = undefined;
    this.shared.push(toModelView({ role: 'user', parts }) ?? { role: 'user', parts });
  }
}

/** A turn and all that it goes on with. */
function turnsOf(current: Turn): Set<Turn> {
  const turns = new Set([current]);
  // The set grows while it is iterated.
  for (const { resumed, previous } of turns) {
    if (resumed !== undefined) for (const turn of resumed) turns.add(turn);
    else if (previous !== undefined) turns.add(previous);
  }
  return turns;
}

/** Whether a call or a response is a tool's, and no talk with a person. */
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
