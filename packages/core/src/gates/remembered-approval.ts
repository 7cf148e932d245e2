import { requesterToStore } from '../events/requester.js';
import { PendingIndex } from '../log/pending-index.js';
import type { ToolCall } from './tool-call.js';
import { decided } from './tool-predicate.js';

/** Which later calls an approval of a call for the session covers: the key of `Tool.rememberKeyOf`; false for none. */
export async function rememberKeyOf(call: ToolCall): Promise<string | false> {
  const { tool } = call.entry;
  const decide: typeof tool.rememberKeyOf = (args, context) => tool.rememberKeyOf(args, context);
  return (await decided(call, 'remember', 'option remember', decide)) ?? false;
}

/** The digest of the definition under which an approval for the session covers a call; undefined if none does. */
export function rememberedDefinition(
  { context: { requester }, entry: { tool }, invocation }: ToolCall,
  key: string | false,
): string | undefined {
  if (key === false) return undefined;
  const stored = requesterToStore(requester, invocation.userId);
  return PendingIndex.of(invocation.session).rememberedDefinition(tool.name, stored, key);
}
