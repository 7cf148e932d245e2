import { describeThrown } from '@adorn/core/backend';

import type { RecordedFailure } from './cassette.js';
import type { Cleaning } from './recording-options.js';

/** What a failure states by itself. */
const NAMED: ReadonlySet<string> = new Set(['name', 'code', 'message', 'stack']);

/** A failure as it is recorded: its name, code, message and the fields that say more, such as `status`. */
export function recordedFailure(error: unknown, { withoutSecrets }: Cleaning): RecordedFailure {
  const { name, message, code } = describeThrown(error);
  const facts = Object.entries(Object(error) as Readonly<Record<string, unknown>>).filter(
    (fact): fact is [string, string | number | boolean] =>
      !NAMED.has(fact[0]) && ['string', 'number', 'boolean'].includes(typeof fact[1]),
  );
  const known = facts.map(
    ([fact, value]) => [fact, typeof value === 'string' ? withoutSecrets(value) : value] as const,
  );
  return {
    name,
    ...(code !== undefined && { code }),
    message: withoutSecrets(message),
    ...(known.length > 0 && { facts: Object.fromEntries(known) }),
  };
}
