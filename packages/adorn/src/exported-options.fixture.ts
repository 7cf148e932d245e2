import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import ts from 'typescript';

/** The kinds of values that the rules of options tell apart. */
export const KINDS = ['boolean', 'number', 'text', 'list', 'function', 'object'] as const;

export type Kind = (typeof KINDS)[number];

/** An option as its type declares it. */
export interface Option {
  readonly name: string;
  /** The kinds of values that its type admits. */
  readonly kinds: ReadonlySet<Kind>;
  /** The options of an option that is an options object. */
  readonly inner: readonly Option[];
}

/** A parameter of an exported function, of an exported class, or of a static method, that is an options object. */
export interface OptionsParameter {
  /** Such as `serve(ServeOptions)`, `new GeminiModel(GeminiOptions)` or `AdornModule.forRoot(AdornModuleOptions)`. */
  readonly name: string;
  readonly options: readonly Option[];
}

/** What the public entries of the packages declare. */
export interface ExportedOptions {
  readonly parameters: readonly OptionsParameter[];
  /** The exported types with names of options. */
  readonly types: ReadonlySet<string>;
  /** The types of the options of the parameters, and those within them. */
  readonly reached: ReadonlySet<string>;
}

/** Globals of Node.js that signatures name: the types of Node.js would take longer to read than all packages. */
const GLOBALS = `
interface AbortSignal { readonly aborted: boolean }
interface Request { readonly url: string }
interface Response { readonly status: number }
interface Headers { get(name: string): string | null }
interface URL { readonly href: string }
interface Buffer extends Uint8Array {}
declare function fetch(input: string | URL | Request, init?: object): Promise<Response>;
`;
const GLOBALS_FILE = '/globals.d.ts';

const OPTIONS_NAME = /(?:Options|Config|Limits|Settings)$/;

/** How deep options of options are read. */
const DEEPEST = 3;

/** Reads the options objects of the public entries of the packages from their sources. */
export function readExportedOptions(isLeftOut: (entry: string) => boolean): ExportedOptions {
  const entries = publicEntries();
  const checked = [...entries].filter(([entry]) => !isLeftOut(entry)).map(([, file]) => file);
  const program = programOf(checked, entries);
  return new Reader(program).read(checked);
}

/** The source files of the public entries of the packages, by the names that are imported. */
function publicEntries(): Map<string, string> {
  const entries = new Map<string, string>();
  for (const folder of readdirSync('packages')) {
    if (!existsSync(`packages/${folder}/package.json`)) continue;
    const manifest = JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8')) as Manifest;
    if (manifest.private === true) continue;
    for (const [path, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === 'string' || target.types === undefined) continue;
      const source = target.types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts');
      entries.set(manifest.name + path.slice(1), resolve('packages', folder, source));
    }
  }
  return entries;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
}

/** A program of our sources alone: what they import from elsewhere is of type any. */
function programOf(files: readonly string[], entries: ReadonlyMap<string, string>): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    lib: ['lib.es2023.d.ts'],
    types: [],
    strict: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const sourceOf = (file: string): string | undefined =>
    file === GLOBALS_FILE ? GLOBALS : host.readFile(file);
  return ts.createProgram({
    rootNames: [GLOBALS_FILE, ...files],
    options,
    host: {
      ...host,
      fileExists: (file) => file === GLOBALS_FILE || host.fileExists(file),
      readFile: sourceOf,
      getSourceFile: (file, target) => {
        const text = sourceOf(file);
        const settings = typeof target === 'object' ? target : { languageVersion: target };
        const how = { ...settings, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
        return text === undefined ? undefined : ts.createSourceFile(file, text, how);
      },
      resolveModuleNameLiterals: (names, from) =>
        names.map(({ text }) => {
          const relative = text.startsWith('.') ? resolve(dirname(from), text.replace(/\.js$/, '.ts')) : '';
          const resolvedFileName = entries.get(text) ?? relative;
          if (!existsSync(resolvedFileName)) return { resolvedModule: undefined };
          return { resolvedModule: { resolvedFileName, extension: ts.Extension.Ts } };
        }),
    },
  });
}

class Reader {
  private readonly checker: ts.TypeChecker;
  private readonly parameters = new Map<string, OptionsParameter>();
  private readonly types = new Set<string>();
  private readonly reached = new Set<string>();

  constructor(private readonly program: ts.Program) {
    this.checker = program.getTypeChecker();
  }

  read(files: readonly string[]): ExportedOptions {
    const seen = new Set<ts.Symbol>();
    for (const file of files) {
      const source = this.program.getSourceFile(file);
      const module = source && this.checker.getSymbolAtLocation(source);
      if (!module) throw new Error(`${file} is no module.`);
      for (const one of this.checker.getExportsOfModule(module)) {
        const symbol = one.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(one) : one;
        if (seen.has(symbol)) continue;
        seen.add(symbol);
        this.readExport(one.name, symbol);
      }
    }
    return { parameters: [...this.parameters.values()], types: this.types, reached: this.reached };
  }

