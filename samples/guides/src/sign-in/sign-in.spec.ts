import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { OfflineModel } from '@adorn/testing';
import { createRunner, type Runner } from 'adorn';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

import { Desk } from './desk.agent.js';
import { People } from './people.js';
import { openServer } from './server.js';
import { SignInSessions } from './sessions.js';
import { bearerTokens } from './tokens.js';
import { Visitor } from './visitor.js';

async function urlOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

describe('a server with a sign-in page', () => {
  const people = new People();
  let now = Date.now();
  let runner: Runner;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    await people.add('ada', 'analytical engine');
    await people.add('mia', 'mind the gap', ['lead']);
    runner = await createRunner(Desk, { model: new OfflineModel() });
    server = await openServer(runner, people, new SignInSessions(false, () => now));
    url = await urlOf(server);
  });

  afterAll(async () => {
    const closed = once(server, 'close');
    server.close();
    await closed;
    await runner.close();
  });

  const signedIn = async (name: string, password: string): Promise<Visitor> => {
    const visitor = new Visitor(url);
    expect(await visitor.signIn(name, password)).toBe('/studio/');
    return visitor;
  };

  it('leads a browser to the sign-in page, and then to where it wanted to go', async () => {
    const ada = new Visitor(url);
    expect(await ada.open('/studio')).toBe('/login?next=%2Fstudio');
    expect(await ada.open('/login?next=%2Fstudio')).toBe(200);
    const form = { name: 'ada', password: 'analytical engine' };
    expect(await ada.submit('/login?next=%2Fstudio', form)).toBe('/studio');
    expect(await ada.open('/studio')).toBe('/studio/');
    expect(await ada.open('/studio/')).toBe(200);
    expect((await ada.call('/sessions')).status).toBe(200);
  });

  it('lets nobody in with a wrong name or password, or an id of their own', async () => {
    const eve = new Visitor(url);
    for (const [name, password] of [
      ['ada', ''],
      ['ada', 'mind the gap'],
      ['eve', 'analytical engine'],
      ['__proto__', ''],
      ['', ''],
    ] as const)
      expect([name, await eve.signIn(name, password)]).toEqual([name, 401]);
    for (const id of ['', 'x', 'undefined', '__proto__', 'constructor', '%00']) {
      eve.cookies.set('desk_session', id);
      expect([id, (await eve.call('/sessions')).status]).toEqual([id, 401]);
    }
  });

  it('leads nobody to another origin after the sign-in', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      const form = { name: 'ada', password: 'analytical engine' };
      expect(await new Visitor(url).submit(`/login?next=${encodeURIComponent(next)}`, form)).toBe('/studio/');
    }
  });

  it('gives each sign-in an id of its own, and ends the session that the browser had', async () => {
    const ada = await signedIn('ada', 'analytical engine');
    const before = ada.cookies.get('desk_session') ?? '';
    expect(await ada.signIn('mia', 'mind the gap')).toBe('/studio/');
    expect(ada.cookies.get('desk_session')).not.toBe(before);
    const eve = new Visitor(url);
    eve.cookies.set('desk_session', before);
    expect((await eve.call('/sessions')).status).toBe(401);
    // An id that somebody has planted is not taken over.
    const planted = new Visitor(url);
    planted.cookies.set('desk_session', 'planted');
    await planted.signIn('ada', 'analytical engine');
    eve.cookies.set('desk_session', 'planted');
    expect((await eve.call('/sessions')).status).toBe(401);
  });

  it('takes forms and calls of its own page only: not those of another port, which has the same cookies', async () => {
    const ada = await signedIn('ada', 'analytical engine');
    const form = { name: 'mia', password: 'mind the gap' };
    for (const origin of ['https://evil.example', 'null', url.replace(/\d+$/, '1'), `${url}.evil.example`]) {
      expect([origin, await ada.submit('/login', form, origin)]).toEqual([origin, 403]);
      expect([origin, await ada.submit('/logout', {}, origin)]).toEqual([origin, 403]);
      const headers = { origin, 'content-type': 'application/json' };
      const called = await ada.send('POST', '/studio/adorn/apps/desk/sessions', headers, '{}');
      expect([origin, called.status]).toEqual([origin, 403]);
    }
    expect((await ada.send('POST', '/logout', {})).status).toBe(403);
    const asForm = { origin: url, 'content-type': 'text/plain' };
    expect((await ada.send('POST', '/studio/adorn/apps/desk/sessions', asForm, '{}')).status).toBe(415);
    expect((await ada.call('/sessions')).status).toBe(200);
  });

  it('ends a session after eight hours, at the sign-out, and when the person is removed', async () => {
    const ada = await signedIn('ada', 'analytical engine');
    now += 8 * 3_600_000 - 1;
    expect((await ada.call('/sessions')).status).toBe(200);
    now += 1;
    expect((await ada.call('/sessions')).status).toBe(401);

    const again = await signedIn('ada', 'analytical engine');
    const cookie = again.cookies.get('desk_session') ?? '';
    expect(await again.submit('/logout', {})).toBe('/');
    expect(again.cookies.size).toBe(0);
    again.cookies.set('desk_session', cookie);
    expect((await again.call('/sessions')).status).toBe(401);

    await people.add('ben', 'tower');
    const ben = await signedIn('ben', 'tower');
    people.remove('ben');
    expect((await ben.call('/sessions')).status).toBe(401);
    expect(await ben.open('/studio/')).toBe('/login?next=%2Fstudio%2F');
  });

  it('reads the roles at each request, and lets a second person approve', async () => {
    const ada = await signedIn('ada', 'analytical engine');
    const mia = await signedIn('mia', 'mind the gap');
    await ada.call('/sessions', { id: 's1' });
    await ada.call('/sessions/s1/runs', { message: 'Refund A-17' });
    const { requests } = JSON.parse((await mia.call('/inbox')).body) as { requests: { id: string }[] };
    const path = `/sessions/s1/requests/${encodeURIComponent(requests[0]?.id ?? '')}?user=ada`;
    expect((await ada.call(path, { decision: 'approve' })).status).toBe(403);
    people.setRoles('mia', []);
    expect((await mia.call(path, { decision: 'approve' })).status).toBe(404);
    people.setRoles('mia', ['lead']);
    expect((await mia.call(path, { decision: 'approve' })).status).toBe(200);
  });

  it('marks its cookie for https, for scripts, and for requests of other sites', () => {
    expect(new SignInSessions(true).open('ada')).toMatch(
      /^__Host-desk_session=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax; Secure$/,
    );
  });
});

