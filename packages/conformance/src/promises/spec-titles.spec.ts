import { titlesOf } from './spec-titles.js';

describe('titlesOf', () => {
  it('reads titles of plain tests, of tables and of templates, however they are quoted', () => {
    const text = [
      "it('is plain', () => {});",
      'test("isn\'t", async () => {});',
      "it.each([[1], [2]])('is %s', () => {});",
      'it.each`a`("is $a", () => {});',
      'it.only(`is alone`, () => {});',
    ].join('\n');

    expect([...titlesOf(text)]).toEqual(['is plain', "isn't", 'is %s', 'is $a', 'is alone']);
  });

  it('takes no skipped test, no group, no comment and no other call for a test', () => {
    const text = [
      "it.skip('a', () => {});",
      "it.skip.each([1])('b', () => {});",
      "it.todo('c');",
      "describe('d', () => {});",
      "// it('e', () => {});",
      "expect('f');",
    ].join('\n');

    expect([...titlesOf(text)]).toEqual([]);
  });
});
