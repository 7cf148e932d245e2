import type { ServerCallContext } from '@a2a-js/sdk/server';
import { restStatusFor } from '@a2a-js/sdk/errors';
import type { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';

import type { StreamFault, UpdateStream } from './event-streams.js';
import {
  decodeMessageParams,
  decodeWebhook,
  encodeResult,
  encodeTask,
  encodeWebhook,
} from './legacy-rest-json.js';
import { withFinal } from './legacy-updates.js';
import {
  bodyOf,
  encoded,
  numberIn,
  type RestAnswer,
  type RestRequest,
  segmentsOf,
  splitVerb,
} from './rest.js';

/** What answers requests of revision 0.3 over HTTP+JSON. */
export interface LegacyRest {
  readonly handler: LegacyRestTransportHandler;
  /** A fault as that revision tells it. */
  readonly faultOf: (error: unknown) => object;
}

/** Answers a request of revision 0.3, whose paths begin with `/v1`. */
export async function answerLegacyRest(
  rest: LegacyRest,
  request: RestRequest,
  context: ServerCallContext,
): Promise<RestAnswer> {
  const failed = (error: unknown): StreamFault => ({
    status: restStatusFor(error),
    body: rest.faultOf(error),
  });
  try {
    return await route(rest, request, context, failed);
  } catch (error) {
    const { status, body } = failed(error);
    return Response.json(body, { status });
  }
}

async function route(
  { handler }: LegacyRest,
  request: RestRequest,
  context: ServerCallContext,
  failed: UpdateStream['failed'],
): Promise<RestAnswer> {
  const { method, path, query } = request;
  const [, , resource = '', id = '', config, configId = ''] = segmentsOf(path);
  const [taskId, verb] = splitVerb(id);
  const route = `${method} ${resource}${verb === undefined ? '' : `/*:${verb}`}`;
  const streamed = (updates: AsyncIterable<object>): RestAnswer => ({
    updates: encoded(updates, (update) => encodeResult(withFinal(update))),
    failed,
  });
  switch (route) {
    case 'POST message:send': {
      const result = await handler.sendMessage(decodeMessageParams(bodyOf(request)), context);
      return Response.json(encodeResult(result), { status: 201 });
    }
    case 'POST message:stream':
      return streamed(await handler.sendMessageStream(decodeMessageParams(bodyOf(request)), context));
    case 'GET card':
      return Response.json(await handler.getAuthenticatedExtendedAgentCard(context));
    case 'GET tasks/*:subscribe':
    case 'POST tasks/*:subscribe':
      return streamed(await handler.resubscribe(taskId, context));
    case 'POST tasks/*:cancel':
      return Response.json(encodeTask(await handler.cancelTask(taskId, context)));
  }
  if (resource !== 'tasks' || verb !== undefined || id === '') return undefined;
  if (config === 'pushNotificationConfigs')
    return webhooks(handler, request, { taskId: id, configId, context });
  if (method !== 'GET' || config !== undefined) return undefined;
  const historyLength = numberIn(query, 'historyLength') ?? numberIn(query, 'history_length');
  return Response.json(encodeTask(await handler.getTask(id, context, historyLength)));
}

async function webhooks(
  handler: LegacyRestTransportHandler,
  request: RestRequest,
  { taskId, configId, context }: { taskId: string; configId: string; context: ServerCallContext },
): Promise<RestAnswer> {
  switch (`${request.method} ${configId === '' ? 'all' : 'one'}`) {
    case 'POST all': {
      const pushNotificationConfig = decodeWebhook(bodyOf(request));
      const created = await handler.setTaskPushNotificationConfig(
        { taskId, pushNotificationConfig },
        context,
      );
      return Response.json(encodeWebhook(created), { status: 201 });
    }
    case 'GET all': {
      const configs = await handler.listTaskPushNotificationConfigs(taskId, context);
      return Response.json({ configs: configs.map(encodeWebhook), nextPageToken: '' });
    }
    case 'GET one':
      return Response.json(
        encodeWebhook(await handler.getTaskPushNotificationConfig(taskId, configId, context)),
      );
    case 'DELETE one':
      await handler.deleteTaskPushNotificationConfig(taskId, configId, context);
      return new Response(null, { status: 204 });
    default:
      return undefined;
  }
}
