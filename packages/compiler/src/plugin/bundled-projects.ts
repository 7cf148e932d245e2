import { realpathSync } from 'node:fs';

import { configFile } from '../program/config-file.js';
import { KeptProgram } from '../program/kept-program.js';
import { type Project, projectBelow, projectOf, readingOnce } from '../program/read-project.js';

/** The projects to which the files of a bundle belong, each with its program. */
export class BundledProjects {
  private readonly programs = new Map<string, KeptProgram>();
  private read = readingOnce();

  /** @param chosen a tsconfig, or the folder that holds `tsconfig.json`; default: the one that includes the file */
  constructor(private readonly chosen?: string) {}

  /** @throws DerivationFailedError where a tsconfig is not usable */
  programOf(file: string): KeptProgram {
    const project = this.projectOf(file);
    const key = project.path ?? file;
    const program = this.programs.get(key) ?? new KeptProgram(project);
    this.programs.set(key, program);
    if (program.project !== project) program.renew(project);
    return program;
  }

  /** Something has changed: a file, a tsconfig, or which files there are. */
  expire(): void {
    this.read = readingOnce();
  }

  private projectOf(file: string): Project {
    if (this.chosen === undefined) return projectOf(file, this.read);
    return projectBelow(realpathSync(configFile(this.chosen)), file, this.read);
  }
}
