import {
  AdornError,
  type AuthCredential,
  CredentialRejectedError,
  Tool,
  type ToolContext,
  ToolError,
} from '@adorn/core';
import {
  Boundary,
  concealSecrets,
  withoutSentSecrets,
  type ArgumentCheck,
  compileArgumentCheck,
  describeThrown,
  type Arguments,
  type Confirmation,
  type ToolTraits,
  type ToolUi,
  type FunctionDeclaration,
} from '@adorn/core/backend';

import { traceHeaders } from '@adorn/http';

import { McpRequestFailedError } from '../errors.js';
import { cleanResult } from './clean-text.js';
import { noteScopes } from '../oauth/wanted-scopes.js';
import { isRefusal } from './credential-refusal.js';
import type { McpServerLink, ProgressOfCall } from './mcp-server-link.js';
import type { McpConfirm } from './mcp-toolset-options.js';
import { failureOf } from './server-failure.js';
import { hasRunNothing } from './server-questions.js';
import type { ToolDefinition } from './tool-definition.js';
import { type RawResult, responseOf } from './tool-result.js';
import type { UiResources } from './ui/ui-resources.js';

/** What the tools of one server share. */
interface McpToolFields {
  readonly link: McpServerLink;
  /** The server's name for messages. */
  readonly server: string;
  readonly confirm: McpConfirm | undefined;
  /** Undefined for an approved definition. */
  readonly change: DefinitionChange | undefined;
  /** The toolset of the server, which its pages share. Undefined where pages are not shown. */
  readonly toolset: object | undefined;
  /** The pages of the server. */
  readonly pages: UiResources;
  /** Secrets in the options of the toolset, which a result must not repeat. */
  readonly secrets?: readonly string[] | undefined;
  /** Hands over the credential of a call, for the requests that follow; absent if the server gets none. */
  readonly useCredential?: ((credential: AuthCredential | undefined) => void) | undefined;
  readonly traits: ToolTraits & { readonly timeout: number };
}

/** How a definition differs from the approved ones of its server. */
export type DefinitionChange = 'added' | 'changed';

/** The answer is waited for a little longer than the call may take: the time limit of the tool is to end it. */
const GRACE_MS = 5_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A tool of an MCP server. */
export class McpTool extends Tool {
  readonly name: string;
  readonly description: string;
  private readonly ownUi: ToolUi | undefined;
  private outputCheck: Promise<ArgumentCheck> | undefined;

  constructor(
    readonly remote: ToolDefinition,
    private readonly fields: McpToolFields,
  ) {
    const { name, effect, isIdempotent: idempotent } = remote;
    super({ ...fields.traits, name, effect, idempotent });
    this.name = remote.name;
    this.description = remote.description;
    this.ownUi = uiOf(remote, fields);
  }

  override get origin(): string {
    return `"${this.remote.serverName}" of the MCP server ${this.fields.server}`;
  }

  override get ui(): ToolUi | undefined {
    return this.ownUi;
  }

  declaration(): FunctionDeclaration {
    return { name: this.name, description: this.description, parametersJsonSchema: this.remote.schema };
  }

  /** The digest of what the server said is part of it, so that a change of what is not shown voids an approval too. */
  override get definition(): unknown {
    return [super.definition, this.remote.digest];
  }

  override confirmation(args: Arguments): Confirmation | undefined {
    const { server, change } = this.fields;
    const { serverName } = this.remote;
    if (change !== undefined) {
      const told =
        change === 'added'
          ? `has added the tool \`${serverName}\` since its tools were first listed`
          : `has changed the definition of its tool \`${serverName}\``;
      return {
        hint: `The MCP server ${server} ${told}. Approve the call?`,
        payload: { description: this.description },
      };
    }
    return this.isConfirmed(args)
      ? { hint: `Approve the call of \`${serverName}\` of the MCP server ${server}?` }
      : undefined;
  }

  private isConfirmed(args: Arguments): boolean {
    const { confirm } = this.fields;
    const { serverName } = this.remote;
    if (confirm === undefined) return this.mayAskFirst;
    if (typeof confirm === 'boolean') return confirm;
    if (typeof confirm !== 'function') return confirm.includes(serverName);
    // In untyped code it may return anything: only `false` lets a call run unasked.
    const decided: unknown = confirm(serverName, args);
    return decided !== false;
  }

  async *run(args: Arguments, context: ToolContext): AsyncGenerator<ProgressOfCall, Record<string, unknown>> {
    const progress = new ProgressStream<ProgressOfCall>();
    const calling = this.call(args, context, progress).finally(() => {
      progress.end();
    });
    // The stream is read first; the error is thrown below.
    calling.catch(noop);
    yield* progress;
    return this.responseTo(withoutSentSecrets(context, await calling), context);
  }

