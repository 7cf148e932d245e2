import type { GeminiSettings } from './gemini-settings.js';

/** Shorter values are no secrets, and occur in ordinary words. */
const SHORTEST_SECRET = 8;

/** Header names whose values are credentials. */
const CREDENTIAL_HEADER = /auth|cookie|key|secret|token/i;

/** The text without the key and the credentials of the headers, which a server may have repeated. */
export function redact(text: string, { apiKey, headers = {} }: GeminiSettings): string {
  const credentials = Object.entries(headers).filter(([name]) => CREDENTIAL_HEADER.test(name));
  return [apiKey, ...credentials.map(([, value]) => value)]
    .filter((secret) => secret !== undefined)
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '[key]'), text);
}
