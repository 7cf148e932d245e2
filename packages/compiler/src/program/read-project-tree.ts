import { resolve } from 'node:path';

import { ts } from '../typescript.js';
import { configFile } from './config-file.js';
import { type Project, readProject } from './read-project.js';

/** A tsconfig's project and, through its references, all others that it builds; those referred to come first. */
export function readProjectTree(project: string): readonly Project[] {
  const found = new Map<string, Project>();
  const visit = (path: string): void => {
    const file = configFile(path);
    if (found.has(file)) return;
    const read = readProject(file);
    found.set(file, read);
    for (const reference of read.config.projectReferences ?? [])
      visit(ts.resolveProjectReferencePath(reference));
  };
  visit(resolve(project));
  return [...found.values()].reverse();
}
