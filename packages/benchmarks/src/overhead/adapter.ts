import type { ScriptKind } from './script.js';

/** What an adapter is set up for: one kind of turn, and how long the model takes over each answer. */
export interface Scenario {
  readonly kind: ScriptKind;
  readonly delayMs: number;
}

/** One framework, with the scripted model, the tool, the agent and the runner built once. */
export interface Bench<Session = unknown> {
  newSession(): Promise<Session>;
  /** Runs one turn and gives its final text. Kind E streams, and `onChunk` is told each piece. */
  turn(session: Session, text: string, onChunk?: (text: string) => void): Promise<string>;
  /** Forgets a session. Never timed. */
  dropSession(session: Session): Promise<void> | void;
  /** How many events or messages the session holds. */
  eventCount(session: Session): Promise<number>;
  close(): Promise<void>;
}

/** What an adapter's module exports. */
export interface Adapter {
  /** Whether the framework has a hand-off between agents of its own: kind F. */
  readonly handsOff: boolean;
  /** Whether the framework has agents that are tools of agents of its own: kind G. */
  readonly nestsAgents: boolean;
  setup(scenario: Scenario): Promise<Bench>;
  /** A workflow that goes on behind finished steps after an answer; absent where the framework has none. */
  setupReplay?(steps: number): Promise<ReplayBench>;
}

/** A workflow whose steps have ended, and whose last agent waits for an answer. */
export interface ReplayBench<Waiting = unknown> {
  /** A conversation that waits, as another process finds it in a store. Never timed. */
  waiting(): Promise<Waiting>;
  /** Answers, and gives the final text. */
  answer(waiting: Waiting): Promise<string>;
  /** Never timed. */
  drop(waiting: Waiting): Promise<void>;
}

/** Whether a framework has an idiom of its own for a kind of turn. */
export function offers({ handsOff, nestsAgents }: Adapter, kind: ScriptKind): boolean {
  if (kind === 'F') return handsOff;
  return kind !== 'G' || nestsAgents;
}
