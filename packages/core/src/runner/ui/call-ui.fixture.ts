import type { ToolUi, UiResource } from '../../backend.js';
import { FunctionTool } from '../../index.js';

/** A server with pages, as tools know it. */
export class PageServer {
  /** The pages that were read. */
  readonly read: string[] = [];

  /** A tool of the server that returns its name, and notes that it has run. */
  tool(name: string, options: Partial<PageToolOptions> = {}): PageTool {
    return new PageTool(this, { name, ...options });
  }

  page(uri: string): Promise<UiResource> {
    this.read.push(uri);
    const csp = { connectDomains: [], resourceDomains: [], frameDomains: [] };
    return Promise.resolve({ uri, html: '<p>Rooms</p>', csp, permissions: [], prefersBorder: undefined });
  }
}

interface PageToolOptions {
  readonly name: string;
  readonly visibility: ToolUi['visibility'];
  readonly resourceUri: string;
  readonly confirm: boolean;
  /** Called when the tool runs. */
  readonly ran: (name: string) => void;
}

/** A tool of a server with pages. Its server calls it by the name without the prefix. */
export class PageTool extends FunctionTool {
  private readonly ownUi: ToolUi;

  constructor(
    server: PageServer,
    { name, visibility = ['model', 'app'], resourceUri, confirm = false, ran }: Partial<PageToolOptions>,
  ) {
    super({
      ...{ name: `rooms_${String(name)}`, description: '', confirm, idempotent: true },
      parameters: { type: 'object', properties: { floor: { type: 'integer' } } },
      run: () => {
        ran?.(String(name));
        return `done: ${String(name)}`;
      },
    });
    const readResource = (uri: string) => server.page(uri);
    this.ownUi = { server, name: String(name), visibility, resourceUri, readResource };
  }

  override get ui(): ToolUi {
    return this.ownUi;
  }
}
