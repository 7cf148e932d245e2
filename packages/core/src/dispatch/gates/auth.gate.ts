import { type AuthConfig, type AuthCredential, isCredentialFor } from '../../auth/auth-config.js';
import { guardedCredential } from '../../auth/guarded-credential.js';
import { withinCheckTime } from '../../policies/time-limit.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { GateVerdict, ToolCall, ToolGate } from '../tool-call.js';

/**
 * Gives a call the credential its tool asked for, or asks the user for it. Opens only for a whole credential of a
 * scheme that is known.
 */
export class AuthGate implements ToolGate {
  enter(call: ToolCall): Awaitable<GateVerdict> {
    const { auth } = call.entry.tool.traits;
    return auth === undefined ? 'open' : handOver(call, auth);
  }
}

async function handOver(call: ToolCall, auth: AuthConfig): Promise<GateVerdict> {
  const credential = auth.credential ?? call.answer?.credential ?? (await load(call, auth));
  if (!isCredentialFor(auth.scheme, credential)) return ask(auth);
  call.context.credential = guardedCredential(credential);
  return 'open';
}

function load({ entry, invocation }: ToolCall, { key }: AuthConfig): Promise<AuthCredential | undefined> {
  const { appName, userId, cancellation, services } = invocation;
  const loading = services.credentials.load({ appName, userId }, key);
  return withinCheckTime(loading, { tool: entry.tool, cancellation, part: 'credential lookup' });
}

function ask({ scheme, key }: AuthConfig): GateVerdict {
  return { kind: 'paused', question: { kind: 'credential', authConfig: { scheme, key } } };
}
