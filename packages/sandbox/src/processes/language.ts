/** How a program of a language is run. */
export interface Language {
  /** The name of the file with the program. */
  readonly file: string;
  /** The command; the file is its last argument. */
  readonly command: readonly string[];
}

/** The languages that a sandbox of processes knows by name. */
export const LANGUAGES: Readonly<Record<string, Language | undefined>> = {
  python: { file: 'main.py', command: ['python3', '-I', '-B', '-u', '/tmp/code/run.py'] },
  javascript: { file: 'main.mjs', command: ['node'] },
  bash: { file: 'main.sh', command: ['bash'] },
  ruby: { file: 'main.rb', command: ['ruby'] },
  perl: { file: 'main.pl', command: ['perl'] },
  php: { file: 'main.php', command: ['php'] },
};

/** The name of the file in which the Python program below leaves the value of the last expression, as JSON. */
export const RESULT_FILE = '.adorn-result.json';

/**
 * Runs a Python file: prints the trace of an error without its own frames, saves open figures of matplotlib as
 * `plot-1.png`, …, and writes the value of the last expression as JSON.
 */
export const PYTHON_RUNNER = `
import ast, json, os, sys, traceback
path = sys.argv[1]
with open(path, encoding='utf-8') as file:
    source = file.read()
os.environ.setdefault('MPLBACKEND', 'Agg')
sys.argv = ['main.py']
sys.path.insert(0, os.getcwd())
names = {'__name__': '__main__', '__builtins__': __builtins__}
status = 0
def plots():
    pyplot = sys.modules.get('matplotlib.pyplot')
    if pyplot is None:
        return
    for number in pyplot.get_fignums():
        pyplot.figure(number).savefig('plot-%d.png' % number)
try:
    tree = ast.parse(source, 'main.py')
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    import linecache
    linecache.cache['main.py'] = (len(source), None, source.splitlines(True), 'main.py')
    exec(compile(tree, 'main.py', 'exec'), names)
    value = eval(compile(ast.Expression(last.value), 'main.py', 'eval'), names) if last is not None else None
    plots()
    if value is not None:
        try:
            text = json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            text = json.dumps(repr(value)[:10000])
        with open('${RESULT_FILE}', 'w', encoding='utf-8') as file:
            file.write(text)
except SystemExit as exit:
    status = exit.code if isinstance(exit.code, int) else 0 if exit.code is None else 1
    if isinstance(exit.code, str):
        print(exit.code, file=sys.stderr)
except SyntaxError as error:
    status = 1
    trace = None if error.filename == 'main.py' and not (error.__traceback__ and error.__traceback__.tb_next and error.__traceback__.tb_next.tb_frame.f_code.co_filename == 'main.py') else error.__traceback__.tb_next
    traceback.print_exception(type(error), error, trace)
except BaseException as error:
    status = 1
    traceback.print_exception(type(error), error, error.__traceback__.tb_next)
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
`;
