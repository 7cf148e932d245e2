import type { Content, Part } from '../events/genai-types.js';
import type { CodeTool, ToolTable } from '../tools/tool-table.js';
import { Event } from '../events/event.js';
import { withCodeCalls, withCodeResults } from './code-calls.js';
import { PENDING_RESPONSE } from '../events/placeholder-response.js';

const PYTHON: CodeTool = { name: 'run_python', languages: ['python'], blocks: true };
const SHELL: CodeTool = { name: 'run_shell', languages: ['bash', 'javascript'], blocks: false };

describe('the code of an answer', () => {
  it.each<[string, object]>([
    ['PYTHON', { name: 'run_python', args: { code: 'x' } }],
    ['python3', { name: 'run_python', args: { code: 'x' } }],
    ['py', { name: 'run_python', args: { code: 'x' } }],
    ['LANGUAGE_UNSPECIFIED', { name: 'run_python', args: { code: 'x' } }],
    ['tool_code', { name: 'run_python', args: { code: 'x' } }],
    ['', { name: 'run_python', args: { code: 'x' } }],
    ['sh', { name: 'run_shell', args: { code: 'x', language: 'bash' } }],
    ['Shell', { name: 'run_shell', args: { code: 'x', language: 'bash' } }],
    ['js', { name: 'run_shell', args: { code: 'x', language: 'javascript' } }],
    ['JavaScript', { name: 'run_shell', args: { code: 'x', language: 'javascript' } }],
  ])('in the language %j is a call of the tool that runs it', (language, call) => {
    const [part, called, ...others] = partsOf([code('x', language)]);

    const id = called?.functionCall?.id;
    expect(called).toEqual({ functionCall: { id: expect.stringMatching(/./) as string, ...call } });
    expect(part).toEqual({ executableCode: { code: 'x', language, id } });
    expect(others).toEqual([]);
  });

  it('is the first tool of the list where it names no language', () => {
    const [, called] = partsOf([code('x', '')], [SHELL, PYTHON]);

    expect(called?.functionCall).toMatchObject({
      name: 'run_shell',
      args: { code: 'x', language: 'bash' },
    });
  });

  it('may be there more than once, and without a word', () => {
    const executableCode: unknown = {};
    const names = partsOf([code('x', 'bash'), { text: 'and' }, { executableCode } as Part]).map(
      ({ functionCall }) => functionCall && [functionCall.name, functionCall.args?.['code']],
    );

    expect(names).toEqual([undefined, ['run_shell', 'x'], undefined, undefined, ['run_python', '']]);
  });

  it.each<[string, Part[], readonly CodeTool[], object]>([
    ['there is no tool for code', [code('x')], [], {}],
    ['no tool runs its language', [code('x', 'ruby')], [PYTHON], {}],
    ['the answer calls a tool', [code('x'), { functionCall: { name: 'other', args: {} } }], [PYTHON], {}],
    ['its result follows', [code('x'), { codeExecutionResult: { output: '1' } }], [PYTHON], {}],
    ['the provider runs it', [code('x')], [PYTHON], { tools: [{ codeExecution: {} }] }],
    [
      'the provider runs it, beside other tools of it',
      [code('x')],
      [PYTHON],
      { tools: [{ googleSearch: {} }, { codeExecution: {} }] },
    ],
    ['it is text', [{ text: 'print(1)' }], [PYTHON], {}],
  ])('is left alone if %s', (_, parts, tools, config) => {
    const content: Content = { role: 'model', parts };

    expect(callsIn(content, tools, config)).toBe(content);
  });

  it('is a call beside tools of the provider that run no code', () => {
    expect(partsOf([code('x')], undefined, { tools: [{ googleSearch: {} }] })).toHaveLength(2);
  });

  it('may be content without parts', () => {
    const content: Content = { role: 'model' };

    expect(callsIn(content)).toBe(content);
  });
});

