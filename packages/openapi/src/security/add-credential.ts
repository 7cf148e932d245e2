import { type AuthCredential, type AuthScheme, ToolError } from '@adorn/core';

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
  if (place === 'cookie') {
    request.cookies.push(`${encoded(name)}=${encoded(key)}`);
    return;
  }
  const pair = `${encoded(name)}=${encoded(key)}`;
  request.url.search = request.url.search === '' ? pair : `${request.url.search}&${pair}`;
}

/** The error of `Headers` would quote the value. */
function setHeader({ headers }: ApiRequest, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ToolError('The credential of this tool cannot be sent in a header.', { final: true });
  }
}
