import {
  add,
  divide,
  multiply,
  type PythonNumber,
  roundToCents,
  subtract,
  writePythonNumber,
} from './python-json.js';
import { Refusal } from './refusal.js';

const TOKEN = /[0-9.]+|\*\*|\/\/|[^ ]/g;
const DECIMAL = /^(?:[0-9]+\.[0-9]*|\.[0-9]+)$/;
const INTEGER = /^(?:0+|[1-9][0-9]*)$/;

/**
 * The value of an expression of numbers, `+ - * /`, parentheses and spaces, as a float rounded to cents.
 * Anything else is refused.
 */
export function calculate(expression: string): string {
  if (/[^0-9+\-*/(). ]/.test(expression)) throw new Refusal('invalid characters in expression');
  const value = new Calculation(expression.match(TOKEN) ?? []).result();
  return writePythonNumber(roundToCents(Number(value)));
}

/** Reads the tokens once from left to right; each method takes what it understands off the front. */
class Calculation {
  private position = 0;
  /** The first division by zero. It is kept until the whole expression was read: a wrong form comes first. */
  private fault: Refusal | undefined;

  constructor(private readonly tokens: readonly string[]) {}

  result(): PythonNumber {
    const value = this.sum();
    if (this.position < this.tokens.length) throw invalidSyntax();
    if (this.fault) throw this.fault;
    return value;
  }

  private sum(): PythonNumber {
    let value = this.product();
    for (;;) {
      if (this.takes('+')) value = add(value, this.product());
      else if (this.takes('-')) value = subtract(value, this.product());
      else return value;
    }
  }

  private product(): PythonNumber {
    let value = this.signed();
    for (;;) {
      if (this.takes('*')) value = multiply(value, this.signed());
      else if (this.takes('/')) value = this.quotient(value, this.signed());
      else return value;
    }
  }

  private signed(): PythonNumber {
    if (this.takes('-')) return multiply(this.signed(), -1n);
    return this.takes('+') ? this.signed() : this.operand();
  }

  private operand(): PythonNumber {
    if (!this.takes('(')) return this.number();
    const value = this.sum();
    if (!this.takes(')')) throw invalidSyntax();
    return value;
  }

  private number(): PythonNumber {
    const token = this.tokens[this.position++] ?? '';
    if (INTEGER.test(token)) return BigInt(token);
    if (DECIMAL.test(token)) return Number(token);
    throw invalidSyntax();
  }

  private quotient(dividend: PythonNumber, divisor: PythonNumber): PythonNumber {
    if (Number(divisor) !== 0) return divide(dividend, divisor);
    const isInt = typeof dividend === 'bigint' && typeof divisor === 'bigint';
    this.fault ??= new Refusal(isInt ? 'division by zero' : 'float division by zero');
    return dividend;
  }

  private takes(token: string): boolean {
    if (this.tokens[this.position] !== token) return false;
    this.position += 1;
    return true;
  }
}

function invalidSyntax(): Refusal {
  return new Refusal('invalid syntax (<string>, line 1)');
}
