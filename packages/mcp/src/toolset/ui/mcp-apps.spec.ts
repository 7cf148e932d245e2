import { callerOf, UiCallRefusedError, uiIn, uiOfCall, type UiResource } from '@adorn/core/backend';
import { ConsoleLogger, type PendingRequest, type Runner } from '@adorn/core';
import { callsTool, says } from '@adorn/testing';

import { namesIn, respond, startRunner } from '../agent.fixture.js';
import { type McpToolset, mcpToolset } from '../mcp.toolset.js';
import type { McpToolOptions } from '../mcp-toolset-options.js';
import { ROOMS_ARGS } from './rooms-server.fixture.js';

const VIEW = 'ui://rooms/view.html';
const address = { userId: 'ada', sessionId: 's1' };
const logger = new ConsoleLogger();
const context = { appName: 'clerk', userId: 'ada', logger, signal: new AbortController().signal };

describe('a server with pages (MCP Apps)', () => {
  it.each([
    [{}, { mimeTypes: ['text/html;profile=mcp-app'] }],
    [{ ui: false }, null],
  ])('is told whether pages are shown: %j', async (options, ui) => {
    const [response] = await respond([roomsToolset(options)], [callsTool('what_happened')]);

    expect(JSON.parse((response as { result: string }).result)).toEqual({ reads: [], ui });
  });

  it('has its tools for pages alone hidden from models, and its page named by the event of a result', async () => {
    await using shown = await showRooms();
    const { model, show, log } = shown;

    expect(namesIn(model)[0]).toEqual(['show_rooms', 'model_only', 'what_happened']);
    expect(uiIn(show.event, show.callId)).toBe(VIEW);
    expect(log.lines.join('\n')).toContain('"tools":["book_room"]');
  });

  it('gives the page with the origins that a policy can name, once for each connection', async () => {
    await using shown = await showRooms();
    const { runner, toolset, show } = shown;

    const ui = await uiOfCall(runner, { ...address, callId: show.callId });
    const page = await ui.read({ logger });
    const again = await toolset.readUi(VIEW, context);

    expect(page).toEqual({
      uri: VIEW,
      html: '<!doctype html><p>Rooms</p>',
      csp: {
        connectDomains: [
          'https://api.example.com',
          'https://*.cdn.example.com:8443',
          'http://localhost:3000',
        ],
        resourceDomains: [],
        frameDomains: [],
      },
      permissions: ['camera'],
      prefersBorder: true,
    } satisfies UiResource);
    expect(again).toBe(page);
    expect(ui.result).toEqual({
      content: [{ type: 'text', text: '{"rooms":["Oak","Elm"]}' }],
      structuredContent: { rooms: ['Oak', 'Elm'] },
    });
    await toolset.close();
    expect(await toolset.readUi(VIEW, context)).not.toBe(page);
  });

  it.each([
    ['ui://rooms/blob.html', undefined],
    ['ui://rooms/plain.html', 'it gave no text/html;profile=mcp-app'],
    ['ui://rooms/empty.html', 'the page has no content'],
    ['ui://rooms/large.html', 'the page has more than 5242880 bytes'],
    ['file:///etc/passwd', 'does not begin with ui://'],
    ['https://example.com/', 'does not begin with ui://'],
    [`ui://${'x'.repeat(3_000)}`, 'does not begin with ui://'],
  ])('gives nothing but a page: %s', async (uri, fault) => {
    const toolset = roomsToolset();
    const reading = toolset.readUi(uri, context);

    if (fault === undefined)
      await expect(reading).resolves.toMatchObject({ html: '<!doctype html><p>Rooms</p>' });
    else
      await expect(reading).rejects.toMatchObject({
        code: 'UI_INVALID',
        message: expect.stringContaining(fault) as string,
      });
    await toolset.close();
  });

  it('has its page call its own tools, as calls of the conversation', async () => {
    await using shown = await showRooms({ prefix: 'hotel' });
    const { runner, show } = shown;
    const ui = await uiOfCall(runner, { ...address, callId: show.callId });

    const { output } = await ui.call('refresh_rooms', {}, { by: 'ann' });

    expect(output).toBe('refreshed');
    expect(ui.callable).toEqual(['show_rooms', 'what_happened', 'refresh_rooms', 'book_room']);
    const [call] = (await logOf(runner)).slice(-2);
    expect(call?.functionCalls).toMatchObject([{ name: 'hotel_refresh_rooms' }]);
    expect(call && callerOf(call)).toMatchObject({ by: 'ann', fromUi: show.callId });
    expect(() => ui.call('model_only', {})).toThrow(UiCallRefusedError);
  });

  it('has a person asked before its page books, with the name of the server', async () => {
    await using shown = await showRooms();
    const { runner, show } = shown;
    const ui = await uiOfCall(runner, { ...address, callId: show.callId });

    const { pending } = await ui.call('book_room', { room: 'Oak' }, { by: 'ada', callId: 'b1' });
    const [request] = pending;
    await runner.approve(request as PendingRequest);

    expect(request?.hint).toContain('Approve the call of `book_room` of the MCP server rooms?');
    const { content } = (await uiOfCall(runner, { ...address, callId: show.callId })).resultOf('b1') ?? {};
    expect(content).toEqual([{ type: 'text', text: 'booked Oak' }]);
  });

  it('has none of this where pages are not shown', async () => {
    await using shown = await showRooms({ ui: false });
    const { runner, model, show } = shown;

    expect(namesIn(model)[0]).toEqual(['show_rooms', 'model_only', 'what_happened']);
    expect(await runner.tools({ ...address, forPages: true })).toHaveLength(3);
    expect(uiIn(show.event, show.callId)).toBeUndefined();
  });
});

function roomsToolset(options: McpToolOptions = {}): McpToolset {
  return mcpToolset({ command: process.execPath, args: ROOMS_ARGS, name: 'rooms', ...options });
}

/** A conversation in which the model has shown the page. */
async function showRooms(options: McpToolOptions = {}) {
  const toolset = roomsToolset(options);
  const name = options.prefix === undefined ? 'show_rooms' : `${options.prefix}_show_rooms`;
  const { runner, model, log, run } = await startRunner([toolset], [callsTool(name), says('There.')]);
  const { events } = await run();
  const event = events.find(({ functionResponses }) => functionResponses.length > 0);
  if (!event) throw new Error('The rooms were not shown.');
  const show = { event, callId: event.functionResponses[0]?.id ?? '' };
  return { runner, model, log, toolset, show, [Symbol.asyncDispose]: () => runner.close() };
}

async function logOf({ appName, sessions }: Runner) {
  return (await sessions.getSession({ appName, ...address }))?.events ?? [];
}
