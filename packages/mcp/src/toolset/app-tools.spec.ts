import { says } from '@adorn/testing';

import { namesIn, startRunner } from './agent.fixture.js';
import { mcpToolset } from './mcp.toolset.js';
import { argsOf, serverProgram } from './stdio-server.fixture.js';

describe('a tool that a server has for its own page (MCP Apps)', () => {
  it.each<[string, unknown, boolean]>([
    ['for its page alone', { ui: { visibility: ['app'] } }, false],
    ['for models and its page', { ui: { visibility: ['model', 'app'] } }, true],
    ['with a page, and for everybody', { ui: { resourceUri: 'ui://echo/view.html' } }, true],
    ['for nobody', { ui: { visibility: [] } }, true],
    ['for a text', { ui: { visibility: 'app' } }, true],
    ['without a page', { ui: null }, true],
    ['without fields', null, true],
  ])('is offered to models unless it is for the page alone: %s', async (_what, _meta, isOffered) => {
    const args = argsOf(serverProgram({ echo: { _meta }, sum: {} }));
    const toolset = mcpToolset({ command: process.execPath, args });
    const { runner, run, model } = await startRunner([toolset], [says('Done.')]);

    await run();

    expect(namesIn(model)).toEqual([isOffered ? ['echo', 'sum'] : ['sum']]);
    await runner.close();
  });
});
