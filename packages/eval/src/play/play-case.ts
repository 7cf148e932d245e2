import { randomUUID } from 'node:crypto';

import type { Content, Event, PendingRequest, Runner } from '@adorn/core';
import { type Awaitable, describeThrown } from '@adorn/core/backend';

import { conversationOf, type EvalTool } from '../conversation.js';
import type { EvalCase, EvalFault, EvalInvocation } from '../eval-set.js';
import {
  type EvalCaseResult,
  type EvalInvocationResult,
  type EvalMetricResult,
  statusOf,
} from '../eval-report.js';
import { stateResult } from '../final-state.js';
import type { EvalGate } from '../gates/gate.js';
import { answerIn } from '../invocations-of.js';
import type { EvalMetric } from '../metrics/metric.js';
import type { EvalAnswer, EvalUser, UserMove, UserView } from '../users/eval-user.js';
import { CaseProcesses, type Place } from './case-processes.js';
import { faultsResult } from './faults-result.js';
import { StoredEvents } from './life.js';
import { gateResult, overallOf, resultOf } from './results.js';
import { CaseStandIns, type Stubs } from './stand-ins.js';

/** The user of a case that names none. */
const EVAL_USER = 'eval_user';

/** How many messages a user writes who says nothing else. */
const PATIENCE = 20;

/** How many requests of one turn are answered: an agent that asks on and on ends here. */
const MOST_ANSWERS = 100;

/** What all cases of an evaluation have in common. */
export interface Setting {
  readonly evalSetId: string;
  readonly metrics: readonly EvalMetric[];
  readonly gates: readonly EvalGate[];
  readonly user: EvalUser | undefined;
  readonly stubs: Stubs;
  readonly approve: ((request: PendingRequest) => Awaitable<EvalAnswer>) | undefined;
  readonly faultsOf: (evalCase: EvalCase, run: number) => readonly EvalFault[];
  readonly toolsOf: (runner: Runner<unknown>) => Promise<ReadonlyMap<string, EvalTool>>;
  readonly keepSessions: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Plays a case once, and scores it. Whatever goes wrong is the result. */
export async function playCase(
  application: Runner<unknown>,
  setting: Setting,
  evalCase: EvalCase,
  run: number,
): Promise<EvalCaseResult> {
  const began = performance.now();
  const place = placeOf(application, evalCase, setting);
  const base = application.isolated();
  const player = new CasePlayer(base, setting, evalCase, run, place);
  let error: string | undefined;
  try {
    await player.play();
    if (setting.keepSessions) await keep(application, base, place, evalCase.evalId);
  } catch (thrown) {
    error = describeThrown(thrown).message;
  }
  await player.close().catch((thrown: unknown) => (error ??= describeThrown(thrown).message));
  await base.close().catch((thrown: unknown) => (error ??= describeThrown(thrown).message));
  const { turns, more } = player;
  const overall = [...setting.metrics.map((metric) => overallOf(metric, turns)), ...more];
  return {
    evalSetId: setting.evalSetId,
    evalId: evalCase.evalId,
    finalEvalStatus: error === undefined ? statusOf(overall.map(({ evalStatus }) => evalStatus)) : 'error',
    overallEvalMetricResults: overall,
    evalMetricResultPerInvocation: turns,
    ...{ sessionId: place.sessionId, userId: place.userId, run },
    durationMs: Math.round((performance.now() - began) * 10) / 10,
    ...(error !== undefined && { error }),
  };
}

function placeOf({ appName }: Runner<unknown>, { sessionInput = {} }: EvalCase, setting: Setting): Place {
  const id = `eval-${randomUUID()}`;
  return {
    appName,
    // An empty text is what ADK writes for the default.
    userId: sessionInput.userId || EVAL_USER,
    sessionId: setting.keepSessions ? id : sessionInput.sessionId || id,
  };
}

/** Copies the session, and its files, to the stores of the application. */
async function keep(
  application: Runner<unknown>,
  base: Runner<unknown>,
  place: Place,
  evalId: string,
): Promise<void> {
  const session = await base.sessions.getSession(place);
  if (!session) return;
  const { state, events } = session;
  const title = `Evaluation of ${evalId}`;
  await application.sessions.importSession(place, { state, events, title });
  for (const name of await base.artifacts.list(place))
    for (const version of await base.artifacts.versions(place, name)) {
      const part = await base.artifacts.load(place, name, version);
      if (part && !name.startsWith('user:')) await application.artifacts.save(place, name, part);
    }
}

/** One playing of a case. */
class CasePlayer {
  readonly turns: EvalInvocationResult[] = [];
  /** Results beside those of the metrics. */
  readonly more: EvalMetricResult[] = [];
  private readonly faults: readonly EvalFault[];
  private readonly standIns: CaseStandIns;
  private readonly stored: StoredEvents;
  private readonly processes: CaseProcesses;

  constructor(
    private readonly base: Runner<unknown>,
    private readonly setting: Setting,
    private readonly evalCase: EvalCase,
    run: number,
    private readonly place: Place,
  ) {
    this.faults = setting.faultsOf(evalCase, run);
    const services = this.faults.filter((fault) => fault.kind !== 'kill');
    this.standIns = new CaseStandIns(evalCase, services, setting.stubs);
    this.stored = new StoredEvents(this.faults.filter((fault) => fault.kind === 'kill'));
    this.processes = new CaseProcesses(base, place, this.standIns, this.stored, setting.signal);
  }

