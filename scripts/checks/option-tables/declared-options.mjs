import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import ts from 'typescript';

import { listWorkspaces } from '../../setup/workspace.mjs';

const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  types: [],
  skipLibCheck: true,
};

/** The options that the built declarations of the published packages have, by the names of their types. */
export class DeclaredOptions {
  #checker;
  #declarations = new Map();
  #names = new Map();

  constructor() {
    const entries = publishedEntries();
    const program = programOf(entries);
    this.#checker = program.getTypeChecker();
    for (const source of program.getSourceFiles()) {
      const [, folder] = /\/packages\/([\w-]+)\/dist\//.exec(source.fileName) ?? [];
      for (const statement of source.statements)
        if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
          this.#add(`${folder}/${statement.name.text}`, statement.name);
    }
  }

  #add(name, node) {
    this.#declarations.set(name, node);
    const [, bare] = name.split('/');
    const { first } = this.#names.get(bare) ?? {};
    this.#names.set(bare, { first: first ?? name, isAmbiguous: first !== undefined && first !== name });
  }

  /**
   * The names of the options of a type, each with a function for the names within it; undefined if no package declares it. A name
   * that several packages declare is given with the folder of one: `compiler/WatchOptions`.
   */
  of(name) {
    const { first, isAmbiguous = false } = this.#names.get(name) ?? {};
    const node = this.#declarations.get(isAmbiguous ? name : (first ?? name));
    return node && this.#membersOf(this.#checker.getTypeAtLocation(node));
  }

  #membersOf(type) {
    const properties = partsOf(type).flatMap((part) => this.#checker.getPropertiesOfType(part));
    return new Map(
      properties.map((property) => [
        property.name,
        () => this.#membersOf(this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(property))),
      ]),
    );
  }
}

/** The objects that a type may be: options that are an object or a boolean have those of the object. */
function partsOf(type) {
  const parts = type.isUnion() ? type.types : [type];
  return parts.filter((part) => part.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection));
}

/** The declarations of all entries of the published packages, by the names that are imported. */
function publishedEntries() {
  return new Map(
    listWorkspaces()
      .filter(({ published }) => published)
      .flatMap(({ folder, manifest }) =>
        Object.entries(manifest.exports).map(([path, { types }]) => [
          manifest.name + path.slice(1),
          types && resolve(folder, types),
        ]),
      )
      .filter(([, path]) => path !== undefined && existsSync(path)),
  );
}

/** A program of our declarations alone: what they import from elsewhere is of type any. */
function programOf(entries) {
  const host = ts.createCompilerHost(COMPILER_OPTIONS);
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => {
      const beside = join(dirname(from), text.replace(/\.js$/, '.d.ts'));
      const resolvedFileName = text.startsWith('.') ? beside : entries.get(text);
      if (resolvedFileName === undefined || !existsSync(resolvedFileName))
        return { resolvedModule: undefined };
      return { resolvedModule: { resolvedFileName, extension: ts.Extension.Dts } };
    });
  return ts.createProgram([...entries.values()], COMPILER_OPTIONS, host);
}
