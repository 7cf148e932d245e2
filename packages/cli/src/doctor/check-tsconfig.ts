import { shownPath } from '@adorn/compiler/build';

import { compilerOptionsOf, findTsconfigs } from '../new/find-tsconfig.js';
import type { Finding } from './finding.js';

/** The options that decorators need, in the tsconfig of a folder and in the one that it refers to for `src`. */
export function checkTsconfig(folder: string): Finding[] {
  try {
    const paths = findTsconfigs(folder);
    if (paths.length === 0)
      return [{ about: 'tsconfig', status: 'note', text: 'there is no tsconfig.json: JavaScript' }];
    return paths.map((path) => findingOf(shownPath(path), compilerOptionsOf(path)));
  } catch (error) {
    return [
      {
        about: 'tsconfig',
        status: 'fault',
        text: `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        cure: 'Correct the JSON of tsconfig.json.',
      },
    ];
  }
}

function findingOf(path: string, options: Readonly<Record<string, unknown>>): Finding {
  if (options['experimentalDecorators'] !== true)
    return {
      about: path,
      status: 'fault',
      text: 'experimentalDecorators is not set: @tool and @agent are decorators of this kind',
      cure: 'Set "experimentalDecorators": true in compilerOptions, or run adorn new . --dry-run to see what is missing.',
    };
  if (options['emitDecoratorMetadata'] !== true)
    return {
      about: path,
      status: 'warning',
      text: 'emitDecoratorMetadata is not set: each constructor parameter then needs @inject(Token)',
      cure: 'Set "emitDecoratorMetadata": true in compilerOptions.',
    };
  if (options['strict'] !== true)
    return {
      about: path,
      status: 'note',
      text: 'strict is not set: null is then allowed in each parameter of a tool',
      cure: 'Set "strict": true in compilerOptions.',
    };
  return { about: path, status: 'fine', text: 'it has the options for decorators' };
}
