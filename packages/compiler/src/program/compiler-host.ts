import { ts } from '../typescript.js';

/** TypeScript's own libraries, parsed once for all programs of this process. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Reads files as `tsc` does, and the libraries of TypeScript only once. */
export function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const folder = host.getDefaultLibLocation?.() ?? '';
  const read: ts.CompilerHost['getSourceFile'] = host.getSourceFile.bind(host);
  host.getSourceFile = (name, settings, ...rest) => {
    if (folder === '' || !name.startsWith(folder)) return read(name, settings, ...rest);
    const key = `${name} ${JSON.stringify(settings)}`;
    if (!libraries.has(key)) libraries.set(key, read(name, withoutComments(settings), ...rest));
    return libraries.get(key);
  };
  return host;
}

/** No description is taken from TypeScript's own libraries. */
function withoutComments(settings: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.CreateSourceFileOptions {
  const options = typeof settings === 'object' ? settings : { languageVersion: settings };
  return { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
}
