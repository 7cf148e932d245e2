import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An authorization server whose users agree to everything. */
export class FixtureAuthorizationServer {
  /** What was asked for, such as `POST /token authorization_code`. */
  readonly requests: string[] = [];
  /** The parameters of each token request. */
  readonly tokenRequests: URLSearchParams[] = [];
  /** Seconds that a token lasts. */
  lifetime = 3_600;
  private issued = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      void this.handle(request, response);
    });
  }

  static async start(): Promise<FixtureAuthorizationServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new FixtureAuthorizationServer(server);
  }

  get issuer(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** The access token that was issued last. */
  get token(): string {
    return `secret-token-${String(this.issued)}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    const reply = (value: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (pathname === '/.well-known/oauth-authorization-server') reply(this.metadata());
    else if (pathname === '/register')
      reply({ ...(JSON.parse(body) as object), client_id: 'registered' }, 201);
    else if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'secret-code');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
    } else if (pathname === '/token') {
      this.issued++;
      this.tokenRequests.push(new URLSearchParams(body));
      const tokens = { access_token: this.token, token_type: 'Bearer', refresh_token: 'secret-refresh' };
      reply({ ...tokens, expires_in: this.lifetime });
    } else reply({}, 404);
    const grant = pathname === '/token' ? ` ${new URLSearchParams(body).get('grant_type') ?? ''}` : '';
    this.requests.push(`${request.method ?? ''} ${pathname}${grant}`);
  }

  private metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    };
  }
}
