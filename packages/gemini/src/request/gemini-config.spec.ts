import { toGeminiConfig } from './gemini-config.js';

describe('toGeminiConfig', () => {
  it('puts all function declarations into one tool, where the first of them stood', () => {
    const { tools } = toGeminiConfig({
      tools: [
        { googleSearch: {} },
        { functionDeclarations: [{ name: 'a' }] },
        { urlContext: {} },
        { functionDeclarations: [{ name: 'b' }, { name: 'c' }], codeExecution: {} },
      ],
    });

    expect(tools).toEqual([
      { googleSearch: {} },
      { functionDeclarations: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { urlContext: {} },
      { codeExecution: {} },
    ]);
  });

  it('declares results only on request', () => {
    const declaration = { name: 'a', responseJsonSchema: { type: 'string' } };
    const config = { tools: [{ functionDeclarations: [declaration] }] };

    expect(declarationsOf(toGeminiConfig(config))).toEqual([{ name: 'a' }]);
    expect(declarationsOf(toGeminiConfig(config, { declaresResults: true }))).toEqual([declaration]);
  });

  it('converts a config once, and a declaration once though configs share it', () => {
    const declaration = {
      name: 'a',
      parametersJsonSchema: { type: 'object', properties: { b: { const: 1 } } },
    };
    const config = { tools: [{ functionDeclarations: [declaration] }] };

    expect(toGeminiConfig(config)).toBe(toGeminiConfig(config));
    expect(declarationsOf(toGeminiConfig({ ...config }))[0]).toBe(declarationsOf(toGeminiConfig(config))[0]);
    expect(declaration.parametersJsonSchema).toEqual({ type: 'object', properties: { b: { const: 1 } } });
  });

  it('converts the schema of the answer', () => {
    expect(toGeminiConfig({ responseJsonSchema: { const: 'yes' } }).responseJsonSchema).toEqual({
      type: 'string',
      enum: ['yes'],
    });
  });

  it('keeps @google/genai from running functions and retrying', () => {
    expect(
      toGeminiConfig({
        temperature: 0,
        tools: [],
        toolConfig: {
          functionCallingConfig: { streamFunctionCallArguments: false, allowedFunctionNames: ['a'] },
        },
        httpOptions: { retryOptions: { attempts: 9 }, headers: { a: 'b' } },
      }),
    ).toEqual({
      temperature: 0,
      automaticFunctionCalling: { disable: true },
      toolConfig: { functionCallingConfig: { allowedFunctionNames: ['a'] } },
      httpOptions: { headers: { a: 'b' } },
    });
  });
});

function declarationsOf(config: ReturnType<typeof toGeminiConfig>): unknown[] {
  const [tool] = config.tools ?? [];
  return tool !== undefined && 'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [];
}
