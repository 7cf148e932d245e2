import { fails } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';

/** Node takes types away and nothing else: what decorators, enums and parameter properties mean, it does not say. */
export const TYPE_STRIPPING = [
  {
    name: 'node, type stripping',
    tools: 'typescript-5',
    files: {
      'tsconfig.json': tsconfig(),
      'decorated.ts': "import { tool } from 'adorn';\nexport class Dice {\n  @tool\n  roll(): void {}\n}\n",
    },
    cells: [
      {
        name: 'a decorator',
        run: ['node', 'decorated.ts'],
        expects: fails(/SyntaxError: (?:Invalid or unexpected token|.*[Dd]ecorator)/),
        skip: process.features.typescript ? undefined : 'this Node strips no types',
      },
      {
        name: 'an enum',
        run: ['node', 'src/order-status.ts'],
        expects: fails(/ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX/),
        skip: process.features.typescript ? undefined : 'this Node strips no types',
      },
    ],
  },
];
