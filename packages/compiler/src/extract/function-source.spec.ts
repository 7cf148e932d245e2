import { wordsOf } from '../docs/words-of.js';
import { ts } from '../typescript.js';
import { functionSource } from './find-functions.js';

const DICE = `
/** Rolls dice. */
export declare function roll(sides: number): number;
export declare namespace roll { const most: number }
/** Tosses a coin. */
export declare const toss: (times?: number) => boolean;
export declare function pick(from: string): string;
export declare function pick(from: number): number;
export declare const choose: { (from: string): string; (from: number): number };
export declare class Cup { shake(times: number): void; fill(by: string): void; fill(by: number): void }
export default function (by: string): void;
`;

const TOOLS = `
import * as dice from './dice.js';
import { roll as rolled, toss, pick, choose, Cup } from './dice.js';
import nameless from './dice.js';
import { missing } from './nowhere.js';

/** Finds an order. */
function find(id: string) {}
/** By its id. */
function search(by: string): void;
/** By its number. */
function search(by: number): void;
function search(by: string | number) {}

const held = find;
const wrapped = ((held satisfies unknown) as typeof find)!;
/** Sends an order. */
const send = async (to: string) => {};
const cast = ((to: string) => {}) as (to: string) => void;
const own = function inner(to: string) {
  INSIDE;
};
let changed = find;
changed = send;

const tools = {
  find,
  /** Packs an order. */
  pack: (into: string) => {},
  /** Weighs an order. */
  weigh(on: string) {},
  'in words': (of: string) => {},
  [String(1)]: (of: string) => {},
};
class Desk {
  /** Stamps a letter. */
  static readonly stamp = (letter: string) => {};
  static seal = (letter: string) => {};
  /** Opens a letter. */
  open(letter: string): void;
  open(letter: number): void;
  open(letter: string | number) {}
}
const desk = new Desk();
const made = make();
function make() { return (of: string) => {}; }
const number = 1, anything: any = 1;
const { pack: first } = tools;
function outer(given: (id: string) => void, other = find) {
  OUTSIDE;
}
`;

describe('functionSource', () => {
  it.each<[what: string, expression: string, expected: string]>([
    ['by its name', 'find', 'find(id: string) Finds an order.'],
    ['through constants', 'held', 'find(id: string) Finds an order.'],
    ['through brackets and types', 'wrapped', 'find(id: string) Finds an order.'],
    ['with the body, of overloads', 'search', 'search(by: string | number) By its id.'],
    ['in a constant, whose name it has', 'send', 'send(to: string) Sends an order.'],
    ['in brackets in a constant', 'cast', 'cast(to: string)'],
    ['with a name of its own in a constant', 'own', 'inner(to: string)'],
    ['from inside of it', 'inner', 'inner(to: string)'],
    ['in a property that stands for a name', 'tools.find', 'find(id: string) Finds an order.'],
    ['in a property', 'tools.pack', 'pack(into: string) Packs an order.'],
    ['that is a method of an object', 'tools.weigh', 'weigh(on: string) Weighs an order.'],
    ['under a name in quotes', "tools['in words']", 'nothing'],
    ['in a readonly property of a class', 'Desk.stamp', 'stamp(letter: string) Stamps a letter.'],
    ['with the body, of overloads of a method', 'desk.open', 'open(letter: string | number) Opens a letter.'],
    ['as it stands', '(id: string) => id', '?(id: string)'],
    ['as it stands, with a name', 'function look(at: string) {}', 'look(at: string)'],
    ['of another package', 'rolled', 'roll(sides: number) Rolls dice.'],
    ['of a module as a whole', 'dice.roll', 'roll(sides: number) Rolls dice.'],
    ['that is a method of another package', 'new Cup().shake', 'shake(times: number)'],
    ['that a module gives without a name', 'nameless', '?(by: string)'],
  ])('finds a function %s', (_what, expression, expected) => {
    expect(found(expression)).toBe(expected);
  });

  it.each<[what: string, expression: string, expected: string]>([
    ['is a constant of another package', 'toss', 'toss(times?: number) Tosses a coin.'],
    ['comes out of a call', 'made', 'made(of: string)'],
    ['is put into what may hold another later', 'changed', 'changed(id: string) Finds an order.'],
    ['is put into a property that may hold another later', 'Desk.seal', 'seal(letter: string)'],
    ['is an argument', 'given', 'given(id: string)'],
    ['is an argument with a default', 'other', 'other(id: string) Finds an order.'],
    ['is taken out of an object', 'first', 'first(into: string)'],
  ])('finds no more than the type where a function %s, and says so', (_what, expression, expected) => {
    expect(found(expression)).toBe(`${expected} (its type)`);
  });

  it.each<[what: string, expression: string]>([
    ['overloads of another package', 'pick'],
    ['overloads of a method of another package', 'new Cup().fill'],
    ['a type with overloads', 'choose'],
    ['what is no function', 'number'],
    ['what may be anything', 'anything'],
    ['what is not there', 'missing'],
    ['what is nowhere declared', 'undeclared'],
    ['a call', 'make()'],
    ['a function that is chosen while the program runs', 'number ? find : send'],
  ])('finds none for %s', (_what, expression) => {
    expect(found(expression)).toBe('nothing');
  });
});

/** What is found for the expression: its name, its parameters and its comment. */
function found(expression: string): string {
  const { checker, argument } = parsed(expression);
  const source = functionSource(argument, checker);
  if (source === undefined) return 'nothing';
  const { name = '?', node, documented, isTypeOnly } = source;
  const parameters = node.parameters.map((one) => one.getText()).join(', ');
  const { description } = wordsOf(documented);
  return [`${name}(${parameters})`, description, isTypeOnly && '(its type)'].filter(Boolean).join(' ');
}

interface Place {
  readonly checker: ts.TypeChecker;
  readonly argument: ts.Expression;
}

/** The expression as it stands in the source, in a program without a library: nothing here needs one. */
function parsed(expression: string): Place {
  const texts = new Map([
    ['dice.d.ts', DICE],
    ['tools.ts', TOOLS.replace(expression === 'inner' ? 'INSIDE' : 'OUTSIDE', `take(${expression})`)],
  ]);
  const options = { noLib: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
  const host = ts.createCompilerHost(options);
  host.fileExists = (path) => texts.has(path);
  host.readFile = (path) => texts.get(path);
  host.getCurrentDirectory = () => '';
  const program = ts.createProgram(['tools.ts'], options, host);
  const checker = program.getTypeChecker();
  const argument = argumentIn(program.getSourceFile('tools.ts'));
  if (argument === undefined) throw new Error(`${expression} is nowhere in the source.`);
  return { checker, argument };
}

function argumentIn(node: ts.Node | undefined): ts.Expression | undefined {
  if (node === undefined) return undefined;
  if (ts.isCallExpression(node) && node.expression.getText() === 'take') return node.arguments[0];
  return ts.forEachChild(node, argumentIn);
}
