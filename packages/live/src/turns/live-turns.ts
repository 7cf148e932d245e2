import type { Content, Event, FunctionCall } from '@adorn/core';
import {
  describeThrown,
  type EventBody,
  type LiveDirection,
  type LiveEvent,
  type OpenTurn,
  type Performed,
  startTimer,
  type Step,
  toUserContent,
} from '@adorn/core/backend';
import type { LinePlace, LiveEventItem, LiveItem, LiveLine } from '../line/live-line.js';
import { LiveCallRunner } from './live-call-runner.js';
import { failureOf } from './live-failure.js';
import { LiveIntake } from './live-intake.js';
import { type LiveParts, partsOf } from './live-parts.js';
import { liveModelOf, setupOf } from './live-setup.js';

/**
 * One agent's part of a live session: the counterpart of `runTurns`. Calls pass the same gates and are answered by the
 * same events; the model is a connection that is open.
 */
export async function runLiveTurns(turn: OpenTurn, line: LiveLine): Promise<Performed> {
  const { agent, context, sink } = turn;
  if (context.branch !== undefined) {
    await sink.emit(context.event({ ...besideOthers(agent.name), turnComplete: true }));
    return 'done';
  }
  const parts = partsOf(line, turn);
  line.onCancelled = (ids) => parts.calls.cancel(ids);
  return new LiveTurns(turn, parts).run();
}

/** Undefined: the session goes on. */
type Next = Step | undefined;

/** Takes one item of the line after another: what is said goes to the intake, calls to their runner. */
class LiveTurns {
  private readonly intake: LiveIntake;
  private readonly calls: LiveCallRunner;
  private renews = false;
  private stopTimer: (() => void) | undefined;

  constructor(
    private readonly turn: OpenTurn,
    private readonly parts: LiveParts,
  ) {
    this.intake = new LiveIntake(turn, parts);
    this.calls = new LiveCallRunner(turn, parts);
    parts.line.onResponses = (responses) => this.calls.change(responses);
  }

  async run(): Promise<Performed> {
    const { turn } = this;
    const { line } = this.parts;
    try {
      let next = await this.begin();
      for (;;) {
        if (next?.kind === 'transfer') {
          const step = next;
          next = await this.guarded(() => this.beforeTransfer());
          if (!next) {
            const end = await this.handOver(step);
            if (end !== undefined) return end;
          }
        }
        if (next?.kind === 'end') {
          await this.leave();
          if (next.event) await turn.sink.emit(next.event);
          return 'done';
        }
        next = await this.guarded(async () => this.handle(await line.next()));
      }
    } catch (error) {
      await this.leave().catch(ignore);
      throw error;
    }
  }

  private async begin(): Promise<Next> {
    const { turn } = this;
    this.parts.turns.set(turn.context.path, turn);
    const resumed = await turn.resumption();
    if (resumed.kind === 'calls') this.calls.rerun(resumed.batch, turn);
    const failed = await this.connect();
    if (failed) return failed;
    await this.callBack('onLiveStart');
    return undefined;
  }

  /** Hands over, or has a called agent run by text. Undefined: this agent goes on. */
  private async handOver(step: Extract<Step, { kind: 'transfer' }>): Promise<Performed | undefined> {
    const { turn } = this;
    let answer = '';
    const emit = (event: Event): Promise<void> => {
      if (!event.partial && event.text !== '') answer = event.text;
      return turn.sink.emit(event);
    };
    const performed = await turn.transfer(step, { emit });
    if (performed !== undefined) return performed;
    this.parts.view.sendText(`[${step.successor.name} answered: ${answer}]`, true);
    return undefined;
  }

  /** What was said before a hand-over is stored before it. */
  private async beforeTransfer(): Promise<Next> {
    await this.intake.flush();
    await this.intake.storeUsage();
    return undefined;
  }

