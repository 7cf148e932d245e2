import { extname, posix } from 'node:path';

const LANGUAGES: Readonly<Record<string, ScriptLanguage | undefined>> = {
  '.py': 'python',
  '.sh': 'bash',
  '.bash': 'bash',
};

/** What scripts of skills are written in, as far as they can run. */
export type ScriptLanguage = 'python' | 'bash';

/** The language of a script by its name, or undefined if it is none that can run. */
export function languageOf(path: string): ScriptLanguage | undefined {
  return LANGUAGES[extname(path).toLowerCase()];
}

/** How a script is started. */
export interface ScriptStart {
  readonly language: ScriptLanguage;
  /** The path of the script within the skill. */
  readonly path: string;
  readonly args: readonly string[];
  /** All files of the skill: a script may import and read the others. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * The code that runs a script. A sandbox takes no folders, so the code lays the files of the skill out in a folder of its own,
 * `SKILL_ROOT` of the environment, and starts the script in the working folder: what it writes there are the files of the execution.
 */
export function scriptCode({ language, path, args, files }: ScriptStart): {
  readonly language: ScriptLanguage;
  readonly code: string;
} {
  const code = language === 'python' ? pythonCode : bashCode;
  return { language, code: code(path, args, files) };
}

type Write = (path: string, args: readonly string[], files: ReadonlyMap<string, Uint8Array>) => string;

/** All that is the skill's or the model's is base64 of JSON: no text of theirs is read as code of this program. */
const pythonCode: Write = (path, args, files) => {
  const laidOut = Object.fromEntries([...files].map(([name, data]) => [name, base64(data)]));
  const start = base64(Buffer.from(JSON.stringify({ path, args, files: laidOut })));
  return [
    'import base64, json, os, runpy, sys, tempfile',
    `_start = json.loads(base64.b64decode("${start}"))`,
    '_root = os.environ["SKILL_ROOT"] = tempfile.mkdtemp(prefix="skill-")',
    'for _name, _data in _start["files"].items():',
    '    _path = os.path.join(_root, _name)',
    '    os.makedirs(os.path.dirname(_path), exist_ok=True)',
    '    with open(_path, "wb") as _file: _file.write(base64.b64decode(_data))',
    '_script = os.path.join(_root, _start["path"])',
    'sys.argv = [_script, *_start["args"]]',
    'sys.path.insert(0, os.path.dirname(_script))',
    'runpy.run_path(_script, run_name="__main__")',
  ].join('\n');
};

const bashCode: Write = (path, args, files) => {
  const lines = [...files].flatMap(([name, data]) => [
    `mkdir -p "$SKILL_ROOT"/${quoted(posix.dirname(name))}`,
    `base64 -d > "$SKILL_ROOT"/${quoted(name)} <<'END_OF_FILE'`,
    ...(base64(data).match(/.{1,1000}/g) ?? []),
    'END_OF_FILE',
  ]);
  return [
    'export SKILL_ROOT=$(mktemp -d)',
    ...lines,
    `exec bash "$SKILL_ROOT"/${quoted(path)} ${args.map(quoted).join(' ')}`,
  ].join('\n');
};

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString('base64');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
