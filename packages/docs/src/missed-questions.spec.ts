import { findMissedQuestions, type Question } from './missed-questions.js';

const FOUND: Readonly<Record<string, readonly string[]>> = {
  caching: ['/a.html#a', '/b.html#b', '/costs.html#cache', '/d.html'],
  memory: ['/packages/storage/#memory'],
  late: ['/a.html#a', '/b.html#b', '/c.html#c', '/costs.html'],
};
const missed = (...questions: Question[]) => findMissedQuestions(questions, (typed) => FOUND[typed] ?? []);

describe('findMissedQuestions', () => {
  it('is content with any section of one of the pages among the first three', () => {
    expect(missed(['caching', 'costs'], ['memory', 'memory', 'packages/storage'])).toEqual([]);
  });

  it('names what was found in its place', () => {
    expect(missed(['late', 'costs'], ['nowhere', 'costs', 'models'])).toEqual([
      expect.stringContaining('"late" does not find costs: /a.html#a, /b.html#b, /c.html#c.'),
      expect.stringContaining('"nowhere" does not find costs or models: nothing.'),
    ]);
  });
});
