import { FunctionTool } from './function.tool.js';
import { tool } from './tool.decorator.js';
import { Tool } from './tool.js';
import { ToolTable } from './tool-table.js';
import { toolsOfService } from './tools-of-service.js';

describe('ToolTable', () => {
  it('finds tools by their exact names, with the check of their arguments', async () => {
    const table = await ToolTable.build('clerk', [
      named('refund', { properties: { cents: { type: 'number' } } }),
    ]);

    expect(table.names).toEqual(['refund']);
    expect(table.find('Refund')).toBeUndefined();
    expect(table.find('refund')?.check({ cents: 'many' })).toEqual({
      kind: 'invalid',
      problems: ['cents must be number, not "many"'],
    });
  });

  it('refuses two tools of one name, naming where both were written', async () => {
    await expect(
      ToolTable.build('clerk', [...toolsOfService(new Orders(), new Map()), named('refund')]),
    ).rejects.toMatchObject({
      code: 'TOOL_NAME_TAKEN',
      message:
        'Agent "clerk" has two tools named "refund": Orders.refund and FunctionTool. Rename one with ' +
        "@tool({ name: '…' }), remove it from the agent's tools, or give the tools of a toolset a prefix: withPrefix(toolset, '…').",
    });
  });

  it('refuses a name that the table it adds to has already', async () => {
    const base = await ToolTable.build('clerk', [named('refund')]);

    await expect(ToolTable.build('clerk', [named('refund')], base)).rejects.toMatchObject({
      code: 'TOOL_NAME_TAKEN',
    });
  });

  it.each(['', '1st', 'get time', 'größe', 'a'.repeat(65)])('refuses the name "%s"', async (name) => {
    await expect(ToolTable.build('clerk', [named(name)])).rejects.toMatchObject({
      code: 'TOOL_NAME_INVALID',
      message:
        `The tool name "${name}" of FunctionTool is not valid. A name starts with a letter or an ` +
        'underscore, followed by letters, digits, _ . : or -, at most 64 characters.',
    });
  });

  it('says of a name of requests that it is reserved', async () => {
    await expect(ToolTable.build('clerk', [named('adk_request_input')])).rejects.toThrow(
      'is not valid. It is reserved for requests to a person.',
    );
  });

  it.each(['_', 'get_time', 'time.get', 'fs:read-file', 'a'.repeat(64)])(
    'takes the name "%s"',
    async (name) => {
      expect((await ToolTable.build('clerk', [named(name)])).names).toEqual([name]);
    },
  );

  it('refuses a schema that is none, naming the tool and the fault', async () => {
    await expect(ToolTable.build('clerk', [named('refund', { type: 'strnig' })])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message:
        'The declaration of tool "refund" (FunctionTool) is not valid: schema is invalid: data/type must ' +
        'be equal to one of the allowed values, data/type must be array, data/type must match a schema ' +
        'in anyOf. Correct the declaration.',
    });
  });

  it('refuses a schema that requires a property which no argument keeps', async () => {
    const schema = { type: 'object', $defs: { A: { type: 'object', required: ['__proto__'] } } };

    await expect(ToolTable.build('clerk', [named('refund', schema)])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining(
        'it requires a property called __proto__, which no argument keeps',
      ) as unknown,
    });
  });

  it('lists a passive tool, which cannot be called', async () => {
    const search = new Passive();
    const table = await ToolTable.build('clerk', [search, named('refund')]);

    expect(table.tools).toEqual([search, table.find('refund')?.tool]);
    expect(table.names).toEqual(['refund']);
    expect(table.find('search')).toBeUndefined();
  });

  it('knows the names that come nearest to one that was meant', async () => {
    const table = await ToolTable.build(
      'clerk',
      ['get_time', 'get_weather', 'refund'].map((name) => named(name)),
    );

    expect(table.nearest('get_tiem')).toEqual(['get_time', 'get_weather']);
    expect(table.nearest('GetTime')).toEqual(['get_time']);
    expect(table.nearest('send_rocket_to_the_moon')).toEqual([]);
  });
});

class Orders {
  @tool({ parameters: { type: 'object' } })
  refund(): string {
    return 'refunded';
  }
}

class Passive extends Tool {
  readonly name = 'search';
  readonly description = '';

  declaration(): undefined {
    return undefined;
  }

  run(): never {
    throw new Error('a passive tool was called');
  }
}

function named(name: string, schema?: Record<string, unknown>): Tool {
  const parameters = schema && { type: 'object', ...schema };
  return new FunctionTool({ name, description: '', ...(parameters && { parameters }), run: () => undefined });
}
