import type { AuthConfig, AuthCredential } from '@adorn/core';
import type { Consent, ConsentAnswer, ExchangeContext } from '@adorn/core/backend';

import { requireSecure } from './authorization-server.js';
import { ClientExchanger } from './client.exchanger.js';
import { OAuthRequestError } from './errors.js';
import { optionsOf, request } from './request.js';
import { authenticationOf, requestTokens } from './token-request.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const NOT_YET: ReadonlySet<string | undefined> = new Set(['authorization_pending', 'slow_down']);

/**
 * Obtains tokens by a code that the user enters on another device. The server is polled once the user has confirmed.
 */
export class DeviceCodeExchanger extends ClientExchanger {
  protected readonly flow = 'deviceAuthorization';

  async exchange(): Promise<undefined> {
    return undefined;
  }

  override async beginConsent(config: AuthConfig, context: ExchangeContext): Promise<Consent> {
    const of = await this.client(config, context);
    const { metadata, scope } = of.server;
    const endpoint = requireSecure(
      'device authorization endpoint',
      metadata.device_authorization_endpoint ?? '',
    );
    const [state, device] = await request('device authorization', endpoint, async (oauth) => {
      const response = await oauth.deviceAuthorizationRequest(
        metadata,
        of.client,
        authenticationOf(oauth, of),
        scope === '' ? {} : { scope },
        optionsOf(oauth, endpoint, context.signal, of.timeout),
      );
      const answer = await oauth.processDeviceAuthorizationResponse(metadata, of.client, response);
      return [oauth.generateRandomState(), answer] as const;
    });
    return {
      shown: {
        authUri: device.verification_uri_complete ?? device.verification_uri,
        state,
        userCode: device.user_code,
        verificationUri: device.verification_uri,
        expiresAt: context.clock.now() + device.expires_in,
      },
      secrets: { deviceCode: device.device_code },
    };
  }

  override async endConsent(
    config: AuthConfig,
    { secrets }: Consent,
    _answer: ConsentAnswer,
    context: ExchangeContext,
  ): Promise<AuthCredential | undefined> {
    const of = await this.client(config, context);
    try {
      return await requestTokens(of, GRANT, { device_code: secrets['deviceCode'] ?? '' });
    } catch (error) {
      if (error instanceof OAuthRequestError && NOT_YET.has(error.oauthError)) return undefined;
      throw error;
    }
  }
}
