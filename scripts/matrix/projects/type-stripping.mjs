import { endsWell, fails } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';

/** Functions as tools, whose types Node may take away. */
const FUNCTIONS = `import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, defineTool } from 'adorn';

/** Roll a die. @param sides Number of its sides. */
const roll = defineTool({ name: 'roll', run: ({ sides }: { sides: 6 | 20 }) => 'one of ' + sides });
/** Add two numbers. */
function add(a: number, b: number): number {
  return a + b;
}

const model = new ScriptedModel(callsTool('roll', { sides: 20 }), callsTool('add', { a: 1, b: '2' }), says('Done.'));
const runner = await createRunner(defineAgent({ name: 'dealer', tools: [roll, add] }), { model });
const { events } = await runner.run({ userId: 'ada', message: 'Play.' });
console.log(JSON.stringify(events.flatMap((event) => event.functionResponses.map(({ response }) => response))));
`;

/** Node takes types away and nothing else: what decorators, enums and parameter properties mean, it does not say. */
export const TYPE_STRIPPING = [
  {
    name: 'node, type stripping',
    tools: 'typescript-5',
    files: {
      'tsconfig.json': tsconfig(),
      'decorated.ts': "import { tool } from 'adorn';\nexport class Dice {\n  @tool\n  roll(): void {}\n}\n",
      'functions.ts': FUNCTIONS,
    },
    cells: [
      {
        name: 'functions as tools',
        run: ['node', 'functions.ts'],
        expects: endsWell('works', /^\[\{"result":"one of 20"\},\{"result":3\}\]$/m),
        skip: process.features.typescript ? undefined : 'this Node strips no types',
      },
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
