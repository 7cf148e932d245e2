import type { Project } from '../program/read-project.js';

/** A project of specs that a solution refers to emits nothing and needs nothing; the last one, which was named, must. */
export function emittingProjects(tree: readonly Project[]): Project[] {
  return tree.filter((project) => project === tree.at(-1) || project.config.options.noEmit !== true);
}
