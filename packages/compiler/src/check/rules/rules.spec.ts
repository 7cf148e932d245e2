import { DIALECTS } from '@adorn/core/dialects';

import { TemporaryProject } from '../../fixtures/temporary-project.js';
import type { CheckReport, Diagnostic } from '../check-report.js';
import { checkProject } from '../check-project.js';
import { RULES } from './rules.js';

/** A source that a rule finds something in, at which line and what, and one like it that it passes over. */
interface Case {
  readonly rule: string;
  readonly what?: string;
  readonly has: string;
  readonly line: number;
  readonly message: string;
  readonly hasNot: string;
}

const IMPORTS = "import { agent, defineTool, tool, toolbox, type ToolContext } from 'adorn';\n";

/** A tool with these options. */
function wiping(options = ''): string {
  return `class Orders {
  /** Wipe an order. @param id Its id. */
  @tool(${options}) wipeOrder(id: string): string { return id; }
}`;
}

const CASES: readonly Case[] = [
  ...[
    ["{ effect: 'destructive' }", "{ effect: 'destructive', approvers: 'requester' }", 'destructive'],
    [
      "{ effect: 'destructive', confirm: 'Wipe?' }",
      "{ effect: 'destructive', confirm: false }",
      'destructive',
    ],
    ['{ sensitive: true }', "{ sensitive: true, approvers: { role: 'manager' } }", 'sensitive'],
    ["{ effect: 'write', sensitive: true }", "{ effect: 'write', confirm: true }", 'sensitive'],
    ["{ effect: 'destructive' }", "{ effect: 'destructive', approvers: () => 'others' }", 'destructive'],
  ].map(([has, hasNot, kind], index) => ({
    rule: 'no-approvers',
    what: `${String(kind)} ${String(index)}`,
    has: wiping(has),
    line: 4,
    message: `Orders.wipeOrder is ${String(kind)}, and does not say who may approve its calls`,
    hasNot: wiping(hasNot),
  })),
  ...[
    [
      'count: 0 in approvers',
      "approvers: { role: 'lead', count: 0 }",
      "approvers: { role: 'lead', count: 2 }",
    ],
    ['once of a tool that is longRunning', 'once: (id) => id, longRunning: true', 'once: (id) => id'],
    ['retry of a write', "retry: 2, effect: 'write'", "retry: 2, effect: 'read'"],
    ['retry of an effect known at run time', "retry: 2, effect: 'write'", 'retry: 2, effect: someEffect()'],
    ['a misspelt option', 'confrim: true', 'confirm: true'],
    ['a misspelt option of unknown value', 'confrim: ask()', 'confirm: ask()'],
    ['a value in a spread constant', "...{ timeout: -1 }, effect: 'read'", '...{ timeout: -1 }, timeout: 5'],
  ].map(([what, has, hasNot]) => ({
    rule: 'invalid-option',
    what: String(what),
    has: wiping(`{ ${String(has)} }`),
    line: 4,
    message: 'The tool "wipe_order": ',
    hasNot: wiping(`{ ${String(hasNot)} }`),
  })),
  {
    rule: 'invalid-option',
    what: 'of a method that is inherited from an abstract class',
    has: `abstract class Base {
  /** Wipe. */
  @tool({ retry: 2 }) wipe(): void {}
}
class Orders extends Base {
  /** Find orders. */
  @tool findOrders(): void {}
}`,
    line: 4,
    message: 'The tool "wipe": retry is set',
    hasNot: `abstract class Base {
  /** Wipe. */
  @tool({ retry: 2 }) wipe(): void {}
}
class Orders extends Base {
  @tool({ effect: 'read' }) override wipe(): void {}
}`,
  },
  {
    rule: 'invalid-option',
    what: 'of defineTool and a function',
    has: `function findOrder(id: string): string { return id; }
const find = defineTool(findOrder, { timeout: '5' });`,
    line: 3,
    message: 'The tool "find_order": timeout is "5". Pass a number',
    hasNot: `function findOrder(id: string): string { return id; }
const find = defineTool(findOrder, { timeout: 5 });`,
  },
  ...[
    ["approvers: { role: 'lead' }, confirm: false", "approvers: { role: 'lead' }"],
    ['approvers: () => lead, confirm: false', "approvers: 'requester', confirm: false"],
    ["approvers: 'others', confirm: false", "approvers: 'others', confirm: false, sensitive: true"],
    ["approvers: 'others', confirm: false", "approvers: 'others', confirm: false, once: (id) => id"],
  ].map(([has, hasNot], index) => ({
    rule: 'unasked-approvers',
    what: String(index),
    has: wiping(`{ ${String(has)} }`),
    line: 4,
    message:
      'Orders.wipeOrder says by approvers who approves its calls, and by confirm: false that nobody is',
    hasNot: wiping(`{ ${String(hasNot)} }`),
  })),
  {
    rule: 'unasked-approvers',
    what: 'where the tool does not ask itself',
    has: wiping("{ approvers: 'others', confirm: false }"),
    line: 4,
    message: 'Orders.wipeOrder says by approvers who approves its calls',
    hasNot: `class Orders {
  /** Wipe an order. @param id Its id. */
  @tool({ approvers: 'others', confirm: false }) wipeOrder(id: string, context: ToolContext): string {
    context.requestConfirmation('Really?');
    return id;
  }
}`,
  },
  {
    rule: 'unknown-option',
    has: wiping('{ timeout: limit(), ...rest }'),
    line: 4,
    message:
      'Orders.wipeOrder has options whose values are known only at run time, and are not checked: timeout',
    hasNot: wiping('{ timeout: 5 * 60, description: text(), confirm: () => true, parameters: schema() }'),
  },
  {
    rule: 'not-derivable',
    has: `class Orders {
  /** Find an order. */
  @tool find(
    /** Its filter. */
    filter: (order: string) => boolean,
  ): void {}
}`,
    line: 6,
    message: 'Parameter "filter" of Orders.find has the type "(order: string) => boolean"',
    hasNot: `class Orders {
  /** Find an order. */
  @tool find(
    /** Its filter. */
    filter: string,
  ): void {}
}`,
  },
  {
    rule: 'not-derivable',
    what: 'on a static method',
    has: `class Orders {
  /** Find orders. */
  @tool static findOrders(): void {}
}`,
    line: 4,
    message: '@tool decorates Orders.findOrders, which is static',
    hasNot: `class Orders {
  /** Find orders. */
  @tool findOrders(): void {}
}`,
  },
  {
    rule: 'not-derivable',
    what: 'where two classes have one name',
    has: `class Orders {
  /** Find orders. */
  @tool findOrders(): void {}
}
function inner(): unknown {
  class Orders {
    /** Count orders. */
    @tool countOrders(): void {}
  }
  return Orders;
}`,
    line: 7,
    message: 'Two classes are named Orders (',
    hasNot: `class Orders {
  /** Find orders. */
  @tool findOrders(): void {}
}`,
  },
  {
    rule: 'not-derivable',
    what: 'of a result that JSON cannot hold',
    has: `class Orders {
  /** Count orders by city. */
  @tool countOrders(): Map<string, number> { return new Map(); }
}`,
    line: 4,
    message: 'The result of Orders.countOrders has the type "Map<string, number>"',
    hasNot: `class Orders {
  /** Count orders by city. */
  @tool countOrders(): Record<string, number> { return {}; }
}`,
  },
  {
    rule: 'merged-overloads',
    has: `class Orders {
  findOrder(id: string): string;
  findOrder(year: number, index: number): string;
  @tool findOrder(id: string | number, index?: number): string { return String(id) + String(index); }
}`,
    line: 5,
    message:
      'Orders.findOrder has 2 overloads, and the model is told only the signature of the implementation.',
    hasNot: `class Orders {
  findOrder(id: string): string { return id; }
  @tool findOrders(id: string | number, index?: number): string { return String(id) + String(index); }
}`,
  },
  {
    rule: 'merged-overloads',
    what: 'of a function',
    has: `/** Find an order. */
function findOrder(id: string): string;
function findOrder(id: string | number): string { return String(id); }
defineTool(findOrder);`,
    line: 4,
    message: 'findOrder has an overload, and the model',
    hasNot: `/** Find an order. */
function findOrder(id: string | number): string { return String(id); }
defineTool(findOrder);`,
  },
  {
    rule: 'unknown-param',
    has: `class Orders {
  /** Find an order. @param number Its number. */
  @tool findOrder(id: string): string { return id; }
}`,
    line: 4,
    message: 'The doc comment of Orders.findOrder describes a parameter "number", and there is none.',
    hasNot: `class Orders {
  /** Find an order. @param id Its number. @param context What is at hand. @param id.length No. */
  @tool findOrder(id: string, context: ToolContext): string { return id; }
}`,
  },
  {
    rule: 'unknown-param',
    what: 'of an object that is taken apart',
    has: `class Orders {
  /** Find an order. @param order.number Its number. */
  @tool findOrder({ id }: { id: string }): string { return id; }
}`,
    line: 4,
    message: 'describes a parameter "order.number", and there is none.',
    hasNot: `class Orders {
  /** Find an order. @param order What is known. @param order.id Its number. @param city Where. */
  @tool findOrder({ id, city }: { id: string; city: string }): string { return id + city; }
}`,
  },
  {
    rule: 'unread-comment',
    has: `class Orders {
  /* Find an order. */
  @tool findOrder(id: string): string { return id; }
}`,
    line: 4,
    message: 'The comment before Orders.findOrder begins with "/*"',
    hasNot: `class Orders {
  /* All about orders. */

  @tool findOrder(id: string): string { return id; }
  // Not told.
  @tool findOrders(id: string): string { return id; }
  /* Not told. */
  /** Count orders. */
  @tool countOrders(): number { return 1; }
}`,
  },
  {
    rule: 'unread-comment',
    what: 'of two',
    has: `class Orders {
  /** Find an order. */
  @tool
  /** By its number. */
  findOrder(id: string): string { return id; }
}`,
    line: 4,
    message: 'Orders.findOrder has 2 doc comments, and only one of them is read.',
    hasNot: `class Orders {
  /** All about orders. */

  @tool
  /** By its number. */
  findOrder(id: string): string { return id; }
}`,
  },
  {
    rule: 'illegal-name',
    has: `class Orders {
  /** Find orders. */
  @tool({ name: 'find orders' }) findOrders(): void {}
}`,
    line: 4,
    message: 'The tool name "find orders" of Orders.findOrders is not valid.',
    hasNot: `class Orders {
  /** Find orders. */
  @tool({ name: 'find.orders' }) findOrders(): void {}
}`,
  },
  {
    rule: 'name-taken',
    has: `class Orders {
  /** Find orders. */
  @tool findOrders(): void {}
  /** Find orders. */
  @tool({ name: 'find_orders' }) search(): void {}
}`,
    line: 6,
    message: 'Two tools are called "find_orders": Orders.findOrders (',
    hasNot: `class Orders {
  /** Find orders. */
  @tool findOrders(): void {}
}
class Quick extends Orders {
  /** Find orders quickly. */
  override findOrders(): void {}
}`,
  },
  {
    rule: 'name-taken',
    what: 'by tools of one agent',
    has: `class Orders {
  /** Find orders. */
  @tool findOrders(): void {}
}
class Archive {
  /** Find old orders. */
  @tool findOrders(): void {}
}
const TOOLS = [Archive];
@agent({ tools: [Orders, ...TOOLS] })
class Support {}`,
    line: 11,
    message: 'Agent Support has two tools called "find_orders": Orders.findOrders (',
    hasNot: `class Orders {
  /** Find orders. */
  @tool findOrders(): void {}
}
@toolbox({ prefix: 'old' })
class Archive {
  /** Find old orders. */
  @tool findOrders(): void {}
}
@agent({ tools: [Orders, Archive, Archive] })
class Support {}
@agent({ tools: [Orders] })
class Sales extends Support {}`,
  },
  {
    rule: 'name-taken',
    what: 'by functions of one agent',
    has: `/** Find orders. */
function findOrders(): void {}
/** Find old orders. */
const findOld = defineTool(() => 1, { name: 'find_orders' });
@agent({ tools: [findOrders, findOld] })
class Support {}`,
    line: 6,
    message: 'Agent Support has two tools called "find_orders": findOrders (',
    hasNot: `/** Find orders. */
function findOrders(): void {}
@agent({ tools: [findOrders] })
class Support {}
@agent({ tools: [findOrders] })
class Sales {}`,
  },
  {
    rule: 'undocumented-tool',
    has: `class Orders {
  @tool findOrders(): void {}
}`,
    line: 3,
    message: 'Orders.findOrders has no description.',
    hasNot: `class Orders {
  /** Find orders. */
  @tool findOrders(): void {}
  @tool({ description: 'Count orders.' }) countOrders(): void {}
}
class Quick extends Orders {
  override findOrders(): void {}
}`,
  },
  {
    rule: 'undocumented-parameter',
    has: `class Orders {
  /** Find an order. */
  @tool findOrder(
    id: string,
  ): void {}
}`,
    line: 5,
    message: 'Parameter "id" of Orders.findOrder has no description.',
    hasNot: `/** An order's number. */
type Id = string;
/** An address. */
interface Address { street: string }
class Orders {
  /** Find an order. @param id Its number. */
  @tool findOrder(id: string, like: Id, all: Id[], to: Address, @param('The day.') day?: string): void {}
  /** Find orders. @param limit How many. */
  @tool findOrders({ limit }: { limit: number }): void {}
}
declare function param(text: string): any;`,
  },
  {
    rule: 'undocumented-parameter',
    what: 'of a function',
    has: `export const tools = [defineTool(findOrder)];
/** Find an order. */
function findOrder(
  id: string,
): void {}`,
    line: 5,
    message: 'Parameter "id" of findOrder has no description.',
    hasNot: `/** Find an order. @param id Its number. */
export const findOrder = defineTool({
  name: 'find_order',
  run: ({ id }: { /** Its number. */ id: string }) => id,
});`,
  },
  {
    rule: 'untyped-parameter',
    has: `class Orders {
  /** Find an order. */
  @tool findOrder(
    /** Which. */
    which: unknown,
  ): void {}
}`,
    line: 6,
    message: 'Parameter "which" of Orders.findOrder may be anything.',
    hasNot: `class Orders {
  /** Find an order. */
  @tool findOrder(
    /** Which. */
    which: string | null,
  ): void {}
}`,
  },
  {
    rule: 'generic-name',
    has: `class Orders {
  /** Find orders. */
  @tool handleData(): void {}
}`,
    line: 4,
    message: 'Orders.handleData is called "handle_data", which does not say what it does.',
    hasNot: `class Orders {
  /** Find orders. */
  @tool processRefund(): void {}
  /** Roll a die. */
  @tool roll(): void {}
  /** Run the tests. */
  @tool runTest(): void {}
  /** Find orders. */
  @tool({ name: 'find_orders' }) run(): void {}
}`,
  },
  {
    rule: 'too-many-parameters',
    has: `class Orders {
  /** Find orders. */
  @tool findOrders(${parameters(9)}): void {}
}`,
    line: 4,
    message: 'Orders.findOrders has 9 parameters; more than 8 are filled in wrongly.',
    hasNot: `class Orders {
  /** Find orders. */
  @tool findOrders(${parameters(8)}, context: ToolContext): void {}
}`,
  },
  ...[
    ["instruction: 'You help {user:name}. ' + RULES", "instruction: RULES + 'You help {user:name}.'"],
    [
      'instruction: `You help {user:name}. ${RULES}`',
      "staticInstruction: RULES, instruction: 'You help {user:name}.'",
    ],
    [
      "instruction: 'You help {user:name}. ' + RULES",
      "staticInstruction: '-', instruction: 'You help {user:name}. ' + RULES",
    ],
  ].map(([has, hasNot], index) => ({
    rule: 'early-placeholder',
    what: String(index),
    has: `const RULES = '${'Be kind. '.repeat(50)}';\n@agent({\n  ${String(has)},\n})\nclass Support {}`,
    line: 4,
    message: 'The instruction of agent Support has a placeholder before 452 characters that never change',
    hasNot: `const RULES = '${'Be kind. '.repeat(50)}';\n@agent({\n  ${String(hasNot)},\n})\nclass Support {}`,
  })),
  {
    rule: 'dynamic-instruction',
    has: '@agent({\n  instruction: () => `It is ${new Date().toISOString()}.`,\n})\nclass Support {}',
    line: 3,
    message: 'The instruction of agent Support is a function',
    hasNot:
      "@agent({\n  staticInstruction: 'Be kind.', instruction: () => `It is ${new Date().toISOString()}.`,\n})\nclass Support {}",
  },
  {
    rule: 'too-many-tools',
    has: `class Orders {
${tools(11, 'a')}
}
class Parcels {
${tools(10, 'b')}
}
@agent({ tools: [Orders, Parcels] })
class Support {}`,
    line: 27,
    message: 'Agent Support has 21 tools; among more than 20 models choose badly.',
    hasNot: `class Orders {
${tools(20, 'a')}
}
@agent({ tools: [Orders] })
class Support {}`,
  },
  {
    rule: 'too-many-tools',
    what: 'without those of boxes that unfold',
    has: `@toolbox({ unfold: false })
class Orders {
${tools(21, 'a')}
}
@agent({ tools: [Orders] })
class Support {}`,
    line: 26,
    message: 'Agent Support has 21 tools; among more than 20 models choose badly.',
    hasNot: `@toolbox({ unfold: true })
class Orders {
${tools(21, 'a')}
}
class Archive extends Orders {}
@agent({ tools: [Archive] })
class Support {}`,
  },
  {
    rule: 'too-many-tools',
    what: 'without those that are searched, unless they are also listed',
    has: `import { searchable } from '@adorn/tool-search';
class Orders {
${tools(21, 'a')}
}
@agent({ tools: [Orders, searchable([Orders])] })
class Support {}`,
    line: 26,
    message: 'Agent Support has 21 tools; among more than 20 models choose badly.',
    hasNot: `import { searchable } from '@adorn/tool-search';
class Orders {
${tools(21, 'a')}
}
class Archive {
${tools(20, 'b')}
}
@agent({ tools: [Archive, searchable(Orders)] })
class Support {}
const SOURCES = [Orders];
@agent({ tools: [searchable(SOURCES)] })
class Sales {}`,
  },
  {
    rule: 'long-description',
    has: `class Orders {
  /** ${'Find an order. '.repeat(80)} */
  @tool findOrders(): void {}
}`,
    line: 4,
    message: 'The description of Orders.findOrders has 1199 characters, and OpenAI takes 1024.',
    hasNot: `class Orders {
  /**
   * Find an order.
   * @privateRemarks ${'It looks here. '.repeat(80)}
   */
  @tool findOrders(): void {}
}`,
  },
  {
    rule: 'long-enum',
    has: `class Orders {
  /** Find an order. */
  @tool findOrders(
    /** Of which kinds. */
    kinds: { kind: ${literals(101)} }[],
  ): void {}
}`,
    line: 6,
    message:
      'Parameter "kinds" of Orders.findOrders has 101 values to choose from; all are sent in every request.',
    hasNot: `class Orders {
  /** Find an order. */
  @tool findOrders(
    /** Of which kinds. */
    kinds: { kind: ${literals(100)} }[],
  ): void {}
}`,
  },
  {
    rule: 'deep-nesting',
    has: `class Orders {
  /** Find an order. */
  @tool findOrders(
    /** Where. */
    where: { a: { b: { c: { d: { e: string } } } } },
  ): void {}
}`,
    line: 6,
    message: 'Parameter "where" of Orders.findOrders nests objects 6 deep, the arguments counted.',
    hasNot: `interface Tree { a: { b: { next?: Tree } } }
class Orders {
  /** Find an order. */
  @tool findOrders(
    /** Where. */
    where: { a: { b: { c: { d: string }[] } } },
    /** A tree. */
    tree: Tree,
  ): void {}
}`,
  },
  {
    rule: 'large-declaration',
    has: `class Orders {
  /** Find an order. @param id ${'Its number, as printed on the receipt. '.repeat(120)} */
  @tool findOrders(id: string): void {}
}`,
    line: 4,
    message: 'The declaration of Orders.findOrders takes some 1084 tokens in every request.',
    hasNot: `class Orders {
  /** Find an order. @param id ${'Its number, as printed on the receipt. '.repeat(100)} */
  @tool findOrders(id: string): void {}
}`,
  },
  {
    rule: 'dialect-undeclarable',
    has: `class Orders {
  /** Find an order. */
  @tool findOrders(
    /** What. */
    labels: Record<string, string>,
  ): void {}
}`,
    line: 6,
    message:
      'OpenAI\'s strict mode cannot express additionalProperties {"type":"string"} of "labels", so Orders.findOrders is declared as plain JSON Schema.',
    hasNot: `class Orders {
  /** Find an order. */
  @tool findOrders(
    /** What. */
    labels: { name: string; value: string }[],
  ): void {}
}`,
  },
  {
    rule: 'dialect-unsaid',
    has: `interface Node { name: string; next: Node | null }
class Orders {
  /** Find an order. */
  @tool findOrders(
    /** The first. */
    first: Node,
  ): void {}
}`,
    line: 7,
    message:
      'Gemini\'s subset cannot say required ["next"] of "first.next" and required ["next"] of "first": calls are still checked, but the model does not know.',
    hasNot: `interface Node { name: string; next?: Node }
class Orders {
  /** Find an order. */
  @tool findOrders(
    /** The first. */
    first: Node,
  ): void {}
}`,
  },
  {
    rule: 'dialect-words',
    has: `class Orders {
  /** Find an order. */
  @tool findOrders(
    /** The number. @pattern ^W @minLength 2 */
    id: string,
  ): void {}
}`,
    line: 6,
    message:
      'Gemini\'s subset has no keyword for pattern "^W" and minLength 2 of "id": the description says them, and calls are still checked.',
    hasNot: `class Orders {
  /** Find an order. */
  @tool findOrders(
    /** The number. */
    id: 'a' | 'b',
  ): void {}
}`,
  },
  {
    rule: 'looser-override',
    what: 'by confirm: false',
    has: `class Base {
  /** Wipe. */
  @tool({ confirm: 'Wipe?' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: false }) override wipe(): void {}
}`,
    line: 7,
    message: 'Derived.wipe no longer asks before a call: it says confirm: false, and Base.wipe (',
    hasNot: `class Base {
  /** Wipe. */
  @tool({ confirm: 'Wipe?' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ timeout: 5 }) override wipe(): void {}
}`,
  },
  {
    rule: 'looser-override',
    what: 'by confirm: false over a destructive base',
    has: `class Base {
  /** Wipe. */
  @tool({ effect: 'destructive' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: false }) override wipe(): void {}
}`,
    line: 7,
    message: 'Derived.wipe no longer asks before a call: it says confirm: false, and Base.wipe (',
    hasNot: `class Base {
  /** Wipe. */
  @tool({ effect: 'destructive' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: () => false }) override wipe(): void {}
}`,
  },
  {
    rule: 'looser-override',
    what: 'by a confirm known only at run time',
    has: `declare const isAsked: boolean; declare const QUESTION: string;
class Base {
  /** Wipe. */
  @tool({ confirm: true }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: isAsked }) override wipe(): void {}
}`,
    line: 8,
    message: 'Derived.wipe no longer asks before a call: it says confirm: isAsked, and Base.wipe (',
    hasNot: `declare const isAsked: boolean; declare const QUESTION: string;
class Base {
  /** Wipe. */
  @tool({ confirm: true }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: QUESTION }) override wipe(): void {}
}`,
  },
  {
    rule: 'looser-override',
    what: 'by auth: undefined',
    has: `const AUTH = { scheme: { type: 'http', scheme: 'bearer' }, key: 'bank' } as const;
class Base {
  /** Wipe. */
  @tool({ auth: AUTH }) wipe(): void {}
}
class Derived extends Base {
  @tool({ auth: undefined }) override wipe(): void {}
}`,
    line: 8,
    message: 'Derived.wipe no longer needs the credential: it says auth: undefined, and Base.wipe (',
    hasNot: `const AUTH = { scheme: { type: 'http', scheme: 'bearer' }, key: 'bank' } as const;
class Base {
  /** Wipe. */
  @tool({ auth: AUTH }) wipe(): void {}
}
class Derived extends Base {
  @tool({ auth: AUTH }) override wipe(): void {}
}`,
  },
  {
    rule: 'looser-override',
    what: 'by another credential',
    has: `const AUTH = { scheme: { type: 'http', scheme: 'bearer' }, key: 'bank' } as const;
class Base {
  /** Wipe. */
  @tool({ auth: AUTH }) wipe(): void {}
}
class Derived extends Base {
  @tool({ auth: { ...AUTH, key: 'shop' } }) override wipe(): void {}
}`,
    line: 8,
    message: "Derived.wipe needs another credential: it says auth: { key: 'shop', … }, and Base.wipe (",
    hasNot: `const AUTH = { scheme: { type: 'http', scheme: 'bearer' }, key: 'bank' } as const;
class Base {
  /** Wipe. */
  @tool({ auth: AUTH }) wipe(): void {}
}
class Derived extends Base {
  @tool({ auth: { ...AUTH } }) override wipe(): void {}
}`,
  },
  {
    rule: 'looser-override',
    what: 'by a lower effect',
    has: `class Base {
  /** Wipe. */
  @tool({ effect: 'write' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ effect: 'read', confirm: false }) override wipe(): void {}
}`,
    line: 7,
    message: "Derived.wipe lowers the effect: it says effect: 'read' and confirm: false, and Base.wipe (",
    hasNot: `class Base {
  /** Wipe. */
  @tool({ effect: 'write' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ effect: 'write', confirm: false }) override wipe(): void {}
}`,
  },
  {
    rule: 'looser-override',
    what: 'by a lower effect that does not count',
    has: `class Base {
  /** Wipe. */
  @tool({ effect: 'destructive' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ effect: 'read' }) override wipe(): void {}
}`,
    line: 7,
    message: 'Derived.wipe keeps the effect "destructive": it says effect: \'read\', and Base.wipe (',
    hasNot: `class Base {
  /** Wipe. */
  @tool({ effect: 'destructive' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ effect: undefined }) override wipe(): void {}
}`,
  },
  {
    rule: 'untrusted-path',
    has: `class Web {
  /** Read a page. */
  @tool({ untrusted: true }) readPage(): void {}
}
class Mail {
  /** Send a mail. */
  @tool({ sensitive: true }) sendMail(): void {}
}
/** Reads. */
@agent({ tools: [Web] })
class Reader {}
/** Helps. */
@agent({ tools: [Mail], subAgents: [Reader] })
class Desk {}`,
    line: 14,
    message: 'Agent Desk: results of read_page (Reader) can lead to calls of send_mail (Desk).',
    hasNot: `class Web {
  /** Read a page. */
  @tool({ untrusted: true }) readPage(): void {}
}
class Mail {
  /** Send a mail. */
  @tool({ sensitive: false }) sendMail(): void {}
}
/** Reads. */
@agent({ tools: [Web] })
class Reader {}
/** Helps. */
@agent({ tools: [Mail], subAgents: [Reader] })
class Desk {}`,
  },
  {
    rule: 'untrusted-path',
    what: 'in one agent that is its own sub-agent by mistake',
    has: `class Web {
  /** Read a page. */
  @tool({ untrusted: true }) readPage(): void {}
  /** Send a mail. */
  @tool({ sensitive: true }) sendMail(): void {}
}
/** Helps. */
@agent({ tools: [Web], subAgents: [Desk] })
class Desk {}`,
    line: 9,
    message: 'Agent Desk: results of read_page (Desk) can lead to calls of send_mail (Desk).',
    hasNot: `class Web {
  /** Read a page. */
  @tool({ untrusted: true }) readPage(): void {}
}
/** Helps. */
@agent({ tools: [Web] })
class Desk {}`,
  },
  {
    rule: 'omitted-function',
    has: `interface Options { limit: number; onDone?: () => void }
class Orders {
  /** Find orders. @param options How. */
  @tool findOrders(options: Options): void {}
}`,
    line: 5,
    message: 'Orders.findOrders is not told Options.onDone, which is a function: no call can have it.',
    hasNot: `interface Options { limit: number; onDone?: string }
class Orders {
  /** Find orders. @param options How. */
  @tool findOrders(options: Options): void {}
}`,
  },
  {
    rule: 'stricter-override',
    what: 'by a question',
    has: `class Base {
  /** Wipe. */
  @tool({ confirm: false }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: 'Wipe?' }) override wipe(): void {}
}`,
    line: 7,
    message: "Derived.wipe asks before every call: it says confirm: 'Wipe?', and Base.wipe (",
    hasNot: `class Base {
  /** Wipe. */
  @tool({ confirm: false }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: undefined }) override wipe(): void {}
}`,
  },
  {
    rule: 'stricter-override',
    what: 'by a predicate',
    has: `class Base {
  /** Wipe. */
  @tool() wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm() { return true; } }) override wipe(): void {}
}`,
    line: 7,
    message:
      'Derived.wipe asks before some calls: it says confirm: confirm() { return true; }, and Base.wipe (',
    hasNot: `class Base {
  /** Wipe. */
  @tool({ confirm: true }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm() { return true; } }) override wipe(): void {}
}`,
  },
  {
    rule: 'stricter-override',
    what: 'by a second predicate',
    has: `class Base {
  /** Wipe. */
  @tool({ confirm: () => true }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: () => false }) override wipe(): void {}
}`,
    line: 7,
    message:
      'Derived.wipe asks before a call if either predicate does: it says confirm: () => false, and Base.wipe (',
    hasNot: `class Base {
  /** Wipe. */
  @tool({ confirm: () => true }) wipe(): void {}
}
class Derived extends Base {
  @tool({ confirm: undefined }) override wipe(): void {}
}`,
  },
  {
    rule: 'stricter-override',
    what: 'by other parameters, which the predicate of the base cannot read',
    has: `class Base {
  /** Wipe. */
  @tool({ confirm: () => true }) wipe(): void {}
}
class Derived extends Base {
  @tool({ parameters: {} }) override wipe(): void {}
}`,
    line: 7,
    message: 'Derived.wipe asks before every call: it says no confirm, and Base.wipe (',
    hasNot: `class Base {
  /** Wipe. */
  @tool({ confirm: () => true }) wipe(): void {}
}
class Derived extends Base {
  @tool({ name: 'wipe_all' }) override wipe(): void {}
}`,
  },
  {
    rule: 'stricter-override',
    what: 'by a credential',
    has: `const AUTH = { scheme: { type: 'http', scheme: 'bearer' }, key: 'bank' } as const;
class Base {
  /** Wipe. */
  @tool() wipe(): void {}
}
class Derived extends Base {
  @tool({ auth: AUTH }) override wipe(): void {}
}`,
    line: 8,
    message: 'Derived.wipe needs a credential: it says auth: AUTH, and Base.wipe (',
    hasNot: `const AUTH = { scheme: { type: 'http', scheme: 'bearer' }, key: 'bank' } as const;
class Base {
  /** Wipe. */
  @tool() wipe(): void {}
}
class Derived extends Base {
  @tool({ auth: undefined }) override wipe(): void {}
}`,
  },
  {
    rule: 'stricter-override',
    what: 'by a higher effect',
    has: `class Base {
  /** Wipe. */
  @tool({ effect: 'read' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ effect: 'write' }) override wipe(): void {}
}`,
    line: 7,
    message: "Derived.wipe raises the effect: it says effect: 'write', and Base.wipe (",
    hasNot: `class Base {
  /** Wipe. */
  @tool({ effect: 'read' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ effect: 'read' }) override wipe(): void {}
}`,
  },
  {
    rule: 'name-taken',
    what: 'by the inherited name of an override',
    has: `class Base {
  /** Wipe. */
  @tool({ name: 'clean' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ timeout: 5 }) override wipe(): void {}
  /** Clean. */
  @tool clean(): void {}
}`,
    line: 9,
    message: 'Two tools are called "clean": Derived.wipe (',
    hasNot: `class Base {
  /** Wipe. */
  @tool({ name: 'clean' }) wipe(): void {}
}
class Derived extends Base {
  @tool({ name: 'wipe' }) override wipe(): void {}
  /** Clean. */
  @tool clean(): void {}
}`,
  },
];

