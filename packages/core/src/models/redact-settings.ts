/** Shorter values are no secrets, and occur in ordinary words. */
const SHORTEST_SECRET = 8;

/** Header names whose values are credentials. */
const CREDENTIAL_HEADER = /auth|cookie|key|secret|token/i;

/** How a model is reached: the settings in which credentials stand. */
export interface ModelSettings {
  /** The key of the provider. A secret. */
  readonly apiKey?: string | undefined;
  /** Headers of each request. Their values are treated as secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A provider's text without the key and the credentials of the headers, which a server may have repeated. */
export function redactSettings(text: string, { apiKey = '', headers = {} }: ModelSettings): string {
  const credentials = Object.entries(headers).filter(([name]) => CREDENTIAL_HEADER.test(name));
  return [apiKey, ...credentials.map(([, value]) => value)]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '[key]'), text);
}
