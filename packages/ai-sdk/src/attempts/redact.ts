/** Shorter values are no secrets, and occur in ordinary words. */
const SHORTEST_SECRET = 8;

const CREDENTIAL_NAME = /auth|cookie|key|secret|token|password/i;

/** Keys as providers write them, whole or shortened by asterisks, and what follows a scheme of `Authorization`. */
const KEYS =
  /\b(?:sk|pk|rk|gsk|xai|AIza|key)[-_][\w*.-]{6,}|\bAIza[\w*.-]{10,}|\b(?:Bearer|Basic)\s+[\w*.+/=-]{6,}/g;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The text without API keys, which a provider may have repeated: values of headers and of variables of the environment
 * whose names say that they are credentials, and all that looks like a key.
 */
export function redact(
  text: string,
  headers: Environment = {},
  environment: Environment = process.env,
): string {
  const secrets = [...Object.entries(headers), ...Object.entries(environment)]
    .filter(([name, value]) => CREDENTIAL_NAME.test(name) && (value ?? '').length >= SHORTEST_SECRET)
    .map(([, value]) => value as string);
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text).replace(KEYS, '[key]');
}

const EXCERPT_LENGTH = 500;

/** The start of a message as one sentence, without the markup of a proxy's page. */
export function sentence(body: string): string {
  const plain = body
    .slice(0, 20 * EXCERPT_LENGTH)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const text = plain.length > EXCERPT_LENGTH ? `${plain.slice(0, EXCERPT_LENGTH)}…` : plain;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
