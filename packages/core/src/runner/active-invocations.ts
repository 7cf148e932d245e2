import { isSameSession, type SessionKey } from '../events/session.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { InvocationActiveError } from './invocation-active.error.js';

/** The invocations that go on in one runner, each under its id. */
export class ActiveInvocations {
  private readonly contexts = new Map<string, InvocationContext>();

  /** @throws {InvocationActiveError} where one of the same id goes on */
  begin(context: InvocationContext): void {
    const { invocationId } = context;
    if (this.contexts.has(invocationId)) throw new InvocationActiveError(invocationId);
    this.contexts.set(invocationId, context);
  }

  end({ invocationId }: InvocationContext): void {
    this.contexts.delete(invocationId);
  }

  has(invocationId: string): boolean {
    return this.contexts.has(invocationId);
  }

  /** The id of the one that goes on in a conversation. */
  findIn(key: SessionKey): string | undefined {
    for (const { sessionKey, invocationId } of this.contexts.values())
      if (isSameSession(sessionKey, key)) return invocationId;
    return undefined;
  }

  /** False where none of the id goes on. */
  cancel(invocationId: string): boolean {
    const context = this.contexts.get(invocationId);
    context?.cancellation.cancel();
    return context !== undefined;
  }

  cancelAll(): void {
    for (const { cancellation } of this.contexts.values()) cancellation.cancel();
  }
}
