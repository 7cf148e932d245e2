import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { installPeer } from '@adorn/conformance/install-peer/install-peer';

import { DOCUMENTS, REFERENCE_WORKSHOP, ROOT } from './folders.js';
import { referencePages } from './reference-pages.js';
import { type CommentPart, takeDefault } from './stated-default.js';
import { listReferenceEntries, type ReferenceEntry, typedocName } from './reference-entries.js';

/** What is used here of TypeDoc, which is no dependency of this package. */
interface TypeDoc {
  readonly Application: {
    bootstrapWithPlugins(options: Readonly<Record<string, unknown>>): Promise<Application>;
  };
  readonly CommentTag: CommentTagClass;
  readonly ReflectionKind: { readonly Property: number };
}

type CommentTagClass = new (name: string, content: readonly CommentPart[]) => object;

/** What a program declares. */
interface Reflection {
  readonly kind: number;
  readonly comment?: Comment;
}

interface Comment {
  summary: readonly CommentPart[];
  readonly blockTags: object[];
}

interface Project {
  readonly children?: { name: string }[];
  readonly reflections: Readonly<Record<string, Reflection>>;
}

interface Application {
  convert(): Promise<Project | undefined>;
  generateOutputs(project: unknown): Promise<void>;
}

/**
 * Writes a page for each entry of the published packages: its classes, functions and types with their doc comments, made by TypeDoc
 * from the declarations of the build.
 *
 * @param folder where to
 * @throws {Error} if the declarations cannot be read
 */
export async function writeReference(folder: string): Promise<void> {
  await installPeer(basename(REFERENCE_WORKSHOP), {
    sources: DOCUMENTS,
    installed: dirname(REFERENCE_WORKSHOP),
  });
  const entries = listReferenceEntries(ROOT);
  const tsconfig = writeSettings(entries);
  const { Application, CommentTag, ReflectionKind } = await loadTypeDoc();
  const application = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ types }) => ROOT + types),
    tsconfig,
    plugin: [createRequire(tsconfig).resolve('typedoc-plugin-markdown')],
    out: folder,
    // One page for an entry.
    router: 'module',
    entryFileName: 'index',
    name: 'Reference',
    readme: 'none',
    // Options are looked up in tables.
    interfacePropertiesFormat: 'table',
    tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true },
    hideBreadcrumbs: true,
    hidePageHeader: true,
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    // Declarations of other packages are their makers' business.
    skipErrorChecking: true,
    validation: false,
    logLevel: 'Error',
  });
  const project = await application.convert();
  if (project === undefined)
    throw new Error('TypeDoc could not read the declarations. Build the packages first.');
  renameModules(project.children ?? [], entries);
  for (const { kind, comment } of Object.values(project.reflections))
    if (kind === ReflectionKind.Property && comment !== undefined) stateDefault(comment, CommentTag);
  await application.generateOutputs(project);
  fitPages(folder);
}

function fitPages(folder: string): void {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'));
  const pages = new Map(paths.map((path) => [path, readFileSync(`${folder}/${path}`, 'utf8')]));
  for (const [path, text] of referencePages(pages)) writeFileSync(`${folder}/${path}`, text);
}

/** @returns the path of the tsconfig for TypeDoc */
function writeSettings(entries: readonly ReferenceEntry[]): string {
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    types: ['node'],
    strict: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const path = `${REFERENCE_WORKSHOP}/tsconfig.json`;
  writeFileSync(path, JSON.stringify({ compilerOptions, files: entries.map(({ types }) => ROOT + types) }));
  return path;
}

/** A module is called as it is imported. */
function renameModules(modules: { name: string }[], entries: readonly ReferenceEntry[]): void {
  const names = new Map(entries.map(({ name, types }) => [typedocName(types), name]));
  for (const module of modules) module.name = names.get(module.name) ?? module.name;
}

/** The default of an option, which our comments say in a sentence, gets a column of the tables. */
function stateDefault(comment: Comment, CommentTag: CommentTagClass): void {
  const taken = takeDefault(comment.summary);
  if (taken === undefined) return;
  comment.summary = taken.rest;
  comment.blockTags.push(new CommentTag('@defaultValue', taken.stated));
}

async function loadTypeDoc(): Promise<TypeDoc> {
  const entry = createRequire(`${REFERENCE_WORKSHOP}/package.json`).resolve('typedoc');
  return (await import(pathToFileURL(entry).href)) as TypeDoc;
}
