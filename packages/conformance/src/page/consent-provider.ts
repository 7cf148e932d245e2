import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AuthConfig } from '@adorn/core';
import type { Page } from 'playwright-core';

const CLIENT_ID = 'shop';
const CLIENT_SECRET = 'a secret that no page may see';

/** An authorization server at a site of its own, where everybody may log in with any password. */
export class ConsentProvider implements AsyncDisposable {
  /** Where a person is sent back to. Each page has an address of its own. */
  readonly redirectUris: string[] = [];

  private constructor(
    readonly issuer: string,
    private readonly stop: () => Promise<void>,
  ) {}

  static async open(): Promise<ConsentProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // `localhost` is another site than 127.0.0.1, as in production: strict cookies do not come back with a redirect.
    const issuer = `http://localhost:${String((server.address() as AddressInfo).port)}`;
    const opened = new ConsentProvider(issuer, async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    server.on('request', await callbackOf(issuer, opened.redirectUris));
    return opened;
  }

  /** The credential of a tool that reads with a person's consent. */
  auth(redirectUri: string): AuthConfig {
    const [authorizationUrl, tokenUrl] = [`${this.issuer}/auth`, `${this.issuer}/token`];
    return {
      scheme: {
        type: 'oauth2',
        flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes: { openid: 'Who you are.' } } },
      },
      credential: {
        type: 'oauthClient',
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        redirectUri,
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** A client's addresses are read when it first calls, and are known by then. */
async function callbackOf(issuer: string, redirectUris: readonly string[]) {
  const { Provider } = await import('oidc-provider');
  let handle: ReturnType<InstanceType<typeof Provider>['callback']> | undefined;
  const make = () =>
    new Provider(issuer, {
      clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [...redirectUris] }],
      ttl: { AccessToken: 300, Grant: 3_600, IdToken: 300, Interaction: 300, Session: 3_600 },
      cookies: { keys: ['cookie-key'] },
      features: { devInteractions: { enabled: true } },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    }).callback();
  return (...exchange: Parameters<ReturnType<typeof make>>): void => {
    handle ??= make();
    void handle(...exchange);
  };
}

/** Logs in and consents in a window of the provider. */
export async function consent(popup: Page): Promise<void> {
  await popup.locator('input[name=login]').fill('ada');
  await popup.locator('input[name=password]').fill('any');
  await popup.getByRole('button', { name: 'Sign-in' }).click();
  await popup.getByRole('button', { name: 'Continue' }).click();
}
