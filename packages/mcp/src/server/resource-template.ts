/** Characters of a URI that a placeholder does not stand for. */
const SEGMENT = '([^/?#]+)';

/** A URI with placeholders such as `{id}`, each for one segment. */
export class ResourceTemplate {
  private readonly names: readonly string[];
  private readonly pattern: RegExp;

  constructor(readonly uri: string) {
    this.names = [...uri.matchAll(/\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name);
    const parts = uri
      .split(/\{[A-Za-z_][A-Za-z0-9_]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    this.pattern = new RegExp(`^${parts.join(SEGMENT)}$`);
  }

  get isTemplate(): boolean {
    return this.names.length > 0;
  }

  /** The values of the placeholders; undefined if the URI is of another form. */
  match(uri: string): Record<string, string> | undefined {
    if (uri.length > LONGEST_URI) return undefined;
    const values = this.pattern.exec(uri)?.slice(1);
    return (
      values && Object.fromEntries(this.names.map((name, index) => [name, decoded(values[index] ?? '')]))
    );
  }
}

const LONGEST_URI = 4_096;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