  async play(): Promise<void> {
    const { base, place, evalCase, setting } = this;
    const { conversation, conversationScenario, sessionInput, finalSessionState } = evalCase;
    await base.sessions.createSession(place, sessionInput?.state);
    for (const turn of conversation) await this.turn(turn.userContent, turn);
    if (conversation.length === 0 && (conversationScenario || setting.user)) await this.playUser();
    const session = await base.sessions.getSession(place);
    if (finalSessionState && Object.keys(finalSessionState).length > 0)
      this.more.push(stateResult(finalSessionState, session?.state ?? {}));
    if (this.faults.length > 0) {
      const happened = new Set([...this.standIns.happened, ...this.processes.deaths]);
      const tools = (await setting.toolsOf(base)).keys();
      this.more.push(faultsResult(this.faults, { happened, events: session?.events ?? [], tools }));
    }
    if (setting.gates.length === 0 || !session) return;
    const tools = await setting.toolsOf(base);
    const played = conversationOf(base, session, { tools, executions: this.standIns.executions });
    for (const gate of setting.gates) this.more.push(await gateResult(gate, played));
  }

  close(): Promise<void> {
    return this.processes.close();
  }

  private get view(): UserView {
    return {
      evalCase: this.evalCase,
      turns: this.turns.map(({ actualInvocation }) => actualInvocation),
    };
  }

  /** Plays a conversation whose messages a user writes. */
  private async playUser(): Promise<void> {
    const { user } = this.setting;
    const scenario = this.evalCase.conversationScenario;
    if (!user)
      throw new Error(
        'The case has a conversation_scenario, and nobody plays its user. Pass the option user, such as simulatedUser({ model }).',
      );
    const patience = scenario?.patience ?? user.patience ?? PATIENCE;
    let move: UserMove = scenario ? { message: scenario.startingPrompt } : await user.next(this.view);
    for (; 'message' in move; move = await user.next(this.view)) {
      if (this.turns.length >= patience) {
        this.more.push(goalResult(0, `the user wrote ${String(patience)} messages, and lost patience`));
        return;
      }
      const { message } = move;
      const content: Content =
        typeof message === 'string' ? { role: 'user', parts: [{ text: message }] } : message;
      await this.turn(content, { userContent: content });
    }
    if (move.end === 'reached') this.more.push(goalResult(1));
    if (move.end === 'gaveUp') this.more.push(goalResult(0, 'the user gave up'));
  }

  private async turn(userContent: Content, turn: EvalInvocation): Promise<void> {
    const { rubrics } = this.evalCase;
    const expected = rubrics ? { ...turn, rubrics: [...rubrics, ...(turn.rubrics ?? [])] } : turn;
    const events = await this.eventsOf(userContent.parts ?? []);
    const [first, ...rest] = events;
    const invocationId = first?.invocationId;
    const actual = {
      ...(invocationId !== undefined && { invocationId }),
      userContent,
      ...answerIn(rest, { withResponses: true }),
    };
    const evalMetricResults = await Promise.all(
      this.setting.metrics.map((metric) => resultOf(metric, () => metric.score(actual, expected))),
    );
    this.turns.push({ actualInvocation: actual, expectedInvocation: expected, evalMetricResults });
  }

  /** Sends a message, answers the requests of its run, and gives what was stored of it. */
  private async eventsOf(message: NonNullable<Content['parts']>): Promise<readonly Event[]> {
    const { processes } = this;
    this.setting.signal?.throwIfAborted();
    const before = (await this.events()).length;
    const faultsBefore = this.standIns.happened.size;
    let result = await processes.send(message);
    // A process that died before it had stored the message: the user sends it again.
    while ((await this.events()).length === before) result = await processes.send(message);
    // So does one whose model has failed, as the case wants it to.
    if (result?.error && this.standIns.happened.size > faultsBefore) result = await processes.send(message);
    for (let answers = 0; ; answers++) {
      if (result?.error) throw result.error;
      const [request] = await this.base.pending(this.place);
      if (!request) break;
      if (answers === MOST_ANSWERS)
        throw new Error(`The run asked ${String(answers)} times in one turn, at last for "${request.tool}".`);
      result = await processes.answer(request, await this.answerTo(request));
    }
    return (await this.events()).slice(before);
  }

  private async events(): Promise<readonly Event[]> {
    return (await this.base.sessions.getSession(this.place))?.events ?? [];
  }

  /** @throws {Error} if nobody can answer for an evaluation */
  private async answerTo(request: PendingRequest): Promise<EvalAnswer> {
    const { approve, user } = this.setting;
    if (request.kind === 'confirmation' && approve) return approve(request);
    const answer = await user?.answer?.(request, this.view);
    if (answer !== undefined) return answer;
    throw new Error(
      `The run waits for ${request.kind} of "${request.tool}". ` +
        'Pass the option approve, or a user that answers it.',
    );
  }
}

function goalResult(score: number, detail?: string): EvalMetricResult {
  return {
    ...{ metricName: 'user_goal', threshold: 1, score, evalStatus: score === 1 ? 'passed' : 'failed' },
    ...(detail !== undefined && { detail }),
  };
}
