const TOOLS_PER_CLASS = 10;

/** Signatures as people write them: scalars, choices, nested objects, lists, defaults, unions. */
const SIGNATURES: readonly string[] = [
  'city: string, days: number, context: ToolContext',
  "order: Order, speed: 'slow' | 'fast' = 'slow'",
  'ids: string[], limit?: number',
  'address: Address, since: Date, signal: AbortSignal',
  'filter: { readonly status?: Status; readonly tags: readonly string[] }',
  'amounts: Record<string, number>, currency: Currency',
  'page: number, size = 20, sort?: keyof Address',
  'item: Item, quantities: readonly [number, number]',
  'shape: Circle | Square',
  'patch: Partial<Address>, dry = false',
];

const TYPES = `export enum Currency { Euro = 'EUR', Dollar = 'USD' }
export type Status = 'open' | 'paid' | 'cancelled';
export interface Address {
  /** Street and number. */
  street: string;
  /** @pattern ^[0-9]{5}$ */
  zip: string;
  city: string;
  country?: string;
}
export interface Item {
  /** What is sold. */
  sku: string;
  /** @minimum 1 */
  count: number;
  parts?: Item[];
}
export interface Order {
  id: string;
  status: Status;
  to: Address;
  items: Item[];
  placedAt: Date;
}
export interface Circle { kind: 'circle'; radius: number }
export interface Square { kind: 'square'; side: number }
`;

/** The sources of a project with so many tools, by path; ten tools are a class, a class is a file. */
export function toolSources(tools: number): ReadonlyMap<string, string> {
  const classes = Array.from({ length: Math.ceil(tools / TOOLS_PER_CLASS) }, (_, index) => index);
  const sources = classes.map((index): [string, string] => [
    `tools${String(index)}.ts`,
    classSource(index, Math.min(TOOLS_PER_CLASS, tools - index * TOOLS_PER_CLASS)),
  ]);
  return new Map([['types.ts', TYPES], ...sources, ['root.ts', rootSource(classes)]]);
}

function classSource(index: number, tools: number): string {
  const methods = SIGNATURES.slice(0, tools).map(
    (signature, place) => `
  /**
   * Does what tool ${String(place)} of service ${String(index)} does.
   * It says more than its name.
   */
  @tool
  doThing${String(index)}n${String(place)}(${signature}): string {
    return '${String(place)}';
  }
`,
  );
  return `import { tool, ToolContext } from 'adorn';

import { type Address, type Circle, Currency, type Item, type Order, type Square, type Status } from './types.js';

export class Tools${String(index)} {${methods.join('')}}
`;
}

function rootSource(classes: readonly number[]): string {
  const imports = classes.map(
    (index) => `import { Tools${String(index)} } from './tools${String(index)}.js';`,
  );
  const names = classes.map((index) => `Tools${String(index)}`);
  return `import { agent, LlmAgent, Model } from 'adorn';

${imports.join('\n')}

/** Is never asked. */
class Silent extends Model {
  readonly name = 'silent';
  async *generate(): AsyncGenerator<never, void, undefined> {}
}

/** Has every tool. */
@agent({ model: new Silent(), tools: [${names.join(', ')}] })
export class Root extends LlmAgent {}
`;
}
