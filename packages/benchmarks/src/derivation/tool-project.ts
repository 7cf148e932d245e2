import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildSchemas } from '@adorn/compiler';
import ts from 'typescript';

import { toolSources } from './tool-sources.js';

/** As the tsconfig of a program for Node says it, our samples' too: Node's types, and not the browser's. */
const OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  strict: true,
  types: ['node'],
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  sourceMap: true,
  skipLibCheck: true,
  rootDir: 'src',
  outDir: 'build',
};

/** The same for one file at a time, which takes no program. */
const EMIT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  sourceMap: true,
  sourceRoot: '../src',
};

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));

/** Inside the repository, so that what Adorn's packages depend on is found above. */
const WORK = join(PACKAGES, '../.work');

/** A user's project with so many tools, emitted with source maps, and once more with its schemas built in. */
export class ToolProject {
  private constructor(private readonly folder: string) {}

  static async create(tools: number): Promise<ToolProject> {
    mkdirSync(WORK, { recursive: true });
    const project = new ToolProject(mkdtempSync(join(WORK, 'derivation-')));
    for (const name of ['adorn', 'core', 'gemini', 'compiler']) project.install(name);
    project.write('package.json', JSON.stringify({ name: 'project', type: 'module' }));
    project.write('tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }));
    for (const [path, text] of toolSources(tools)) project.emit(path, text);
    cpSync(join(project.folder, 'build'), join(project.folder, 'plain'), { recursive: true });
    await buildSchemas({ project: project.folder });
    return project;
  }

  /** The root agent's module whose schemas are derived on demand. */
  get plainRoot(): string {
    return join(this.folder, 'plain/root.js');
  }

  /** The same with its schemas built in. */
  get builtRoot(): string {
    return join(this.folder, 'build/root.js');
  }

  /** Changes one source, and nothing that it says. */
  touch(): void {
    appendFileSync(join(this.folder, 'src/tools0.ts'), `// ${String(process.hrtime.bigint())}\n`);
  }

  forgetDerived(): void {
    rmSync(join(this.folder, 'node_modules/.cache'), { recursive: true, force: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As npm would: the package itself in the project's node_modules, what it depends on above. */
  private install(name: string): void {
    const target = join(this.folder, 'node_modules', name === 'adorn' ? name : `@adorn/${name}`);
    for (const part of ['package.json', 'dist'])
      cpSync(join(PACKAGES, name, part), join(target, part), { recursive: true });
  }

  private emit(path: string, text: string): void {
    this.write(join('src', path), text);
    const { outputText, sourceMapText = '' } = ts.transpileModule(text, {
      fileName: path,
      compilerOptions: EMIT,
    });
    const output = path.replace(/\.ts$/, '.js');
    this.write(join('build', output), outputText);
    this.write(join('build', `${output}.map`), sourceMapText);
  }

  private write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
