/** Scenarios that Adorn does not pass, and why by the specification. */
export const EXPLAINED: Readonly<Record<string, string>> = {
  'auth/2025-03-26-oauth-metadata-backcompat':
    'the metadata at the origin of the server name an issuer with a path: by RFC 8414, section 3.3, a client must not use ' +
    'metadata whose issuer is not the one that they were asked of',
  'auth/cross-app-access-complete-flow':
    'it is a flow of an extension, enterprise-managed authorization, which a client need not have',
  'server-sse-polling':
    'its call states the protocol version 2025-03-26, and its two warnings are about an event that came with 2025-11-25',
};
