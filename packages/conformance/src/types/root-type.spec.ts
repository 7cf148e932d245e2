import { rootType } from './root-type.js';

describe('rootType', () => {
  it.each([
    ['the usual name', 'interface Last {}\nexport interface MyObject { a: Last }', undefined, 'MyObject'],
    ['what no other mentions', 'type Main = { u: Util };\nexport class Util {}', undefined, 'Main'],
    ['the last of several', '// class C {}\ninterface A {}\ninterface B {}', undefined, 'B'],
    [
      'the name given, in its namespace',
      'namespace N { namespace M {\n  interface A {}\n} }',
      'N.M.A',
      'N.M.A',
    ],
    ['the type of a function', 'export function f() {}', 'f', 'typeof f'],
    ['none', 'export function f() {}', undefined, undefined],
  ])('finds %s', (_, source, named, type) => {
    expect(rootType(source, named)).toBe(type);
  });
});
