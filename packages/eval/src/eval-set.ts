import type { Content, FunctionCall, Part } from '@adorn/core';

/** A step of an agent: what it said, called, or was answered. */
export interface InvocationEvent {
  /** The name of the agent. */
  readonly author: string;
  readonly content?: Content;
}

/**
 * What an agent did between a message of the user and its answer, other than answering: its calls, or, as ADK writes it now,
 * its events.
 */
export interface IntermediateData {
  /** The calls of tools, in their order. Absent in an expectation without events: calls are not looked at. */
  readonly toolUses?: readonly FunctionCall[];
  /** What the tools returned. No metric of this package looks at it. */
  readonly toolResponses?: readonly NonNullable<Part['functionResponse']>[];
  /** What agents said before the answer: the name of the agent, and the parts. */
  readonly intermediateResponses?: readonly (readonly [string, readonly Part[]])[];
  /** The steps of the agents, in place of the other fields. Their calls are the calls of tools. */
  readonly invocationEvents?: readonly InvocationEvent[];
}

/** A statement that a model judges, in the terms of ADK. */
export interface Rubric {
  readonly rubricId?: string;
  readonly rubricContent: {
    /** Such as `The answer names the number of the order.` */
    readonly textProperty: string;
  };
  readonly description?: string;
  readonly type?: string;
}

/** One turn of a conversation: expected, or as it was. */
export interface EvalInvocation {
  readonly invocationId?: string;
  readonly userContent: Content;
  /** Absent in an expectation: the answer is not looked at. */
  readonly finalResponse?: Content;
  readonly intermediateData?: IntermediateData;
  /** What has to be true of this turn, beside the rubrics of the metric and of the case. */
  readonly rubrics?: readonly Rubric[];
  /** Seconds since 1970. */
  readonly creationTimestamp?: number;
}

/** The session in which a case is played. */
export interface SessionInput {
  readonly appName?: string;
  /** Default, and in place of an empty text: the user of the evaluation. */
  readonly userId?: string;
  /** Default: a new one. */
  readonly sessionId?: string;
  /** The state in which it begins. Default: empty. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A conversation with what is expected of each of its turns. */
export interface EvalCase {
  readonly evalId: string;
  readonly conversation: readonly EvalInvocation[];
  readonly sessionInput?: SessionInput;
  /** What has to be true of each turn. */
  readonly rubrics?: readonly Rubric[];
  /** The values that the state has to have when the conversation is over. Other keys are not looked at. */
  readonly finalSessionState?: Readonly<Record<string, unknown>>;
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

/** The calls of tools in a turn: undefined if the turn says nothing of calls. */
export function toolUsesOf({ intermediateData }: EvalInvocation): readonly FunctionCall[] | undefined {
  return (
    intermediateData?.toolUses ??
    intermediateData?.invocationEvents?.flatMap(({ content }) =>
      (content?.parts ?? []).flatMap(({ functionCall }) => (functionCall ? [functionCall] : [])),
    )
  );
}
