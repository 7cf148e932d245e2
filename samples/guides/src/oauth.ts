import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { oauth } from '@adorn/oauth';
import { OfflineModel } from '@adorn/testing';
import {
  agent,
  type AuthConfig,
  createRunner,
  CredentialRejectedError,
  LlmAgent,
  tool,
  type ToolContext,
} from 'adorn';

// Stands for an authorization server whose users agree to everything, and for the calendar that its tokens open.
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  if (pathname === '/authorize') {
    const callback = `${searchParams.get('redirect_uri') ?? ''}?code=c-1&state=${searchParams.get('state') ?? ''}`;
    response.writeHead(303, { location: callback }).end();
  } else if (pathname === '/token') {
    const token = { access_token: 't-1', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r-1' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
  } else {
    response.writeHead(request.headers.authorization === 'Bearer t-1' ? 200 : 401).end('["Dentist at 9"]');
  }
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

const calendarAuth: AuthConfig = {
  scheme: {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `${issuer}/authorize`,
        tokenUrl: `${issuer}/token`,
        scopes: ['calendar.read'],
      },
    },
  },
  credential: {
    type: 'oauthClient',
    clientId: 'my-app',
    clientSecret: process.env['CALENDAR_SECRET'] ?? 'secret',
    redirectUri: 'https://my-app.example/callback',
  },
};

class Calendar {
  /** List the appointments of a day. @param day Such as "Monday". */
  @tool({ effect: 'read', auth: calendarAuth })
  async listAppointments(day: string, { credential, signal }: ToolContext): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${credential?.type === 'oauth2' ? credential.accessToken : ''}`,
    };
    const response = await fetch(`${issuer}/appointments?day=${encodeURIComponent(day)}`, {
      headers,
      signal,
    });
    if (response.status === 401) throw new CredentialRejectedError();
    return response.json();
  }
}

/** Knows the calendar of the user. */
@agent({ model: 'gemini-2.5-flash', tools: [Calendar] })
class Secretary extends LlmAgent {}

await using runner = await createRunner(Secretary, { model: new OfflineModel(), modules: [oauth()] });
const conversation = { userId: 'ada', sessionId: 'monday' };
const { pending } = await runner.run({ ...conversation, message: 'List appointments of day Monday' });
for (const request of pending) {
  const { authUri = '' } = request.authConfig?.exchangedAuthCredential?.oauth2 ?? {};
  console.log(`${request.tool} sends the user to ${new URL(authUri).pathname}`);
  const browser = await fetch(authUri, { redirect: 'manual' }); // stands for the user's browser
  const { text } = await runner.supply(request, { authResponseUri: browser.headers.get('location') });
  console.log(text);
}
console.log(await runner.ask('List appointments of day Tuesday', conversation));
server.close();
