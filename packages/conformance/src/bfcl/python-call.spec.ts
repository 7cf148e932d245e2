import { parsePythonCall } from './python-call.js';

describe('parsePythonCall', () => {
  it.each([
    ['ls()', { name: 'ls', positional: [], named: {} }],
    ["cd('a b')", { name: 'cd', positional: ['a b'], named: {} }],
    [
      "post('It\\'s (1, 2)=\\n', tags=['#a', \"b'c\"],)",
      { name: 'post', positional: ["It's (1, 2)=\n"], named: { tags: ['#a', "b'c"] } },
    ],
    [
      "f(a=-1.5e3, b=True, c=None, d={'x': (1, 2)}, e=False)",
      { name: 'f', positional: [], named: { a: -1500, b: true, c: null, d: { x: [1, 2] }, e: false } },
    ],
  ])('reads %s', (text, call) => {
    expect(parsePythonCall(text)).toEqual(call);
  });

  it.each(['f(', 'f(x)', 'f(1) 2', 'f(a=1 b=2)', ''])('refuses %p', (text) => {
    expect(() => parsePythonCall(text)).toThrow(SyntaxError);
  });
});
