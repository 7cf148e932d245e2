import { createHash } from 'node:crypto';

/** The names of tools that a provider accepts. */
export interface NameRule {
  /** Tested against the whole name. */
  readonly pattern: RegExp;
  /** The longest name, in characters. */
  readonly longest: number;
}

/**
 * The names of tools in one request and its answer, as the provider takes them. An accepted name is sent as it is. Any other
 * one is sent in accepted characters with a digest of the name, so that two names are never sent as one: `mail.send` becomes
 * `mail_send_1f0c5e2a`. A name depends on the original alone, unless another tool of the request has it already.
 */
export class WireNames {
  private readonly sent = new Map<string, string>();
  private readonly originals = new Map<string, string>();

  /** @param names all names of the request: of its tools, and of the calls and responses in the conversation */
  constructor(rule: NameRule, names: Iterable<string>) {
    const all = new Set(names);
    const refused = [...all].filter((name) => !isNameAccepted(rule, name));
    for (const name of refused) {
      let sent = digestedName(rule, name, 0);
      for (let salt = 1; all.has(sent) || this.originals.has(sent); salt += 1)
        sent = digestedName(rule, name, salt);
      this.sent.set(name, sent);
      this.originals.set(sent, name);
    }
  }

  /** True if all names are sent as they are. */
  get areAllAccepted(): boolean {
    return this.sent.size === 0;
  }

  /** The name as it is sent. */
  toSent(name: string): string {
    return this.sent.get(name) ?? name;
  }

  /** The name of the tool that the provider calls by a name. */
  toOriginal(sent: string): string {
    return this.originals.get(sent) ?? sent;
  }

  /** A text of the provider, such as an error, with the original names. */
  inText(text: string): string {
    let told = text;
    for (const [sent, name] of this.originals) told = told.replaceAll(sent, name);
    return told;
  }
}

/** True if the provider accepts a name. */
export function isNameAccepted({ pattern, longest }: NameRule, name: string): boolean {
  return name.length <= longest && pattern.test(name);
}

function digestedName({ longest }: NameRule, name: string, salt: number): string {
  const digest = createHash('sha256')
    .update(salt === 0 ? name : `${name} ${String(salt)}`)
    .digest('hex')
    .slice(0, 8);
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^[^a-zA-Z_]*/, '');
  const start = (plain === '' ? 'tool' : plain).slice(0, longest - digest.length - 1);
  return `${start}_${digest}`;
}
