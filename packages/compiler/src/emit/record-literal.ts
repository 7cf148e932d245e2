import type { DerivedClass, DerivedTool } from '@adorn/core/compiler';

/** By method, and then by the name of the class, the expression that names a parameter's class. */
export type ClassReferences = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A static block that leaves the record on the class whose last member it becomes. It imports nothing. */
export function recordMember(
  record: DerivedClass,
  classes: ClassReferences,
  functions: readonly string[] = [],
): string {
  const value = recordLiteral(record, classes, functions);
  const definition = `Object.defineProperty(this, Symbol.for("adorn:derived"), { value: ${value}, configurable: true });`;
  return `; static { ${definition} } `;
}

/** @param functions the literals of those among an agent's tools */
export function recordLiteral(
  { tools, ...words }: DerivedClass,
  classes: ClassReferences,
  functions: readonly string[],
): string {
  const said = Object.entries(words).map(([name, value]) => `${name}: ${literal(value)}, `);
  const members = Object.entries(tools).map(
    ([method, tool]) => `${key(method)}: ${toolLiteral(tool, classes[method])}`,
  );
  const listed = functions.length === 0 ? '' : `, functions: [${functions.join(', ')}]`;
  return `{ ${said.join('')}tools: { ${members.join(', ')} }${listed} }`;
}

/** The record of a function, with its name and what leads to the function itself, where they are known. */
export function functionLiteral(
  name: string | undefined,
  expression: string | undefined,
  tool: DerivedTool,
  classes: Readonly<Record<string, string>>,
): string {
  const naming = name === undefined ? '' : `name: ${literal(name)}, `;
  const getter = expression === undefined ? '' : `get function() { return ${expression}; }, `;
  return `{ ${naming}${getter}${toolLiteral(tool, classes).slice('{'.length)}`;
}

/** Classes are reached through getters, since in a circle of modules they may not be there yet. */
function toolLiteral(tool: DerivedTool, classes: Readonly<Record<string, string>> = {}): string {
  const getters = Object.entries(classes).map(
    ([name, expression]) => `get ${key(name)}() { return ${expression}; }`,
  );
  const written = literal(tool);
  return getters.length === 0 ? written : `${written.slice(0, -1)},"classes":{ ${getters.join(', ')} }}`;
}

/** JSON as a JavaScript expression, in which a key `__proto__` has to be computed to be a key. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:');
}

function key(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
}
