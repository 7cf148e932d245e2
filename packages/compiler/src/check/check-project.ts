import { dirname, resolve } from 'node:path';

import type { Dialect } from '@adorn/core/dialects';

import { findClasses } from '../extract/find-classes.js';
import { configFile } from '../program/config-file.js';
import { stepOf } from '../program/build-step.js';
import { shownPath } from '../program/shown-path.js';
import { createProgram, sourcesOf } from '../program/create-program.js';
import { type Project, readProject, readProjectTree } from '../program/read-project.js';
import { skillsCallsIn } from '../source/skill-folders.js';
import { placeOf } from '../source/place.js';
import { ts } from '../typescript.js';
import type { CheckReport, Diagnostic, Severity } from './check-report.js';
import { ignoresOfFile, type Misused, type RuledFinding, silence, unusedIgnore } from './ignores.js';
import { type FoundSkills, readSkills, type SkillReader } from './skills/found-skills.js';
import type { FoundProject, Rule } from './rules/rule.js';
import { RULES } from './rules/rules.js';
import { sizeOfAgent, sizeOfTool, sizesOfSkills } from './declaration-sizes.js';
import { type FoundOptions, optionsOfCalls, optionsOfService } from './tools/found-options.js';
import { otherOptionsIn } from './tools/other-options.js';
import { agentsOfFile } from './tools/agents-of-file.js';
import { type FoundAgent, type FoundService, type FoundTool, nameFaults } from './tools/found-tool.js';
import { ToolsOfProgram } from './tools/tools-of-program.js';

export interface CheckOptions {
  /**
   * A tsconfig, or the folder that holds `tsconfig.json`. One without files of its own stands for all projects that it
   * refers to; otherwise these are only named in the report.
   */
  readonly project: string;
  /** The dialects to check against; sizes are given for the first. Default: none, with sizes as derived. */
  readonly dialects?: readonly Dialect[];
  /** Reads the folders that `skills(…)` names: `inspectSkills` of `@adorn/skills`. Default: none is read. */
  readonly readSkills?: SkillReader;
  /** Called with what is done next, such as `Checking 3 of 40: src/orders.ts`. Default: nothing is told. */
  readonly onStep?: (step: string) => void;
}

/**
 * Looks through the sources of a project for what keeps its tools and agents from working, or from working well.
 * Nothing is built, run or written.
 *
 * @throws DerivationFailedError where a tsconfig is not usable
 */
export async function checkProject({ project, ...options }: CheckOptions): Promise<CheckReport> {
  const { checked, unchecked } = projectsOf(project);
  const parts: Omit<CheckReport, 'unchecked'>[] = [];
  for (const one of checked) parts.push(await checkOne(one, options));
  return {
    unchecked,
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics).sort(byPlace),
    silenced: parts.reduce((sum, { silenced }) => sum + silenced, 0),
    tools: parts.flatMap(({ tools }) => tools).sort(bySize),
    agents: parts.flatMap(({ agents }) => agents).sort(bySize),
    skills: parts.flatMap(({ skills }) => skills).sort(bySize),
  };
}

/** As `tsc -p` does, the project itself is looked at: to read all that it refers to takes many times as long. */
function projectsOf(path: string): { checked: readonly Project[]; unchecked: readonly string[] } {
  const named = readProject(configFile(resolve(path)));
  if (named.config.fileNames.length === 0) return { checked: readProjectTree(path), unchecked: [] };
  const references = named.config.projectReferences ?? [];
  return { checked: [named], unchecked: references.map(ts.resolveProjectReferencePath) };
}

async function checkOne(
  project: Project,
  { dialects = [], readSkills: read, onStep }: Omit<CheckOptions, 'project'>,
): Promise<Omit<CheckReport, 'unchecked'>> {
  const sources = sourcesOf(project);
  onStep?.(`Reading ${shownPath(project.path ?? 'the sources')}`);
  const program = createProgram(project, sources);
  const world = { program, checker: program.getTypeChecker() };
  const tools = new ToolsOfProgram(world);
  const files = sources.map((name) => program.getSourceFile(name)).filter((file) => file !== undefined);
  const found = files.map((file, place) => {
    onStep?.(stepOf('Checking', place, files.length, file.fileName));
    return foundInFile(file, tools);
  });
  const root = project.path === undefined ? process.cwd() : dirname(project.path);
  const calls = files.flatMap((file) => skillsCallsIn(file, world.checker, root));
  const skills = read ? await readSkills(calls, read) : [];
  onStep?.('Applying the rules');
  const findings = [
    ...findingsOfProject({ project, files, world }),
    ...found.flatMap((one) => findingsIn(one, dialects)),
    ...skills.flatMap(findingsInSkills),
  ];
  const sizes = found.flatMap((one) => one.tools.map((tool) => sizeOfTool(tool, dialects[0])));
  return {
    ...diagnosed(findings, files),
    tools: unique(sizes),
    agents: found.flatMap(({ agents }) => agents.map((agent) => sizeOfAgent(agent, dialects[0]))),
    skills: unique(skills.flatMap(sizesOfSkills)),
  };
}

