/** The name of the file in which a Python program leaves the value of its last expression, as JSON. */
export const RESULT_FILE = '.adorn-result.json';

/**
 * A function in Python that executes a program with its global names: prints the trace of an error without its own frames,
 * saves open figures of matplotlib as `plot-1.png`, …, and returns the exit status with the value of the last expression as
 * JSON, or `None`.
 */
export const PYTHON_EXECUTE = `
import ast, json, linecache, os, sys, traceback
os.environ.setdefault('MPLBACKEND', 'Agg')
def save_plots():
    pyplot = sys.modules.get('matplotlib.pyplot')
    if pyplot is None:
        return
    for number in pyplot.get_fignums():
        pyplot.figure(number).savefig('plot-%d.png' % number)
    pyplot.close('all')
def to_json(value):
    if value is None:
        return None
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(repr(value)[:10000])
def execute(source, names):
    text = None
    status = 0
    try:
        tree = ast.parse(source, 'main.py')
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        linecache.cache['main.py'] = (len(source), None, source.splitlines(True), 'main.py')
        exec(compile(tree, 'main.py', 'exec'), names)
        value = eval(compile(ast.Expression(last.value), 'main.py', 'eval'), names) if last is not None else None
        save_plots()
        text = to_json(value)
    except SystemExit as exit:
        status = exit.code if isinstance(exit.code, int) else 0 if exit.code is None else 1
        if isinstance(exit.code, str):
            print(exit.code, file=sys.stderr)
    except SyntaxError as error:
        status = 1
        trace = error.__traceback__.tb_next
        is_own = trace is None or trace.tb_frame.f_code.co_filename != 'main.py'
        traceback.print_exception(type(error), error, None if error.filename == 'main.py' and is_own else trace)
    except BaseException as error:
        status = 1
        traceback.print_exception(type(error), error, error.__traceback__.tb_next)
    sys.stdout.flush()
    sys.stderr.flush()
    return status, text
`;

/** Executes the Python file that is its argument, and writes the value of the last expression to `RESULT_FILE`. */
export const PYTHON_RUNNER = `${PYTHON_EXECUTE}
with open(sys.argv[1], encoding='utf-8') as file:
    source = file.read()
sys.argv = ['main.py']
sys.path.insert(0, os.getcwd())
status, text = execute(source, {'__name__': '__main__', '__builtins__': __builtins__})
if text is not None:
    with open('${RESULT_FILE}', 'w', encoding='utf-8') as file:
        file.write(text)
os._exit(status)
`;
