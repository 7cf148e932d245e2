import { refuses, works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { PRODUCTION } from './tsc.mjs';

const run = ['tsx', 'src/main.ts'];

export const TSX = [
  {
    name: 'tsx',
    tools: 'typescript-5',
    files: { 'tsconfig.json': tsconfig() },
    cells: [
      { name: 'on demand', run, expects: works() },
      {
        name: 'production',
        run,
        env: PRODUCTION,
        expects: refuses('SCHEMA_MISSING', /"adorn build" has not written it/),
      },
    ],
  },
];
