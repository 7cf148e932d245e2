/** A declaration in a source, by the name under which the end of the file can mention it. */
interface Declared {
  readonly name: string;
  readonly kind: string;
  /** Its text, up to the next declaration. */
  readonly text: string;
}

const DECLARATION =
  /^[ \t]*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+|const(?=\s+enum))?\s*(interface|type|class|enum|namespace|module|function|const)\s+([\w$]+)/gm;

/** How types that generators are tried with are called. */
const USUAL = 'MyObject';

/**
 * The type a case is about, as it is written at the end of its file: the named one; else the usual one; else that
 * which no other mentions, the last of several. Undefined where the source declares no such.
 */
export function rootType(source: string, named: string | undefined): string | undefined {
  const all = declarationsIn(withoutComments(source));
  const types = all.filter(({ kind }) => !['namespace', 'module', 'function', 'const'].includes(kind));
  if (named !== undefined) return mention(all.find(({ name }) => name === named));
  const usual = types.find(({ name }) => name === USUAL);
  const unmentioned = types.filter(
    (one) => !types.some((other) => other !== one && mentions(other.text, one.name)),
  );
  return mention(usual ?? unmentioned.at(-1) ?? types.at(-1));
}

function mention(declared: Declared | undefined): string | undefined {
  if (!declared) return undefined;
  const value = declared.kind === 'function' || declared.kind === 'const';
  return value ? `typeof ${declared.name}` : declared.name;
}

function mentions(text: string, name: string): boolean {
  return text.split(/[^\w$]+/).includes(name.split('.').at(-1) ?? name);
}

function declarationsIn(source: string): Declared[] {
  const found = [...source.matchAll(DECLARATION)];
  return found.map((match, index) => {
    const [, kind = '', name = ''] = match;
    const text = source.slice(match.index, found[index + 1]?.index);
    return { kind, name: [...namespacesAround(source, match.index), name].join('.'), text };
  });
}

/** The namespaces whose braces are open at a place. */
function namespacesAround(source: string, place: number): string[] {
  const open: (string | undefined)[] = [];
  for (const { 0: token, 1: name } of source
    .slice(0, place)
    .matchAll(/(?:namespace|module)\s+([\w$.]+)\s*\{|[{}]/g)) {
    if (token === '}') open.pop();
    else open.push(name);
  }
  return open.filter((name) => name !== undefined);
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
}
