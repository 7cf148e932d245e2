import type { AuthConfig } from '../auth/auth-config.js';
import { withinCheckTime } from './time-limit.js';
import { reasonToAskAgain } from './coverage.js';
import type { GateVerdict, ToolCall, ToolGate } from './tool-call.js';

/**
 * Gives a call the credential that its tool requires, or asks the user for it. Passes only calls with a complete
 * credential of a known scheme.
 */
export class AuthGate implements ToolGate {
  readonly name = 'auth';

  async enter(call: ToolCall): Promise<GateVerdict> {
    const { auth } = call.entry.tool.traits;
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
    const authConfig = await withinCheckTime(asking, checking);
    const askedAgain = reasonToAskAgain(call, { kind: 'credential', key: authConfig.credentialKey });
    return {
      kind: 'paused',
      question: { kind: 'credential', authConfig, hint: context.credentialHint, askedAgain },
    };
  }
  context.credential = context.useCredential(auth, found);
  return 'open';
}
