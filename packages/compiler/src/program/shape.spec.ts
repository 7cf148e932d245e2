import { ts } from '../typescript.js';
import { shapeOf } from './shape.js';

const HEAD = "import { tool } from 'adorn';\n";

/** The shape of a class with a method, whose body is given, in a module with more statements. */
function shapeWith(body: string, { result = ': string', head = HEAD } = {}): string {
  return shape(`${head}export class Orders { @tool find(id: string = 'a')${result} {${body}} }`);
}

function shape(text: string): string {
  return shapeOf(ts.createSourceFile('orders.ts', text, ts.ScriptTarget.ESNext));
}

describe('the shape of a source', () => {
  it.each([
    ['a method that states its result', (body: string) => shapeWith(body)],
    ['a function that states its result', (body: string) => shape(`function find(): string {${body}}`)],
    [
      'a method of an object that states its result',
      (body: string) => shape(`const orders = { find(): string {${body}} };`),
    ],
    [
      'one in the body of a class',
      (body: string) => shape(`class A { private find(): string {${body}} b = 1 }`),
    ],
  ])('is the same whatever stands in %s', (_what, shapeOfBody) => {
    const known = shapeOfBody(" return 'a'; ");

    expect(shapeOfBody(" // found\n if (true) { return `b${'{'}`; }\n return 'c'; ")).toBe(known);
    expect(shapeOfBody('')).toBe(known);
  });

  it.each<[what: string, one: string, other: string]>([
    [
      'a comment before a method',
      shape('class A { /** a */ b(): void {} }'),
      shape('class A { /** c */ b(): void {} }'),
    ],
    ['a parameter', shape('function a(b: string): void {}'), shape('function a(b: number): void {}')],
    ['a default', shape('function a(b = 1): void {}'), shape('function a(b = 2): void {}')],
    ['a result', shape('function a(): string { return b; }'), shape('function a(): B { return b; }')],
    [
      'a body whose result is inferred',
      shapeWith('return 1;', { result: '' }),
      shapeWith("return '';", { result: '' }),
    ],
    [
      'the body of a constructor, which gives properties their types',
      shape('class A { b; constructor() { this.b = 1; } }'),
      shape("class A { b; constructor() { this.b = ''; } }"),
    ],
    [
      'an arrow function',
      shape('const a = (): number => { return 1; }'),
      shape('const a = (): number => { return 2; }'),
    ],
    ['a class in a body', shapeWith('class A {} return "a";'), shapeWith('class B {} return "a";')],
    ['a tool in a body', shapeWith('defineTool({ name: "a" });'), shapeWith('defineTool({ name: "b" });')],
    [
      'a tool in a body, by another name',
      shapeWith('make({ name: "a" });', { head: "import { defineTool as make } from './adorn.js';" }),
      shapeWith('make({ name: "b" });', { head: "import { defineTool as make } from './adorn.js';" }),
    ],
    [
      'a tool in a body, by the name of a namespace',
      shapeWith('$a.defineTool$(1);', { head: "import * as $a from './adorn.js';" }),
      shapeWith('$a.defineTool$(2);', { head: "import * as $a from './adorn.js';" }),
    ],
  ])('differs by %s', (_what, one, other) => {
    expect(one).not.toBe(other);
  });
});
