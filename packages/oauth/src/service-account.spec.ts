import { generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { callsTool, says } from '@adorn/testing';
import type { AuthConfig } from '@adorn/core';
import type { ServiceAccountCredential } from '@adorn/core/backend';

import { ask, startClerk } from './clerk.fixture.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

describe('a service account', () => {
  let server: Server;
  let tokenUrl: string;
  const requests: URLSearchParams[] = [];
  let answer: { readonly status: number; readonly body: object };

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push(new URLSearchParams(body));
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer.body));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    tokenUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/token`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const authOf = (changes: Partial<ServiceAccountCredential> = {}): AuthConfig => ({
    scheme: { type: 'http', scheme: 'bearer' },
    credential: {
      type: 'serviceAccount',
      clientEmail: 'robot@app.test',
      privateKey: PEM,
      privateKeyId: 'key-1',
      tokenUrl,
      scopes: ['read', 'write'],
      ...changes,
    },
  });

  it('signs an assertion that the server can verify, and the tool has the token', async () => {
    answer = { status: 200, body: { access_token: 't-1', token_type: 'Bearer', expires_in: 300 } };
    const clerk = await startClerk({ auth: authOf(), steps: [callsTool('look'), says('Found.')] });

    await ask(clerk);

    const now = clerk.clock.now();
    const body = requests.at(-1);
    expect([...(body?.keys() ?? [])].sort()).toEqual(['assertion', 'grant_type']);
    expect(body?.get('grant_type')).toBe(GRANT);
    expect(readAssertion(body?.get('assertion'))).toEqual({
      isSigned: true,
      header: { alg: 'RS256', typ: 'JWT', kid: 'key-1' },
      claims: {
        iss: 'robot@app.test',
        aud: tokenUrl,
        iat: Math.floor(now),
        exp: Math.floor(now) + 3_600,
        scope: 'read write',
      },
    });
    expect(clerk.ran).toEqual([{ type: 'bearer', token: 't-1', expiresAt: now + 300 }]);
  });

  it('gets another token when the first expires, and asks nobody', async () => {
    answer = { status: 200, body: { access_token: 't-1', token_type: 'Bearer', expires_in: 300 } };
    const clerk = await startClerk({
      auth: authOf(),
      steps: [callsTool('look'), says('Found.'), callsTool('look'), says('Again.')],
    });
    await ask(clerk);

    clerk.clock.advance(300);
    answer = { status: 200, body: { access_token: 't-2', token_type: 'Bearer', expires_in: 300 } };
    await ask(clerk);

    expect(clerk.ran).toMatchObject([{ token: 't-1' }, { token: 't-2' }]);
  });

  it('takes an ID token in the place of an access token, where it names an audience', async () => {
    const idToken = `h.${Buffer.from('{"exp":4000000000}').toString('base64url')}.s`;
    answer = { status: 200, body: { id_token: idToken } };
    const auth = authOf({ audience: 'https://service.test' });
    const clerk = await startClerk({ auth, steps: [callsTool('look'), says('Found.')] });

    await ask(clerk);

    expect(readAssertion(requests.at(-1)?.get('assertion'))).toMatchObject({
      claims: { target_audience: 'https://service.test' },
    });
    expect(clerk.ran).toEqual([{ type: 'bearer', token: idToken, expiresAt: 4_000_000_000 }]);
  });

  it.each<[string, Partial<ServiceAccountCredential>, number, object, string]>([
    [
      'the server refuses',
      {},
      400,
      { error: 'invalid_grant', error_description: 'canary' },
      'answered invalid_grant',
    ],
    ['the answer has no token', {}, 200, { token_type: 'Bearer' }, 'the answer is not valid'],
    ['the answer is no JSON object', {}, 200, [], 'the answer is not valid'],
    ['an error code is a text', {}, 400, { error: 'Bearer canary!' }, 'an unknown error code'],
    [
      'the key is none',
      { privateKey: 'canary' },
      200,
      {},
      'the private key of the service account cannot sign',
    ],
  ])('fails the call, and tells no secret, where %s', async (_why, changes, status, body, message) => {
    answer = { status, body };
    const clerk = await startClerk({ auth: authOf(changes), steps: [callsTool('look'), says('Sorry.')] });

    const events = await ask(clerk);

    expect(clerk.ran).toEqual([]);
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { response: { error: expect.stringContaining(message) as unknown } },
    ]);
    expect(JSON.stringify([events, clerk.log.lines])).not.toContain('canary');
  });
});

function readAssertion(assertion: string | null | undefined): unknown {
  const [header = '', claims = '', signature = ''] = (assertion ?? '').split('.');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { isSigned, header: parse(header), claims: parse(claims) };
}
