import { AdornError } from '@adorn/core';
import { CredentialExchangeError } from '@adorn/core/backend';

/** An endpoint would get secrets over a connection that others can read. */
export class EndpointInsecureError extends AdornError {
  readonly code = 'OAUTH_ENDPOINT_INSECURE';

  /**
   * @param what the endpoint, such as `tokenUrl`
   * @param fault what it is instead of a usable URL; without a password that is in it
   */
  constructor(what: string, fault: string) {
    super(
      `The ${what} ${fault}, so secrets sent there could be read by others. Use the https address of the ` +
        'authorization server; http is for this machine only.',
    );
  }
}

/** An authorization server refused a request, or could not be asked. */
export class OAuthRequestError extends CredentialExchangeError {
  /**
   * @param reason for the message, without secrets
   * @param oauthError the server's error code, such as `invalid_grant`; undefined if there is none
   */
  constructor(
    request: string,
    server: string,
    reason: string,
    readonly oauthError?: string,
  ) {
    super(`The ${request} of the authorization server ${server} failed: ${reason}.`);
  }
}
