import type { Content, Session } from '@adorn/core';
import type { PendingRequestData, UndoReport } from '@adorn/core/backend';

/** The JSON of an event, as clients of the ADK know it. */
export interface EventJson {
  readonly id: string;
  readonly invocationId: string;
  /** The name of an agent, or `user`. */
  readonly author: string;
  /** Seconds since 1970, a float. */
  readonly timestamp: number;
  readonly content?: Content;
  readonly actions: Readonly<Record<string, unknown>>;
  readonly longRunningToolIds?: readonly string[];
  readonly partial?: boolean;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly [field: string]: unknown;
}

/** Where the content of a frame comes from. */
interface FramePlace {
  readonly invocationId: string;
  readonly eventId: string;
  /** The name of an agent, or `user`. */
  readonly author: string;
  /** Seconds since 1970, a float. */
  readonly timestamp: number;
  /** The names of the agents from the root down, joined by `/`. Absent for messages of users. */
  readonly path?: string;
  /** Names the call that runs the agent as a tool. Absent for agents of the conversation itself. */
  readonly scope?: string;
  /** The whole event. Only on the last frame of a stored event, whose `id:` is the id of the event. */
  readonly event?: EventJson;
}

/** A text of the agent or the user. */
export interface TextFrame extends FramePlace {
  readonly kind: 'text';
  readonly text: string;
  /** True for a thought of the model. */
  readonly thought?: boolean;
  /** True for a piece of a streamed answer. The frame without it that follows has the whole text and replaces the pieces. */
  readonly partial?: boolean;
}

/** A file in a message or an answer: an image, audio, a document. */
export interface FileFrame extends FramePlace {
  readonly kind: 'file';
  readonly mimeType: string;
  readonly name?: string;
  /** Base64. Absent for a file stored elsewhere. */
  readonly data?: string;
  /** The URI of a file stored elsewhere. */
  readonly uri?: string;
  readonly partial?: boolean;
}

/** A call of a tool. */
export interface CallFrame extends FramePlace {
  readonly kind: 'call';
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** True for a piece of a streamed answer. */
  readonly partial?: boolean;
}

/** The result of a call. */
export interface ResultFrame extends FramePlace {
  readonly kind: 'result';
  /** The id of the call. */
  readonly id: string;
  readonly tool: string;
  readonly response: Readonly<Record<string, unknown>>;
  /** True for an interim result, which another one follows. */
  readonly willContinue?: boolean;
  /** The page that shows the call (MCP Apps), such as `ui://weather/view.html`: `chat.ui(id)` reads it. Absent without one. */
  readonly ui?: string | undefined;
}

/** A request that a person has to answer before the run goes on: `client.approve`, `reject` or `supply`. */
export interface RequestFrame extends FramePlace {
  readonly kind: 'request';
  readonly request: PendingRequestData;
}

/** The answer of a person to a request. Credentials are left out. */
export interface AnswerFrame extends FramePlace {
  readonly kind: 'answer';
  /** The id of the request. */
  readonly id: string;
  readonly tool: string;
  readonly response: Readonly<Record<string, unknown>>;
}

/** What the event changed besides the conversation. The only frame of an event without content. */
export interface StateFrame extends FramePlace {
  readonly kind: 'state';
  readonly stateDelta: Readonly<Record<string, unknown>>;
  /** Versions of saved files by name. */
  readonly artifactDelta: Readonly<Record<string, number>>;
  /** The agent that takes over. */
  readonly transferToAgent?: string;
}

/** A failure of a model, a tool or the run. With `event` it is in the log. */
export interface ErrorFrame extends Partial<FramePlace> {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  /** True for an answer that could not be used, after which the model was asked once more: the run goes on. */
  readonly retried?: true | undefined;
}

/** The end of a run. Always the last frame. */
export interface EndFrame {
  readonly kind: 'end';
  readonly status: 'answered' | 'paused' | 'failed' | 'cancelled';
  readonly invocationId: string;
  readonly sessionId: string;
  /** The text of the answer, empty if there is none. */
  readonly text: string;
  /** The checked answer of an agent with an `outputSchema`. */
  readonly output?: unknown;
  /** The requests that wait for an answer. */
  readonly pending: readonly PendingRequestData[];
  /** What has become of the calls that the run undoes. Absent for other runs. */
  readonly undo?: UndoReport | undefined;
  readonly error?: { readonly code: string; readonly message: string };
}

/** One step of a run for a client. */
export type Frame =
  | TextFrame
  | FileFrame
  | CallFrame
  | ResultFrame
  | RequestFrame
  | AnswerFrame
  | StateFrame
  | ErrorFrame
  | EndFrame;

/** A session without its events. */
export interface SessionJson {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  readonly title?: string;
  readonly state: Session['state'];
  /** Seconds since 1970, a float. */
  readonly lastUpdateTime: number;
}
