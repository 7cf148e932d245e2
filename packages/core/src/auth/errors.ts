import { AdornError } from '@adorn/schema';
import type { AuthConfig } from './auth-config.js';

/** No `CredentialExchanger` is bound for the credential that a tool needs. */
export class CredentialExchangerMissingError extends AdornError {
  readonly code = 'CREDENTIAL_EXCHANGER_MISSING';

  /** @param owner the tool or toolset, such as `the tool "calendar"` */
  constructor(owner: string, { scheme, credential }: AuthConfig) {
    const given = credential?.type === 'serviceAccount' ? 'service account' : `${scheme.type} scheme`;
    super(
      `No CredentialExchanger is bound for the ${given} of ${owner}, so its credential can never be obtained. Bind ` +
        'oauth() of @adorn/oauth: createRunner(Agent, { modules: [oauth()] }), or a CredentialExchanger of your own.',
    );
  }
}

/** An auth config that a tool or toolset uses cannot work. */
export class AuthConfigInvalidError extends AdornError {
  readonly code = 'AUTH_CONFIG_INVALID';

  /** @param fault a clause that begins with "its auth" */
  constructor(fault: string) {
    super(`The credential of the tool cannot be found: ${fault}. Correct the AuthConfig.`);
  }
}

/** A credential could not be obtained or refreshed. The message goes to the model, so it holds no secret. */
export class CredentialExchangeError extends AdornError {
  readonly code = 'CREDENTIAL_EXCHANGE_FAILED';
}

/**
 * Throw this in a tool whose service refused the credential, such as with status 401. The stored or supplied credential
 * is deleted and obtained anew, and the tool runs again. A person is asked three times at most, with the message as the
 * reason. Throw it before the tool has changed anything.
 */
export class CredentialRejectedError extends AdornError {
  readonly code = 'CREDENTIAL_REJECTED';

  constructor(message = 'The service refused the credential.', options?: ErrorOptions) {
    super(message, options);
  }
}

/** The answer belongs to another consent than the requested one. The request stays pending. */
export class ConsentStateInvalidError extends AdornError {
  readonly code = 'CONSENT_STATE_INVALID';

  constructor(requestId: string) {
    super(
      `The answer to "${requestId}" has another state than the consent that was asked for: it belongs to another ` +
        'request, or was forged. Nothing was exchanged; open the authUri of the pending request again.',
    );
  }
}
