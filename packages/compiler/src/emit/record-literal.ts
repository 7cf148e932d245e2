import type { DerivedClass, DerivedTool } from '@adorn/core';

/** By method, and then by the name of the class, the expression that names a parameter's class. */
export type ClassReferences = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A static block that leaves the record on the class whose last member it becomes. It imports nothing. */
export function recordMember(record: DerivedClass, classes: ClassReferences): string {
  const value = recordLiteral(record, classes);
  const definition = `Object.defineProperty(this, Symbol.for("adorn:derived"), { value: ${value}, configurable: true });`;
  return `; static { ${definition} } `;
}

function recordLiteral({ tools, ...words }: DerivedClass, classes: ClassReferences): string {
  const said = Object.entries(words).map(([name, value]) => `${name}: ${literal(value)}, `);
  const members = Object.entries(tools).map(
    ([method, tool]) => `${key(method)}: ${toolLiteral(tool, classes[method])}`,
  );
  return `{ ${said.join('')}tools: { ${members.join(', ')} } }`;
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
