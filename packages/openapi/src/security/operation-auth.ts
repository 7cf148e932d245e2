import type { AuthConfig } from '@adorn/core';
import { suggestName } from '@adorn/core/backend';

import { isObject, type JsonObject } from '../document/json-object.js';
import type { OpenApiDocument } from '../document/openapi-document.js';
import type { Operation, Parameter } from '../document/operation.js';
import { OpenApiOptionError, OperationFault } from '../errors.js';
import { authConfigFor, scopesOf, type SecurityOptions } from './security-scheme.js';

/** What the developer brings: for each scheme of the document by its name, or one for all operations. */
export type AuthOptions = AuthConfig | Readonly<Record<string, SecurityOptions>>;

/** True for one authentication that is for all operations, whatever the document says. */
function isAuthConfig(auth: AuthOptions): auth is AuthConfig {
  const { scheme } = auth as { readonly scheme?: unknown };
  return isObject(scheme) && typeof scheme['type'] === 'string';
}

/**
 * The credentials that an operation needs, all of them. Of alternatives the first is taken for which the developer brings
 * something for every scheme; else none where the document lets calls through without; else the first that Adorn can do.
 *
 * @param host the host of the API, by which the credentials of users are stored
 * @throws {OperationFault} if Adorn can do no alternative: the call must not go out without credentials
 */
export function operationAuth(
  document: OpenApiDocument,
  fields: JsonObject,
  auth: AuthOptions,
  host: string,
): readonly AuthConfig[] {
  if (isAuthConfig(auth)) return [{ ...auth, key: auth.key ?? `openapi:${host}` }];
  const required = document.list(
    fields['security'] ?? document.root['security'],
    'its security requirements',
  );
  const requirements = required.map((one) => document.object(one, 'a security requirement of it'));
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
  throw new OperationFault(
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
    const scheme = document.object(document.securitySchemes[name], `the security scheme ${name}`);
    const options = Object.hasOwn(auth, name) ? (auth[name] ?? {}) : {};
    const config = authConfigFor(scheme, scopesOf(scopes), options, `openapi:${host}:${name}`);
    if (config === undefined) return undefined;
    configs.push(config);
  }
  return configs;
}

/**
 * An operation without the parameters that hold its credentials or a header of the developer: the model does not write those.
 *
 * @param headers the developer's
 */
export function withoutFixedParameters(
  operation: Operation,
  auth: readonly AuthConfig[],
  headers: Readonly<Record<string, string>>,
): Operation {
  const fixed = new Headers(headers);
  const isFixed = (parameter: Parameter): boolean =>
    auth.some((one) => holds(parameter, one)) || (parameter.place === 'header' && fixed.has(parameter.name));
  return { ...operation, parameters: operation.parameters.filter((parameter) => !isFixed(parameter)) };
}

function holds({ place, name }: Parameter, { scheme }: AuthConfig): boolean {
  if (scheme.type !== 'apiKey' || scheme.in !== place) return false;
  return place === 'header' ? scheme.name.toLowerCase() === name.toLowerCase() : scheme.name === name;
}

/**
 * Refuses options for security schemes that the document does not have.
 *
 * @throws {OpenApiOptionError}
 */
export function refuseUnknownSchemes(document: OpenApiDocument, auth: AuthOptions): void {
  if (isAuthConfig(auth)) return;
  const known = new Set(Object.keys(document.securitySchemes));
  const unknown = Object.keys(auth).find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new OpenApiOptionError(
    `auth names the security scheme "${unknown}", which the document does not have`,
    known.size === 0
      ? 'Pass one AuthConfig for all operations: { scheme, credential }.'
      : suggestName(unknown, known),
  );
}
