import { refuses, works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { PRODUCTION } from './tsc.mjs';

const run = ['tsx', 'src/main.ts'];

/** A program that creates a runner for one class with a slip in it. */
function slip(classes) {
  return `import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, inject, tool } from 'adorn';
${classes}
const model = new ScriptedModel(callsTool('send', { to: { street: 'High' } }), says('Done.'));
createRunner(defineAgent({ name: 'clerk', tools: [Orders] }), { model }).catch(({ code, message }) =>
  console.log('OUTCOME ' + JSON.stringify({ code, message })),
);
`;
}

const CLASS_PARAMETER = slip(`
class Address {
  street = '';
  label(): string {
    return this.street;
  }
}
class Orders {
  @tool
  send(to: Address): string {
    return to.label();
  }
}`);

const UNBOUND = slip(`
abstract class Store {
  abstract get(id: string): string;
}
class Orders {
  constructor(@inject(Store) readonly store: Store) {}
  @tool
  send(id: string): string {
    return this.store.get(id);
  }
}`);

export const TSX = [
  {
    name: 'tsx',
    tools: 'typescript-5',
    files: {
      'tsconfig.json': tsconfig(),
      'src/class-parameter.ts': CLASS_PARAMETER,
      'src/unbound.ts': UNBOUND,
    },
    cells: [
      { name: 'on demand', run, expects: works() },
      {
        name: 'a class as a parameter, without class-validator',
        run: ['tsx', 'src/class-parameter.ts'],
        expects: refuses('SCHEMA_INVALID', /^A parameter of Orders\.send has the class type Address, but/),
      },
      {
        name: 'an abstract class that nobody bound',
        run: ['tsx', 'src/unbound.ts'],
        expects: refuses('SERVICE_NOT_BOUND', /^Orders needs Store \(.+\), which is an abstract class, but/),
      },
      {
        name: 'production',
        run,
        env: PRODUCTION,
        expects: refuses('SCHEMA_MISSING', /"adorn build" has not written it/),
      },
    ],
  },
];
