import { decoratorFault } from '../../source/decorator-options.js';
import { propertyInJson } from './json-source.js';
import type { Rule } from './rule.js';

export const experimentalDecorators: Rule = {
  name: 'experimental-decorators',
  severity: 'error',
  about: 'decorators in a project whose tsconfig does not set "experimentalDecorators"',
  ofProject({ project, files, world }) {
    const error = decoratorFault(project, files, world.checker);
    if (error === undefined || project.path === undefined) return [];
    const node = propertyInJson(project.path, 'compilerOptions');
    return [{ node, message: error.message, cure: '', code: error.code }];
  },
};
