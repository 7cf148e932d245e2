import type { RpcHandler } from './json-rpc.js';

/** A status of revision 0.3 that waits for the peer, in the words of its JSON-RPC. */
const WAITING: ReadonlySet<unknown> = new Set(['input-required', 'auth-required']);

interface StatusUpdate {
  readonly kind: 'status-update';
  readonly status?: { readonly state?: unknown };
}

/**
 * An update of revision 0.3 with `final` set where it ends its stream: the property means the last event of an interaction, and a
 * stream ends with a question, too. The SDK sets it for the states that end a task only, and Google's ADK takes a question of an
 * update that is not final for a partial one.
 *
 * @see https://a2a-protocol.org/v0.3.0/specification/#722-taskstatusupdateevent-object
 */
export function withFinal(update: object): object {
  return isStatusUpdate(update) && WAITING.has(update.status?.state) ? { ...update, final: true } : update;
}

/** A handler of JSON-RPC of revision 0.3 whose updates say which one is the last. */
export function tellingFinal(handler: RpcHandler): RpcHandler {
  return {
    async handle(message, context) {
      const answer = await handler.handle(message, context);
      return Symbol.asyncIterator in answer ? updatesOf(answer) : answer;
    },
  };
}

async function* updatesOf(answers: AsyncGenerator<object, void, undefined>): AsyncGenerator<object, void> {
  for await (const answer of answers) {
    const isResult = 'result' in answer && typeof answer.result === 'object' && answer.result !== null;
    yield isResult ? { ...answer, result: withFinal(answer.result as object) } : answer;
  }
}

function isStatusUpdate(update: object): update is StatusUpdate {
  return 'kind' in update && update.kind === 'status-update';
}
