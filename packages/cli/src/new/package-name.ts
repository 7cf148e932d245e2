import { builtinModules } from 'node:module';

const MAX_LENGTH = 214;
const RESERVED = ['node_modules', 'favicon.ico', ...builtinModules];

/** Why npm rejects a package name, and a valid name to use instead; undefined if the name is valid. */
export function packageNameFault(name: string): string | undefined {
  const reason = reasonAgainst(name);
  if (reason === undefined) return undefined;
  const suggestion = suggestName(name);
  return `"${name}" cannot be the name of an npm package: it ${reason}.${suggestion && ` Try "${suggestion}".`}`;
}

function reasonAgainst(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > MAX_LENGTH)
    return `has ${String(name.length)} characters, at most ${String(MAX_LENGTH)} are allowed`;
  if (name !== name.toLowerCase()) return 'has capital letters';
  if (/^[._-]/.test(name)) return `begins with "${name.charAt(0)}"`;
  if (RESERVED.includes(name)) return 'is reserved for Node and npm';
  const [strange] = /[^a-z0-9._~-]/.exec(name) ?? [];
  return strange === undefined
    ? undefined
    : `holds "${strange}"; letters, digits, "-", "_", "." and "~" are allowed`;
}

function suggestName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, MAX_LENGTH);
  const suggestion = RESERVED.includes(plain) ? `${plain}-app` : plain;
  return suggestion !== name && reasonAgainst(suggestion) === undefined ? suggestion : '';
}
