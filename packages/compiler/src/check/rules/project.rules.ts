import { dirname } from 'node:path';

import { decoratorFault } from '../../source/decorator-options.js';
import { ts } from '../../typescript.js';
import type { Rule } from './rule.js';

export const experimentalDecorators: Rule = {
  name: 'experimental-decorators',
  severity: 'error',
  about: 'decorators in a project whose tsconfig does not set "experimentalDecorators"',
  ofProject({ project, files, world }) {
    const error = decoratorFault(project, files, world.checker);
    if (!error || project.path === undefined) return [];
    const node = propertyInJson(project.path, 'compilerOptions');
    return [{ node, message: error.message, cure: '', code: error.code }];
  },
};

export const severalInversify: Rule = {
  name: 'several-inversify',
  severity: 'warning',
  about: 'two copies of inversify in one program, whose containers and types do not fit one another',
  ofProject({ project, world: { program } }) {
    const folders = new Set(program.getSourceFiles().flatMap(({ fileName }) => folderOf(fileName) ?? []));
    const manifest =
      project.path &&
      ts.findConfigFile(dirname(project.path), (path) => ts.sys.fileExists(path), 'package.json');
    if (folders.size < 2 || manifest === undefined || manifest === '') return [];
    const copies = [...folders].sort().map((folder) => `${versionIn(folder)} (${folder})`);
    return [
      {
        node: propertyInJson(manifest, 'dependencies'),
        message: `The project has inversify ${copies.join(' and ')}: a container of one is none to the other.`,
        cure: 'Import Container, ContainerModule and inject from adorn, or install the version that adorn needs.',
      },
    ];
  },
};

function folderOf(file: string): string | undefined {
  return /^.*\/node_modules\/inversify(?=\/)/.exec(file)?.[0];
}

function versionIn(folder: string): string {
  const { version } = JSON.parse(ts.sys.readFile(`${folder}/package.json`) ?? '{}') as { version?: string };
  return version ?? 'of an unknown version';
}

/** The location of a property in a JSON file, or the file if the property is missing. */
function propertyInJson(path: string, name: string): ts.Node {
  const file = ts.createSourceFile(
    path,
    ts.sys.readFile(path) ?? '',
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JSON,
  );
  const [statement] = file.statements;
  if (!statement || !ts.isExpressionStatement(statement)) return file;
  const { expression } = statement;
  if (!ts.isObjectLiteralExpression(expression)) return file;
  return expression.properties.find((property) => isNamed(property, name)) ?? file;
}

function isNamed({ name }: ts.ObjectLiteralElementLike, text: string): boolean {
  return name !== undefined && ts.isStringLiteral(name) && name.text === text;
}
