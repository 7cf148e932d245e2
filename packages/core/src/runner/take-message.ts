import { withoutSecrets } from '../auth/guarded-credential.js';
import { describeThrown } from '../errors/describe-thrown.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { StateDelta } from '../state/state-delta.js';
import type { ReadAnswers } from './read-answers.js';

/** The user's words enter the log before anybody hears them; the credentials among them are kept elsewhere. */
export function takeMessage(
  context: InvocationContext,
  stateDelta: StateDelta | undefined,
  { content, consumes, credentials }: ReadAnswers,
): Promise<unknown> {
  const actions = stateDelta === undefined ? undefined : { stateDelta };
  const event = context.event({ author: 'user', actions }, content);
  const appended = context.append(event, consumes.length === 0 ? undefined : { consumes });
  return credentials.length === 0 ? appended : appended.then(() => keepCredentials(context, credentials));
}

/**
 * Kept once the answer is in the log, which is what makes it count only once. The call has the credential by its
 * answer, so a store that fails costs no more than that it will be asked for again.
 */
async function keepCredentials(
  { services, appName, userId }: InvocationContext,
  credentials: ReadAnswers['credentials'],
): Promise<void> {
  for (const { key, credential } of credentials) {
    try {
      await services.credentials.save({ appName, userId }, key, credential);
    } catch (error) {
      const { name, message } = describeThrown(error);
      const said = withoutSecrets(`${name}: ${message}`, credential);
      services.logger.error('a credential could not be kept', { key, error: said });
    }
  }
}
