/* eslint-disable @typescript-eslint/no-deprecated -- overloads of other forms are, which this does not use */
/** Arguments of `node` for a server with pages, made with the packages that others make theirs with. */
export const ROOMS_ARGS = ['--input-type=module', '-e', `(${String(serve)})();`];

/** Runs in the child process: uses nothing from here. */
async function serve(): Promise<void> {
  const { fromJsonSchema, McpServer } = await import('@modelcontextprotocol/server');
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { getUiCapability, registerAppResource, registerAppTool } =
    await import('@modelcontextprotocol/ext-apps/server');
  const server = new McpServer({ name: 'rooms', version: '1.0.0' });
  const view = 'ui://rooms/view.html';
  const reads: string[] = [];
  const says = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  const mild = { destructiveHint: false };

  registerAppTool(
    server,
    'show_rooms',
    {
      description: 'Shows the rooms.',
      annotations: { readOnlyHint: true },
      _meta: { ui: { resourceUri: view } },
    },
    () => ({ ...says('Two rooms.'), structuredContent: { rooms: ['Oak', 'Elm'] } }),
  );
  registerAppTool(
    server,
    'refresh_rooms',
    { description: 'For the page.', annotations: mild, _meta: { ui: { visibility: ['app'] } } },
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
  server.registerTool('what_happened', { description: 'Says what it was asked.', annotations: mild }, () =>
    says(JSON.stringify({ reads, ui: getUiCapability(server.server.getClientCapabilities()) ?? null })),
  );

  const html = { type: 'text/html;profile=mcp-app', text: '<!doctype html><p>Rooms</p>' };
  const give = (uri: string, content: object, meta: object = {}) =>
    registerAppResource(server, uri, uri, {}, (asked) => {
      reads.push(asked.href);
      return { contents: [{ uri, ...content, ...meta }] as never };
    });
  const origins = ['https://api.example.com', 'https://*.cdn.example.com:8443', 'http://localhost:3000'];
  const hostile = ['http://example.com', 'https://x.com; script-src *', "'unsafe-eval'", '*', 'data:', 7];
  give(
    view,
    { mimeType: html.type, text: html.text },
    {
      _meta: {
        ui: {
          csp: { connectDomains: [...origins, ...hostile], resourceDomains: 'https://x.com' },
          permissions: { camera: {}, geolocation: null, usb: {} },
          prefersBorder: true,
        },
      },
    },
  );
  give('ui://rooms/blob.html', { mimeType: html.type, blob: Buffer.from(html.text).toString('base64') });
  give('ui://rooms/plain.html', { mimeType: 'text/html', text: html.text });
  give('ui://rooms/empty.html', { mimeType: html.type, text: '' });
  give('ui://rooms/large.html', { mimeType: html.type, text: 'x'.repeat(5_242_881) });
  await server.connect(new StdioServerTransport());
}
