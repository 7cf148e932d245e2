import { createRunner, defineAgent, defineTool } from '@adorn/core';
import { ScriptedModel } from '@adorn/testing';

import { inDeclaredOrder, wholeCall } from './whole-call.js';

describe('wholeCall', () => {
  it('writes a short call on one line', () => {
    expect(wholeCall('pay', { to: 'ada', cents: 5 }, 40)).toEqual(['pay(to: "ada", cents: 5)']);
  });

  it('writes each argument of a longer call on lines of its own, and cuts none', () => {
    const lines = wholeCall('pay', { to: 'ada', note: 'x'.repeat(60), cents: 5 }, 30);

    expect(lines).toEqual([
      'pay(',
      '  to: "ada"',
      `  note: "${'x'.repeat(21)}`,
      `  … ${'x'.repeat(26)}`,
      `  … ${'x'.repeat(13)}"`,
      '  cents: 5',
      ')',
    ]);
  });

  it('marks what continues a line, so that padding makes no text look like an argument', () => {
    const lines = wholeCall(
      'pay',
      { note: `fine${' '.repeat(20)}cents: 5 ${'界'.repeat(20)}`, cents: 999 },
      30,
    );

    expect(lines.filter((line) => /^ {2}\w/.test(line))).toEqual([
      expect.stringMatching(/^ {2}note/),
      '  cents: 999',
    ]);
  });

  it('shows characters that would not be seen', () => {
    expect(wholeCall('pay', { to: 'a\u200bb\u202ec\u001b[8m' }, 80)).toEqual([
      'pay(to: "a\\u200bb\\u202ec\\u001b[8m")',
    ]);
  });
});

describe('inDeclaredOrder', () => {
  const person = { type: 'object', properties: { name: {}, mail: {} } };
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    parameters: {
      type: 'object',
      properties: {
        to: { $ref: '#/$defs/Person' },
        cents: { type: 'integer' },
        copies: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/Person' }, { type: 'null' }] } },
      },
      $defs: { Person: person },
    },
    run: () => 'paid',
  });

  it('puts arguments in the order of the declaration at every depth, and others last by name', async () => {
    const worker = defineAgent({ name: 'worker', description: 'Works.', tools: [pay] });
    const root = defineAgent({ name: 'root', description: 'Leads.', subAgents: [worker] });
    await using runner = await createRunner(root, { model: new ScriptedModel() });

    const args = {
      z: 1,
      a: 2,
      copies: [{ mail: 1, name: 2 }, null],
      cents: 3,
      to: { extra: 4, mail: 5, name: 6 },
    };

    expect(JSON.stringify(inDeclaredOrder(runner.root, 'pay', args))).toBe(
      JSON.stringify({
        to: { name: 6, mail: 5, extra: 4 },
        cents: 3,
        copies: [{ name: 2, mail: 1 }, null],
        a: 2,
        z: 1,
      }),
    );
    expect(Object.keys(inDeclaredOrder(runner.root, 'unknown', { b: 1, a: 2 }))).toEqual(['a', 'b']);
  });
});
