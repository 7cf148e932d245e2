import { FunctionTool, type ToolContext } from '@adorn/core';
import { callsTool, says } from '@adorn/testing';

import { type McpServing, serveMcp } from '../server/serve-mcp.js';
import { responsesIn, startRunner } from './agent.fixture.js';
import { mcpToolset } from './mcp.toolset.js';

describe('resources and prompts of a server', () => {
  let serving: McpServing;

  beforeAll(async () => {
    serving = await serveMcp([], {
      http: {},
      resources: [
        {
          uri: 'notes://all',
          name: 'notes',
          description: 'All notes.',
          mimeType: 'text/plain',
          read: () => 'One.',
        },
        { uri: 'notes://{id}/image', name: 'image', read: (_uri, { id = '' }) => Buffer.from(id) },
      ],
      prompts: [
        {
          name: 'greet',
          arguments: [{ name: 'who', required: true }],
          messages: ({ who = '' }) => [{ role: 'assistant', content: `Hello ${who}.` }],
        },
      ],
    });
  });

  afterAll(() => serving.close());

  it('are listed and read in the context of a tool', async () => {
    const responses = await read(async (toolset, context) => ({
      resources: await toolset.listResources(context),
      text: await toolset.readResource('notes://all', context),
      data: await toolset.readResource('notes://a%20b/image', context),
    }));

    expect(responses).toEqual({
      resources: [
        {
          uri: 'notes://all',
          name: 'notes',
          description: 'All notes.',
          mimeType: 'text/plain',
          isTemplate: false,
        },
        { uri: 'notes://{id}/image', name: 'image', description: '', isTemplate: true },
      ],
      text: [{ text: 'One.' }],
      data: [
        { inlineData: { data: Buffer.from('a b').toString('base64'), mimeType: 'application/octet-stream' } },
      ],
    });
  });

  it('are contents for a model, as prompts', async () => {
    const responses = await read(async (toolset, context) => ({
      prompts: await toolset.listPrompts(context),
      messages: await toolset.getPrompt('greet', { who: 'Ada' }, context),
    }));

    expect(responses).toEqual({
      prompts: [{ name: 'greet', description: '', arguments: [{ name: 'who', required: true }] }],
      messages: [{ role: 'model', parts: [{ text: 'Hello Ada.' }] }],
    });
  });

  it.each<[string, (toolset: ReturnType<typeof mcpToolset>, context: ToolContext) => Promise<unknown>]>([
    ['a resource that does not exist', (toolset, context) => toolset.readResource('notes://none', context)],
    [
      'a URI that is too long',
      (toolset, context) => toolset.readResource(`notes://${'a'.repeat(5_000)}/image`, context),
    ],
    ['a prompt that does not exist', (toolset, context) => toolset.getPrompt('none', {}, context)],
    ['a prompt without its argument', (toolset, context) => toolset.getPrompt('greet', {}, context)],
  ])('are refused: %s', async (_what, ask) => {
    expect(
      await read((toolset, context) =>
        ask(toolset, context).then(
          () => ({ refused: false }),
          () => ({ refused: true }),
        ),
      ),
    ).toEqual({ refused: true });
  });

  /** What a tool of an agent gets that reads of the server. */
  async function read(
    ask: (toolset: ReturnType<typeof mcpToolset>, context: ToolContext) => Promise<object>,
  ): Promise<unknown> {
    const toolset = mcpToolset({ url: serving.url ?? '' });
    const reader = new FunctionTool({
      name: 'read',
      description: '',
      run: (_args, context) => ask(toolset, context),
    });
    const { runner, run } = await startRunner([reader, toolset], [callsTool('read'), says('Done.')]);
    try {
      return responsesIn(await run())[0];
    } finally {
      await runner.close();
    }
  }
});
