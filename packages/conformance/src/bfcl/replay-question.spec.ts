import { failuresOf } from '../check.js';
import { KnownFaults } from './known-faults.js';
import type { Question } from './question.js';
import { replayQuestion } from './replay-question.js';

const none = new KnownFaults([]);
const question: Question = {
  id: 'q1',
  message: 'Add.',
  documents: [
    {
      name: 'math.add',
      description: 'Adds.',
      parameters: {
        type: 'dict',
        properties: { a: { type: 'integer' }, b: { type: 'float' } },
        required: ['a'],
      },
    },
  ],
  turns: [[{ 'math.add': { a: [1], b: [0.5, ''] } }], ['math.add(2)']],
};

describe('replayQuestion', () => {
  it('makes the calls of every turn, and each one spoiled in both ways, in one run', async () => {
    const { calls, end } = await replayQuestion(question, none);

    expect(failuresOf([...calls, end])).toEqual([]);
    expect(calls.map(({ purpose }) => purpose)).toEqual([
      'expected',
      'expected',
      'required argument removed',
      'wrong type',
      'required argument removed',
      'wrong type',
    ]);
  });

  it('finds an expected call that is refused', async () => {
    const wrong = { ...question, turns: [[{ 'math.add': { a: ['one'] } }]] };

    const { calls } = await replayQuestion(wrong, none);

    expect(calls[0]?.fault).toContain('$.received: expected {"a":"one"}, got nothing');
  });

  it('expects no more of a call that is known to be wrong than an answer', async () => {
    const wrong = { ...question, turns: [[{ 'math.add': { a: ['one'] } }]] };
    const faults = new KnownFaults([{ id: 'q1', fn: 'math.add', kind: 'no acceptable value validates' }]);

    expect((await replayQuestion(wrong, faults)).calls).toEqual([
      { purpose: 'known fault', what: 'q1, math.add', fault: undefined },
    ]);
  });

  it('finds a run that cannot begin', async () => {
    const document = { name: 'f', description: '', parameters: { properties: { a: { pattern: '(' } } } };

    const { end } = await replayQuestion({ ...question, documents: [document], turns: [] }, none);

    expect(end.fault).toContain('Invalid regular expression');
  });
});
