import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** What a server has answered. */
interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
}

/** A visitor of a server who keeps its cookies, as a browser does, and sends what a browser sends. No client of Adorn. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  constructor(private readonly url: string) {}

  /** Opens an address in a tab. @returns where the server leads to, or the status */
  async open(path: string): Promise<string | number> {
    const { location, status } = await this.send('GET', path, {
      accept: 'text/html',
      'sec-fetch-mode': 'navigate',
    });
    return location ?? status;
  }

  /** Sends a form. @returns where the server leads to, or the status */
  async submit(path: string, form: Record<string, string>, origin = this.url): Promise<string | number> {
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
    const { location, status } = await this.send('POST', path, headers, new URLSearchParams(form).toString());
    return location ?? status;
  }

  signIn(name: string, password: string): Promise<string | number> {
    return this.submit('/login', { name, password });
  }

  /** Calls a route of the agents, as a script of the page does. */
  call(path: string, body?: unknown): Promise<Answer> {
    const url = `/studio/adorn/apps/desk${path}`;
    if (body === undefined) return this.send('GET', url, { 'sec-fetch-mode': 'cors' });
    const headers = { origin: this.url, 'content-type': 'application/json', 'sec-fetch-mode': 'cors' };
    return this.send('POST', url, headers, JSON.stringify(body));
  }

  async send(method: string, path: string, headers: OutgoingHttpHeaders, body?: string): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = request(this.url + path, { method, headers: { ...headers, cookie } }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    for (const one of response.headers['set-cookie'] ?? []) this.keep(one);
    return {
      status: response.statusCode ?? 0,
      location: response.headers.location,
      body: await text(response),
    };
  }

  private keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
