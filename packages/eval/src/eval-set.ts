import type { Content, FunctionCall, Part } from '@adorn/core';
import type { Feedback } from '@adorn/core/backend';

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

/** A turn as it was, with what people thought of its answers. */
export interface JudgedInvocation extends EvalInvocation {
  /** Absent if nobody has judged them, and in a turn that an evaluation plays. */
  readonly feedback?: readonly Feedback[];
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

/** How a persona behaves, in the terms of ADK. */
export interface UserBehavior {
  readonly name?: string;
  readonly description?: string;
  /** What the simulated user is told. */
  readonly behaviorInstructions?: readonly string[];
  /** What shows that it behaved otherwise. No metric of this package looks at it. */
  readonly violationRubrics?: readonly string[];
}

/** Whom a simulated user plays, in the terms of ADK. */
export interface UserPersona {
  readonly id?: string;
  /** Such as `You are in a hurry, and answer with single words.` */
  readonly description: string;
  readonly behaviors?: readonly UserBehavior[];
}

/** A conversation without fixed messages: a simulated user writes them. In the terms of ADK. */
export interface ConversationScenario {
  /** The first message. */
  readonly startingPrompt: string;
  /** What the user wants, and knows. */
  readonly conversationPlan: string;
  readonly userPersona?: UserPersona;
  /** How many messages the user writes at most. Default: that of the simulated user. Not known to ADK. */
  readonly patience?: number;
}

/** What a tool returns in a case, in place of running. */
export interface ToolStub {
  readonly tool: string;
  /** The arguments for which it holds; others than these are not looked at. Default: any. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly response?: unknown;
  /** The message of the failure of the tool, in place of a response. */
  readonly error?: string;
}

/** The process of the run ends at one of these places, and another one recovers the run. */
export interface KillFault {
  readonly kind: 'kill';
  /** The tool that has run, and whose response is not stored. Holds where the numbers of events change with the conversation. */
  readonly during?: string;
  /** The number of the event that is the last one stored, from 1: the user's first message. */
  readonly behind?: number;
  /** The number of the event that is not stored: what came before it, such as the effect of a tool, has happened. */
  readonly before?: number;
}

/** A tool, or the model, fails. */
export interface ServiceFault {
  /** `lie`: the tool returns `response`, and has done nothing. */
  readonly kind: 'refuse' | 'timeout' | 'rateLimit' | 'lie';
  /** Default: the model fails. */
  readonly tool?: string;
  /** The number of the call of that tool, or of the request to a model, from 1. A repeated attempt counts. Default: 1. */
  readonly nth?: number;
  /** How many calls fail, one after the other. Default: 1. */
  readonly times?: number;
  /** True if the tool runs, and only its answer is lost. Default: false. */
  readonly hasEffect?: boolean;
  /** Why the call is refused. */
  readonly reason?: string;
  /** What a lying tool returns. Default: `{}`. */
  readonly response?: unknown;
}

/** Something that goes wrong in a case. */
export type EvalFault = KillFault | ServiceFault;

/** A conversation with what is expected of each of its turns. */
export interface EvalCase {
  readonly evalId: string;
  /** Empty with a `conversationScenario`. */
  readonly conversation: readonly EvalInvocation[];
  /** In place of a conversation: a simulated user writes the messages. */
  readonly conversationScenario?: ConversationScenario;
  /** What tools return, in place of running. Not known to ADK. */
  readonly toolStubs?: readonly ToolStub[];
  /** What goes wrong. A fault that does not happen fails the case. Not known to ADK. */
  readonly faults?: readonly EvalFault[];
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
