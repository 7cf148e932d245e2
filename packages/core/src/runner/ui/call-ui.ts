import { type Arguments, assertSessionKey } from '@adorn/schema';

import { callerOf } from '../../events/caller.js';
import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import type { Event } from '../../events/event.js';
import { uiIn } from '../../events/ui-mark.js';
import { effectiveEvents } from '../../log/effective-events.js';
import type { Tool } from '../../tools/tool.js';
import type { ToolUi, UiContext, UiResource } from '../../tools/tool-ui.js';
import type { CallInput } from '../begin/call-input.js';
import { type ConversationAddress, DEFAULT_USER } from '../begin/run-input.js';
import type { Run } from '../run.js';
import type { Runner } from '../runner.js';
import { UiCallRefusedError, UiNotFoundError } from './errors.js';
import { type UiResult, uiResultOf } from './ui-result.js';

/** The most calls that the page of one call makes in a conversation: each is three events, which models read. */
export const MOST_UI_CALLS = 200;

/** Which call a page belongs to. */
export interface CallUiAddress extends ConversationAddress {
  readonly sessionId: string;
  /** The id of the call that the page shows. */
  readonly callId: string;
  /** Ends the listing of the tools when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Who calls a tool from a page. */
export type UiCallOptions = Pick<
  CallInput,
  'by' | 'channel' | 'callId' | 'config' | 'signal' | 'invocationId'
>;

/**
 * The page that shows a call which is in the log (MCP Apps): for an endpoint of your own that shows pages. Whoever asks must be
 * allowed to read the conversation.
 *
 * ```ts
 * const ui = await uiOfCall(runner, { userId, sessionId, callId });
 * const { html, csp } = await ui.read({ logger });
 * const { output, pending } = await ui.call('book_room', { room: 7 }, { by: 'ann' });
 * ```
 *
 * @throws {UiNotFoundError} if there is no such call, or its tool has no page
 */
export async function uiOfCall(runner: Runner<unknown>, address: CallUiAddress): Promise<CallUi> {
  const { userId = DEFAULT_USER, sessionId, callId, signal } = address;
  const key = { appName: runner.appName, userId, sessionId };
  assertSessionKey(key);
  const session = await runner.sessions.getSession(key);
  const events = effectiveEvents(session?.events ?? []);
  const answer = events.findLast((event) => uiIn(event, callId) !== undefined);
  const origin = events.findLast((event) => functionCallsOf(event.content).some(({ id }) => id === callId));
  const call = origin && functionCallsOf(origin.content).find(({ id }) => id === callId);
  if (!answer || !call) throw new UiNotFoundError(callId, 'the conversation has none');
  const agent = answer.author;
  const tools = await runner.tools({ userId, sessionId, agent, signal, forPages: true });
  const ui = tools.find(({ name }) => name === call.name)?.ui;
  if (!ui) throw new UiNotFoundError(callId, `its tool "${String(call.name)}" is gone`);
  return new CallUi({ runner, key, callId, agent, events, answer, args: call.args ?? {}, tools, ui });
}

interface CallUiFields {
  readonly runner: Runner<unknown>;
  readonly key: { readonly appName: string; readonly userId: string; readonly sessionId: string };
  readonly callId: string;
  /** The name of the agent that made the call. */
  readonly agent: string;
  /** The conversation as it was when the page was looked for. */
  readonly events: readonly Event[];
  /** The event with the result of the call. */
  readonly answer: Event;
  readonly args: Arguments;
  /** The tools of the agent, with those for pages alone. */
  readonly tools: readonly Tool[];
  readonly ui: ToolUi;
}

/** The page of a call. Made by `uiOfCall`. */
export class CallUi {
  /** @internal */
  constructor(private readonly fields: CallUiFields) {}

  /** Such as `ui://weather/view.html`. */
  get resourceUri(): string {
    const { answer, callId } = this.fields;
    return uiIn(answer, callId) ?? '';
  }

  /** The arguments of the call. */
  get args(): Arguments {
    return this.fields.args;
  }

  /** The result of the call. */
  get result(): UiResult {
    return this.responseTo(this.fields.callId) ?? uiResultOf({});
  }

  /** The names by which the page may call tools. */
  get callable(): readonly string[] {
    const { tools, ui } = this.fields;
    return tools.flatMap((tool) => (isCallable(tool, ui) ? [tool.ui.name] : []));
  }

  /**
   * Reads the page. It is written by others.
   *
   * @throws {AdornError} if the server of the tool cannot be asked, refuses, or gives something else than a page
   */
  read(context: UiContext): Promise<UiResource> {
    return this.fields.ui.readResource(this.resourceUri, context);
  }

  /**
   * Calls a tool for the page, as a call of the conversation: it is stored, passes every gate, pauses, and is answered like the call
   * of a model. Who looks at the page is who calls.
   *
   * @param name the name of the tool at the server of the page
   * @throws {UiCallRefusedError} for a tool of another server, one that pages may not call, or after too many calls
   */
  call<Result = unknown>(name: string, args: Arguments, options: UiCallOptions = {}): Run<Result> {
    const { runner, key, callId: fromUi, agent, tools, ui } = this.fields;
    const found = tools.find((tool) => isCallable(tool, ui) && tool.ui.name === name);
    if (!found) throw new UiCallRefusedError(name, `its server lets it call ${namesIn(this.callable)}`);
    if (this.callEvents.length >= MOST_UI_CALLS)
      throw new UiCallRefusedError(name, `it has made ${String(MOST_UI_CALLS)} calls in this conversation`);
    return runner.call({ ...key, ...options, tool: found.name, args, agent, fromUi });
  }

  /**
   * The result of a call that the page has made, in the conversation as it was when the page was looked for; undefined while there is
   * none.
   *
   * @throws {UiNotFoundError} for a call that the page has not made
   */
  resultOf(callId: string): UiResult | undefined {
    const isOwn = this.callEvents.some(({ content }) =>
      functionCallsOf(content).some(({ id }) => id === callId),
    );
    if (!isOwn) throw new UiNotFoundError(callId, 'no page has made it');
    return this.responseTo(callId);
  }

  /** The events with the calls of the page. */
  private get callEvents(): readonly Event[] {
    const { events, callId } = this.fields;
    return events.filter(
      (event) => callerOf(event)?.fromUi === callId && functionCallsOf(event.content).length > 0,
    );
  }

  /** The last response of the log to a call, unless it says that another one follows. */
  private responseTo(callId: string): UiResult | undefined {
    const responses = this.fields.events
      .filter(({ author }) => author !== 'user')
      .flatMap(({ content }) => functionResponsesOf(content))
      .filter(({ id }) => id === callId);
    const last = responses.at(-1);
    return last === undefined || last.willContinue === true ? undefined : uiResultOf(last.response ?? {});
  }
}

function isCallable(tool: Tool, { server }: ToolUi): tool is Tool & { readonly ui: ToolUi } {
  const { ui } = tool;
  return ui?.server === server && ui.visibility.includes('app');
}

function namesIn(names: readonly string[]): string {
  return names.length === 0 ? 'no tool' : names.map((name) => `"${name}"`).join(', ');
}