  /** Takes a step. The refusal of a guardrail stops the speech, and ends the session as it ends a run. */
  private async guarded(step: () => Promise<Next>): Promise<Next> {
    const { turn } = this;
    try {
      const next = await step();
      if (next || !turn.isSpent) return next;
    } catch (error) {
      if (await this.intake.isAnswerRefused(error)) return undefined;
      if (!turn.endIfTripped(error)) throw error;
    }
    this.parts.line.interrupt();
    return { kind: 'end' };
  }

  private async handle(item: LiveItem): Promise<Next> {
    const { intake, turn } = this;
    const { line } = this.parts;
    if (intake.isWaiting && endsWait(item) && !turn.context.cancellation.isCancelled) {
      const next = await this.endAnswer();
      if (next) {
        line.putBack(item);
        return next;
      }
    }
    switch (item.kind) {
      case 'event':
        return this.take(item);
      case 'text':
        return (await intake.takeText(item)) ? this.turned() : undefined;
      case 'answers':
        return this.storeAnswers(item.take);
      case 'reconnect':
        return line.isPresent(item) ? this.connect() : undefined;
      case 'silence':
        return this.endSilentTurn();
      case 'overdue':
        return undefined;
      case 'timer':
        return this.afterCallback('onLiveTimer');
      case 'refused':
        throw item.error;
      case 'wake':
        return this.calls.respondToEnded();
      case 'close':
        return this.close();
    }
  }

