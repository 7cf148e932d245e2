/**
 * What code finds in QuickJS besides the language: `console`, and files. Closed over before any code runs, so that code
 * which replaces a built-in function changes nothing but its own results. Its value is the helpers of the world itself,
 * which are no properties of the global object: code could define those anew, whatever they are.
 */
export const PRELUDE = `(() => {
  const { __write, __read, __save, __list } = globalThis;
  const { Error, Map, Set, String } = globalThis;
  const { parse, stringify } = JSON;
  const { defineProperty } = Object;
  const { apply } = Reflect;
  const { join, map } = Array.prototype;
  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return described(value);
    if (typeof value === 'bigint') return value + 'n';
    if (typeof value !== 'object' || value === null) return String(value);
    try {
      return stringify(value, plain) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const plain = (_key, value) => {
    if (typeof value === 'bigint') return value + 'n';
    if (value instanceof Map || value instanceof Set) return [...value];
    if (value instanceof Error) return described(value);
    return value;
  };
  const described = (error) => {
    if (error === null) return 'Uncaught null, which is also thrown when no memory is left';
    if (!(error instanceof Error)) return 'Uncaught ' + shown(error);
    const stack = typeof error.stack === 'string' ? error.stack.trimEnd() : '';
    return error.name + ': ' + error.message + (stack === '' ? '' : '\\n' + stack);
  };
  const writer = (stream) => (...values) => __write(stream, apply(join, apply(map, values, [shown]), [' ']) + '\\n');
  const out = writer('stdout');
  const err = writer('stderr');
  const console = { log: out, info: out, debug: out, table: out, dir: out, warn: err, error: err, trace: err };
  const own = {
    console,
    print: out,
    readFile: (name) => __read(String(name)),
    writeFile: (name, text) => void __save(String(name), typeof text === 'string' ? text : shown(text)),
    listFiles: () => parse(__list()),
  };
  for (const name of ['__write', '__read', '__save', '__list']) delete globalThis[name];
  for (const name of ['console', 'print', 'readFile', 'writeFile', 'listFiles'])
    defineProperty(globalThis, name, { value: own[name], writable: true, configurable: true });
  return {
    describe: described,
    toJson: (value) => (value === undefined ? '' : (stringify(value, plain) ?? '')),
    parse: (text) => parse(text),
  };
})()`;
