import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { ts } from '../typescript.js';
import { constantOf } from './constant.js';
import { declaredNameOf, importedFrom } from './decorators.js';
import { followed } from './followed.js';
import { entriesOf, propertyOf } from './literals.js';

/** A folder of `skills(…)` as its source names it. */
export interface SkillFolder {
  /** As it is written. */
  readonly written: string;
  /** The absolute path, or undefined if there is no such folder where the program would look for it. */
  readonly path: string | undefined;
}

/** A call of `skills(…)`. */
export interface SkillsCall {
  readonly node: ts.CallExpression;
  /** Those that the source names; others are known only at run time. */
  readonly folders: readonly SkillFolder[];
  /** True if there is an `executor`, or may be one. */
  readonly runsScripts: boolean;
}

/**
 * The calls of `skills(…)` of `@adorn/skills` in a file.
 *
 * @param root the folder of the project, from which a path is followed if it leads nowhere from the working folder
 */
export function skillsCallsIn(file: ts.SourceFile, checker: ts.TypeChecker, root: string): SkillsCall[] {
  const found: SkillsCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isSkills(node.expression, checker))
      found.push(...callAt(node, checker, root));
    ts.forEachChild(node, visit);
  };
  if (file.text.includes(MODULE)) visit(file);
  return found;
}

const MODULE = '@adorn/skills';

function isSkills(callee: ts.Expression, checker: ts.TypeChecker): boolean {
  return declaredNameOf(callee, checker) === 'skills' && importedFrom(callee, checker) === MODULE;
}

function callAt(node: ts.CallExpression, checker: ts.TypeChecker, root: string): SkillsCall[] {
  const [source, options] = node.arguments;
  if (!source) return [];
  const isList = ts.isArrayLiteralExpression(followed(source, checker));
  const sources = isList ? entriesOf(source, checker) : [source];
  const folders = sources.flatMap((one) => folderOf(one, checker, root) ?? []);
  return [{ node, folders, runsScripts: mayHaveExecutor(options, checker) }];
}

function mayHaveExecutor(options: ts.Expression | undefined, checker: ts.TypeChecker): boolean {
  if (!options) return false;
  const isLiteral = ts.isObjectLiteralExpression(followed(options, checker));
  return !isLiteral || propertyOf(options, 'executor', checker) !== undefined;
}

function folderOf(source: ts.Expression, checker: ts.TypeChecker, root: string): SkillFolder | undefined {
  const written = constantOf(source, checker)?.value;
  if (typeof written === 'string') return found(written, [process.cwd(), root]);
  const url = followed(source, checker);
  const relative = ts.isNewExpression(url) ? urlFromFile(url, checker) : undefined;
  return relative === undefined ? undefined : found(relative, [dirname(url.getSourceFile().fileName)]);
}

function found(written: string, bases: readonly string[]): SkillFolder {
  return { written, path: bases.map((base) => resolve(base, written)).find((path) => existsSync(path)) };
}

/** The path of `new URL('../skills', import.meta.url)`; undefined for any other URL. */
function urlFromFile(url: ts.NewExpression, checker: ts.TypeChecker): string | undefined {
  const [path, base] = url.arguments ?? [];
  if (declaredNameOf(url.expression, checker) !== 'URL' || base?.getText() !== 'import.meta.url')
    return undefined;
  const written = path && constantOf(path, checker)?.value;
  return typeof written === 'string' ? written : undefined;
}
