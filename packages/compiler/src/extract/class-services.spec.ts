import { deriveSource } from '../fixtures/temporary-project.js';

const CONTRACTS = `
export abstract class Ledger { abstract readonly entries: number }
export abstract class Audit { abstract note(text: string): void; }
export class Rates { readonly rate = 1 }
`;

const SOURCE = `
import { agent, inject, tool } from 'adorn';
import { Audit, Ledger as Books, Rates } from './contracts.js';
import { Foreign } from 'contracts';

declare class LazyServiceIdentifier { constructor(token: () => unknown) }
const TOKEN = Books;

export class Refunds {
  @inject(Audit) audit!: Audit;
  @inject(Rates) rates!: Rates;
  @inject(new LazyServiceIdentifier(() => Audit)) late!: Audit;
  constructor(@inject(Rates) rates: Rates, @inject(TOKEN) ledger: Books) {}
  @tool() refund(id: string, @inject(Books) ledger: Books, @inject('x') x: Books): void {}
}
export class Inherited extends Refunds { @tool() other(): void {} }
export class Own extends Refunds { constructor(@inject(Rates) rates: Rates) { super(rates, undefined as never); } }
export class Rushed extends Refunds {
  @inject(Rates) declare audit: never;
  @tool() override refund(id: string, @inject(Rates) rates: never): void {}
}
@agent({}) export class Clerk { constructor(ledger: Books, rates: Rates, @inject('x') other: Books) {} }
export class Store { @inject(Foreign) foreign!: Foreign }
export class Plain { @tool() run(): void {} }
export class Unknown { constructor(ledger: Books) {} }
`;

describe('the abstract classes that a class asks for', () => {
  const { classes } = deriveSource(SOURCE, {
    'src/contracts.ts': CONTRACTS,
    'node_modules/contracts/package.json': '{ "name": "contracts", "types": "index.d.ts" }',
    'node_modules/contracts/index.d.ts': 'export declare abstract class Foreign { go(): void }',
  });
  const placesOf = (name: string): string[] =>
    Object.entries(classes[name]?.services ?? {}).flatMap(([place, kind]) =>
      kind === 'abstract' ? [place] : [],
    );

  it('are named by constructor parameter, property and parameter of a method', () => {
    expect(placesOf('Refunds')).toEqual(['constructor(1)', 'audit', 'late', 'refund(1)']);
  });

  it('are those of its bases too, unless it says otherwise', () => {
    expect(placesOf('Inherited')).toEqual(['constructor(1)', 'audit', 'late', 'refund(1)']);
    expect(placesOf('Own')).toEqual(['audit', 'late', 'refund(1)']);
    expect(placesOf('Rushed')).toEqual(['constructor(1)', 'late']);
  });

  it('are told by the types of parameters without a decorator', () => {
    expect(placesOf('Clerk')).toEqual(['constructor(0)']);
  });

  it('are known from declarations of packages, also of a class without tools', () => {
    expect(classes['Store']).toEqual({ name: 'Store', services: { foreign: 'abstract' }, tools: {} });
  });

  it('are told from those that can be made', () => {
    expect(classes['Refunds']?.services).toMatchObject({ rates: 'concrete', 'constructor(0)': 'concrete' });
    expect(classes['Clerk']?.services).toEqual({
      'constructor(0)': 'abstract',
      'constructor(1)': 'concrete',
    });
  });

  it('are left out where there are none', () => {
    expect(classes['Plain']).not.toHaveProperty('services');
    expect(classes).not.toHaveProperty('Unknown');
  });
});

it('a class with tools keeps its record beside one of its name that only asks for services, and says nothing of these', () => {
  const { classes, faults } = deriveSource(`
    import { inject, tool } from 'adorn';
    class Rates { rate = 1 }
    { class Orders { constructor(@inject(Rates) rates: Rates) {} @tool() send(): void {} } }
    { class Orders { constructor(@inject('x') x: unknown) {} } }
  `);

  expect(Object.keys(classes['Orders']?.tools ?? {})).toEqual(['send']);
  expect(classes['Orders']).not.toHaveProperty('services');
  expect(faults).toEqual({});
});
