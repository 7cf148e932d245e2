import { withinCheckTime } from '../policies/time-limit.js';
import { reportable } from './failure.js';
import type { ToolCall } from './tool-call.js';

/** True if the tool says of a call that it may run again; a throw and all but `true` are a no. Never rejects. */
export async function isIdempotent(call: ToolCall): Promise<boolean> {
  const { entry, args, context, invocation, id } = call;
  const { tool } = entry;
  const { cancellation, services } = invocation;
  try {
    const deciding = (async () => tool.isIdempotent(args, context.withoutCredential()))();
    return (await withinCheckTime(deciding, { tool, cancellation, part: 'check by idempotent' })) === true;
  } catch (error) {
    if (cancellation.isCancelled) return false;
    services.logger.warn(
      `tool "${tool.name}" cannot tell whether a call is idempotent: it does not run again`,
      {
        callId: id,
        error: reportable(call, error),
      },
    );
    return false;
  }
}
