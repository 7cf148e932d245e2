import { ContainerModule } from '@adorn/core';
import {
  checkOptions,
  CredentialExchanger,
  CredentialRefresher,
  LIMIT,
  type OptionRules,
} from '@adorn/core/backend';

import { AuthorizationCodeExchanger } from './authorization-code.exchanger.js';
import { AuthorizationServers } from './authorization-server.js';
import { ClientCredentialsExchanger } from './client-credentials.exchanger.js';
import { DeviceCodeExchanger } from './device-code.exchanger.js';
import { OAuthRefresher } from './oauth.refresher.js';
import { ServiceAccountExchanger } from './service-account.exchanger.js';

/** The options of `oauth`. */
export interface OAuthOptions {
  /** Milliseconds that each request to an authorization server may take. Default: 10,000. */
  readonly timeout?: number;
}

const OPTIONS: OptionRules<OAuthOptions> = { timeout: LIMIT };

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Obtains and refreshes the tokens of tools whose scheme is `oauth2` or `openIdConnect`, and of service accounts.
 *
 * @example
 * const runner = await createRunner(Assistant, { modules: [oauth()] });
 */
export function oauth(options: OAuthOptions = {}): ContainerModule {
  checkOptions('oauth', options, OPTIONS);
  const { timeout = DEFAULT_TIMEOUT_MS } = options;
  const servers = new AuthorizationServers(timeout);
  return new ContainerModule(({ bind }) => {
    bind(CredentialExchanger).toConstantValue(new AuthorizationCodeExchanger(servers, timeout));
    bind(CredentialExchanger).toConstantValue(new ClientCredentialsExchanger(servers, timeout));
    bind(CredentialExchanger).toConstantValue(new DeviceCodeExchanger(servers, timeout));
    bind(CredentialExchanger).toConstantValue(new ServiceAccountExchanger(timeout));
    bind(CredentialRefresher).toConstantValue(new OAuthRefresher(servers, timeout));
  });
}
