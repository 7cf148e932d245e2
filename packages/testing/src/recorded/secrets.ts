/** What stands where a secret was. */
const REDACTED = '<secret>';

/** Shorter values are no secrets, and occur in ordinary words. */
const SHORTEST = 8;

/** Names of environment variables whose values are secrets. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** The published forms of keys: of Anthropic and OpenAI, Google, GitHub, Slack, AWS, Stripe; tokens; private keys. */
const FORMS: readonly RegExp[] = [
  /\bsk-[\w-]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w-]{16,}/g,
  /\b(?:gh[opsur]_\w{30,}|github_pat_\w{30,})/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b[rs]k_(?:live|test)_\w{16,}/g,
  /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g,
  /(?<=\bBearer\s+)[\w~+/.-]{8,}=*/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

/**
 * A function that takes secrets out of a text: values of environment variables that are named like one, the published forms
 * of keys, and the given ones.
 *
 * @param own texts, and patterns of which every match is one
 */
export function secretRemover(
  own: readonly (string | RegExp)[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): (text: string) => string {
  const values = Object.entries(environment)
    .filter(([name, value]) => SECRET_NAME.test(name) && (value ?? '').trim().length >= SHORTEST)
    .map(([, value]) => String(value));
  const texts = [...own.filter((one) => typeof one === 'string'), ...values].filter((text) => text !== '');
  // A secret that contains another one goes first.
  const longestFirst = texts.toSorted((one, other) => other.length - one.length);
  const patterns = [...own.filter((one) => one instanceof RegExp).map(everyMatch), ...FORMS];
  return (text) => {
    const withoutTexts = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, REDACTED), withoutTexts);
  };
}

/** The pattern, for `replaceAll`. */
export function everyMatch(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}
