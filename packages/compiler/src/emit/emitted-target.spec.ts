import { readFileSync } from 'node:fs';

import { compileAll, esbuild, runScript, tsc } from '../fixtures/compilers.js';
import { TemporaryProject } from '../fixtures/temporary-project.js';
import { ts } from '../typescript.js';
import { buildSchemas } from './build-schemas.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const ADDRESS = `export class Address { street!: string }
export default class Town { name!: string }`;

const ORDERS = `
import { agent, tool } from 'adorn';
import * as places from './address.js';
import Town, { Address as Place } from './address.js';

@agent()
export class Orders {
  static made = 0;
  static first = Orders.made;
  count = 1
  @tool() async send(to: Place, town: Town, parent: Orders, other = 1): Promise<void> { await other; }
  @tool() move(to: places.Address): void {} }

export default class { @tool() last(): void {} }
export class Word { @tool() say(word: string): void {} }

export function make() {
  class Orders { count = 1; @tool() async send(again: Orders): Promise<void> {} @tool() move(): void {} }
  return Orders;
}
export const Held = class extends Word { override say(word: 'held'): void {} };
export const mix = (Base: typeof Word) => class extends Base { override say(word: 'mixed'): void {} };
export namespace Shop {
  export class Shelf { count = 1; @tool() put(on: Shelf): void {} }
}
`;

const RUN = `
import module from './orders.js';
import * as named from './orders.js';
import * as address from './address.js';
const { make, mix, Held, Orders, Shop, Word } = { ...named, ...module };
const Last = module.default ?? module;
const Nested = make();
const known = { Orders, Nested, Shelf: Shop.Shelf, Address: address.Address, Town: address.default.default ?? address.default };
const nameOf = (one) => Object.keys(known).find((name) => known[name] === one);
const reached = (classes = {}) => Object.keys(classes).map((name) => nameOf(classes[name]));
console.log(JSON.stringify([Orders, Last, Nested, Held, mix(Word), Shop.Shelf].map((one) => {
  const record = Object.getOwnPropertyDescriptor(one, Symbol.for('adorn:derived'))?.value ?? { tools: {} };
  const tools = Object.entries(record.tools).map(([name, { classes, parametersJsonSchema }]) =>
    [name, ...reached(classes), ...Object.values(parametersJsonSchema.properties).flatMap((one) => one.const ?? one.enum ?? [])].join(' '));
  return [record.name ?? '', ...tools].join(', ');
})));
`;

const IMPORTED = 'Orders, send Address Town Orders, move Address';

describe('a record in emitted code', () => {
  let project: TemporaryProject;
  beforeEach(() => {
    project = new TemporaryProject();
  });
  afterEach(() => {
    project.remove();
  });

  it.each<[compiler: string, type: string, compile: (text: string) => string, orders: string]>([
    ['tsc', 'module', tsc({}), IMPORTED],
    ['tsc', 'commonjs', tsc({ module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2016 }), IMPORTED],
    ['esbuild', 'module', esbuild({}), 'Orders, send Orders, move'],
    [
      'esbuild',
      'commonjs',
      esbuild({ format: 'cjs', keepNames: true, target: 'es2016' }),
      'Orders, send Orders, move',
    ],
  ])(
    'is on the class it was derived from, after %s to a %s',
    async (_compiler, type, compile, orders) => {
      project.write('package.json', JSON.stringify({ name: 'project', type }));
      project.write('src/address.ts', ADDRESS);
      project.write('src/orders.ts', ORDERS);
      compileAll(project, compile);

      await buildSchemas({ project: project.root });

      expect(runScript(project, RUN)).toEqual([
        orders,
        'default, last',
        'Orders, send Nested, move',
        'Held, say held',
        ', say mixed',
        'Shelf, put Shelf',
      ]);
    },
    SLOW,
  );

  it(
    'names a class only where its name leads to it as a value',
    async () => {
      project.write('src/address.ts', ADDRESS);
      project.write(
        'src/orders.ts',
        `import { tool } from 'adorn';
