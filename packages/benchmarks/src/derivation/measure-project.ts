import type { Start } from './child.js';
import { startChild } from './start-child.js';
import { ToolProject } from './tool-project.js';

/** One kind of start, measured several times. */
export interface Starts {
  readonly wallMs: readonly number[];
  /** Of the process and of the compiler. */
  readonly cpuMs: readonly number[];
}

/** What was found of a project with so many tools. */
export interface ProjectFigures {
  readonly tools: number;
  readonly built: Starts;
  readonly warm: Starts;
  readonly cold: Starts;
  readonly touched: Starts;
  /** Loaded by a process that had everything derived. */
  readonly modules: readonly string[];
}

/** Starts the project's runner in every way, in turn, so that a slow moment does not fall on one way alone. */
export async function measureProject(tools: number, rounds: number): Promise<ProjectFigures> {
  const project = await ToolProject.create(tools);
  try {
    const all: Record<'built' | 'warm' | 'cold' | 'touched', Start[]> = {
      built: [],
      warm: [],
      cold: [],
      touched: [],
    };
    for (let round = 0; round < rounds; round++) {
      project.forgetDerived();
      all.cold.push(await startChild(project.plainRoot));
      all.warm.push(await startChild(project.plainRoot));
      project.touch();
      all.touched.push(await startChild(project.plainRoot));
      all.built.push(await startChild(project.builtRoot));
    }
    project.forgetDerived();
    const { modules = [] } = await startChild(project.plainRoot, '--modules');
    return {
      tools,
      built: startsOf(all.built),
      warm: startsOf(all.warm),
      cold: startsOf(all.cold),
      touched: startsOf(all.touched),
      modules,
    };
  } finally {
    project.remove();
  }
}

function startsOf(starts: readonly Start[]): Starts {
  return {
    wallMs: starts.map(({ wallMs }) => wallMs),
    cpuMs: starts.map(({ ownCpuMs, compilerCpuMs = Number.NaN }) => ownCpuMs + compilerCpuMs),
  };
}
