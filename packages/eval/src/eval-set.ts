import type { Content, FunctionCall, Part } from '@adorn/core';

/** What an agent did between a message of the user and its answer, other than answering. */
export interface IntermediateData {
  /** The calls of tools, in their order. Absent in an expectation: calls are not looked at. */
  readonly toolUses?: readonly FunctionCall[];
  /** What agents said before the answer: the name of the agent, and the parts. */
  readonly intermediateResponses?: readonly (readonly [string, readonly Part[]])[];
}

/** One turn of a conversation: expected, or as it was. */
export interface EvalInvocation {
  readonly invocationId?: string;
  readonly userContent: Content;
  /** Absent in an expectation: the answer is not looked at. */
  readonly finalResponse?: Content;
  readonly intermediateData?: IntermediateData;
  /** Seconds since 1970. */
  readonly creationTimestamp?: number;
}

/** The session in which a case is played. */
export interface SessionInput {
  readonly appName?: string;
  /** Default: the user of the evaluation. */
  readonly userId?: string;
  /** The state in which it begins. Default: empty. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A conversation with what is expected of each of its turns. */
export interface EvalCase {
  readonly evalId: string;
  readonly conversation: readonly EvalInvocation[];
  readonly sessionInput?: SessionInput;
  /** Seconds since 1970. */
  readonly creationTimestamp?: number;
}

/** Cases that are evaluated together, in the terms of ADK's `*.evalset.json`. */
export interface EvalSet {
  readonly evalSetId: string;
  readonly name?: string;
  readonly description?: string;
  readonly evalCases: readonly EvalCase[];
  /** Seconds since 1970. */
  readonly creationTimestamp?: number;
}

/** The calls of tools in a turn. */
export function toolUsesOf({ intermediateData }: EvalInvocation): readonly FunctionCall[] {
  return intermediateData?.toolUses ?? [];
}
