import { packageNameFault } from './package-name.js';

describe('packageNameFault', () => {
  it.each(['my-app', 'a', 'app_2', 'x.y~z', 'a'.repeat(214)])('takes %s', (name) => {
    expect(packageNameFault(name)).toBeUndefined();
  });

  it.each([
    ['My App', 'it has capital letters. Try "my-app".'],
    ['my app', 'it holds " "; letters, digits, "-", "_", "." and "~" are allowed. Try "my-app".'],
    ['_app', 'it begins with "_". Try "app".'],
    ['.app', 'it begins with ".". Try "app".'],
    ['http', 'it is reserved for Node and npm. Try "http-app".'],
    ['node_modules', 'it is reserved for Node and npm. Try "node_modules-app".'],
    ['café', 'it holds "é"; letters, digits, "-", "_", "." and "~" are allowed. Try "caf".'],
    ['日本', 'it holds "日"; letters, digits, "-", "_", "." and "~" are allowed.'],
    ['a'.repeat(215), `it has 215 characters, at most 214 are allowed. Try "${'a'.repeat(214)}".`],
  ])('says why %j is refused, and names one that is not', (name, reason) => {
    expect(packageNameFault(name)).toBe(`"${name}" cannot be the name of an npm package: ${reason}`);
  });
});
