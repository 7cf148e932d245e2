import { inspect, types } from 'node:util';

import { isPlain } from './json-value.js';

/** What is written in the place of a secret. */
export const REDACTED = '[redacted]';

const SECRET_NAME =
  /pass(word|wd|phrase|code)|secret|token|api[-_]?key|private[-_]?key|authori[sz]ation|credential|cookie|^(auth|pin|cvc|cvv|ssn)$/i;

/** True if a value of this name is likely a secret: `password`, `x-api-key`, `Authorization`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Shorter secrets are part of other words: only whole words are replaced. */
const SHORTEST_PART = 6;

/** Shorter secrets are not looked for in base64, where few letters stand in many other words. */
const SHORTEST_ENCODED = 8;

/** A text without these secrets, also where they are encoded for a URL or a form, in base64, or escaped as in JSON. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      if (!redacted.includes(form)) continue;
      redacted = redacted.replaceAll(form.length < SHORTEST_PART ? wholeWord(form) : form, () => REDACTED);
    }
  }
  return redacted;
}

/** The most secrets whose forms are kept. */
const MOST_FORMS = 1_000;

const knownForms = new Map<string, readonly string[]>();

/** How a secret may be written, the longest first: a form may contain another. */
function formsOf(secret: string): readonly string[] {
  const known = knownForms.get(secret);
  if (known) return known;
  const forms = new Set([secret, JSON.stringify(secret).slice(1, -1)]);
  // Half of a surrogate pair cannot be encoded for a URL.
  const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD'));
  forms.add(encoded).add(encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  forms.add(new URLSearchParams([['', secret]]).toString().slice(1));
  if (secret.length >= SHORTEST_ENCODED) for (const form of base64FormsOf(secret)) forms.add(form);
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  if (knownForms.size >= MOST_FORMS) knownForms.clear();
  knownForms.set(secret, sorted);
  return sorted;
}

/** The secret in base64 and in base64url, alone or anywhere within other encoded bytes. */
function base64FormsOf(secret: string): string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = bytes.toString(encoding).replace(/=+$/, '');
      // The first and the last letters also depend on the bytes around the secret.
      const start = Math.ceil((before * 8) / 6);
      const end = bytes.length % 3 === 0 ? encoded.length : encoded.length - 1;
      forms.push(encoded.slice(start, end));
    }
  }
  return [...forms, Buffer.from(secret).toString('base64').replace(/=+$/, '')];
}

function wholeWord(text: string): RegExp {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'gu');
}