  /** The call has run: what is wrong with its answer is told as that. */
  private async responseTo(answer: RawResult, context: ToolContext): Promise<Record<string, unknown>> {
    try {
      const response = await responseOf(answer, context, await this.checkOutput());
      return this.traits.untrusted === false ? response : cleanResult(response);
    } catch (error) {
      if (AdornError.is(error)) throw error;
      const { message } = describeThrown(error);
      const fault = `The MCP server ${this.fields.server} has run the call, and its answer cannot be read: ${message}.`;
      throw new ToolError(fault, { cause: error, mayHaveTakenEffect: this.remote.effect !== 'read' });
    }
  }

  /** A call whose question was rejected is cancelled at its server. */
  override settled(context: ToolContext): void {
    this.fields.link.calls.giveUp(context);
  }

  private async call(
    args: Arguments,
    context: ToolContext,
    progress: ProgressStream<ProgressOfCall>,
  ): Promise<RawResult> {
    const { link, secrets, traits, useCredential } = this.fields;
    useCredential?.(context.credential);
    concealSecrets(context, secrets ?? []);
    if (context.isContinued && !link.calls.isOpen(context) && !this.mayRunTwice && !hasRunNothing(context))
      throw this.lostCall();
    const call = withTrace({ name: this.remote.serverName, arguments: { ...args } });
    const timeout = Math.min(traits.timeout + GRACE_MS, LONGEST_TIMER_MS);
    try {
      return await link.callTool(call, context, {
        timeout,
        isTask: this.remote.isTask,
        schema: this.remote.schema,
        onprogress: new Boundary(noop).guard((said: ProgressOfCall) => {
          progress.push(withoutSentSecrets(context, said));
        }),
      });
    } catch (error) {
      throw context.signal.aborted ? error : this.told(error);
    }
  }

  private get mayRunTwice(): boolean {
    const { effect, isIdempotent } = this.remote;
    return effect === 'read' || isIdempotent;
  }

  /** The server asked a person during a call that is not open any more: another process made it, or it was given up. */
  private lostCall(): ToolError {
    return new ToolError(
      `The MCP server ${this.fields.server} has lost the call while it waited for an answer of the user. The call may ` +
        'have taken effect and was not made again.',
      { final: true, mayHaveTakenEffect: true },
    );
  }

  /** An error of a request, in words for the model. */
  private told(error: unknown): unknown {
    const { server, useCredential, traits } = this.fields;
    if (useCredential !== undefined && isRefusal(error)) {
      noteScopes(traits.auth?.key, (error as { readonly requiredScope?: string }).requiredScope);
      return new CredentialRejectedError(`The MCP server ${server} refused the credential.`);
    }
    const hasFailed = error instanceof McpRequestFailedError;
    if (AdornError.is(error) && error.code === 'MCP_SERVER_UNAVAILABLE')
      return new ToolError(error.message, { cause: error });
    if (AdornError.is(error) && !hasFailed) return error;
    const { kind, reason } = hasFailed ? error.failure : failureOf(error);
    if (kind === 'refused' || kind === 'unauthorised')
      return new ToolError(`The MCP server ${server} refused the call: ${reason}.`, {
        cause: error,
        final: true,
      });
    const mayHaveTakenEffect = this.remote.effect !== 'read';
    const effect = mayHaveTakenEffect ? ', which may have taken effect' : '';
    const deed = kind === 'failed' ? 'failed at' : 'did not answer';
    return new ToolError(`The MCP server ${server} ${deed} the call${effect}: ${reason}.`, {
      cause: error,
      mayHaveTakenEffect,
    });
  }

  private checkOutput(): Promise<ArgumentCheck> | undefined {
    const { outputSchema } = this.remote;
    return outputSchema && (this.outputCheck ??= compileArgumentCheck(outputSchema));
  }
}

function uiOf(
  { serverName: name, ui }: ToolDefinition,
  { toolset, pages }: McpToolFields,
): ToolUi | undefined {
  if (toolset === undefined) return undefined;
  return { server: toolset, name, ...ui, readResource: (uri, context) => pages.read(uri, context) };
}

function noop(): void {
  // Handled where it is awaited.
}

/** How many values wait for a slow reader; older ones are dropped, since the newest says most. */
const MOST_WAITING = 64;

/** Values that one side pushes and the other iterates. */
class ProgressStream<Value> implements AsyncIterable<Value> {
  private readonly waiting: Value[] = [];
  private hasEnded = false;
  private wake: (() => void) | undefined;

  push(value: Value): void {
    if (this.waiting.length >= MOST_WAITING) this.waiting.shift();
    this.waiting.push(value);
    this.wake?.();
  }

  end(): void {
    this.hasEnded = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value, void, undefined> {
    for (;;) {
      const value = this.waiting.shift();
      if (value !== undefined) yield value;
      else if (this.hasEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}

/** The trace of a call stands in its `_meta`, which a server over stdio gets too. */
function withTrace<Call extends object>(
  call: Call,
): Call & { readonly _meta?: Readonly<Record<string, string>> } {
  const trace = traceHeaders();
  return Object.keys(trace).length === 0 ? call : { ...call, _meta: trace };
}
