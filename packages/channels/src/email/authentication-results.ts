import { checkOptions, required, rule } from '@adorn/core/backend';

import type { ReceivedMail } from './received-mail.js';

/** Returns the address of whoever has sent a mail, if that is verified. */
export type SenderCheck = (mail: ReceivedMail) => string | undefined | Promise<string | undefined>;

/**
 * Believes what your mail server says of a sender in the header `Authentication-Results` (RFC 8601). The sender is verified if the server
 * says that the domain of `From` passed DMARC. If it says nothing of DMARC: if a DKIM signature of the domain, or of one above it, is
 * valid, or if SPF passed for the domain.
 *
 * Only the first header with the server's id is read: your server adds its own on top, and has to remove those that a mail brings.
 *
 * @param authservId the id that your server writes at the beginning of the header, such as `mx.google.com` or `amazonses.com`
 * @throws {AdornError} `OPTION_INVALID`
 */
export function authenticationResults(authservId: string): SenderCheck {
  checkOptions(
    'authenticationResults',
    { authservId },
    {
      authservId: required(
        rule(
          (value) => typeof value === 'string' && /^\S+$/.test(value),
          'Pass the first word of the header: mx.google.com.',
        ),
      ),
    },
  );
  return ({ headers, from }) => {
    const results = headers
      .filter(({ name }) => name === 'authentication-results')
      .map(({ value }) => resultsIn(value))
      .find((one) => one?.authservId === authservId.toLowerCase())?.results;
    if (!results || from === undefined) return undefined;
    return isVerified(results, from.slice(from.lastIndexOf('@') + 1)) ? from : undefined;
  };
}

/** What one method says: `dkim=pass header.d=example.com`. All in lower case. */
interface AuthenticationResult {
  readonly method: string;
  readonly outcome: string;
  readonly properties: Readonly<Record<string, string>>;
}

function isVerified(results: readonly AuthenticationResult[], domain: string): boolean {
  const dmarc = results.filter(({ method }) => method === 'dmarc');
  // A server evaluates it once: a second one would come from the mail.
  if (dmarc.length > 0)
    return (
      dmarc.length === 1 && dmarc[0]?.outcome === 'pass' && dmarc[0].properties['header.from'] === domain
    );
  return results.some(({ method, outcome, properties }) => {
    if (outcome !== 'pass') return false;
    if (method === 'spf') return domainOf(properties['smtp.mailfrom']) === domain;
    const signer = properties['header.d'] ?? domainOf(properties['header.i']);
    return method === 'dkim' && signer !== undefined && isSameOrBelow(domain, signer);
  });
}

function domainOf(address: string | undefined): string | undefined {
  return address?.slice(address.lastIndexOf('@') + 1);
}

/** A signature of `example.com` holds for `mail.example.com`; one of `com` for nobody. */
function isSameOrBelow(domain: string, signer: string): boolean {
  return domain === signer || (signer.includes('.') && domain.endsWith(`.${signer}`));
}

/** Undefined for a header that cannot be read. */
function resultsIn(
  header: string,
): { readonly authservId: string; readonly results: AuthenticationResult[] } | undefined {
  const text = withoutComments(header.toLowerCase());
  const [server = '', ...parts] = text?.split(';') ?? [];
  // Behind the id there may be a version.
  const [authservId] = server.trim().split(/\s+/);
  if (authservId === undefined || authservId === '') return undefined;
  return { authservId, results: parts.flatMap((part) => resultIn(part.trim()) ?? []) };
}

function resultIn(part: string): AuthenticationResult | undefined {
  const [first = '', ...rest] = part.split(/\s+/);
  const [method, outcome] = first.split('=');
  if (method === undefined || outcome === undefined) return undefined;
  const properties: Record<string, string> = {};
  for (const word of rest) {
    const [name, value] = word.split('=');
    // What stands first counts: the rest of a value may be what a sender wrote.
    if (name !== undefined && value !== undefined) properties[name] ??= value;
  }
  return { method: method.split('/')[0] ?? method, outcome, properties };
}

/**
 * A header without its comments and quoted texts, in which a sender may have written anything. Undefined if one of them does not end,
 * or a parenthesis closes none.
 */
function withoutComments(text: string): string | undefined {
  let [kept, depth, isQuoted] = ['', 0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\' && (isQuoted || depth > 0)) index++;
    else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (depth === 0) kept += character;
    if (depth < 0) return undefined;
  }
  return isQuoted || depth > 0 ? undefined : kept;
}
