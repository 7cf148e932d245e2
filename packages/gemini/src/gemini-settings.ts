import { isLoopback } from '@adorn/core/backend';

import { GeminiKeyMissingError, GeminiSettingsInvalidError } from './errors.js';
import type { GeminiOptions } from './gemini-options.js';

/** Where Gemini is and as whom we come, all questions answered. */
export interface GeminiSettings {
  readonly vertexai: boolean;
  readonly apiVersion: string;
  readonly apiKey: string | undefined;
  readonly project: string | undefined;
  readonly location: string | undefined;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The options, completed from the environment. An empty variable counts as none.
 *
 * @throws GeminiKeyMissingError when there is nothing to come with: no key, and no project on Vertex AI.
 * @throws GeminiSettingsInvalidError when the base URL is invalid, or would send the key unencrypted.
 */
export function readSettings(options: GeminiOptions, environment: Environment): GeminiSettings {
  const vertexai = usesVertexAi(options, environment);
  const baseUrlVariable = vertexai ? 'GOOGLE_VERTEX_BASE_URL' : 'GOOGLE_GEMINI_BASE_URL';
  const settings = {
    vertexai,
    apiVersion: options.apiVersion ?? (vertexai ? 'v1beta1' : 'v1beta'),
    baseUrl: options.baseUrl ?? said(environment[baseUrlVariable]),
    headers: options.headers,
    ...(vertexai ? cloudIdentity(options, environment) : keyIdentity(options, environment)),
  };
  if (settings.apiKey === undefined && settings.project === undefined)
    throw new GeminiKeyMissingError(vertexai);
  checkBaseUrl(settings.baseUrl, options.baseUrl === undefined ? baseUrlVariable : 'baseUrl');
  return settings;
}

export function usesVertexAi({ vertexai }: GeminiOptions, environment: Environment): boolean {
  return vertexai ?? /^(true|1)$/i.test(environment['GOOGLE_GENAI_USE_VERTEXAI'] ?? '');
}

type Identity = Pick<GeminiSettings, 'apiKey' | 'project' | 'location'>;

function keyIdentity(options: GeminiOptions, environment: Environment): Identity {
  return { apiKey: said(options.apiKey) ?? keyOf(environment), project: undefined, location: undefined };
}

/**
 * Options take precedence over the whole environment; a project takes precedence over a key of the
 * environment.
 */
function cloudIdentity(options: GeminiOptions, environment: Environment): Identity {
  const apiKey = said(options.apiKey);
  const project =
    said(options.project) ?? (apiKey === undefined ? said(environment['GOOGLE_CLOUD_PROJECT']) : undefined);
  if (project === undefined) return { apiKey: apiKey ?? keyOf(environment), project, location: undefined };
  const location = said(options.location) ?? said(environment['GOOGLE_CLOUD_LOCATION']) ?? 'global';
  return { apiKey, project, location };
}

/** In the order Google's own clients follow. */
function keyOf(environment: Environment): string | undefined {
  return said(environment['GOOGLE_API_KEY']) ?? said(environment['GEMINI_API_KEY']);
}

function said(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** @throws GeminiSettingsInvalidError unless the URL is https, or http on this machine, and holds no credentials. */
export function checkBaseUrl(baseUrl: string | undefined, setting = 'baseUrl'): void {
  const fault = baseUrl === undefined ? undefined : baseUrlFault(baseUrl);
  if (fault !== undefined) throw new GeminiSettingsInvalidError(setting, fault);
}

function baseUrlFault(baseUrl: string): string | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is not an http:// or https:// URL';
  if (url.search !== '' || url.hash !== '') return 'has a query or a fragment';
  return exposureOf(url);
}

/** Completes the sentence "<setting> …" for a URL that credentials must not be sent to. */
export function exposureOf({ protocol, hostname, username, password }: URL): string | undefined {
  if (username !== '' || password !== '')
    return 'contains a user name or password, which belongs in apiKey or headers';
  if (protocol === 'https:' || isLoopback(hostname)) return undefined;
  return `is plain http:// to ${hostname}, so the API key would cross the network unencrypted`;
}
