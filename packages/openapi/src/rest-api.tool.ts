import {
  AdornError,
  type AuthConfig,
  CredentialRejectedError,
  FunctionTool,
  ToolError,
  type ToolContext,
} from '@adorn/core';
import {
  type Arguments,
  type Asked,
  type Awaitable,
  concealSecrets,
  type FunctionDeclaration,
  type FunctionToolFields,
  isSecretName,
  present,
  withoutSentSecrets,
} from '@adorn/core/backend';
import type { GuardedFetch } from '@adorn/http';

import type { OpenApiDocument } from './document/openapi-document.js';
import type { Operation, OperationInfo } from './document/operation.js';
import { OpenApiOptionError } from './errors.js';
import { isChosen } from './operation-choice.js';
import type { ApproversOption, ConfirmOption, OpenApiToolsetOptions, OperationRequest } from './options.js';
import { type ApiRequest, buildRequest } from './request/build-request.js';
import { type OperationResult, readResponse } from './request/read-response.js';
import { failureInResult, noteWait, retryOf } from './retried-response.js';
import { addCredential } from './security/add-credential.js';

/** What a tool calls its operation with. */
export interface RestApiToolFields {
  readonly document: OpenApiDocument;
  readonly operation: Operation;
  readonly declaration: FunctionDeclaration;
  /** All that a call needs. The auth gate hands over the first; the tool asks for the others before it sends anything. */
  readonly auth: readonly AuthConfig[];
  readonly fetch: GuardedFetch;
  /** The developer's, for every call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly options: Pick<
    OpenApiToolsetOptions,
    'approvers' | 'confidential' | 'confirm' | 'hooks' | 'outside' | 'retry' | 'timeout' | 'untrusted'
  >;
}

/** An operation of an HTTP API as a tool. It returns `{ status, body }`, also for an error status. */
export class RestApiTool extends FunctionTool {
  /** The operation, as the document describes it. */
  readonly operation: OperationInfo;
  private readonly place: string;

  constructor(fields: RestApiToolFields) {
    const { operation, declaration, auth } = fields;
    const { approvers, confidential, confirm, outside, retry, timeout, untrusted } = fields.options;
    const { name, effect } = operation;
    const info = infoOf(operation);
    super({
      name,
      description: declaration.description ?? '',
      parameters: declaration.parametersJsonSchema as Readonly<Record<string, unknown>>,
      effect,
      run: (args, context) => callOperation(fields, args, context),
      ...(auth[0] !== undefined && { auth: auth[0] }),
      ...present({ confidential, outside, retry: retryOf(effect, retry), timeout, untrusted }),
      ...(confirm !== undefined && { confirm: confirmOf(confirm, info) }),
      ...(approvers !== undefined && { approvers: approversOf(approvers, info) }),
    });
    this.operation = info;
    this.place = `${operation.method} ${operation.path} of the OpenAPI document ${fields.document.label}`;
  }

  override get origin(): string {
    return this.place;
  }

  override failureIn(result: unknown): ToolError | undefined {
    return failureInResult(result);
  }
}

function confirmOf(
  confirm: ConfirmOption,
  operation: OperationInfo,
): boolean | ((args: Arguments) => Awaitable<Asked>) {
  if (typeof confirm === 'boolean') return confirm;
  if (typeof confirm === 'function') return (args) => confirm(operation, args);
  return operation.effect === 'destructive' || isChosen(confirm, operation);
}

function approversOf(
  approvers: ApproversOption,
  operation: OperationInfo,
): NonNullable<FunctionToolFields['approvers']> {
  if (typeof approvers !== 'function') return approvers;
  return (args, _context, facts) => approvers(operation, args, facts);
}

function infoOf({ name, operationId, method, path, tags, effect, isDeprecated }: Operation): OperationInfo {
  return { name, operationId, method, path, tags, effect, isDeprecated };
}

async function callOperation(
  fields: RestApiToolFields,
  args: Arguments,
  context: ToolContext,
): Promise<OperationResult> {
  const { document, operation, auth, headers, fetch } = fields;
  const { hooks = {} } = fields.options;
  const built = buildRequest(document, operation, args);
  for (const [name, value] of Object.entries(headers)) built.headers.set(name, value);
  await authorise(built, auth, context);
  concealSecrets(context, secretsIn(headers));
  const request = requestOf(built, operation);
  await hooks.beforeRequest?.(request, infoOf(operation), context);
  refuseOtherOrigin(request, operation);
  const response = await send(request, operation, fetch, context);
  if (response.status === 401 && auth.length > 0) {
    await response.body?.cancel();
    throw new CredentialRejectedError(
      `${operation.baseUrl.host} refused the credential of "${operation.name}".`,
    );
  }
  const result = await resultOf(response, operation, context);
  const shown = (await hooks.afterResponse?.(result, infoOf(operation), context)) ?? result;
  const told = withoutSentSecrets(context, shown);
  noteWait(told, response.headers);
  return told;
}

/** The values of headers that have the names of credentials. */
function secretsIn(headers: RestApiToolFields['headers']): string[] {
  const named = Object.entries(headers).filter(([name, value]) => value !== '' && isSecretName(name));
  return named.map(([, value]) => value);
}

/** A call that needs a credential never goes out without it. */
async function authorise(
  request: ApiRequest,
  auth: readonly AuthConfig[],
  context: ToolContext,
): Promise<void> {
  for (const [index, config] of auth.entries()) {
    const credential =
      index === 0 ? context.credential : await context.requestCredential({ ...config, shared: true });
    if (credential === undefined)
      throw new ToolError('The call needs a credential, and has none.', { final: true });
    addCredential(request, config.scheme, credential);
  }
}

function requestOf({ url, headers, cookies, body }: ApiRequest, { method }: Operation): OperationRequest {
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
  return { method, url, headers, body };
}

/** The request holds credentials, which go to the API alone. */
function refuseOtherOrigin({ url }: OperationRequest, { method, path, baseUrl }: Operation): void {
  if (url.origin === baseUrl.origin) return;
  throw new OpenApiOptionError(
    `hooks.beforeRequest sends ${method} ${path} to ${url.origin}, and the API is at ${baseUrl.origin}`,
    'Keep the origin, or pass another baseUrl.',
  );
}

async function send(
  { url, method, headers, body }: OperationRequest,
  operation: Operation,
  fetch: GuardedFetch,
  context: ToolContext,
): Promise<Response> {
  try {
    return await fetch(url, { method, headers, signal: context.signal, body: body ?? null });
  } catch (error) {
    throw toldError(error, operation, context);
  }
}

async function resultOf(
  response: Response,
  operation: Operation,
  context: ToolContext,
): Promise<OperationResult> {
  try {
    return await readResponse(response, operation, context);
  } catch (error) {
    throw toldError(error, operation, context);
  }
}

/** What the model may read of a failed request. The message tells all of it, so the log needs no stack. */
function toldError(error: unknown, { name }: Operation, { signal, logger }: ToolContext): unknown {
  if (signal.aborted || !AdornError.is(error)) return error;
  if (!error.code.startsWith('HTTP_')) return error;
  logger.warn(`the request of "${name}" failed: ${error.message}`);
  // The request may have arrived, unless it was blocked or is not valid.
  const { reason } = error as { readonly reason?: unknown };
  const mayHaveTakenEffect = error.code === 'HTTP_REQUEST_FAILED' && reason !== 'invalid';
  const final = reason !== 'unreachable' && reason !== 'timeout';
  return new ToolError(error.message, { mayHaveTakenEffect, final });
}
