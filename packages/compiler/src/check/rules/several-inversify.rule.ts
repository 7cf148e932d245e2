import { dirname } from 'node:path';

import { ts } from '../../typescript.js';
import { propertyInJson } from './json-source.js';
import type { Rule } from './rule.js';

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
