// An MCP server with a page, made with the packages that others make theirs with. Its page is the file of the first argument.
import { readFileSync } from 'node:fs';

import { registerAppResource, registerAppTool } from '@modelcontextprotocol/ext-apps/server';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const VIEW = 'ui://rooms/view.html';
const [, , pageFile = ''] = process.argv;
const server = new McpServer({ name: 'rooms', version: '1.0.0' });
const says = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const mild = { destructiveHint: false };

registerAppTool(
  server,
  'show_rooms',
  {
    description: 'Shows the rooms.',
    annotations: { readOnlyHint: true },
    _meta: { ui: { resourceUri: VIEW } },
  },
  () => ({ ...says('Two rooms.'), structuredContent: { rooms: ['Oak', 'Elm'] } }),
);
registerAppTool(
  server,
  'refresh_rooms',
  { description: 'Reads the rooms again.', annotations: mild, _meta: { ui: { visibility: ['app'] } } },
  () => says('refreshed'),
);
registerAppTool(
  server,
  'book_room',
  {
    description: 'Books a room.',
    inputSchema: fromJsonSchema<{ room: string }>({
      type: 'object',
      properties: { room: { type: 'string' } },
      required: ['room'],
    }),
    _meta: { ui: { visibility: ['app'] } },
  },
  ({ room }) => says(`booked ${room}`),
);
registerAppTool(
  server,
  'model_only',
  { description: 'For models.', annotations: mild, _meta: { ui: { visibility: ['model'] } } },
  () => says('no'),
);
registerAppResource(server, 'rooms', VIEW, {}, () => ({
  contents: [{ uri: VIEW, mimeType: 'text/html;profile=mcp-app', text: readFileSync(pageFile, 'utf8') }],
}));
await server.connect(new StdioServerTransport());
