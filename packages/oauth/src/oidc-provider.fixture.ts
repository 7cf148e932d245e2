import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { jest } from '@jest/globals';
import type { Configuration } from 'oidc-provider';

/** An authorization server on this machine. */
export interface RunningProvider {
  readonly issuer: string;
  /** The bodies of the token requests so far. */
  readonly tokenRequests: URLSearchParams[];
  /** The status that the next token requests are answered with, instead of tokens. */
  failWith: number | undefined;
  /** Answers the next refresh as that of a token that is not valid any more. */
  refuseRefresh(): void;
  close(): Promise<void>;
}

export const REDIRECT_URI = 'https://app.test/callback';

/** The secrets of the clients. None may be seen anywhere. */
export const CLIENT_SECRET = 'client-secret-canary';

/** A real provider with a client for each flow. Everybody may log in, by any password. */
export async function startProvider(changes: Configuration = {}): Promise<RunningProvider> {
  // The port is known only once the server listens, and the provider needs its issuer.
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  let isRefusing = false;
  const running: RunningProvider = {
    issuer,
    tokenRequests: [],
    failWith: undefined,
    refuseRefresh: () => (isRefusing = true),
    close: () => closeServer(server),
  };
  const provider = await quietly(async () => {
    const { Provider } = await import('oidc-provider');
    return new Provider(issuer, { ...configuration(), ...changes });
  });
  provider.use(async (context, next) => {
    if (context.path === '/token' && running.failWith !== undefined) {
      context.status = running.failWith;
      return;
    }
    const isRefused = isRefusing && context.path === '/token';
    await next();
    if (isRefused) {
      isRefusing = false;
      context.status = 400;
      context.body = { error: 'invalid_grant' };
    }
    if (context.path === '/token') {
      const body = (context as unknown as { oidc?: { body?: Record<string, string> } }).oidc?.body;
      running.tokenRequests.push(new URLSearchParams(body));
    }
  });
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the provider answers its own failures
  server.on('request', provider.callback());
  return running;
}

/** It warns that its keys and its store are those of a development server, and of Node 20. */
async function quietly<Result>(make: () => Promise<Result>): Promise<Result> {
  const warn = jest.spyOn(console, 'warn').mockReturnValue();
  try {
    return await make();
  } finally {
    warn.mockRestore();
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function configuration(): Configuration {
  return {
    clients: [
      {
        client_id: 'web',
        client_secret: CLIENT_SECRET,
        redirect_uris: [REDIRECT_URI, 'https://studio.test/dev-ui/'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      {
        client_id: 'machine',
        client_secret: CLIENT_SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope: 'read write',
      },
      {
        client_id: 'tv',
        token_endpoint_auth_method: 'none',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        redirect_uris: [],
        response_types: [],
        application_type: 'native',
      },
    ],
    scopes: ['openid', 'offline_access', 'read', 'write'],
    features: {
      clientCredentials: { enabled: true },
      deviceFlow: {
        enabled: true,
        userCodeConfirmSource: (context, form) => {
          context.body = form;
        },
        successSource: (context) => {
          context.body = 'done';
        },
      },
      devInteractions: { enabled: true },
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    cookies: { keys: ['cookie-key'] },
    ttl: {
      AccessToken: 300,
      ClientCredentials: 300,
      DeviceCode: 600,
      Grant: 3_600,
      IdToken: 3_600,
      Interaction: 600,
      RefreshToken: 3_600,
      Session: 3_600,
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  };
}

/** A user's browser: logs in as ada, agrees to everything, and gives the address that it came back to. */
export async function consentInBrowser(authUri: string): Promise<string> {
  const browser = new Browser();
  let page = await browser.open(authUri);
  for (let step = 0; step < 10; step++) {
    if (page.away !== undefined) return page.away;
    const form = formOf(page.text);
    if (form === undefined) throw new Error(`No form: ${page.text.slice(0, 300)}`);
    const fields = new URLSearchParams({ ...form.fields, login: 'ada', password: 'any' });
    page = await browser.open(new URL(form.action, page.url).href, fields);
  }
  throw new Error('The consent did not end.');
}

/** The same for a code that is entered on another device; the last page is not left. */
export async function consentOnDevice(verificationUri: string): Promise<void> {
  const browser = new Browser();
  let page = await browser.open(verificationUri);
  for (let step = 0; step < 10; step++) {
    const form = formOf(page.text);
    if (form === undefined) return;
    const fields = new URLSearchParams({ ...form.fields, login: 'ada', password: 'any' });
    page = await browser.open(new URL(form.action, page.url).href, fields);
  }
  throw new Error('The consent did not end.');
}

interface BrowserPage {
  readonly url: string;
  readonly text: string;
  /** An address of the application, which the browser was sent to. */
  readonly away?: string;
}

class Browser {
  private readonly cookies = new Map<string, string>();

  async open(url: string, form?: URLSearchParams): Promise<BrowserPage> {
    let next = url;
    let body = form;
    for (let hop = 0; hop < 10; hop++) {
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') },
        ...(body !== undefined && { method: 'POST', body }),
      });
      for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
      const location = response.headers.get('location');
      if (location === null) return { url: next, text: await response.text() };
      next = new URL(location, next).href;
      if (!next.startsWith(new URL(url).origin)) return { url: next, text: '', away: next };
      body = undefined;
    }
    throw new Error('Too many redirects.');
  }

  private keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const [name = '', ...value] = pair.split('=');
    if (value.join('=') === '') this.cookies.delete(name);
    else this.cookies.set(name, value.join('='));
  }
}

interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

function formOf(html: string): Form | undefined {
  const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
  if (action === undefined) return undefined;
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([input]) => input);
  const fields = inputs.flatMap((input) => {
    const name = /name="([^"]+)"/.exec(input)?.[1];
    return name === undefined ? [] : [[name, /value="([^"]*)"/.exec(input)?.[1] ?? '']];
  });
  return { action, fields: Object.fromEntries(fields) as Record<string, string> };
}
