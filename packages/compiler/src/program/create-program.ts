import { ts } from '../typescript.js';
import { compilerHost } from './compiler-host.js';
import { extractionOptions } from './extraction-options.js';
import type { Project } from './read-project.js';

/** A program of the files and of the ambient declarations of their project. */
export function createProgram({ config }: Project, files: readonly string[]): ts.Program {
  const options = extractionOptions(config);
  const ambient = config.fileNames.filter((name) => /\.d\.[cm]?ts$/.test(name));
  return ts.createProgram({
    rootNames: [...new Set([...files, ...ambient])],
    options,
    host: compilerHost(options),
    ...(config.projectReferences && { projectReferences: config.projectReferences }),
  });
}
