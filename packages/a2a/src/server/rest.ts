import {
  A2A_CONTENT_TYPE,
  AgentCard,
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  taskStateFromJSON,
} from '@a2a-js/sdk';
import { RequestMalformedError, restStatusFor, toRestErrorBody } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';

import type { StreamFault, UpdateStream } from './event-streams.js';

/** A request over HTTP+JSON. */
export interface RestRequest {
  /** Such as `GET`. */
  readonly method: string;
  /** Below the interface's URL, such as `/message:send`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** The answer to a request: a body, or updates; undefined for a path that does not exist. */
export type RestAnswer = Response | Omit<UpdateStream, 'left'> | undefined;

/** Answers a request of revision 1.0. */
export async function answerRest(
  handler: A2ARequestHandler,
  request: RestRequest,
  context: ServerCallContext,
): Promise<RestAnswer> {
  try {
    return await route(handler, request, context);
  } catch (error) {
    const { status, body } = failed(error);
    return json(body, status);
  }
}

async function route(
  handler: A2ARequestHandler,
  request: RestRequest,
  context: ServerCallContext,
): Promise<RestAnswer> {
  const { method, path, query } = request;
  const [, resource = '', id = '', config, configId = ''] = segmentsOf(path);
  const [taskId, verb] = splitVerb(id);
  const route = `${method} ${resource}${verb === undefined ? '' : `/*:${verb}`}`;
  switch (route) {
    case 'POST message:send': {
      const value = await handler.sendMessage(SendMessageRequest.fromJSON(bodyOf(request)), context);
      const isTask = !('messageId' in value);
      const payload = isTask ? { $case: 'task' as const, value } : { $case: 'message' as const, value };
      return json(SendMessageResponse.toJSON({ payload }));
    }
    case 'POST message:stream':
      return streamed(handler.sendMessageStream(SendMessageRequest.fromJSON(bodyOf(request)), context));
    case 'GET extendedAgentCard':
      return json(AgentCard.toJSON(await handler.getAuthenticatedExtendedAgentCard({ tenant: '' }, context)));
    case 'GET tasks/*:subscribe':
    case 'POST tasks/*:subscribe':
      return streamed(handler.resubscribe({ tenant: '', id: taskId }, context));
    case 'POST tasks/*:cancel':
      return json(
        Task.toJSON(await handler.cancelTask({ tenant: '', id: taskId, metadata: undefined }, context)),
      );
  }
  if (resource !== 'tasks' || verb !== undefined) return undefined;
  if (config === 'pushNotificationConfigs')
    return webhooks(handler, request, { taskId: id, configId, context });
  if (method !== 'GET' || config !== undefined) return undefined;
  if (id === '') return json(listed(await handler.listTasks(listRequest(query), context)));
  const historyLength = numberIn(query, 'historyLength');
  return json(Task.toJSON(await handler.getTask({ tenant: '', id, historyLength }, context)));
}

/** The configurations of webhooks of a task. */
async function webhooks(
  handler: A2ARequestHandler,
  request: RestRequest,
  { taskId, configId: id, context }: { taskId: string; configId: string; context: ServerCallContext },
): Promise<RestAnswer> {
  const place = { tenant: '', taskId, id };
  switch (`${request.method} ${id === '' ? 'all' : 'one'}`) {
    case 'POST all': {
      const params = TaskPushNotificationConfig.fromJSON({ ...bodyOf(request), taskId });
      const created = await handler.createTaskPushNotificationConfig(params, context);
      return json(TaskPushNotificationConfig.toJSON(created), 201);
    }
    case 'GET all': {
      const page = { tenant: '', taskId, pageSize: 0, pageToken: '' };
      const found = await handler.listTaskPushNotificationConfigs(page, context);
      return json(ListTaskPushNotificationConfigsResponse.toJSON(found));
    }
    case 'GET one':
      return json(
        TaskPushNotificationConfig.toJSON(await handler.getTaskPushNotificationConfig(place, context)),
      );
    case 'DELETE one':
      await handler.deleteTaskPushNotificationConfig(place, context);
      return new Response(null, { status: 204 });
    default:
      return undefined;
  }
}

/** The segments of a path; none if one is wrongly escaped. */
export function segmentsOf(path: string): string[] {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** `abc:cancel` is the task `abc` and the verb `cancel`. */
export function splitVerb(id: string): [string, string | undefined] {
  const colon = id.lastIndexOf(':');
  return colon === -1 ? [id, undefined] : [id.slice(0, colon), id.slice(colon + 1)];
}

/** @throws {RequestMalformedError} if the body is no JSON object */
export function bodyOf({ body }: RestRequest): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(body === '' ? '{}' : body);
  } catch {
    throw new RequestMalformedError('The body is no JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RequestMalformedError('The body is no JSON object.');
  return value as Readonly<Record<string, unknown>>;
}

/** @throws {RequestMalformedError} if it is no whole number, or negative */
export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RequestMalformedError(`${name} is not a whole number from 0.`);
  return value;
}

function listRequest(query: URLSearchParams): Parameters<A2ARequestHandler['listTasks']>[0] {
  return {
    tenant: '',
    contextId: query.get('contextId') ?? '',
    status: taskStateFromJSON(query.get('status') ?? 0),
    pageSize: numberIn(query, 'pageSize'),
    pageToken: query.get('pageToken') ?? '',
    historyLength: numberIn(query, 'historyLength'),
    statusTimestampAfter: query.get('statusTimestampAfter') ?? undefined,
    includeArtifacts: query.get('includeArtifacts') === 'true',
  };
}

/** A page of tasks, with the fields that the encoder leaves out when they are empty. */
function listed(response: ListTasksResponse): object {
  const { nextPageToken, pageSize, totalSize } = response;
  const encoded = ListTasksResponse.toJSON(response) as { readonly tasks?: readonly object[] };
  return { ...encoded, tasks: encoded.tasks ?? [], nextPageToken, pageSize, totalSize };
}

function streamed(updates: AsyncGenerator<StreamResponse, void, undefined>): Omit<UpdateStream, 'left'> {
  return { updates: encoded(updates, (update) => StreamResponse.toJSON(update) as object), failed };
}

/** Updates in the shape of a protocol. */
export async function* encoded<Value>(
  updates: AsyncIterable<Value>,
  encode: (update: Value) => object,
): AsyncGenerator<object, void, undefined> {
  for await (const update of updates) yield encode(update);
}

function failed(error: unknown): StreamFault {
  const status = restStatusFor(error);
  return { status, body: toRestErrorBody(error, status) };
}

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': A2A_CONTENT_TYPE } });
}
