const OTHER_ISSUER =
  'its authorization server is named with a path and publishes an issuer without one: by RFC 8414, section 3.3, a client ' +
  'must not use such metadata';

/** Scenarios that Adorn does not pass, and why by the specification. */
export const EXPLAINED: Readonly<Record<string, string>> = {
  'auth/metadata-var2': OTHER_ISSUER,
  'auth/metadata-var3': OTHER_ISSUER,
  'server-sse-polling':
    'its call states the protocol version 2025-03-26, and its two warnings are about an event that came with 2025-11-25',
};
