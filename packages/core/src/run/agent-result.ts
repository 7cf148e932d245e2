import { agentNameOf } from '../events/event-place.js';
import { responseTextOf, type Event } from '../events/event.js';
import type { Tripwire } from './tripwire.js';
import { exitIn } from '../log/steering.js';

/** The key of an agent's output type, which exists only for the TypeScript compiler. */
export declare const OUTPUT: unique symbol;

/** The result of an agent, returned to the agent that invoked it. */
export interface AgentResult<Output = string> {
  /** `failed` if its last event is an error, or if its code threw. */
  readonly status: 'answered' | 'failed';
  /** The path of its run: `root/loop/draft@2`. */
  readonly path: string;
  /** The text of its answer; empty if there is none. */
  readonly text: string;
  /** All that it said, in order: the texts of its events, and the results of tools that are its answer. */
  readonly texts: readonly string[];
  /** The parsed answer of an agent with an `outputSchema`, else the text. Undefined if it failed. */
  readonly output: Output | undefined;
  /** True if it returned control to the agent above, as `exit_loop` does. */
  readonly escalated: boolean;
  /** The name of the loop to end, including everything inside it, if the escalation names one: `exitLoop('outer')`. */
  readonly exits?: string | undefined;
  /** Undefined if the agent did not fail. */
  readonly error: AgentFailure | undefined;
  /** The results of the agents that ran in parallel, if it has adopted them: those of a `ParallelAgent` or a `MapAgent`. */
  readonly results?: readonly AgentResult<unknown>[] | undefined;
}

/** Why an agent failed. */
export interface AgentFailure {
  /** The code of an error of Adorn or of the model's provider. */
  readonly code: string;
  /** The description of the failure, without secrets. */
  readonly message: string;
  /** Present if a guardrail ended the run. */
  readonly tripwire?: Tripwire | undefined;
}

/** Collects the result of a run from its events, live or from the log. */
export class ResultCollector {
  /** The text of the last answer. */
  text = '';
  readonly texts: string[] = [];
  /** The path of the agent that gave it. */
  answeredBy: string | undefined;
  escalated = false;
  /** The name of the loop that the escalation ends. */
  exits: string | undefined;
  error: AgentFailure | undefined;

  /** @param isOwn false for an event of a run below this one, whose errors and escalations are ignored */
  note(event: Event, isOwn: boolean): void {
    if (event.partial || event.author === 'user') return;
    const text = responseTextOf(event);
    const said = text ?? event.text;
    if (said !== '') this.texts.push(said);
    if (text !== undefined) {
      this.text = text;
      this.answeredBy = event.nodeInfo?.path;
    }
    if (!isOwn) return;
    const { actions, errorCode: code, errorMessage: message = '' } = event;
    // With a transfer, the escalation has reached the agent that takes over.
    if (actions.escalate === true && actions.transferToAgent === undefined) {
      this.escalated = true;
      this.exits ??= exitIn(event);
    }
    if (code !== undefined) this.error = { code, message };
    else if (actions.endOfAgent !== true || event.content) this.error = undefined;
  }
}

/** The runs whose results are the result of a composite: one run, or several together. */
export type Conclusion = string | readonly string[];

/** The key of the custom metadata of a composite's end for the paths of the runs whose results it adopted. */
const CONCLUSION = 'adorn:resultOf';

/** The custom metadata of a composite's end that records the results that it adopted. */
export function conclusionMetadata(
  adopted: AgentResult<unknown> | readonly AgentResult<unknown>[],
): Readonly<Record<string, unknown>> {
  return { [CONCLUSION]: 'path' in adopted ? adopted.path : adopted.map(({ path }) => path) };
}

/** Reads the conclusion; undefined if none is recorded. */
export function readConclusion(
  customMetadata: Readonly<Record<string, unknown>> | undefined,
): Conclusion | undefined {
  const value = customMetadata?.[CONCLUSION];
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((path) => typeof path === 'string') ? value : undefined;
}

/** The result of several runs together: it has failed if all have failed, and joins their texts. */
export function resultOfAll(results: readonly AgentResult<unknown>[]): Omit<AgentResult<unknown>, 'path'> {
  const text = results.flatMap((result) => (result.text === '' ? [] : [result.text])).join('\n\n');
  const texts = results.flatMap((result) => result.texts);
  const escalated = results.some((result) => result.escalated);
  const error = results.every(({ status }) => status === 'failed') ? results[0]?.error : undefined;
  const said = { text, texts, escalated, results };
  if (error) return { ...said, status: 'failed', output: undefined, error };
  return { ...said, status: 'answered', output: results.map(({ output }) => output), error };
}

/** Why an agent failed, or why agents that ran in parallel did: one line for each, with the agent's name. */
export function failureText({ error, results }: AgentResult<unknown>): string | undefined {
  const failures = results?.flatMap((result) => {
    const text = failureText(result);
    return text === undefined ? [] : [`${agentNameOf(result.path)}: ${text}`];
  });
  return !failures || failures.length === 0 ? error?.message : failures.join('\n');
}
