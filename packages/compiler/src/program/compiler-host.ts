import { ts } from '../typescript.js';

/** TypeScript's own libraries and Node's, parsed once for all programs of this process. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Over two megabytes, which come with nearly every dependency. */
const NODE = '/node_modules/@types/node/';

/** Reads files as `tsc` does, and the platform's libraries only once. */
export function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const folder = host.getDefaultLibLocation?.() ?? '';
  const readWhole: ts.CompilerHost['getSourceFile'] = host.getSourceFile.bind(host);
  const read: ts.CompilerHost['getSourceFile'] = (name, settings, ...rest) =>
    readWhole(name, withoutComments(settings), ...rest);
  host.getSourceFile = (name, settings, ...rest) => {
    const isPlatform = name.includes(NODE) || (folder !== '' && name.startsWith(folder));
    if (!isPlatform) return read(name, settings, ...rest);
    const key = `${name} ${JSON.stringify(settings)}`;
    if (!libraries.has(key)) libraries.set(key, read(name, settings, ...rest));
    return libraries.get(key);
  };
  return host;
}

/**
 * Descriptions are taken from the text of a file. Comments are nodes of the tree only where they are types: in
 * JavaScript.
 */
function withoutComments(settings: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.CreateSourceFileOptions {
  const options = typeof settings === 'object' ? settings : { languageVersion: settings };
  return { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeInfo };
}
