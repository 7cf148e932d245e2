import { describeIssue } from './bind-arguments.js';

describe('describeIssue', () => {
  it.each([
    [{ message: 'Too short', path: ['lines', 0, { key: 'sku' }] }, 'lines[0].sku: Too short'],
    [{ message: 'Needs one of two' }, 'the arguments: Needs one of two'],
    [
      { message: 'city must be a string (was a number)', path: ['city'] },
      'city must be a string (was a number)',
    ],
  ])('says where and what: %#', (issue, sentence) => {
    expect(describeIssue(issue)).toBe(sentence);
  });

  it('cuts what a library quotes at length, and nothing shorter', () => {
    expect(describeIssue({ message: 'x'.repeat(200), path: ['key'] })).toBe(`key: ${'x'.repeat(200)}`);
    expect(describeIssue({ message: 'x'.repeat(201), path: ['key'] })).toBe(`key: ${'x'.repeat(200)}…`);
  });
});
