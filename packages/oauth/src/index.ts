export { EndpointInsecureError, OAuthRequestError } from './errors.js';
export { oauth, type OAuthOptions } from './oauth.js';
