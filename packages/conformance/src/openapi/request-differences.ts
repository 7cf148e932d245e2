import { isDeepStrictEqual } from 'node:util';

import { isJson } from '../types/json-shape.js';
import type { DescribedValues } from './described-arguments.js';
import type { DescribedOperation, DescribedParameter } from './described-operations.js';
import type { ArrivedRequest } from './recording-proxy.js';

/**
 * What a request that arrived lacks of the values that were given for it. Whether the values stand in their styles, the mock
 * that the request goes on to validates against the document.
 */
export async function requestDifferences(
  { method, path, parameters, body }: DescribedOperation,
  values: DescribedValues,
  request: ArrivedRequest,
): Promise<string[]> {
  const faults = request.method === method ? [] : [`it arrived as ${request.method}`];
  const url = new URL(request.url, 'http://mock');
  parameters.forEach((parameter, index) => {
    const value = values.parameters[index];
    if (value !== undefined && !hasParameter(parameter, value, { path, url, request }))
      faults.push(`the parameter ${parameter.name} is not in ${request.url}`);
  });
  if (body && values.body !== undefined && !['GET', 'HEAD'].includes(method)) {
    const fault = await faultOfBody(body.mediaType, values.body, request);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

interface Arrival {
  readonly path: string;
  readonly url: URL;
  readonly request: ArrivedRequest;
}

function hasParameter({ place, name }: DescribedParameter, value: unknown, arrival: Arrival): boolean {
  const parts = leaves(value);
  const { url, request } = arrival;
  if (place === 'query') {
    const told = [...url.searchParams].flat().join('\n');
    return parts.every((part) => told.includes(part)) && (isJson(value) || nameIsIn(url, name, parts));
  }
  const text =
    place === 'path' ? url.pathname : (request.headers.get(place === 'cookie' ? place : name) ?? '');
  const decoded = place === 'header' ? text : decodeURIComponent(text);
  return parts.every((part) => decoded.includes(part));
}

/** A list that is empty has no place in a query. */
function nameIsIn(url: URL, name: string, parts: readonly string[]): boolean {
  return (
    parts.length === 0 ||
    [...url.searchParams.keys()].some((key) => key === name || key.startsWith(`${name}[`))
  );
}

/** The texts of a value, however deep. */
function leaves(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object') return Object.values(value).flatMap(leaves);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

async function faultOfBody(
  mediaType: string,
  value: unknown,
  request: ArrivedRequest,
): Promise<string | undefined> {
  const sent = request.headers.get('content-type') ?? '';
  if (/json|^\*\/\*/.test(mediaType)) {
    const arrived = JSON.parse(request.body.toString()) as unknown;
    return isDeepStrictEqual(arrived, value)
      ? undefined
      : `the body arrived as ${request.body.toString().slice(0, 200)}`;
  }
  if (!mediaType.includes('form'))
    return request.body.length > 0 ? undefined : `the body did not arrive as ${mediaType}`;
  if (!sent.startsWith(mediaType)) return `the body arrived as ${sent}`;

  const form = await new Response(request.body, { headers: { 'content-type': sent } }).formData();
  const told = await textOfForm(form);
  const lost = leaves(value).find(
    (part) => !told.includes(part) && !told.includes(JSON.stringify(part).slice(1, -1)),
  );
  const name = isJson(value) ? Object.keys(value).find((one) => !isInForm(form, one, value[one])) : undefined;
  if (lost !== undefined) return `the form lacks ${lost}`;
  return name === undefined ? undefined : `the form lacks the field ${name}`;
}

/** The fields of a form; of a file also its bytes, as base64. */
async function textOfForm(form: FormData): Promise<string> {
  const values = [...form.values()].map(async (field) => {
    if (typeof field === 'string') return field;
    const bytes = Buffer.from(await field.arrayBuffer());
    return `${bytes.toString()}\n${bytes.toString('base64')}`;
  });
  return (await Promise.all(values)).join('\n');
}

function isInForm(form: FormData, name: string, value: unknown): boolean {
  if (leaves(value).length === 0) return true;
  return isJson(value) || [...form.keys()].some((key) => key === name || key.startsWith(`${name}[`));
}