describe('a rule', () => {
  const project = new TemporaryProject();
  let report: CheckReport;

  beforeAll(async () => {
    for (const [index, one] of CASES.entries()) {
      const [has, hasNot, silenced] = filesOf(index);
      project.write(has, IMPORTS + one.has);
      project.write(hasNot, IMPORTS + one.hasNot);
      project.write(silenced, IMPORTS + withIgnore(one));
    }
    report = await checkProject({ project: project.root, dialects: DIALECTS });
  });

  afterAll(() => {
    project.remove();
  });

  it.each(CASES.map((one, index) => [`${one.rule} ${one.what ?? ''}`, index, one] as const))(
    'finds %s',
    (_name, index, { rule, line, message }) => {
      const [has, hasNot, silenced] = filesOf(index).map((file) => project.path(file));

      expect(foundIn(has, rule)[0]).toMatchObject({ line, message: expect.stringContaining(message) });
      expect(foundIn(hasNot, rule)).toEqual([]);
      expect(foundIn(silenced, rule)).toEqual([]);
      expect(foundIn(silenced, 'unused-ignore')).toEqual([]);
    },
  );

  it('is tried here, but for those about silences, whole projects and skills', () => {
    const elsewhere = RULES.filter((rule) => 'ofProject' in rule || 'ofSkills' in rule).map(
      ({ name }) => name,
    );

    expect(new Set([...CASES.map(({ rule }) => rule), ...elsewhere, 'unused-ignore'])).toEqual(
      new Set(RULES.map(({ name }) => name)),
    );
  });

  function foundIn(file: string | undefined, rule: string): readonly Diagnostic[] {
    return report.diagnostics.filter((one) => one.file === file && one.rule === rule);
  }
});

function filesOf(index: number): [has: string, hasNot: string, silenced: string] {
  const name = `src/case-${String(index)}`;
  return [`${name}/has.ts`, `${name}/has-not.ts`, `${name}/silenced.ts`];
}

function withIgnore({ has, line, rule }: Case): string {
  const lines = has.split('\n');
  return [
    ...lines.slice(0, line - 2),
    `// adorn-ignore ${rule}: it has to be so`,
    ...lines.slice(line - 2),
  ].join('\n');
}

function parameters(count: number): string {
  return Array.from({ length: count }, (_, index) => `p${String(index)}: string`).join(', ');
}

function tools(count: number, prefix: string): string {
  return Array.from({ length: count }, (_, index) => `  @tool ${prefix}${String(index)}(): void {}`).join(
    '\n',
  );
}

function literals(count: number): string {
  return Array.from({ length: count }, (_, index) => `'k${String(index)}'`).join(' | ');
}
