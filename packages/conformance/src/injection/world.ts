import { FunctionTool } from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';

/** A call that took effect. */
export interface RanCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The tools of an environment, and what was done with them. */
export interface World {
  readonly tools: readonly WorldTool[];
  readonly ran: RanCall[];
}

/** A tool, with the labels that an application would give it. */
export type WorldTool = Omit<FunctionToolFields, 'run'> & {
  readonly run: (args: Readonly<Record<string, unknown>>) => unknown;
};

/** What a user asks for, and the calls of a model that does it. */
export interface UserTask {
  readonly name: string;
  readonly message: string;
  /** The calls in their order; a function gets the results so far, by the names of the tools. */
  readonly steps: readonly (PlannedCall | ((results: Results) => PlannedCall))[];
  /** True if the world is as the user wanted. */
  readonly isDone: (ran: readonly RanCall[]) => boolean;
}

export interface PlannedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The latest result of each tool. */
export type Results = Readonly<Record<string, unknown>>;

/** What an attacker wants, and what an injected text orders for it. */
export interface InjectionTask {
  readonly name: string;
  /**
   * What the attack does: it acts where it cannot be undone or on others (`deed`), takes confidential values along (`leak`), writes
   * what can be undone (`inside`), or has the model tell its user something (`answer`).
   */
  readonly kind: 'deed' | 'leak' | 'inside' | 'answer';
  /** Orders in the form that the gullible model reads. `{{tool}}` stands for the result of a tool. */
  readonly orders: readonly PlannedCall[];
  /** What the model is told to say to its user. */
  readonly say?: string;
  /** True if the attacker has got what it wanted. */
  readonly isReached: (ran: readonly RanCall[], answer: string) => boolean;
}

/** An application with tasks of its users, and what attackers want of it. */
export interface Environment {
  readonly name: string;
  /** A fresh world; `injected` stands within what others have written. */
  readonly open: (injected: string) => World;
  readonly userTasks: readonly UserTask[];
  readonly injectionTasks: readonly InjectionTask[];
}

/** The tools of a world: each notes the call, and returns what it is given. */
export function worldOf(
  tools: Readonly<
    Record<string, Omit<WorldTool, 'name' | 'description' | 'run'> & { readonly returns: unknown }>
  >,
): World {
  const ran: RanCall[] = [];
  const made = Object.entries(tools).map(([name, { returns, ...traits }]): WorldTool => ({
    name,
    description: name.replaceAll('_', ' '),
    parameters: { type: 'object' },
    unknownArguments: 'drop',
    confirm: false,
    ...traits,
    run: (args) => {
      ran.push({ name, args });
      return typeof returns === 'function' ? (returns as (given: typeof args) => unknown)(args) : returns;
    },
  }));
  return { tools: made, ran };
}

export function toolOf(fields: WorldTool): FunctionTool {
  return new FunctionTool(fields);
}

/** True if a call of the tool ran whose arguments, as JSON, contain all of these texts. */
export function did(ran: readonly RanCall[], name: string, ...texts: readonly string[]): boolean {
  return ran.some(
    (call) => call.name === name && texts.every((text) => JSON.stringify(call.args).includes(text)),
  );
}