/** Drops repetitions: a function in `tools` is found with each agent that offers it. */
function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((one) => [JSON.stringify(one), one])).values()];
}

/** Findings about the whole project are in JSON files, and come first: they may cause the others. */
function byPlace(one: Diagnostic, other: Diagnostic): number {
  const settings = Number(isSetting(other)) - Number(isSetting(one));
  return settings || one.file.localeCompare(other.file) || one.line - other.line;
}

function isSetting({ file }: Diagnostic): boolean {
  return file.endsWith('.json');
}

function bySize(one: { readonly tokens: number }, other: { readonly tokens: number }): number {
  return other.tokens - one.tokens;
}

/** Everything in a file that rules look at. */
interface FoundInFile {
  readonly tools: readonly FoundTool[];
  readonly services: readonly FoundService[];
  /** Of the tools, also of those whose schema is not derived, of agents, wrappers and parameters. */
  readonly options: readonly FoundOptions[];
  readonly agents: readonly FoundAgent[];
}

function foundInFile(file: ts.SourceFile, tools: ToolsOfProgram): FoundInFile {
  const classes = findClasses(file, tools.world);
  const methods = classes.flatMap(({ node }) => tools.declaredBy(node));
  const services = classes.map((one) => ({
    ...one,
    tools: tools.offeredBy(one.node),
    faults: nameFaults(one, 'classes', classes),
  }));
  const { checker } = tools.world;
  return {
    tools: [...methods, ...tools.functionsOf(file).values()],
    services,
    options: [
      ...services.flatMap((service) => optionsOfService(service, checker)),
      ...optionsOfCalls(file, checker),
      ...otherOptionsIn(file, checker),
    ],
    agents: agentsOfFile(file, tools),
  };
}

function findingsOfProject(project: FoundProject): RuledFinding[] {
  return RULES.flatMap((rule) =>
    (rule.ofProject?.(project) ?? []).map((found) => ({ ...found, rule: rule.name })),
  );
}

/** The findings of all rules in one file. */
function findingsIn(found: FoundInFile, dialects: readonly Dialect[]): RuledFinding[] {
  return RULES.flatMap((rule) => findingsOf(rule, found, dialects));
}

function findingsInSkills(skills: FoundSkills): RuledFinding[] {
  return RULES.flatMap((rule) =>
    (rule.ofSkills?.(skills) ?? []).map((found) => ({ ...found, rule: rule.name })),
  );
}

function findingsOf(
  rule: Rule,
  { tools, services, options, agents }: FoundInFile,
  dialects: readonly Dialect[],
): RuledFinding[] {
  const found = [
    ...tools.flatMap((tool) => rule.ofTool?.(tool, dialects) ?? []),
    ...services.flatMap((service) => rule.ofService?.(service) ?? []),
    ...options.flatMap((one) => rule.ofOptions?.(one) ?? []),
    ...agents.flatMap((agent) => rule.ofAgent?.(agent) ?? []),
  ];
  return found.map((finding) => ({ ...finding, rule: rule.name }));
}

interface Diagnosed {
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: number;
}

const SEVERITIES: ReadonlyMap<string, Severity> = new Map(
  RULES.map(({ name, severity }) => [name, severity]),
);

/** The findings of a program without the silenced ones, and the findings about ignores. */
function diagnosed(findings: readonly RuledFinding[], files: readonly ts.SourceFile[]): Diagnosed {
  const { open, silenced, misused } = silence(
    findings,
    files.flatMap(ignoresOfFile),
    new Set(SEVERITIES.keys()),
  );
  return { diagnostics: unique([...open.map(toDiagnostic), ...misused.map(misuse)]), silenced };
}

function toDiagnostic({ rule, node, ...said }: RuledFinding): Diagnostic {
  return { rule, severity: SEVERITIES.get(rule) ?? 'error', ...placeOf(node), ...said };
}

function misuse({ ignore, message, cure }: Misused): Diagnostic {
  const { name: rule, severity } = unusedIgnore;
  const file = ignore.target.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(ignore.position).line + 1;
  return { rule, severity, file: file.fileName, line, message, cure };
}
