import { ts } from '../typescript.js';
import { extractionOptions } from './extraction-options.js';
import type { KeptSources } from './kept-program.js';
import { mayDeclareForAll } from './project-sources.js';
import type { Project } from './read-project.js';

/**
 * A program of the files and of what their project declares for all its files. What is kept is not read again. The
 * projects that the tsconfig refers to are read only if a source of another project is among the files: to read their
 * settings and their lists of files takes as long as the types of a small application.
 */
export function createProgram(
  { config }: Project,
  files: readonly string[],
  kept?: Pick<KeptSources, 'reading'>,
): ts.Program {
  const options = extractionOptions(config);
  const given = new Set(files);
  const ambient = config.fileNames.filter(
    (name) => isDeclarationFile(name) || (!given.has(name) && declaresForAll(name)),
  );
  const host = compilerHost(options);
  if (kept) host.getSourceFile = kept.reading(host.getSourceFile.bind(host));
  const alone = { rootNames: [...new Set([...files, ...ambient])], options, host };
  const program = ts.createProgram(alone);
  const { projectReferences } = config;
  if (!projectReferences || !readsOtherSources(program, new Set(config.fileNames))) return program;
  return ts.createProgram({ ...alone, projectReferences });
}

function readsOtherSources(program: ts.Program, own: ReadonlySet<string>): boolean {
  return program
    .getSourceFiles()
    .some(
      ({ fileName }) =>
        !isDeclarationFile(fileName) && !fileName.includes('/node_modules/') && !own.has(fileName),
    );
}

/** The compiled files of a project, without declaration files. */
export function sourcesOf({ config }: Project): string[] {
  return config.fileNames.filter((name) => !isDeclarationFile(name));
}

/** True if a source has global declarations. */
function declaresForAll(name: string): boolean {
  const text = ts.sys.readFile(name) ?? '';
  return mayDeclareForAll(text) && isForAll(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
}

/**
 * True for a script (a file without imports and exports), and for a module that extends the global scope or another
 * module.
 */
export function isForAll(source: ts.SourceFile): boolean {
  return !ts.isExternalModule(source) || source.statements.some(isAugmentation);
}

function isAugmentation(statement: ts.Statement): boolean {
  if (!ts.isModuleDeclaration(statement)) return false;
  return ts.isStringLiteral(statement.name) || (statement.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
}

function isDeclarationFile(name: string): boolean {
  return /\.d\.[cm]?ts$/.test(name);
}

/** TypeScript's own libraries and Node's, parsed once for all programs of this process. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Over two megabytes, which come with nearly every dependency. */
const NODE = '/node_modules/@types/node/';

/** Reads files as `tsc` does, and the platform's libraries only once. */
function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
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
