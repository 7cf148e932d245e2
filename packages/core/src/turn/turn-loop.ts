import type { EventSink } from '../events/event-sink.js';
import type { Event } from '../events/event.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { Performed } from '../run/emit-events.js';
import { BackgroundCalls } from './background-calls.js';
import { OpenTurn } from './open-turn.js';
import { firstStep } from './resume-turn.js';
import { respondToCalls } from './run-calls.js';
import { callModel } from './call-model.js';
import { runTransfer } from './run-transfer.js';
import { OVER, type Step, type Turn } from './step.js';
import type { PlannedAgent } from './turn-agent.js';

/**
 * One run of an LLM agent: calls the model, runs its calls, and repeats until the model answers, a person has to be asked,
 * another agent takes over, or a limit is reached. Each event is stored before the next one is made.
 */
export async function runTurns(
  agent: PlannedAgent,
  context: InvocationContext,
  sink: EventSink,
): Promise<Performed> {
  const turn = newTurn(agent, context, sink);
  const { background } = turn;
  try {
    let step = await firstStep(turn);
    for (;;) {
      if (!background.isEmpty) step = await background.before(step);
      if (step.kind === 'answered') return 'done';
      if (step.kind === 'over') return step.performed;
      step = await performStep(step, turn);
    }
  } finally {
    background.close();
    if (turn.open) agent.callSource?.end(turn.open);
  }
}

/** The turn of a run that begins. */
export function newTurn(agent: PlannedAgent, context: InvocationContext, sink: EventSink): Turn {
  return { agent, context, sink, background: new BackgroundCalls(), ...BEGINNING };
}

const BEGINNING = { asked: 0, refusals: 0, tooLong: 0, refusal: undefined } as const;

/** Takes a step. Returns the next one. */
function performStep(step: Exclude<Step, { kind: 'answered' | 'over' }>, turn: Turn): Promise<Step> {
  switch (step.kind) {
    case 'ask':
      return turn.agent.callSource?.ask((turn.open ??= new OpenTurn(turn))) ?? callModel(turn);
    case 'calls':
    case 'results':
      return respondToCalls(step, turn);
    case 'transfer':
      return runTransfer(step, turn);
    case 'end':
      return endTurn(step.event, turn);
  }
}

async function endTurn(event: Event | undefined, { sink }: Turn): Promise<Step> {
  if (event) await sink.emit(event);
  return OVER;
}
