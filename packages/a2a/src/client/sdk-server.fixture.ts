import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { type AgentCard, Role, type Task, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

import { dataPart, textOf, textPart } from '../protocol/parts.js';

/** What the peer does with a message: pieces of its answer, or a question. */
export type Behaviour = (text: string, peer: SdkServer) => AsyncGenerator<Said, void, undefined>;

export type Said =
  | { readonly piece: string }
  | { readonly file: string }
  | { readonly ask: string; readonly schema?: object }
  | { readonly fail: string }
  /** An authorization, for which the work waits. */
  | { readonly auth: string }
  /** A message that begins no task; the first and only one. */
  | { readonly reply: string };

/** The SDK's own server, with an executor of ours. It can be stopped and started at the same address. */
export class SdkServer implements AgentExecutor {
  /** The texts of the messages that arrived. */
  readonly heard: string[] = [];
  readonly contexts: string[] = [];
  readonly cancelled: string[] = [];
  /** Called with each request; true if it answers it itself. */
  intercept: (request: IncomingMessage, response: ServerResponse, method: string) => boolean = () => false;
  private server: Server | undefined;
  private port = 0;
  private readonly tasks = new InMemoryTaskStore();

  constructor(
    private readonly behaviour: Behaviour,
    private readonly revision: {
      binding: 'JSONRPC' | 'HTTP+JSON';
      version: '1.0' | '0.3';
      streaming?: boolean;
    },
    private readonly placed?: string,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  async start(): Promise<this> {
    const server = (this.server = createServer());
    await once(server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (server.address() as AddressInfo).port;
    const card = this.card();
    const requestHandler = new DefaultRequestHandler(card, this.tasks, this);
    const legacyCompat = { enabled: true };
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
    const app = express();
    app.use(
      '/.well-known/agent-card.json',
      agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }),
    );
    app.use((request, response, next) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const { method = request.path } = (body === '' ? {} : JSON.parse(body)) as { method?: string };
        Object.assign(request, {
          body: body === '' ? undefined : (JSON.parse(body) as unknown),
          _body: true,
        });
        if (!this.intercept(request, response, method)) next();
      });
    });
    if (this.revision.binding === 'JSONRPC') app.use('/', jsonRpcHandler(options));
    else app.use('/', restHandler(options));
    server.on('request', app);
    return this;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Breaks the connections, as a proxy that restarts. */
  breakConnections(): void {
    this.server?.closeAllConnections();
  }

  async execute(
    { taskId, contextId, userMessage, task }: RequestContext,
    bus: ExecutionEventBus,
  ): Promise<void> {
    const place = { taskId, contextId };
    const text =
      textOf(userMessage) ||
      JSON.stringify(userMessage.parts.map(({ content }) => content?.value as unknown));
    this.heard.push(text);
    this.contexts.push(contextId);
    const status = (state: TaskState, parts = [textPart('')]) => ({
      state,
      timestamp: new Date().toISOString(),
      message: {
        ...{ messageId: `q${String(this.heard.length)}`, ...place, role: Role.ROLE_AGENT, parts },
        ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
      },
    });
    const begun: Task = {
      ...{ id: taskId, contextId, artifacts: [], metadata: undefined },
      status: { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined },
      history: [...(task?.history ?? []), userMessage],
    };
    const work = this.behaviour(text, this);
    const first = await work.next();
    if (first.done !== true && 'reply' in first.value) {
      const { message } = status(TaskState.TASK_STATE_COMPLETED, [textPart(first.value.reply)]);
      bus.publish(AgentEvent.message({ ...message, taskId: '' }));
      bus.finished();
      return;
    }
    bus.publish(AgentEvent.task(begun));
    const end = (state: TaskState, parts?: ReturnType<typeof textPart>[]): void => {
      bus.publish(AgentEvent.statusUpdate({ ...place, status: status(state, parts), metadata: undefined }));
    };
    let pieces = 0;
    for (let step = first; step.done !== true; step = await work.next()) {
      const said = step.value;
      if (this.cancelled.includes(taskId)) return;
      if ('auth' in said) {
        end(TaskState.TASK_STATE_AUTH_REQUIRED, [textPart(said.auth)]);
        continue;
      }
      if ('ask' in said) {
        end(TaskState.TASK_STATE_INPUT_REQUIRED, [
          textPart(said.ask),
          ...(said.schema === undefined ? [] : [dataPart({ schema: said.schema })]),
        ]);
        return;
      }
      if ('fail' in said) {
        end(TaskState.TASK_STATE_FAILED, [textPart(said.fail)]);
        return;
      }
      const parts =
        'piece' in said
          ? [textPart(said.piece)]
          : 'file' in said
            ? [
                {
                  ...textPart(''),
                  content: { $case: 'raw' as const, value: Buffer.from(said.file) },
                  mediaType: 'image/png',
                },
              ]
            : [];
      const artifact = { artifactId: 'piece' in said ? 'answer' : 'file', name: '', description: '', parts };
      const append = 'piece' in said && pieces++ > 0;
      bus.publish(
        AgentEvent.artifactUpdate({
          ...place,
          artifact: { ...artifact, metadata: undefined, extensions: [] },
          ...{ append, lastChunk: false, metadata: undefined },
        }),
      );
    }
    end(TaskState.TASK_STATE_COMPLETED);
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    this.cancelled.push(taskId);
    const contextId = this.contexts.at(-1) ?? '';
    const status = {
      state: TaskState.TASK_STATE_CANCELED,
      message: undefined,
      timestamp: new Date().toISOString(),
    };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    bus.finished();
    await Promise.resolve();
  }

  private card(): AgentCard {
    const { binding, version, streaming = true } = this.revision;
    const url = this.placed ?? this.url;
    return {
      ...{ name: 'Peer Agent', description: 'Answers.', version: '1', provider: undefined },
      supportedInterfaces: [{ url, protocolBinding: binding, tenant: '', protocolVersion: version }],
      capabilities: { streaming, pushNotifications: false, extensions: [], extendedAgentCard: false },
      ...{ securitySchemes: {}, securityRequirements: [], signatures: [] },
      ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
      skills: [
        {
          ...{ id: 'answer', name: 'answer', description: 'Answers.', tags: [] },
          ...{ examples: [], inputModes: [], outputModes: [], securityRequirements: [] },
        },
      ],
    };
  }
}
