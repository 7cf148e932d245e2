/** The file by which code gives back what it has written. It has no ending of a text: nobody reads it. */
export const CHANGES_FILE = 'adorn-workspace-changes';

/** Languages whose code finds the folders of the workspace. Other sandboxes have files without folders. */
export type LaidOutLanguage = 'python' | 'bash';

export function isLaidOut(language: string): language is LaidOutLanguage {
  return language === 'python' || language === 'bash';
}

/**
 * The program around code of a model: it lays the files of the workspace out in the working folder, runs the code there, and collects
 * what is new or changed. Sandboxes take files without folders; so all goes through the program and one file.
 *
 * @param files the paths and contents of the workspace
 */
export function laidOutCode(
  language: LaidOutLanguage,
  code: string,
  files: ReadonlyMap<string, Uint8Array>,
): string {
  return language === 'python' ? pythonProgram(code, files) : bashProgram(code, files);
}

/** What the file of changes says; undefined if it is no list of files. */
export function readChanges(data: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  const changes = new Map<string, Uint8Array>();
  for (const line of Buffer.from(data).toString('utf8').split('\n')) {
    if (line === '') continue;
    const [path, content = '', ...more] = line.split(' ');
    if (path === undefined || path === '' || more.length > 0) return undefined;
    changes.set(Buffer.from(path, 'base64').toString('utf8'), Buffer.from(content, 'base64'));
  }
  return changes;
}

/** All that is the model's or the workspace's is base64: no text of theirs is read as code of this program. */
function pythonProgram(code: string, files: ReadonlyMap<string, Uint8Array>): string {
  const laidOut = Object.fromEntries([...files].map(([path, data]) => [path, base64(data)]));
  const start = base64(Buffer.from(JSON.stringify({ code, files: laidOut })));
  return [
    'def _run_in_workspace():',
    '    import base64, json, os, sys',
    `    start = json.loads(base64.b64decode("${start}"))`,
    '    given = {path: base64.b64decode(data) for path, data in start["files"].items()}',
    '    root = os.getcwd()',
    '    own = set(os.listdir(root))',
    '    for path, data in given.items():',
    '        os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)',
    '        with open(os.path.join(root, path), "wb") as file: file.write(data)',
    '    sys.path.insert(0, root)',
    '    sys.dont_write_bytecode = True',
    '    try:',
    '        exec(compile(start["code"], "code.py", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})',
    '    finally:',
    '        lines = []',
    '        for folder, _, names in os.walk(root):',
    '            for name in names:',
    '                full = os.path.join(folder, name)',
    '                path = os.path.relpath(full, root).replace(os.sep, "/")',
    '                if os.path.islink(full) or not os.path.isfile(full) or path in own: continue',
    '                with open(full, "rb") as file: data = file.read()',
    '                if given.get(path) == data: continue',
    '                lines.append(base64.b64encode(path.encode()).decode() + " " + base64.b64encode(data).decode())',
    `        with open(os.path.join(root, "${CHANGES_FILE}"), "w") as file: file.write("\\n".join(lines))`,
    '_run_in_workspace()',
  ].join('\n');
}

function bashProgram(code: string, files: ReadonlyMap<string, Uint8Array>): string {
  const layOut = [...files].flatMap(([path, data]) => [
    `_path=$(printf %s ${base64(Buffer.from(`./${path}.`))} | base64 -d)`,
    // The dot at the end keeps a line end in a name, which the shell would drop.
    'mkdir -p -- "$(dirname -- "${_path%.}")"',
    ...heredoc('base64 -d > "${_path%.}"', data),
  ]);
  return [
    '_root=$PWD',
    '_given=$(mktemp -d)',
    ...layOut,
    'cp -R . "$_given/"',
    ...heredoc('base64 -d > "$_given.sh"', Buffer.from(code)),
    '(bash "$_given.sh")',
    '_status=$?',
    'cd "$_root"',
    `find . -type f ! -path ./${CHANGES_FILE} -print0 | while IFS= read -r -d '' _file; do`,
    '  cmp -s -- "$_file" "$_given/$_file" && continue',
    `  printf '%s %s\\n' "$(printf %s "\${_file#./}" | base64 -w0)" "$(base64 -w0 < "$_file")"`,
    `done > "$_given.changes"`,
    `cp "$_given.changes" ${CHANGES_FILE}`,
    'exit $_status',
  ].join('\n');
}

function heredoc(command: string, data: Uint8Array): string[] {
  return [`${command} <<'END_OF_FILE'`, ...(base64(data).match(/.{1,1000}/g) ?? []), 'END_OF_FILE'];
}

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString('base64');
}
