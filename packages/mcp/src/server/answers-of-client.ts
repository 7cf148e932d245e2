import type { Logger, PendingRequest, Runner } from '@adorn/core';
import { describeThrown, mayAnswer, type Principal } from '@adorn/core/backend';
import type { ElicitRequestFormParams, ServerContext } from '@modelcontextprotocol/server';

import { type AnsweredRun, questionOf, runAfter, type UserAnswer } from './client-questions.js';
import { canAskUser, elicit, type ProtocolServer } from './protocol.js';

/** How the user of a client is asked. */
export interface AnswersOptions {
  readonly server: ProtocolServer;
  readonly canElicit: boolean;
  /** Milliseconds that the user has for an answer. */
  readonly timeout: number;
  /** Who sent the call, and answers. */
  readonly by: Principal;
  readonly logger: Logger;
}

/** The call of a client that asks. */
export interface AskingCall {
  readonly runner: Runner<unknown>;
  readonly context: ServerContext;
  /** The id of the call in the log. */
  readonly callId: string;
}

/** Asks the user of a client for approvals and inputs while the call waits. */
export class AnswersOfClient {
  constructor(private readonly options: AnswersOptions) {}

  /** Asks for what the run of a call waits for; undefined if there is no answer. */
  async answer(
    request: PendingRequest,
    { runner, context, callId }: AskingCall,
  ): Promise<AnsweredRun | undefined> {
    if (!mayAnswer(request, this.options.by)) return undefined;
    const question = questionOf(request, callId);
    const answered = question && (await this.ask(question, context));
    const { signal } = context.mcpReq;
    return runAfter(answered, request, { runner, by: this.options.by, signal });
  }

  private async ask(question: ElicitRequestFormParams, context: ServerContext): Promise<UserAnswer> {
    const { server, canElicit, timeout, logger } = this.options;
    if (!canElicit || !canAskUser(server)) return 'unasked';
    try {
      return await elicit(context, question, { timeout });
    } catch (error) {
      if (context.mcpReq.signal.aborted) throw error;
      logger.warn('the client of the MCP server did not answer a question', {
        error: describeThrown(error).message,
      });
      return undefined;
    }
  }
}
