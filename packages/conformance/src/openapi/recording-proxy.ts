import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Buffer<ArrayBuffer>;
}

/** Notes the requests that arrive, and hands them on to another server. */
export class RecordingProxy implements AsyncDisposable {
  readonly arrived: ArrivedRequest[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<RecordingProxy> {
    const server = createServer();
    const proxy = new RecordingProxy(server, target);
    server.on('request', (request, response) => void proxy.handOn(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = (await request.toArray()) as Buffer[];
    const { method = '', url = '' } = request;
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(request.headersDistinct))
      for (const value of values) headers.append(name, value);
    const body = Buffer.concat(chunks);
    this.arrived.push({ method, url, headers, body });
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name);
    const answer = await fetch(`${this.target}${url}`, { method, headers, ...(body.length > 0 && { body }) });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
}
