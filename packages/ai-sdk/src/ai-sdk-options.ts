import { guardedFetch, type GuardedFetchOptions } from '@adorn/http';
import { kindOf, optionNames, unknownOption, ModelConfigInvalidError } from '@adorn/core/backend';

import type { DialectName } from './profile.js';
import type { ProviderMetadata } from './request/call-options.js';

/** Options of `aiSdkModel`. */
export interface AiSdkModelOptions {
  /** Passed to the provider with every request, by the provider's name: `{ openai: { reasoningEffort: 'low' } }`. */
  readonly providerOptions?: ProviderMetadata;
  /** Tools that the provider runs, by the name that the model calls: `{ web_search: openai.tools.webSearch() }`. */
  readonly providerTools?: Readonly<Record<string, object>>;
  /**
   * True for the name of a tool that the provider's own search finds: its model does not read the declaration before. Needs that
   * search in `providerTools`: `anthropic.tools.toolSearchBm25_20251119()`, `openai.tools.toolSearch()`. Default: none is
   * deferred.
   */
  readonly deferTools?: (name: string) => boolean;
  /** The dialect of schemas. Default: the provider's own; JSON Schema for an unknown provider. */
  readonly dialect?: DialectName;
  /** True if the provider takes a response schema beside tools. Default: true for OpenAI and Anthropic. */
  readonly schemaBesideTools?: boolean;
  /**
   * How files are downloaded whose URLs the provider does not read; they are sent in the request. Default: from public
   * addresses, up to 10 MiB, within 30 seconds. False to download none.
   */
  readonly downloads?: GuardedFetchOptions | false;
  /**
   * False to mark nothing for the provider's cache. Default: true; it concerns Claude, also on Bedrock and OpenRouter, and
   * Nova on Bedrock. Other providers cache without marks. `providerOptions: { anthropic: { cacheControl } }` is the value
   * of the marks, such as `{ type: 'ephemeral', ttl: '1h' }`.
   */
  readonly cache?: boolean;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: AiSdkRetryOptions;
  /**
   * Milliseconds that one attempt may be silent, before its answer and between the pieces of a streamed one. Default:
   * 600,000 (ten minutes).
   */
  readonly timeout?: number;
}

/**
 * When a request is sent again: after status 408, 409, 429 and 5xx, a lost connection and a timeout, as long as
 * nothing of the answer was passed on. The wait grows exponentially with full jitter; a wait that the provider asks
 * for (`retry-after`) takes precedence.
 */
export interface AiSdkRetryOptions {
  /** Total number of attempts. Default: 5; 1 disables retries. */
  readonly attempts?: number;
  /** The longest wait before the second attempt, in milliseconds. Default: 1,000. It doubles with each attempt. */
  readonly initialDelay?: number;
  /** No wait of ours is longer, in milliseconds. Default: 30,000. */
  readonly maxDelay?: number;
  /** No attempt begins later than this after the first one, in milliseconds. Default: 120,000. */
  readonly maxTotal?: number;
}

const OPTIONS = optionNames<AiSdkModelOptions>({
  providerOptions: true,
  providerTools: true,
  deferTools: true,
  dialect: true,
  schemaBesideTools: true,
  cache: true,
  downloads: true,
  headers: true,
  retry: true,
  timeout: true,
});

const RETRY_OPTIONS = optionNames<AiSdkRetryOptions>({
  attempts: true,
  initialDelay: true,
  maxDelay: true,
  maxTotal: true,
});

const DIALECTS: readonly unknown[] = ['json-schema', 'openai', 'gemini'] satisfies DialectName[];

/**
 * @throws ModelConfigInvalidError for an option that does not exist or has a value of the wrong kind,
 * HttpOptionInvalidError for those of `downloads`.
 */
export function checkOptions(given: unknown): AiSdkModelOptions {
  requireObject('its options', given, OPTIONS);
  const { retry, timeout, dialect, providerTools, providerOptions, headers, schemaBesideTools } = given;
  const { downloads, cache, deferTools } = given;
  if (retry !== undefined) {
    requireObject('its option retry', retry, RETRY_OPTIONS);
    for (const [name, value] of Object.entries(retry)) requireAmount(`retry.${name}`, value);
  }
  requireAmount('timeout', timeout);
  if (dialect !== undefined && !DIALECTS.includes(dialect))
    throw invalid(`its option dialect is ${shown(dialect)}`, `Valid: ${DIALECTS.join(', ')}.`);
  for (const [name, value] of Object.entries({ schemaBesideTools, cache }))
    if (value !== undefined && typeof value !== 'boolean')
      throw invalid(`its option ${name} is ${kindOf(value)}`, 'Set true or false.');
  if (downloads !== undefined && downloads !== false) {
    requireObject('its option downloads', downloads);
    guardedFetch(downloads);
  }
  for (const [name, value] of Object.entries({ providerTools, providerOptions, headers }))
    if (value !== undefined) requireObject(`its option ${name}`, value);
  for (const [name, tool] of Object.entries(providerTools ?? {})) checkTool(name, tool);
  if (deferTools !== undefined) checkDeferral(deferTools, Object.values(providerTools ?? {}));
  return given;
}

function requireObject(
  what: string,
  value: unknown,
  names?: ReadonlySet<string>,
): asserts value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${what}: ${kindOf(value)}`, 'Pass an object.');
  const unknown = names && unknownOption(value, names);
  if (unknown) throw invalid(unknown.fault, unknown.cure);
}

function requireAmount(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return;
  throw invalid(`its option ${name} is ${shown(value)}`, 'Set a number of at least 0.');
}

function checkTool(name: string, tool: unknown): void {
  const { id } = (typeof tool === 'object' && tool !== null ? tool : {}) as { readonly id?: unknown };
  if (typeof id === 'string' && id.includes('.')) return;
  const cure = 'Pass a tool of the provider, such as openai.tools.webSearch().';
  throw invalid(`providerTools.${name} is no tool that a provider runs`, cure);
}

function checkDeferral(deferTools: unknown, providerTools: readonly unknown[]): void {
  if (typeof deferTools !== 'function')
    throw invalid(
      `its option deferTools is ${kindOf(deferTools)}`,
      "Pass a function of the name, such as (name) => name !== 'find_order'.",
    );
  const ids = providerTools.map((tool) => (tool as { readonly id: string }).id);
  if (ids.some((id) => id.includes('.tool_search'))) return;
  throw invalid(
    'its option deferTools has no search beside it, so that no deferred tool is ever found',
    'Add one to providerTools: { tool_search: anthropic.tools.toolSearchBm25_20251119() } or openai.tools.toolSearch().',
  );
}

function shown(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? JSON.stringify(value) : kindOf(value);
}

function invalid(fault: string, cure: string): ModelConfigInvalidError {
  return new ModelConfigInvalidError('aiSdkModel', fault, cure);
}