describe('a fenced block of an answer', () => {
  it.each<[string, string, string]>([
    ['```python\nprint(1)\n```', '', 'print(1)'],
    ['Look:\n```py\nprint(1)\nprint(2)\n```\nIt prints 1.', 'Look:\n', 'print(1)\nprint(2)'],
    ['Look:\r\n```python  \r\nprint(1)\r\n```  \r\nIt prints 1.', 'Look:\r\n', 'print(1)'],
    ['```tool_code\n```inner\n```', '', '```inner'],
    ['```python\n\n```', '', ''],
    ['```python\n1\n```\n```python\n2\n```', '', '1'],
    [' \n```python\n1\n```', '', '1'],
  ])('%j is code, after the text before it', (text, before, source) => {
    const parts = partsOf([{ text }]);

    const id = parts.at(-1)?.functionCall?.id;
    expect(parts).toEqual([
      ...(before === '' ? [] : [{ text: before }]),
      { executableCode: { code: source, language: 'python', id } },
      { functionCall: { id, name: 'run_python', args: { code: source } } },
    ]);
  });

  it('is that of the first text with one; what follows is dropped, and what stands before stays', () => {
    const thought: Part = { text: '```python\nthought\n```', thought: true };
    const image: Part = { inlineData: { mimeType: 'image/png', data: '' } };
    const parts = partsOf([
      thought,
      image,
      { text: 'a' },
      { text: 'b\n```python\n1\n```c' },
      { text: 'd\n```py\n2\n```' },
    ]);

    expect(parts.slice(0, 4)).toEqual([thought, image, { text: 'a' }, { text: 'b\n```python\n1\n```c' }]);
    expect(parts[4]).toEqual({ text: 'd\n' });
    expect(parts.at(-1)?.functionCall?.args).toEqual({ code: '2' });
  });

  it.each([
    '```\nprint(1)\n```',
    '```bash\nls\n```',
    '```ruby\nputs 1\n```',
    '```python\nprint(1)',
    'a ```python\n1\n```',
    '```python 1```',
    '```python\n1\n``` and',
  ])('%j is none that a tool takes', (text) => {
    const content: Content = { role: 'model', parts: [{ text }] };

    expect(callsIn(content)).toBe(content);
  });

  it('is left alone beside code of the model, and without a tool that takes blocks', () => {
    const block: Part = { text: '```python\n1\n```' };

    expect(partsOf([block, code('x')]).map(({ functionCall }) => functionCall?.args?.['code'])).toEqual([
      ...[undefined, undefined, 'x'],
    ]);
    expect(partsOf([block], [SHELL])).toEqual([block]);
  });

  it('is run by this tool also where the provider runs code of its own', () => {
    const parts = partsOf([{ text: '```python\n1\n```' }], undefined, { tools: [{ codeExecution: {} }] });

    expect(parts.at(-1)?.functionCall?.name).toBe('run_python');
  });
});

describe('the results of code', () => {
  const origin = eventOf('model', [{ executableCode: { id: 'c1', code: 'x' } }]);
  const result = (id: string | undefined, response?: object, willContinue?: boolean): Part => ({
    functionResponse: { id, name: 'run_python', response: response as Record<string, unknown>, willContinue },
  });
  const partsWith = (...parts: readonly Part[]): readonly Part[] =>
    withCodeResults(eventOf('user', parts), [eventOf('model', []), noContent(), origin]).content?.parts ?? [];

  it.each<[string, object, object]>([
    ['has run', { outcome: 'OUTCOME_OK', output: '1' }, { outcome: 'OUTCOME_OK', output: '1' }],
    ['was refused', { error: 'No.' }, { outcome: 'OUTCOME_FAILED', output: 'No.' }],
    ['says something else', PENDING_RESPONSE, { outcome: 'OUTCOME_FAILED', output: '{"status":"pending"}' }],
    [
      'has an outcome alone',
      { outcome: 'OUTCOME_OK' },
      { outcome: 'OUTCOME_FAILED', output: '{"outcome":"OUTCOME_OK"}' },
    ],
    ['has an output alone', { output: '1' }, { outcome: 'OUTCOME_FAILED', output: '{"output":"1"}' }],
  ])('follow the response of a call that %s', (_what, response, codeExecutionResult) => {
    expect(partsWith(result('c1', response))).toEqual([
      result('c1', response),
      { codeExecutionResult: { id: 'c1', ...codeExecutionResult } },
    ]);
  });

  it('follow all responses, for the calls of code alone', () => {
    const responses = [result('c1', { error: 'a' }), result('c2', { error: 'b' }), { text: 'and' }];

    expect(partsWith(...responses)).toEqual([
      ...responses,
      { codeExecutionResult: { id: 'c1', outcome: 'OUTCOME_FAILED', output: 'a' } },
    ]);
  });

  it.each<[string, Part]>([
    ['goes on', result('c1', { status: 'running' }, true)],
    ['is of another call', result('c2', { error: 'a' })],
    ['has no id', result(undefined, { error: 'a' })],
    ['is no response', { text: 'a' }],
  ])('are absent where it %s', (_what, part) => {
    const response = eventOf('user', [part]);

    expect(withCodeResults(response, [origin])).toBe(response);
  });

  it('are absent where no answer had code, and where the response has no content', () => {
    const response = eventOf('user', [result('c1', { error: 'a' })]);
    const empty = noContent();

    expect(withCodeResults(response, [noContent()])).toBe(response);
    expect(withCodeResults(empty, [origin])).toBe(empty);
  });

  function eventOf(role: string, parts: readonly Part[]): Event {
    return new Event({ invocationId: 'e-1', author: 'clerk', content: { role, parts: [...parts] } });
  }

  function noContent(): Event {
    return new Event({ invocationId: 'e-1', author: 'clerk' });
  }
});

function callsIn(content: Content, codeTools: readonly CodeTool[] = [PYTHON, SHELL], config = {}): Content {
  const tools = { codeTools } as ToolTable;
  return withCodeCalls(content, { tools, config });
}

function partsOf(parts: Part[], ...given: [(readonly CodeTool[])?, object?]): readonly Part[] {
  return callsIn({ role: 'model', parts }, ...given).parts ?? [];
}

/** A part as Gemini writes it. */
function code(text: string, language = 'PYTHON'): Part {
  const executableCode: unknown = { code: text, language };
  return { executableCode } as Part;
}
