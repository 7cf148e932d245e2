import { readFileSync } from 'node:fs';

import { type Hashes, hashOf } from '../cache/file-hashes.js';
import { ts } from '../typescript.js';
import { isForAll } from './create-program.js';
import type { Project } from './read-project.js';
import { shapeOf } from './shape.js';

/** By path, the hash of every file on which what is derived from one depends, as it is now. */
export function dependenciesOf(file: ts.SourceFile, program: ts.Program, project: Project): Hashes {
  const paths = dependencyPaths(file, program, project);
  return Object.fromEntries(paths.map((path) => [path, hashOf(readFileSync(path))]));
}

/** The hash of the shape of each source among those files, by path: what is derived is the same if it is. */
export function shapesOf(file: ts.SourceFile, program: ts.Program): Hashes {
  const sources = filesBehind(file, program).filter(({ isDeclarationFile }) => !isDeclarationFile);
  return Object.fromEntries(sources.map((source) => [source.fileName, shapeHashOf(source)]));
}

const knownShapes = new WeakMap<ts.SourceFile, string>();

function shapeHashOf(source: ts.SourceFile): string {
  const hash = knownShapes.get(source) ?? hashOf(shapeOf(source));
  knownShapes.set(source, hash);
  return hash;
}

/**
 * The files of `filesBehind`, the tsconfig files, and the files that contain the versions of packages whose types are
 * used.
 */
export function dependencyPaths(file: ts.SourceFile, program: ts.Program, project: Project): string[] {
  const own = filesBehind(file, program).map(({ fileName }) => fileName);
  return [...own, ...project.configFiles, ...packageFilesOf(program)];
}

const knownPackageFiles = new WeakMap<ts.Program, string[]>();

/**
 * The `package.json` of each installed package that the program reads: one small file in place of a package's types,
 * which change with its version.
 */
export function packageFilesOf(program: ts.Program): string[] {
  const files =
    knownPackageFiles.get(program) ??
    [...new Set(program.getSourceFiles().flatMap(({ fileName }) => packageFilesBeside(fileName)))].filter(
      (path) => ts.sys.fileExists(path),
    );
  knownPackageFiles.set(program, files);
  return files;
}

/** The folder of a package, after the last `node_modules` of a path. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** The store of pnpm, whose folders are named by version: which version is linked is in the store's `lock.yaml`. */
const STORE = /^.*?\/node_modules\/\.pnpm(?=\/)/;

function packageFilesBeside(path: string): string[] {
  const [folder] = PACKAGE.exec(path) ?? [];
  const [store] = STORE.exec(path) ?? [];
  return [folder && `${folder}/package.json`, store && `${store}/lock.yaml`].filter(
    (file) => file !== undefined,
  );
}

/** The file, its import closure outside node_modules, and what is global in its project. */
export function filesBehind(file: ts.SourceFile, program: ts.Program): ts.SourceFile[] {
  const closure = new Set<ts.SourceFile>();
  const visit = (source: ts.SourceFile): void => {
    if (closure.has(source) || !isOwn(source, program)) return;
    closure.add(source);
    for (const imported of importsOf(source, program)) visit(imported);
  };
  visit(file);
  for (const source of globalsOf(program)) visit(source);
  return [...closure];
}

const knownGlobals = new WeakMap<ts.Program, ts.SourceFile[]>();

/** The files of the project that declare something for files that do not import them. */
function globalsOf(program: ts.Program): ts.SourceFile[] {
  const globals =
    knownGlobals.get(program) ??
    program.getSourceFiles().filter((source) => isForAll(source) && isOwn(source, program));
  knownGlobals.set(program, globals);
  return globals;
}

/** Neither of a package that is installed nor of TypeScript. */
export function isOwn(source: ts.SourceFile, program: ts.Program): boolean {
  return !source.fileName.includes('/node_modules/') && !program.isSourceFileDefaultLibrary(source);
}

function importsOf(source: ts.SourceFile, program: ts.Program): ts.SourceFile[] {
  const checker = program.getTypeChecker();
  return specifiersOf(source).flatMap((specifier) => {
    const module = checker.getSymbolAtLocation(specifier);
    const found = module?.declarations?.find(ts.isSourceFile);
    return found ? [found] : [];
  });
}

const knownSpecifiers = new WeakMap<ts.SourceFile, ts.Expression[]>();

function specifiersOf(source: ts.SourceFile): ts.Expression[] {
  const specifiers = knownSpecifiers.get(source) ?? findSpecifiers(source);
  knownSpecifiers.set(source, specifiers);
  return specifiers;
}

/** The modules that the file imports and re-exports, `import('…')` types included. */
function findSpecifiers(source: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      found.push(node.moduleSpecifier);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) found.push(node.argument.literal);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
