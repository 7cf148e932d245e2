import { ToolError } from '@adorn/core';
import type { Arguments } from '@adorn/core/backend';

import type { OpenApiDocument } from '../document/openapi-document.js';
import type { Operation, Parameter, ParameterPlace } from '../document/operation.js';
import { BODY_ARGUMENT, queryOfPath } from '../document/read-parameters.js';
import { encodeBody, type EncodedBody } from './encode-body.js';
import { encoded, encodedReserved, pairsOf, plainText, simpleText } from './parameter-styles.js';

/** A request that credentials may still be added to. */
export interface ApiRequest {
  readonly url: URL;
  readonly headers: Headers;
  /** `name=value` each. */
  readonly cookies: string[];
  readonly body: EncodedBody['content'] | undefined;
}

const ACCEPT = 'application/json, application/*+json;q=0.9, text/*;q=0.8, */*;q=0.5';

/**
 * Lays the arguments of a call out as a request. The host and the path's shape are the document's: an argument cannot
 * leave its segment.
 *
 * @throws {ToolError} for a value that has no place in a request; the message is for the model
 */
export function buildRequest(document: OpenApiDocument, operation: Operation, args: Arguments): ApiRequest {
  const given = operation.parameters
    .map((parameter) => ({ parameter, value: givenAt(args, parameter.argument) }))
    .filter(({ value }) => value !== undefined && value !== null)
    .map(({ parameter, value }) => ({ parameter, value: contentOf(parameter, value) }));
  const at = (place: ParameterPlace): GivenParameter[] =>
    given.filter(({ parameter }) => parameter.place === place);
  const url = urlOf(operation, at('path'));
  const fixed = url.searchParams;
  const asked = at('query')
    .flatMap(queryOf)
    .filter(({ name }) => !fixed.has(name))
    .map(({ pair }) => pair);
  url.search = [url.search.slice(1), ...asked].filter((part) => part !== '').join('&');
  const headers = new Headers({ accept: ACCEPT });
  for (const { parameter, value } of at('header')) setHeader(headers, parameter, value);
  const body = givenAt(args, BODY_ARGUMENT);
  const sent =
    operation.body === undefined || body === undefined
      ? undefined
      : encodeBody(document, operation.body, body);
  if (sent !== undefined) headers.set('content-type', sent.contentType);
  return { url, headers, cookies: at('cookie').flatMap(cookiesOf), body: sent?.content };
}

/** A parameter may be called `constructor`, which every object inherits. */
function givenAt(args: Arguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** The value of a parameter with a media type is one text in it. */
function contentOf({ contentKind }: Parameter, value: unknown): unknown {
  if (contentKind === undefined) return value;
  return contentKind === 'json' ? JSON.stringify(value) : plainText(value);
}

interface GivenParameter {
  readonly parameter: Parameter;
  readonly value: unknown;
}

function urlOf({ baseUrl, path }: Operation, given: readonly GivenParameter[]): URL {
  const [pathname = ''] = path.split(/[?#]/);
  const filled = fillTemplate(pathname, given);
  // Segments may also come to `..` from several parameters.
  if (filled.split('/').slice(1).some(isDots)) throw traversal(path);
  const url = new URL(baseUrl);
  url.pathname = `${baseUrl.pathname.replace(/\/$/, '')}${filled}`;
  url.search = fillTemplate(queryOfPath(path) ?? '', given);
  if (url.origin !== baseUrl.origin) throw traversal(path);
  return url;
}

/** The values are encoded, so none of them begins a query or a fragment. */
function fillTemplate(template: string, given: readonly GivenParameter[]): string {
  return template.replace(/\{([^{}]+)\}/g, (_placeholder, name: string) => {
    const found = given.find(({ parameter }) => parameter.name === name);
    if (found === undefined) throw new ToolError(`The path parameter "${name}" is missing.`, { final: true });
    refuseTraversal(found);
    return simpleText(name, found.value, found.parameter, encoded);
  });
}

/** Servers that decode `%2F` would take `../admin` for another path. */
function refuseTraversal({ parameter, value }: GivenParameter): void {
  const texts = (typeof value === 'object' && value !== null ? Object.values(value) : [value]).map(String);
  const isBad = (text: string): boolean =>
    text === '' || text.split(/[/\\]/).some(isDots) || hasControl(text);
  if (texts.length === 0 || texts.some(isBad))
    throw new ToolError(
      `"${parameter.argument}" is part of a path: it must not be empty, nor hold "." or ".." as a step.`,
      { final: true },
    );
}

function isDots(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}

function traversal(path: string): ToolError {
  return new ToolError(`The arguments lead out of the path ${path}.`, { final: true });
}

function queryOf({ parameter, value }: GivenParameter): { readonly name: string; readonly pair: string }[] {
  const encode = parameter.allowReserved ? encodedReserved : encoded;
  return pairsOf(parameter.name, value, parameter, encode).map(([name, text]) => ({
    name,
    pair: `${encoded(name)}=${text}`,
  }));
}

function cookiesOf({ parameter, value }: GivenParameter): string[] {
  const encode = (text: string): string => {
    if (!hasControl(text) && !text.includes(';')) return encoded(text);
    const fault = `"${parameter.argument}" is a cookie: it must not hold ";" or a line break.`;
    throw new ToolError(fault, { final: true });
  };
  return pairsOf(parameter.name, value, parameter, encode).map(([name, text]) => `${encoded(name)}=${text}`);
}

function setHeader(headers: Headers, parameter: Parameter, value: unknown): void {
  const text = simpleText(parameter.name, value, parameter, (part) => part);
  if (hasControl(text) || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(text))
    throw new ToolError(
      `"${parameter.argument}" is a header: it must not hold line breaks, nor letters beyond Latin-1.`,
      {
        final: true,
      },
    );
  headers.set(parameter.name, text);
}

function hasControl(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- these are the characters to be refused
  return /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text);
}
