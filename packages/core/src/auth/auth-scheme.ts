/**
 * The authentication scheme of an API, in the notation of OpenAPI. It contains no secret, because it is shown to the
 * person who is asked.
 */
export type AuthScheme = ApiKeyScheme | HttpScheme | OAuth2Scheme | OpenIdConnectScheme | CustomScheme;

/** A key that is sent with each request. */
export interface ApiKeyScheme {
  /** Distinguishes the schemes. */
  readonly type: 'apiKey';
  /** The part of the request that carries the key. */
  readonly in: 'header' | 'query' | 'cookie';
  /** The name of the header, query parameter or cookie. */
  readonly name: string;
}

/** Authentication by the header `Authorization`. */
export interface HttpScheme {
  /** Distinguishes the schemes. */
  readonly type: 'http';
  /** `bearer`: a token; `basic`: a user name and a password. */
  readonly scheme: 'bearer' | 'basic';
}

/** OAuth 2.0 by exactly one flow. */
export interface OAuth2Scheme {
  /** Distinguishes the schemes. */
  readonly type: 'oauth2';
  /** Exactly one of the flows. */
  readonly flows: OAuthFlows;
}

/** The flows of OAuth 2.0. All URLs are https, or http on this machine. */
export interface OAuthFlows {
  /** The user consents in a browser. Always with PKCE. */
  readonly authorizationCode?: OAuthFlow & { readonly authorizationUrl: string };
  /** The application's own access; nobody is asked. */
  readonly clientCredentials?: OAuthFlow;
  /** The user enters a code on another device. */
  readonly deviceAuthorization?: OAuthFlow & { readonly deviceAuthorizationUrl: string };
}

/** The endpoints and scopes of one OAuth 2.0 flow. */
export interface OAuthFlow {
  /** The URL of the token endpoint. */
  readonly tokenUrl: string;
  /** Default: `tokenUrl`. */
  readonly refreshUrl?: string;
  /** The scopes to ask for: a list, or the names of an object as OpenAPI has it. Default: none. */
  readonly scopes?: readonly string[] | Readonly<Record<string, string>>;
}

/** OAuth 2.0 of a server that publishes its endpoints. */
export interface OpenIdConnectScheme {
  /** Distinguishes the schemes. */
  readonly type: 'openIdConnect';
  /** The issuer, or its `/.well-known/openid-configuration`. */
  readonly openIdConnectUrl: string;
  /** Default: `['openid']`; none for client credentials. */
  readonly scopes?: readonly string[];
  /** Default: `authorizationCode`. */
  readonly flow?: keyof OAuthFlows;
}

/** A custom scheme: a person is asked for its values, or a bound `CredentialExchanger` obtains them. */
export interface CustomScheme {
  /** Distinguishes the schemes. */
  readonly type: 'custom';
  /** Tells custom schemes apart. */
  readonly tag: string;
  /** Shown to the person who is asked. Must not contain secrets. */
  readonly properties?: Readonly<Record<string, string>>;
}

const FLOWS: ReadonlySet<string> = new Set<keyof OAuthFlows>([
  'authorizationCode',
  'clientCredentials',
  'deviceAuthorization',
]);

const KNOWN_SCHEMES =
  'the known schemes are { type: "apiKey" }, { type: "http", scheme: "bearer" }, { type: "http", scheme: "basic" }, ' +
  '{ type: "oauth2" }, { type: "openIdConnect" } and { type: "custom" }';

/** Why a scheme cannot be used, as the end of a sentence that begins with "its auth"; undefined if it can. */
export function schemeFaultOf(scheme: unknown): string | undefined {
  const fields = fieldsOf(scheme);
  switch (fields['type']) {
    case 'apiKey':
      return isPlace(fields['in']) && isText(fields['name'])
        ? undefined
        : 'has an apiKey scheme without a name, or whose "in" is not header, query or cookie';
    case 'oauth2':
      return flowFaultOf(fieldsOf(fields['flows']));
    case 'openIdConnect':
      return openIdFaultOf(fields);
    case 'custom':
      return isText(fields['tag']) ? undefined : 'has a custom scheme without a tag';
    default:
      return isHttp(fields) ? undefined : `has the unknown scheme ${shapeOf(fields)}; ${KNOWN_SCHEMES}`;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isPlace(place: unknown): boolean {
  return place === 'header' || place === 'query' || place === 'cookie';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isHttp({ type, scheme }: Record<string, unknown>): boolean {
  return type === 'http' && (scheme === 'bearer' || scheme === 'basic');
}

function shapeOf({ type, scheme }: Record<string, unknown>): string {
  return JSON.stringify({ type: String(type), ...(typeof scheme === 'string' && { scheme }) });
}

function flowFaultOf(flows: Record<string, unknown>): string | undefined {
  const names = Object.keys(flows).filter((name) => flows[name] !== undefined);
  const [name = ''] = names;
  if (names.length !== 1 || !FLOWS.has(name)) {
    return (
      `has an oauth2 scheme with ${names.length === 0 ? 'no flow' : `the flows ${names.join(', ')}`}; ` +
      `state exactly one of ${[...FLOWS].join(', ')}`
    );
  }
  const flow = fieldsOf(flows[name]);
  const missing = URLS[name as keyof OAuthFlows].find((url) => !isText(flow[url]));
  return missing === undefined ? undefined : `has an oauth2 scheme whose flow ${name} has no ${missing}`;
}

const URLS: Readonly<Record<keyof OAuthFlows, readonly string[]>> = {
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
  clientCredentials: ['tokenUrl'],
  deviceAuthorization: ['deviceAuthorizationUrl', 'tokenUrl'],
};

function openIdFaultOf({ openIdConnectUrl, flow }: Record<string, unknown>): string | undefined {
  if (!isText(openIdConnectUrl)) return 'has an openIdConnect scheme without an openIdConnectUrl';
  if (flow === undefined || FLOWS.has(flow as string)) return undefined;
  return `has an openIdConnect scheme with the unknown flow ${JSON.stringify(flow)}; use one of ${[...FLOWS].join(', ')}`;
}

/** True if tokens of the scheme come from an authorization server. */
export function isOAuth(scheme: AuthScheme): scheme is OAuth2Scheme | OpenIdConnectScheme {
  return scheme.type === 'oauth2' || scheme.type === 'openIdConnect';
}

/** The flow of an OAuth scheme; undefined for other schemes. */
export function flowOf(scheme: AuthScheme): keyof OAuthFlows | undefined {
  if (scheme.type === 'openIdConnect') return scheme.flow ?? 'authorizationCode';
  return scheme.type === 'oauth2' ? (Object.keys(scheme.flows)[0] as keyof OAuthFlows) : undefined;
}
