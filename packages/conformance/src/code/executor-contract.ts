import type { CodeExecutor } from '@adorn/core/backend';
import { type ContractPrograms, describeCodeExecutor } from '@adorn/sandbox/contract';
import { expect } from 'expect';

import { messageOf } from '../message-of.js';
import type { Check } from '../check.js';

/** The limits that the contract asks an executor for. */
export interface ContractLimits {
  readonly timeout: number;
  readonly maxOutput: number;
}

const PROGRAMS: Readonly<Record<string, ContractPrograms | undefined>> = {
  javascript: {
    language: 'javascript',
    hello: "console.log('hello')",
    warns: "console.warn('oops')",
    fails: "function risky() { throw new Error('bad idea'); }\nrisky();",
    loops: 'for (;;) {}',
    floods: "const s = 'x'.repeat(1e6); for (let i = 0; i < 110; i++) console.log(s)",
    hoards: 'const kept = []; for (;;) kept.push(new ArrayBuffer(1e6))',
    copiesFile: "const text = readFile('in.csv'); console.log(text); writeFile('out.csv', text)",
    remembers: ['let answer = 41', 'console.log(answer + 1)'],
  },
  python: {
    language: 'python',
    hello: "print('hello')",
    warns: "import sys; print('oops', file=sys.stderr)",
    fails: "def risky():\n    raise ValueError('bad idea')\nrisky()",
    loops: 'while True: pass',
    floods: "for _ in range(1100): print('x' * 100_000)",
    hoards: 'kept = []\nwhile True: kept.append(bytearray(10_000_000))',
    copiesFile: "text = open('in.csv').read()\nprint(text)\n_ = open('out.csv', 'w').write(text)",
    remembers: ['answer = 41', 'print(answer + 1)'],
  },
};

/**
 * The promises of every executor, each a check.
 *
 * @param open makes an executor of the same kind
 */
export async function checkContract(
  { languages, stateful }: CodeExecutor,
  open: (limits: ContractLimits) => CodeExecutor,
): Promise<Check[]> {
  const [language = ''] = languages;
  const programs = programsIn(language, stateful);
  const promises: { readonly what: string; readonly holds: () => Promise<void> }[] = [];
  describeCodeExecutor(language, open, programs, {
    describe: (_name, define) => {
      define();
    },
    it: (what, holds) => {
      promises.push({ what, holds });
    },
    expect,
  });
  const checks: Check[] = [];
  for (const { what, holds } of promises)
    checks.push({ what, fault: await holds().then(() => undefined, messageOf) });
  return checks;
}

/** Without the programs for what only a stateful executor promises, if it is none. */
function programsIn(language: string, stateful: boolean): ContractPrograms {
  const programs = PROGRAMS[language];
  if (!programs) throw new Error(`there are no programs in ${language}`);
  if (stateful) return programs;
  const { remembers: _, ...others } = programs;
  return others;
}
