import { type AuthCredential, ToolError } from '@adorn/core';
import type { AuthScheme } from '@adorn/core/backend';

import type { ApiRequest } from '../request/build-request.js';
import { encoded } from '../request/parameter-styles.js';

/**
 * Adds a credential to a request, in the place that its scheme names.
 *
 * @throws {ToolError} if it cannot be sent; the message holds no secret
 */
export function addCredential(request: ApiRequest, scheme: AuthScheme, credential: AuthCredential): void {
  switch (credential.type) {
    case 'apiKey':
      if (scheme.type === 'apiKey') addKey(request, scheme.in, scheme.name, credential.apiKey);
      return;
    case 'bearer':
      setHeader(request, 'authorization', `Bearer ${credential.token}`);
      return;
    case 'oauth2':
      setHeader(request, 'authorization', `Bearer ${credential.accessToken}`);
      return;
    case 'basic': {
      const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
      setHeader(request, 'authorization', `Basic ${pair}`);
      return;
    }
    case 'custom':
      throw new ToolError('The credential of this tool has no place in a request.', { final: true });
  }
}

function addKey(request: ApiRequest, place: 'header' | 'query' | 'cookie', name: string, key: string): void {
  if (place === 'header') {
    setHeader(request, name, key);
    return;
  }
  const pair = `${encoded(name)}=${encoded(key)}`;
  if (place === 'cookie') {
    const others = request.cookies.filter((cookie) => nameOf(cookie) !== name);
    request.cookies.splice(0, Infinity, ...others, pair);
    return;
  }
  const others = request.url.search.slice(1).split('&');
  const kept = others.filter((other) => other !== '' && nameOf(other) !== name);
  request.url.search = [...kept, pair].join('&');
}

/** The name of an encoded pair: the arguments of a call may hold one that is called like the key. */
function nameOf(pair: string): string | undefined {
  return new URLSearchParams(pair).keys().next().value;
}

/** The error of `Headers` would quote the value. */
function setHeader({ headers }: ApiRequest, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ToolError('The credential of this tool cannot be sent in a header.', { final: true });
  }
}
