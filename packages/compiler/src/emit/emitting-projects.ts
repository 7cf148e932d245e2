import type { Project } from '../program/read-project.js';
import { readProjectTree } from '../program/read-project-tree.js';

/** A project of specs that a solution refers to emits nothing and needs nothing; the one that is named must emit. */
export function emittingProjects(path: string): readonly Project[] {
  const tree = readProjectTree(path);
  return tree.filter((project) => project === tree.at(-1) || project.config.options.noEmit !== true);
}
