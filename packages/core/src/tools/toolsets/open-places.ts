import type { ReadonlyState, State } from '../../events/state.js';
import type { InvocationContext } from '../../run/invocation-context.js';

/** An open name with its place. */
export interface OpenPlace {
  /** Without what it was asked to begin with. */
  readonly name: string;
  /** From 1. */
  readonly place: number;
}

/**
 * Which closed tools an agent has opened: one key of the session's state for each, `toolbox:<agent>:<name>`, whose value is its
 * place among the open ones, from 1. A rewind closes what was opened after its target, and a fork keeps what is open.
 */
export class OpenPlaces {
  private readonly prefix: string;

  /** @param agentName the agent that has the tools: each agent opens its own */
  constructor(agentName: string) {
    this.prefix = `toolbox:${agentName}:`;
  }

  /** The place of a name; undefined if it is not open. */
  find(context: InvocationContext, name: string): number | undefined {
    const place = context.findStored(this.prefix + name);
    return isPlace(place) ? place : undefined;
  }

  /**
   * The open names that begin with a text, without it, in the order of their places; names of one place, which calls of one
   * answer have opened, in that of the alphabet.
   */
  list(state: Readonly<Record<string, unknown>>, beginning: string): OpenPlace[] {
    const start = this.prefix + beginning;
    return Object.entries(state)
      .flatMap(([key, place]) =>
        key.startsWith(start) && isPlace(place) ? [{ name: key.slice(start.length), place }] : [],
      )
      .sort((one, other) => one.place - other.place || (one.name < other.name ? -1 : 1));
  }

  /** Opens names behind all that are open, in their order. One that is open keeps its place. @returns those that were closed */
  open(state: State, names: readonly string[]): string[] {
    const closed = [...new Set(names)].filter((name) => !isPlace(state.get(this.prefix + name)));
    const last = this.last(state);
    for (const [index, name] of closed.entries()) state.set(this.prefix + name, last + 1 + index);
    return closed;
  }

  /** Closes names. */
  close(state: State, names: readonly string[]): void {
    for (const name of names) state.set(this.prefix + name, null);
  }

  private last(state: ReadonlyState): number {
    const places = state.entries().filter(([key]) => key.startsWith(this.prefix));
    return places.reduce((last, [, place]) => (isPlace(place) && place > last ? place : last), 0);
  }
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}
