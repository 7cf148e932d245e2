import { type JsonObject, listOf, objectOf, textOf } from './json-object.js';
import type { OpenApiDocument } from './openapi-document.js';
import { OperationFault } from '../errors.js';

/** How the developer fixes the servers of a document. */
export interface ServerChoice {
  /** Used in place of all servers of the document. */
  readonly baseUrl?: string | undefined;
  /** Values of variables in server URLs, by name. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/**
 * The URL that an operation is called at: the developer's, else the first server of the operation, its path or the
 * document. A document that was read from a URL names servers of its own origin only: whoever serves it must not choose
 * where credentials go.
 *
 * @param places the operation, its path item and the document, which may have `servers`
 * @throws {OperationFault}
 */
export function serverUrl(
  document: OpenApiDocument,
  places: readonly JsonObject[],
  choice: ServerChoice,
): URL {
  if (choice.baseUrl !== undefined) return asBase(new URL(choice.baseUrl));
  const server = places
    .map(({ servers }) => document.list(servers, 'its servers')[0])
    .find((one) => one !== undefined);
  const written = filled(document, document.object(server, 'its server'), choice.variables ?? {});
  const url = parsed(written, document.url);
  const origin = document.url?.origin;
  if (origin !== undefined && url.origin !== origin)
    throw new OperationFault(
      `its server ${url.origin} has another origin than the document, which was read from ${origin}`,
      `If that is the API, say so: baseUrl: '${url.href}'`,
    );
  return asBase(url);
}

function parsed(written: string, base: URL | undefined): URL {
  if (!URL.canParse(written, base?.href))
    throw new OperationFault(
      `its server URL is "${written.slice(0, 100)}", which is not absolute`,
      "Pass the API's address: baseUrl: 'https://…'",
    );
  const url = new URL(written, base);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new OperationFault(
      'its server URL is not http or https, or holds a password',
      "Pass the API's address: baseUrl: 'https://…'",
    );
  return url;
}

/** A server URL with its variables replaced: by the developer's values, else by their defaults. */
function filled(
  document: OpenApiDocument,
  server: JsonObject,
  values: Readonly<Record<string, string>>,
): string {
  const variables = objectOf(server['variables']);
  return (textOf(server['url']) ?? '/').replace(/\{([^{}]*)\}/g, (_placeholder, name: string) => {
    const variable = document.object(variables[name], `the variable ${name} of its server URL`);
    const value = Object.hasOwn(values, name) ? values[name] : variable['default'];
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new OperationFault(`the variable ${name} of its server URL has no value`, cureOf(name));
    const allowed = listOf(variable['enum']);
    if (allowed.length > 0 && !allowed.includes(value))
      throw new OperationFault(
        `the variable ${name} of its server URL is "${String(value)}", and not one of ${JSON.stringify(allowed).slice(0, 200)}`,
        cureOf(name),
      );
    return String(value);
  });
}

function cureOf(name: string): string {
  return `Set serverVariables: { ${name}: '…' }`;
}

function asBase(url: URL): URL {
  const base = new URL(url);
  base.search = '';
  base.hash = '';
  base.pathname = base.pathname.replace(/\/+$/, '');
  return base;
}
