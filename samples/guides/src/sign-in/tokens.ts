import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

/** The service whose tokens are accepted. */
export interface TokenIssuer {
  /** Such as `https://id.example.com`, as the claim `iss` says it. */
  readonly issuer: string;
  /** Where its public keys are, such as `https://id.example.com/.well-known/jwks.json`. */
  readonly jwksUrl: string;
  /** The name of this application at the issuer: tokens for others are refused. */
  readonly audience: string;
}

/** The issuer does not answer, or not with its keys: that is no fault of the token. */
const UNAVAILABLE = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

/** Makes an `authenticate` that reads `Authorization: Bearer` with a JSON Web Token. The keys are fetched once, and again when they change. */
export function bearerTokens({ issuer, jwksUrl, audience }: TokenIssuer) {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  const rules = { issuer, audience, algorithms: ['RS256', 'ES256', 'EdDSA'], requiredClaims: ['sub', 'exp'] };
  return async ({ headers }: Request) => {
    const [, token] = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify<{ sub: string; roles?: string[] }>(token, keys, rules);
      return { id: payload.sub, roles: payload.roles ?? [] };
    } catch (error) {
      if (error instanceof errors.JOSEError && !UNAVAILABLE.has(error.code)) return undefined;
      throw error;
    }
  };
}
