import type { AuthConfig } from '@adorn/core';

import { isObject, type JsonObject, listOf, objectOf } from '../document/json-object.js';
import type { OpenApiDocument } from '../document/openapi-document.js';
import { authConfigFor, scopesOf, type SecurityOptions } from './security-scheme.js';

/** What the developer brings: for each scheme of the document by its name, or one for all operations. */
export type AuthOptions = AuthConfig | Readonly<Record<string, SecurityOptions>>;

/** True for one authentication that is for all operations, whatever the document says. */
export function isAuthConfig(auth: AuthOptions): auth is AuthConfig {
  const { scheme } = auth as { readonly scheme?: unknown };
  return isObject(scheme) && typeof scheme['type'] === 'string';
}

/** No alternative of an operation's security can be met; the message is a clause. */
export class SecurityFault extends Error {}

/**
 * The credentials that an operation needs, all of them. Of alternatives the first is taken for which the developer brings
 * something for every scheme; else none where the document lets calls through without; else the first that Adorn can do.
 *
 * @param host the host of the API, by which the credentials of users are stored
 * @throws {SecurityFault} if Adorn can do no alternative: the call must not go out without credentials
 */
export function operationAuth(
  document: OpenApiDocument,
  fields: JsonObject,
  auth: AuthOptions,
  host: string,
): readonly AuthConfig[] {
  if (isAuthConfig(auth)) return [{ key: `openapi:${host}`, ...auth }];
  const requirements = listOf(fields['security'] ?? document.root['security']).map(objectOf);
  if (requirements.length === 0) return [];
  const brought = requirements.find((one) => {
    const names = Object.keys(one);
    return names.length > 0 && names.every((name) => Object.hasOwn(auth, name));
  });
  if (brought === undefined && requirements.some((one) => Object.keys(one).length === 0)) return [];
  for (const requirement of brought === undefined ? requirements : [brought]) {
    const configs = configsFor(document, requirement, auth, host);
    if (configs !== undefined) return configs;
  }
  const names = [...new Set(requirements.flatMap((one) => Object.keys(one)))].join(', ');
  throw new SecurityFault(
    `it needs the security scheme ${names}, which the document lacks or Adorn cannot do`,
  );
}

/** One config per scheme; undefined if one of them cannot be done. */
function configsFor(
  document: OpenApiDocument,
  requirement: JsonObject,
  auth: Readonly<Record<string, SecurityOptions>>,
  host: string,
): readonly AuthConfig[] | undefined {
  const configs: AuthConfig[] = [];
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = objectOf(document.resolve(document.securitySchemes[name]));
    const options = Object.hasOwn(auth, name) ? (auth[name] ?? {}) : {};
    const config = authConfigFor(scheme, scopesOf(scopes), options, `openapi:${host}:${name}`);
    if (config === undefined) return undefined;
    configs.push(config);
  }
  return configs;
}