describe('bearer tokens', () => {
  const audience = 'desk';
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let issuerServer: Server;
  let issuer: string;
  let authenticate: ReturnType<typeof bearerTokens>;

  beforeAll(async () => {
    keys = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' };
    issuerServer = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
    issuer = await urlOf(issuerServer);
    authenticate = bearerTokens({ issuer, jwksUrl: `${issuer}/jwks.json`, audience });
  });

  afterAll(() => {
    issuerServer.close();
  });

  const signed = (claims: JWTPayload = {}, key = keys.privateKey) =>
    new SignJWT({
      sub: 'mia',
      roles: ['lead'],
      iss: issuer,
      aud: audience,
      exp: Date.now() / 1_000 + 60,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(key);
  const whoSends = (authorization: string) =>
    authenticate(new Request('http://localhost/', { headers: { authorization } }));

  it('say who sends a request', async () => {
    expect(await whoSends(`Bearer ${await signed()}`)).toEqual({ id: 'mia', roles: ['lead'] });
    expect(await whoSends(`bearer ${await signed({ roles: undefined })}`)).toEqual({ id: 'mia', roles: [] });
  });

  it('of another issuer, for another audience, too old, without a name or of another key say nothing', async () => {
    const other = await generateKeyPair('ES256');
    const unsigned = `${base64({ alg: 'none' })}.${base64({ sub: 'mia', iss: issuer, aud: audience, exp: 9e9 })}.`;
    const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey));
    const confused = await new SignJWT({ sub: 'mia', iss: issuer, aud: audience, exp: 9e9 })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(secret);
    for (const token of [
      await signed({ iss: 'https://evil.example' }),
      await signed({ aud: 'another' }),
      await signed({ exp: Date.now() / 1_000 - 1 }),
      await signed({ exp: undefined }),
      await signed({ sub: undefined }),
      await signed({}, other.privateKey),
      unsigned,
      confused,
      'a.b.c',
    ])
      expect([token, await whoSends(`Bearer ${token}`)]).toEqual([token, undefined]);
    for (const header of ['', 'Basic YTpi', 'Bearer', 'Bearer '])
      expect(await whoSends(header)).toBeUndefined();
  });

  it('are not called wrong when the issuer does not answer', async () => {
    const away = bearerTokens({ issuer, jwksUrl: 'http://127.0.0.1:1/jwks.json', audience });
    const headers = { authorization: `Bearer ${await signed()}` };
    await expect(away(new Request('http://localhost/', { headers }))).rejects.toThrow();
  });
});

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