  private readExport(name: string, symbol: ts.Symbol): void {
    if (symbol.flags & ts.SymbolFlags.Type && !(symbol.flags & ts.SymbolFlags.Value)) {
      if (OPTIONS_NAME.test(name)) this.types.add(name);
      return;
    }
    const type = this.checker.getTypeOfSymbol(symbol);
    this.readSignatures(name, type.getCallSignatures());
    if (!(symbol.flags & ts.SymbolFlags.Class)) return;
    this.readSignatures(`new ${name}`, type.getConstructSignatures());
    for (const member of type.getProperties()) {
      const [declaration] = member.declarations ?? [];
      if (
        !declaration ||
        ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.NonPublicAccessibilityModifier
      )
        continue;
      this.readSignatures(`${name}.${member.name}`, this.checker.getTypeOfSymbol(member).getCallSignatures());
    }
  }

  private readSignatures(name: string, signatures: readonly ts.Signature[]): void {
    for (const signature of signatures)
      for (const parameter of signature.getParameters())
        for (const type of this.optionsTypes(parameter)) {
          const alias = type.aliasSymbol?.declarations?.[0];
          const named = !alias || this.isOurs(alias) ? nameOf(type) : undefined;
          const label = `${name}(${named ?? parameter.name})`;
          this.parameters.set(label, { name: label, options: this.optionsOf(type, 1) });
        }
  }

  /** The options objects among the types of a parameter or property. */
  private optionsTypes(symbol: ts.Symbol): ts.Type[] {
    const type = this.checker.getNonNullableType(this.checker.getTypeOfSymbol(symbol));
    return partsOf(type).filter((one) => this.isOptions(one, symbol.name));
  }

  /** Options have names of options, or are all optional. */
  private isOptions(type: ts.Type, name: string): boolean {
    if (!this.isRecord(type)) return false;
    const properties = type.getProperties();
    if (!properties.some(isOptional)) return false;
    return name === 'options' || OPTIONS_NAME.test(nameOf(type) ?? '') || properties.every(isOptional);
  }

  /** An object with some names. Instances of classes, functions, lists and types of other packages are none. */
  private isRecord(type: ts.Type): boolean {
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
    if (type.isClass() || type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
      return false;
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) return false;
    if (this.checker.getIndexInfosOfType(type).length > 0) return false;
    // A type made by a mapping has no symbol.
    const { declarations = [] } = (type as { readonly symbol?: ts.Symbol }).symbol ?? {};
    const [declaration] = declarations;
    return type.aliasSymbol !== undefined || !declaration || this.isOurs(declaration);
  }

  private isOurs(declaration: ts.Declaration): boolean {
    const source = declaration.getSourceFile();
    return source.fileName !== GLOBALS_FILE && !this.program.isSourceFileDefaultLibrary(source);
  }

  private optionsOf(type: ts.Type, depth: number): Option[] {
    const name = nameOf(type);
    if (name !== undefined) this.reached.add(name);
    return type.getProperties().map((property) => ({
      name: property.name,
      kinds: this.kindsOf(this.checker.getTypeOfSymbol(property)),
      inner:
        depth === DEEPEST
          ? []
          : this.innerTypes(property).flatMap((inner) => this.optionsOf(inner, depth + 1)),
    }));
  }

  /** The options of an option: also objects whose names are all required, but none with methods alone. */
  private innerTypes(symbol: ts.Symbol): ts.Type[] {
    const type = this.checker.getNonNullableType(this.checker.getTypeOfSymbol(symbol));
    return partsOf(type).filter(
      (one) =>
        this.isRecord(one) &&
        one.getProperties().some((property) => isOptional(property) || !this.isMethod(property)),
    );
  }

  private isMethod(property: ts.Symbol): boolean {
    return this.checker.getTypeOfSymbol(property).getCallSignatures().length > 0;
  }

  private kindsOf(type: ts.Type): ReadonlySet<Kind> {
    const kinds = new Set<Kind>();
    for (const one of partsOf(type))
      for (const kind of this.kindsOfOne(this.checker.getBaseConstraintOfType(one) ?? one)) kinds.add(kind);
    return kinds;
  }

  private kindsOfOne(type: ts.Type): readonly Kind[] {
    if (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return [];
    if (type.flags & ts.TypeFlags.StringLike) return ['text'];
    if (type.flags & ts.TypeFlags.NumberLike) return ['number'];
    if (type.flags & ts.TypeFlags.BooleanLike) return ['boolean'];
    if (type.isIntersection()) return type.types.flatMap((one) => this.kindsOfOne(one));
    if (!(type.flags & ts.TypeFlags.Object)) return KINDS;
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) return ['list'];
    const isCallable = type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0;
    return isCallable ? ['function'] : ['object'];
  }
}

/** The types of a union, or the type itself. */
function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function isOptional(property: ts.Symbol): boolean {
  return (property.flags & ts.SymbolFlags.Optional) !== 0;
}

/** The name of a type; undefined for one without a name. */
function nameOf(type: ts.Type): string | undefined {
  const { aliasSymbol, symbol } = type as { readonly aliasSymbol?: ts.Symbol; readonly symbol?: ts.Symbol };
  const name = (aliasSymbol ?? symbol)?.name;
  return name?.startsWith('__') === true ? undefined : name;
}
