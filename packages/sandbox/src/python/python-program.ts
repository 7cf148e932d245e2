/** The name of the file in which a Python program leaves the value of its last expression, as JSON. */
export const RESULT_FILE = '.adorn-result.json';

/**
 * A function in Python that executes a program with its global names: prints the trace of an error without its own frames,
 * saves open figures of matplotlib as `plot-1.png`, …, and returns the exit status with the value of the last expression as
 * JSON, or `None`. Whole numbers that JSON's readers round are texts.
 *
 * It holds what it uses of Python itself, so that code which replaces a function of a module changes its own results only. A
 * world in which no value can be written any more has ended: `WorldBroken`.
 */
export const PYTHON_EXECUTE = `
import ast, json, linecache, os, sys, traceback
os.environ.setdefault('MPLBACKEND', 'Agg')
class WorldBroken(BaseException):
    pass
def make_execute():
    import builtins
    compile, eval, exec, isinstance, len, print, repr, str, hex, type = (getattr(builtins, name) for name in
        ('compile', 'eval', 'exec', 'isinstance', 'len', 'print', 'repr', 'str', 'hex', 'type'))
    BaseException, SystemExit, SyntaxError, ValueError = (
        builtins.BaseException, builtins.SystemExit, builtins.SyntaxError, builtins.ValueError)
    bool, int, dict, list, tuple = builtins.bool, builtins.int, builtins.dict, builtins.list, builtins.tuple
    Expr, Expression, only_ast = ast.Expr, ast.Expression, ast.PyCF_ONLY_AST
    dumps, modules, print_exception = json.dumps, sys.modules, traceback.print_exception
    first_out, first_err = sys.stdout, sys.stderr
    def save_plots():
        pyplot = modules.get('matplotlib.pyplot')
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            pyplot.figure(number).savefig('plot-%d.png' % number)
        pyplot.close('all')
    def digits(number):
        try:
            return str(number)
        except ValueError:
            return hex(number)
    def exact(value):
        if isinstance(value, int) and not isinstance(value, bool):
            return value if -2**53 < value < 2**53 else digits(value)
        if isinstance(value, (list, tuple)):
            return [exact(one) for one in value]
        if isinstance(value, dict):
            return {key: exact(one) for key, one in value.items()}
        return value
    def to_json(value):
        if value is None:
            return None
        try:
            return dumps(exact(value), allow_nan=False)
        except BaseException:
            pass
        try:
            return dumps(repr(value)[:10000])
        except BaseException as error:
            raise WorldBroken(type(error).__name__)
    def show(error, trace):
        try:
            print_exception(type(error), error, trace)
        except BaseException:
            first_err.write(type(error).__name__ + '\\n')
    def flush(stream, first):
        try:
            stream.flush()
        except BaseException:
            first.flush()
    def execute(source, names):
        text = None
        status = 0
        try:
            tree = compile(source, 'main.py', 'exec', only_ast)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], Expr) else None
            linecache.cache['main.py'] = (len(source), None, source.splitlines(True), 'main.py')
            exec(compile(tree, 'main.py', 'exec'), names)
            value = eval(compile(Expression(last.value), 'main.py', 'eval'), names) if last is not None else None
            save_plots()
            text = to_json(value)
        except WorldBroken:
            raise
        except SystemExit as exit:
            status = exit.code if isinstance(exit.code, int) else 0 if exit.code is None else 1
            if isinstance(exit.code, str):
                print(exit.code, file=sys.stderr)
        except SyntaxError as error:
            status = 1
            trace = error.__traceback__.tb_next
            is_own = trace is None or trace.tb_frame.f_code.co_filename != 'main.py'
            show(error, None if error.filename == 'main.py' and is_own else trace)
        except BaseException as error:
            status = 1
            show(error, error.__traceback__.tb_next)
        flush(sys.stdout, first_out)
        flush(sys.stderr, first_err)
        return status, text
    return execute
execute = make_execute()
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
