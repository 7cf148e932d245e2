import { ts } from '../typescript.js';
import { compilerHost } from './compiler-host.js';
import { extractionOptions } from './extraction-options.js';
import type { KeptSources } from './kept-sources.js';
import type { Project } from './read-project.js';

/** A program of the files and of the ambient declarations of their project. What is kept is not read again. */
export function createProgram({ config }: Project, files: readonly string[], kept?: KeptSources): ts.Program {
  const options = extractionOptions(config);
  const ambient = config.fileNames.filter(isDeclarationFile);
  const host = compilerHost(options);
  if (kept !== undefined) host.getSourceFile = kept.reading(host.getSourceFile.bind(host));
  return ts.createProgram({
    rootNames: [...new Set([...files, ...ambient])],
    options,
    host,
    ...(config.projectReferences && { projectReferences: config.projectReferences }),
  });
}

/** What a project compiles, without what is only declared to it. */
export function sourcesOf({ config }: Project): string[] {
  return config.fileNames.filter((name) => !isDeclarationFile(name));
}

function isDeclarationFile(name: string): boolean {
  return /\.d\.[cm]?ts$/.test(name);
}
