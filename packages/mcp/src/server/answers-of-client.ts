import type { Logger, PendingRequest, Run, Runner } from '@adorn/core';
import { describeThrown } from '@adorn/core/backend';
import type { ElicitRequestFormParams, ElicitResult, ServerContext } from '@modelcontextprotocol/server';

import { canAskUser, elicit, type ProtocolServer } from './protocol.js';

/** How the user of a client is asked. */
export interface AnswersOptions {
  readonly server: ProtocolServer;
  readonly canElicit: boolean;
  /** Milliseconds that the user has for an answer. */
  readonly timeout: number;
  readonly userId: string;
  readonly logger: Logger;
}

/** The channel of calls and answers in the log. */
export const CHANNEL = 'mcp';
/** Who rejects a call where nobody can be asked. */
const NOBODY = 'mcp-server';
const CANNOT_ASK = 'The call needs the approval of a person, and the client cannot ask one.';
const APPROVAL = {
  type: 'object',
  properties: { approve: { type: 'boolean', title: 'Approve', description: 'Run the call.' } },
  required: ['approve'],
} as const;

/** The run that follows an answer. A run that is returned alone would be awaited. */
export interface AnsweredRun {
  readonly run: Run<unknown>;
}

/** Asks the user of a client for the approvals and inputs that calls wait for. */
export class AnswersOfClient {
  constructor(private readonly options: AnswersOptions) {}

  /** Asks for what a run waits for; undefined if there is no answer. */
  async answer(
    runner: Runner<unknown>,
    request: PendingRequest,
    context: ServerContext,
  ): Promise<AnsweredRun | undefined> {
    const options = { by: this.options.userId, channel: CHANNEL, signal: context.mcpReq.signal };
    if (request.kind === 'confirmation') {
      if (!this.canAsk)
        return { run: runner.reject(request, { ...options, by: NOBODY, reason: CANNOT_ASK }) };
      const reason = await this.refusalOf(request, context);
      const run =
        reason === undefined
          ? runner.approve(request, options)
          : runner.reject(request, { ...options, reason });
      return { run };
    }
    if (request.kind !== 'input') return undefined;
    const { hint = 'The tool needs an input.', schema: wanted = ANYTHING } = request;
    const { schema, canDecline } = declinable(wanted);
    const answered = await this.elicit(context, { message: hint, requestedSchema: schemaOf(schema) });
    if (answered?.action === 'decline' && canDecline) return { run: runner.supply(request, null, options) };
    if (answered?.action !== 'accept') return undefined;
    const input = isWrapped(schema) ? answered.content?.['value'] : answered.content;
    return { run: runner.supply(request, input, options) };
  }

  /** Why a call is refused; undefined if the user approved it in so many words. */
  private async refusalOf(
    { hint, tool, args }: PendingRequest,
    context: ServerContext,
  ): Promise<string | undefined> {
    const message = `${hint ?? `Approve ${tool}?`}\n${JSON.stringify(args, null, 2)}`;
    const answered = await this.elicit(context, { message, requestedSchema: APPROVAL as never });
    if (answered === undefined) return 'Nobody answered.';
    return answered.action === 'accept' && answered.content?.['approve'] === true
      ? undefined
      : 'The user said no.';
  }

  private get canAsk(): boolean {
    return this.options.canElicit && canAskUser(this.options.server);
  }

  /** What the user answered; undefined if the client cannot ask, or nobody answered in time. */
  private async elicit(
    context: ServerContext,
    params: ElicitRequestFormParams,
  ): Promise<ElicitResult | undefined> {
    if (!this.canAsk) return undefined;
    const { timeout, logger } = this.options;
    try {
      return await elicit(context, params, { timeout });
    } catch (error) {
      if (context.mcpReq.signal.aborted) throw error;
      logger.warn('the client of the MCP server did not answer a question', {
        error: describeThrown(error).message,
      });
      return undefined;
    }
  }
}

type Schema = NonNullable<PendingRequest['schema']>;

const ANYTHING: Schema = { type: 'string' };

/** The schema of an answer without the `null` that stands for a refusal to answer: the protocol has an action for that. */
function declinable(schema: Schema): { readonly schema: Schema; readonly canDecline: boolean } {
  const { anyOf } = schema as { readonly anyOf?: unknown };
  const choices = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  const [answer, ...others] = choices.filter(({ type }) => type !== 'null');
  return answer === undefined || others.length > 0 || choices.length !== 2
    ? { schema, canDecline: false }
    : { schema: answer, canDecline: true };
}

/** The protocol asks for objects: any other input is asked for as the property `value` of one. */
function isWrapped(schema: Schema): boolean {
  return schema['type'] !== 'object';
}

function schemaOf(schema: Schema): ElicitRequestFormParams['requestedSchema'] {
  const asked = isWrapped(schema)
    ? { type: 'object', properties: { value: schema }, required: ['value'] }
    : schema;
  return asked as ElicitRequestFormParams['requestedSchema'];
}
