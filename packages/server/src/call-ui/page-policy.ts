import type { UiResource } from '@adorn/core/backend';

/**
 * The headers with which a page of others is a document: it has an origin of its own, which no other document has, and reaches
 * nothing but the origins that it has declared. Only a page of this server may frame it.
 */
export function pageHeaders({ csp }: Pick<UiResource, 'csp'>): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(csp),
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-write=()',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

function policyOf({ connectDomains, resourceDomains, frameDomains }: UiResource['csp']): string {
  const resources = resourceDomains.join(' ');
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'unsafe-inline' ${resources}`,
    `style-src 'unsafe-inline' ${resources}`,
    `img-src data: ${resources}`,
    `font-src data: ${resources}`,
    `media-src data: ${resources}`,
    `connect-src ${orNone(connectDomains)}`,
    `frame-src ${orNone(frameDomains)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

function orNone(origins: readonly string[]): string {
  return origins.length === 0 ? "'none'" : origins.join(' ');
}
