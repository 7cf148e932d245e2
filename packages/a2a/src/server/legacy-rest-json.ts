import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';

/**
 * Revision 0.3 has two encodings of one model: JSON-RPC names the kinds of objects (`kind: 'text'`), HTTP+JSON is the JSON of
 * Protocol Buffers (`{ "text": … }`). The SDK speaks the first in its public handlers; this is the way to the second.
 */
type MessageParams = Parameters<LegacyRestTransportHandler['sendMessage']>[0];
type Message = MessageParams['message'];
type Part = Message['parts'][number];
type Result = Awaited<ReturnType<LegacyRestTransportHandler['sendMessage']>>;
type Task = Awaited<ReturnType<LegacyRestTransportHandler['getTask']>>;
type Webhook = Awaited<ReturnType<LegacyRestTransportHandler['getTaskPushNotificationConfig']>>;
type WebhookConfig = Webhook['pushNotificationConfig'];
type Status = Task['status'];
type Artifact = NonNullable<Task['artifacts']>[number];
type JsonObject = Readonly<Record<string, unknown>>;

/** A task, a message, or an update of a stream. */
export function encodeResult(given: object): JsonObject {
  const result = given as Result | StatusUpdate | ArtifactUpdate;
  switch (result.kind) {
    case 'message':
      return { msg: encodeMessage(result) };
    case 'task':
      return { task: encodeTask(result) };
    case 'status-update': {
      const { kind: _, status, ...rest } = result;
      return { statusUpdate: { ...rest, status: encodeStatus(status) } };
    }
    case 'artifact-update': {
      const { kind: _, artifact, ...rest } = result;
      return { artifactUpdate: { ...rest, artifact: encodeArtifact(artifact) } };
    }
  }
}

interface StatusUpdate {
  readonly kind: 'status-update';
  readonly status: Status;
}

interface ArtifactUpdate {
  readonly kind: 'artifact-update';
  readonly artifact: Artifact;
}

export function encodeTask({ kind: _, status, artifacts = [], history = [], ...rest }: Task): JsonObject {
  return {
    ...rest,
    status: encodeStatus(status),
    artifacts: artifacts.map(encodeArtifact),
    history: history.map(encodeMessage),
  };
}

/** A configuration of a webhook is named by its place. */
export function encodeWebhook({ taskId, pushNotificationConfig }: Webhook): JsonObject {
  const name = `tasks/${taskId}/pushNotificationConfigs/${pushNotificationConfig.id ?? ''}`;
  return { name, pushNotificationConfig };
}

function encodeStatus({ state, message, timestamp }: Status): JsonObject {
  const name = state === 'canceled' ? 'CANCELLED' : state.toUpperCase().replaceAll('-', '_');
  return {
    state: `TASK_STATE_${name === 'UNKNOWN' ? 'UNSPECIFIED' : name}`,
    update: message && encodeMessage(message),
    timestamp,
  };
}

function encodeArtifact({ parts, ...rest }: Artifact): JsonObject {
  return { ...rest, parts: parts.map(encodePart) };
}

function encodeMessage({ kind: _, role, parts, ...rest }: Message): JsonObject {
  return { ...rest, role: role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER', content: parts.map(encodePart) };
}

function encodePart(part: Part): JsonObject {
  return part.metadata === undefined
    ? encodeContent(part)
    : { ...encodeContent(part), metadata: part.metadata };
}

function encodeContent(part: Part): JsonObject {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'data':
      return { data: { data: part.data } };
    case 'file': {
      const { mimeType = '', name = '' } = part.file;
      const source = 'uri' in part.file ? { fileWithUri: part.file.uri } : { fileWithBytes: part.file.bytes };
      return { file: { ...source, mimeType, name } };
    }
  }
}

/** The parameters of a message, in either encoding: there are clients of both. @throws {RequestMalformedError} */
export function decodeMessageParams(body: JsonObject): MessageParams {
  const message = asObject(body['request']) ?? asObject(body['message']);
  if (message === undefined) throw new RequestMalformedError('message is missing.');
  const { content, parts = content, role, ...rest } = message;
  if (!Array.isArray(parts)) throw new RequestMalformedError('message.parts is missing.');
  return {
    message: {
      ...rest,
      kind: 'message',
      role: role === 'ROLE_AGENT' || role === 'agent' || role === 2 ? 'agent' : 'user',
      parts: parts.map(decodePart),
    },
    configuration: decodeConfiguration(asObject(body['configuration'])),
    metadata: plainObject(body['metadata']),
  } as MessageParams;
}

/** A webhook: the configuration itself, or a `TaskPushNotificationConfig` around it. @throws {RequestMalformedError} */
export function decodeWebhook(body: JsonObject): WebhookConfig {
  const outer = asObject(asObject(body)?.['config']) ?? asObject(body);
  const config = asObject(outer?.['pushNotificationConfig']);
  if (typeof config?.['url'] !== 'string')
    throw new RequestMalformedError('pushNotificationConfig.url is missing.');
  const authentication = asObject(config['authentication']);
  // In the JSON of Protocol Buffers an empty object is the absence of one.
  const isGiven = authentication !== undefined && Object.keys(authentication).length > 0;
  return { ...config, authentication: isGiven ? authentication : undefined } as unknown as WebhookConfig;
}

function decodeConfiguration(given: JsonObject | undefined): JsonObject | undefined {
  if (given === undefined) return undefined;
  const { historyLength, pushNotification, pushNotificationConfig = pushNotification } = given;
  // In the JSON of Protocol Buffers zero is the absence of a number.
  return { ...given, historyLength: historyLength === 0 ? undefined : historyLength, pushNotificationConfig };
}

function decodePart(given: unknown): Part {
  const part = asObject(given);
  const metadata = plainObject(part?.['metadata']);
  return metadata === undefined ? decodeContent(part) : { ...decodeContent(part), metadata };
}

function decodeContent(part: JsonObject | undefined): Part {
  const file = asObject(part?.['file']);
  if (typeof part?.['text'] === 'string') return { kind: 'text', text: part['text'] };
  if (file !== undefined) {
    const { fileWithBytes, bytes = fileWithBytes, fileWithUri, uri = fileWithUri, mimeType, name } = file;
    if (typeof bytes !== 'string' && typeof uri !== 'string')
      throw new RequestMalformedError('A file of message.parts has neither bytes nor a URI.');
    const about = { mimeType: asText(mimeType), name: asText(name) };
    return {
      kind: 'file',
      file: typeof bytes === 'string' ? { ...about, bytes } : { ...about, uri: uri as string },
    };
  }
  const data = plainObject(part?.['data']);
  if (data === undefined)
    throw new RequestMalformedError('A part of message.parts is neither text, nor a file, nor data.');
  return {
    kind: 'data',
    data: { ...(part?.['kind'] === undefined ? (plainObject(data['data']) ?? data) : data) },
  };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** An object with its names as the JSON of Protocol Buffers may write them: `message_id` is `messageId`. */
function asObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [camelCase(name), one as unknown]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** An object with the names that the sender chose. */
function plainObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}