/** Forms of credentials. What stands before one, in the first group of a form, is kept. */
const CREDENTIALS: readonly RegExp[] = [
  // The user and password of a URL.
  /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/:@]*:[^\s/@]+(?=@)/gi,
  /\b(Bearer\s+)[\w.~+/=-]{8,}/gi,
  /\b(Basic\s+)(?=[\w+/]*[\d=+/])[\w+/=]{8,}/g,
  // `password=…`, `"apiKey": "…"`, `X-Api-Key: …`
  /((?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|authori[sz]ation)["']?\s*[:=]\s*["']?)(?!\[|Bearer\b|Basic\b)[^\s"',;&}\])]{6,}/gi,
  // A parameter of a URL: `?key=…`, `&sig=…`
  /([?&](?:key|sig|signature|auth|code|sas|x-amz-signature)=)(?!\[)[^\s&"'#)]{8,}/gi,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\b(?:gh[opusr]_|github_pat_|xox[abeprs]-|AIza|ya29\.)[\w-]{16,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

/**
 * A text without what has the form of a credential: for texts that leave the process where no runner is at hand.
 *
 * @param instead what is written in the place of each. Default: `[redacted]`
 */
export function withoutCredentials(text: string, instead = REDACTED): string {
  return CREDENTIALS.reduce(
    (safe, form) =>
      safe.replace(form, (_match, before: unknown) => (typeof before === 'string' ? before : '') + instead),
    text,
  );
}

/** What in a text has the form of a credential, each once and without the word that introduces it, such as `Bearer`. */
export function credentialsIn(text: string): readonly string[] {
  const found = CREDENTIALS.flatMap((form) =>
    Array.from(text.matchAll(form), ([match, before = '']) => match.slice(before.length)),
  );
  return [...new Set(found)];
}

/** How many secrets are known at most; the oldest is forgotten. */
const MOST_SECRETS = 10_000;

/** Deeper parts of facts are written as text. */
const DEEPEST = 8;

/**
 * Removes secrets from every text about a failure that leaves a run: the errors in events and results, log lines, what
 * observers are shown, and what an inbox stores. Secrets are those that the credentials of a runner have, what has the form of a credential (a
 * bearer token, the password of a URL, `password=…`, keys of known providers), and what a `RedactionPlugin` names.
 */
export class LogRedaction {
  /** Not shown where the runner itself is inspected. */
  readonly #secrets = new Set<string>();
  private readonly redactors: ((text: string) => string)[] = [];

  /** Adds secrets to remove. */
  conceal(secrets: readonly string[]): void {
    for (const secret of secrets) {
      this.#secrets.delete(secret);
      this.#secrets.add(secret);
    }
    for (const oldest of this.#secrets) {
      if (this.#secrets.size <= MOST_SECRETS) return;
      this.#secrets.delete(oldest);
    }
  }

  /** Adds a function that returns a text without what must not be logged. If it throws, the text is not logged. */
  apply(redactor: (text: string) => string): void {
    this.redactors.push(redactor);
  }

  /** The text without secrets. */
  text(text: string): string {
    let safe = withoutCredentials(redact(text, this.#secrets));
    for (const redactor of this.redactors) {
      try {
        safe = redactor(safe);
      } catch {
        return REDACTED;
      }
    }
    return safe;
  }

  /** The facts themselves, or a copy without secrets. Errors stay errors, with their class, code and stack. */
  facts(facts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return this.fields(facts, 0) as Readonly<Record<string, unknown>>;
  }

  private value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (types.isNativeError(value)) return this.error(value, depth);
    if (depth >= DEEPEST || !(Array.isArray(value) || isPlain(value))) return this.inspected(value);
    if (!Array.isArray(value)) return this.fields(value, depth);
    const elements = value.map((element) => this.value(element, depth + 1));
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  }

  private fields(fields: object, depth: number): object {
    const copy: Record<string, unknown> = {};
    let isSame = true;
    for (const [name, field] of Object.entries(fields)) {
      const isSecret = typeof field === 'string' && field !== '' && isSecretName(name);
      copy[name] = isSecret ? REDACTED : this.value(field, depth + 1);
      isSame &&= copy[name] === field;
    }
    return isSame ? fields : copy;
  }

  private error(error: Error, depth: number): unknown {
    const text = inspectedText(error);
    if (text !== undefined && this.text(text) === text && depth < DEEPEST) return error;
    const { name, message, stack, cause, ...more } = error;
    const own = depth < DEEPEST ? this.fields(more, depth) : {};
    const copy = Object.assign(new Error(this.text(message)), own, { name: this.text(name) });
    copy.stack = stack === undefined ? '' : this.text(stack);
    if (cause !== undefined) copy.cause = this.value(cause, depth + 1);
    return copy;
  }

  /** The value itself, or its text if that contains a secret. */
  private inspected(value: object): unknown {
    const text = inspectedText(value);
    if (text === undefined) return REDACTED;
    const safe = this.text(text);
    return safe === text ? value : safe;
  }
}

/** Undefined for a value that cannot be inspected. */
function inspectedText(value: unknown): string | undefined {
  try {
    return inspect(value, { depth: DEEPEST, maxStringLength: null, maxArrayLength: null });
  } catch {
    return undefined;
  }
}