import { Address } from './address.js';
import * as other from './other.js';
export const kept = [Address, other];
export class Two { @tool() one(to: Address): void {} @tool() both(to: Address, from: other.Address): void {} }
export function shadowed(Address: string) {
  class Shadowed { text = Address; @tool() one(to: Address): void {} }
  return Shadowed;
}`,
      );
      project.write('src/other.ts', 'export class Address { lane!: string }');
      compileAll(project, tsc({}));

      await buildSchemas({ project: project.root });

      const text = readFileSync(project.path('build/orders.js'), 'utf8');
      expect(text.match(/get "Address\w*"\(\) [^}]*\}/g)).toEqual([
        'get "Address"() { return Address; }',
        'get "Address"() { return Address; }',
        'get "Address_2"() { return other.Address; }',
      ]);
    },
    SLOW,
  );

  it(
    'names a class inside another one where its file has it, under whatever name',
    async () => {
      project.write(
        'src/parcel.ts',
        `export class Line { sku!: string }
export class Stamp { cents!: number }
export class Lost { id!: string }
export class Parcel { line!: Line; stamps!: Stamp[]; lost?: Lost; }`,
      );
      project.write(
        'src/orders.ts',
        `import { tool } from 'adorn';
import { Line as Row, Parcel, Stamp } from './parcel.js';
import type { Lost } from './parcel.js';
export const kept: [typeof Row, Lost?] = [Row];
export class Orders { @tool() send(parcel: Parcel): void {} }`,
      );
      compileAll(project, tsc({}));

      await buildSchemas({ project: project.root });

      const text = readFileSync(project.path('build/orders.js'), 'utf8');
      expect(text.match(/get "\w+"\(\) [^}]*\}/g)).toEqual([
        'get "Parcel"() { return Parcel; }',
        'get "Line"() { return Row; }',
      ]);
    },
    SLOW,
  );

  it(
    'is not written where two classes could be taken for each other',
    async () => {
      const open = "extends Box { override open(at: 'WHERE'): void {} }";
      project.write(
        'src/orders.ts',
        `import { tool } from 'adorn';
export class Box { @tool() open(at: string): void {} }
export class Holder {
  static readonly first = class ${open};
  second() { return class ${open}; }
}`,
      );
      compileAll(project, tsc({ target: ts.ScriptTarget.ES2016 }));

      await expect(buildSchemas({ project: project.root })).rejects.toMatchObject({
        code: 'DERIVATION_FAILED',
        faults: [{}, {}],
        message: expect.stringContaining(
          `${project.path('build/orders.js')} has no class that certainly matches (anonymous) of ` +
            `${project.path('src/orders.ts')}:4. Run tsc first, with ES2015 or later as its target, and give ` +
            'classes with equal methods names of their own.',
        ) as unknown,
      });
    },
    SLOW,
  );

  it.each([
    ['a parameter more', '(id: string)', '(id: string, cents: number)'],
    ['a parameter less', '(id: string, cents: number)', '(id: string)'],
    ['another order', '(id: string, cents: number)', '(cents: number, id: string)'],
  ])(
    'is not written where the source has got %s since it was compiled',
    async (_change, before, after) => {
      const source = (parameters: string): string =>
        `import { tool } from 'adorn';\nexport class Orders { @tool() refund${parameters}: void {} }`;
      project.write('src/orders.ts', source(before));
      compileAll(project, tsc({ noEmitHelpers: true }));
      project.write('src/orders.ts', source(after));

      const names = (parameters: string): string => parameters.replaceAll(/: \w+/g, '');
      await expect(buildSchemas({ project: project.root })).rejects.toMatchObject({
        code: 'DERIVATION_FAILED',
        message:
          `Orders.refund takes ${names(after)} at ${project.path('src/orders.ts')}:2, ` +
          `but ${names(before)} at ${project.path('build/orders.js')}:3. Run tsc again.`,
      });
    },
    SLOW,
  );
});

/** Every source by itself, as compilers do that do not look at types. */