  private async take({ event, atMs, playedMs, isMuted, ...place }: LiveEventItem): Promise<Next> {
    const { calls, intake } = this;
    const { line, view } = this.parts;
    await intake.arrive(place);
    const isPresent = line.isPresent(place);
    switch (event.kind) {
      case 'inputTranscript':
        return (await intake.hear(event)) ? this.endAnswer() : undefined;
      case 'outputTranscript':
      case 'text': {
        const end = await intake.beginAnswer();
        if (!end && !isMuted) await intake.say(event, atMs);
        return end;
      }
      case 'toolCall':
        return this.takeCalls(event.calls, place);
      case 'toolCallCancellation':
        return calls.respondToEnded();
      case 'interrupted':
        await intake.interrupted(playedMs, isPresent);
        return undefined;
      case 'turnComplete':
        return intake.awaitQuestion() ? undefined : this.endAnswer();
      case 'goAway':
        return intake.isAnswering || !isPresent ? undefined : this.connect();
      case 'resumption':
        view.forgetKnown();
        return undefined;
      case 'usage':
      case 'grounding':
        intake.note(event);
        return undefined;
      case 'speech':
        await intake.noteActivity(event);
        return undefined;
      case 'error': {
        // A failure of a connection that was replaced ends nothing.
        const failure = await intake.fail(event);
        if (event.fatal && isPresent) return { kind: 'end', event: failure };
        await this.turn.sink.emit(failure);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  private async takeCalls(given: readonly FunctionCall[], place: LinePlace): Promise<Next> {
    const { calls, intake, turn } = this;
    const fresh = calls.withoutRepeated(given);
    if (fresh.length === 0) return undefined;
    const end = await intake.beginAnswer();
    if (end) return end;
    const answer = await intake.beforeCalls(fresh);
    if (!answer) return undefined;
    return calls.take({ calls: fresh, place, ...answer }, await turn.request(), (event) => {
      intake.storedCalls(event);
    });
  }

  private async endAnswer(): Promise<Next> {
    const code = await this.intake.endAnswer();
    if (code) return this.calls.runCodeOf(code.said, code.request);
    if (this.parts.line.isGoingAway) {
      const failed = await this.connect();
      if (failed) return failed;
    }
    return this.turned();
  }

  private async endSilentTurn(): Promise<Next> {
    if (this.intake.isAnswering) return undefined;
    await this.intake.stayedSilent();
    return this.turned();
  }

  private async turned(): Promise<Next> {
    await this.calls.sendNewestProgress();
    return this.afterCallback('onLiveTurn');
  }

  private async afterCallback(hook: 'onLiveTurn' | 'onLiveTimer'): Promise<Next> {
    await this.callBack(hook);
    if (!this.renews && !this.parts.view.hasNewTools(this.turn)) return undefined;
    this.renews = false;
    return this.connect();
  }

  private async storeAnswers(take: () => Promise<void>): Promise<Next> {
    await take();
    for (const turn of this.parts.turns.values()) {
      const resumed = await turn.resumption();
      if (resumed.kind === 'calls') this.calls.rerun(resumed.batch, turn);
      if (resumed.kind === 'results') this.calls.sendOutsideResults(resumed.origins);
    }
    return undefined;
  }

  /** Opens the connection, or opens it again, after what was said is stored. A failure is the end of the session. */
  private async connect(): Promise<Next> {
    const { intake, turn } = this;
    const { agent, context } = turn;
    const { calls, line, view } = this.parts;
    if (line.isClosing) return undefined;
    await intake.breakOff();
    let owed: readonly Content[] = [];
    try {
      const model = liveModelOf(agent, line);
      const opened = await line.connect(model, context, async () => {
        const setup = setupOf(await view.firstRequest(turn), line, model, calls.openIds);
        const begun = view.owedOf(setup.history);
        owed = begun.owed;
        return { ...setup, history: begun.history };
      });
      if (opened === 'new') view.begin(owed);
      else if (opened === 'resumed') view.catchUp();
      intake.connected();
      return undefined;
    } catch (error) {
      if (context.cancellation.isCancelled) return turn.cancelled();
      const { code = 'MODEL_FAILED', message } = describeThrown(error);
      return { kind: 'end', event: await failureOf(turn, { code, message, error, turnComplete: true }) };
    }
  }

  /** Calls a callback, and stores what it has written. One that fails is logged: the conversation goes on. */
  private async callBack(hook: 'onLiveStart' | 'onLiveTurn' | 'onLiveTimer'): Promise<void> {
    const { turn } = this;
    await turn.direct(hook, (context) => turn.callbacks[hook]?.(this.direction, context));
  }

  private get direction(): LiveDirection {
    const { line, view } = this.parts;
    return {
      get signals() {
        return line.signals;
      },
      steer: (text) => {
        view.sendUnstored(toUserContent(text), false);
      },
      prompt: (text) => {
        view.sendUnstored(toUserContent(text), true);
      },
      renew: () => {
        this.renews = true;
      },
      after: (milliseconds) => {
        this.stopTimer?.();
        this.stopTimer = startTimer(this.turn.context.services.clock, milliseconds, () => {
          line.post(TIMER);
        });
      },
    };
  }

  private async close(): Promise<Next> {
    if (this.turn.context.cancellation.isCancelled) return this.turn.cancelled();
    await this.intake.flush();
    return { kind: 'end' };
  }

  /** Ends the connection, and stops and answers the calls that run. */
  private async leave(): Promise<void> {
    this.intake.stop();
    this.stopTimer?.();
    this.parts.line.hangUp();
    await this.calls.close();
    await this.intake.storeUsage();
  }
}

const TIMER: LiveItem = Object.freeze({ kind: 'timer' });

/** What may come between an answer and the transcript of its question. */
const BESIDE_WAIT: ReadonlySet<LiveEvent['kind']> = new Set([
  'inputTranscript',
  'resumption',
  'usage',
  'grounding',
  'generationComplete',
  'toolCallCancellation',
]);

/** True for an item behind which words of the user would not be those that the turn has answered. */
function endsWait(item: LiveItem): boolean {
  if (item.kind !== 'event') return item.kind !== 'wake';
  const { event } = item;
  return event.kind === 'speech' ? event.activity === 'start' : !BESIDE_WAIT.has(event.kind);
}

/** An agent that would share the connection with others that run at the same time. */
function besideOthers(author: string): EventBody {
  const errorMessage =
    `The agent "${author}" runs beside others (ParallelAgent, RaceAgent or MapAgent), and a live session has one connection. ` +
    'Let the agents run one after another, or list them as tools: agentTool(Research). Nothing was sent.';
  return { author, errorCode: 'LIVE_NOT_SUPPORTED', errorMessage };
}

function ignore(): void {
  // The error that ended the session is thrown.
}
