import type { AuthConfig } from '../../auth/auth-config.js';
import { withinCheckTime } from '../../policies/time-limit.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { GateVerdict, ToolCall, ToolGate } from '../tool-call.js';

/**
 * Gives a call the credential that its tool requires, or asks the user for it. Passes only calls with a complete
 * credential of a known scheme.
 */
export class AuthGate implements ToolGate {
  readonly name = 'auth';

  enter(call: ToolCall): Awaitable<GateVerdict> {
    const { auth } = call.entry.tool.traits;
    // An answer that the service has refused is not used again.
    if (call.answer !== undefined && call.context.credentialHint === undefined)
      call.context.credentialAnswer = call.answer.credential;
    return auth === undefined ? 'open' : handOver(call, auth);
  }
}

async function handOver(call: ToolCall, auth: AuthConfig): Promise<GateVerdict> {
  const { entry, invocation, context } = call;
  const { appName, userId, cancellation, services } = invocation;
  const user = { appName, userId };
  const checking = { tool: entry.tool, cancellation, part: 'credential lookup' };
  const found = await withinCheckTime(services.auth.find(user, auth, context.credentialAnswer), checking);
  if (found === undefined) {
    const asking = services.auth.request(user, auth, context.credentialAnswer);
    return {
      kind: 'paused',
      question: {
        kind: 'credential',
        authConfig: await withinCheckTime(asking, checking),
        hint: context.credentialHint,
      },
    };
  }
  context.credential = context.useCredential(auth, found);
  return 'open';
}
