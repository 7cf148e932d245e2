import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { toolPolicies } from '@adorn/policies';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, type Tool } from '@adorn/core';
import type { FunctionDeclaration } from '@adorn/core/backend';

import { openApiToolset, type OpenApiToolset } from './openapi.toolset.js';
import type { OpenApiToolsetOptions } from './options.js';

/** A request as the server got it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An HTTP server on loopback that notes its requests. */
export class EchoApi {
  readonly seen: SeenRequest[] = [];
  /** Answers a request; by default with the JSON `{ "ok": true }`. */
  answer: (request: SeenRequest, response: ServerResponse) => void = (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true}');
  };

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<EchoApi> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const api = new EchoApi(server, `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const seen = { method, url, headers, body: Buffer.concat(chunks) };
        api.seen.push(seen);
        api.answer(seen, response);
      });
    });
    return api;
  }

  get last(): SeenRequest {
    const last = this.seen.at(-1);
    if (last === undefined) throw new Error('No request came.');
    return last;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A document with these paths, and whatever else it has. */
export function documentWith(paths: object, more: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, ...more };
}

/** The tool of a document that has one operation, called through a runner; the response that the model gets. */
export async function callThrough(
  toolset: OpenApiToolset,
  name: string,
  args: Record<string, unknown>,
): Promise<unknown> {
  const model = new ScriptedModel(callsTool(name, args, 'c1'), says('Done.'));
  const clerk = defineAgent({ name: 'clerk', tools: [toolset] });
  await using runner = await createRunner(clerk, { model, modules: [toolPolicies] });
  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Go.' }));
  return events.flatMap(({ functionResponses }) => functionResponses)[0]?.response;
}

/** The declaration of the first operation of a document. */
export async function declarationOf(
  document: object,
  options: OpenApiToolsetOptions = {},
): Promise<FunctionDeclaration> {
  const [tool] = await openApiToolset(document, {
    baseUrl: 'https://api.example.com',
    ...options,
  }).listTools();
  return (tool as Tool).declaration() as FunctionDeclaration;
}

/** The JSON Schema of the body of `POST /things` with this schema. */
export async function bodySchemaOf(schema: unknown, schemas: object = {}): Promise<Record<string, unknown>> {
  const { parametersJsonSchema } = await declarationOf(
    documentWith(
      {
        '/things': { post: { requestBody: { required: true, content: { 'application/json': { schema } } } } },
      },
      { components: { schemas } },
    ),
  );
  const { properties, $defs } = parametersJsonSchema as { properties: { body: object }; $defs?: object };
  return { ...properties.body, ...($defs !== undefined && { $defs }) };
}
