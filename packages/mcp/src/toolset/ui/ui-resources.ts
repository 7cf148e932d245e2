import {
  isObject,
  type UiContext,
  type UiCsp,
  type UiPermission,
  type UiResource,
} from '@adorn/core/backend';

import { McpUiInvalidError } from '../../errors.js';
import type { McpServerLink } from '../mcp-server-link.js';
import { isUiUri } from './tool-ui-meta.js';

/** What a client says of itself that shows pages (MCP Apps). */
export const UI_CAPABILITY = {
  'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
};

const PAGE_TYPE = /^text\/html\s*;\s*profile="?mcp-app"?$/i;
/** The largest page, in bytes of UTF-8. */
const MOST_BYTES = 5_242_880;
/** How many pages of a connection are kept. */
const MOST_PAGES = 32;
/** How many origins of a kind a page may use. */
const MOST_DOMAINS = 64;
/** An origin that a policy may name: over TLS, or on this machine. */
const ORIGIN =
  /^(?:(?:https|wss):\/\/(?:\*\.)?[a-z0-9.-]+|(?:https?|wss?):\/\/(?:localhost|127\.0\.0\.1))(?::(?:\d{1,5}|\*))?$/i;
const PERMISSIONS: readonly UiPermission[] = ['camera', 'microphone', 'geolocation', 'clipboardWrite'];

/** The pages of a server, as one group of users reads them. They are kept until the connection ends. */
export class UiResources {
  private readonly known = new Map<string, Promise<UiResource>>();

  constructor(
    private readonly link: McpServerLink,
    /** The server in messages. */
    private readonly server: string,
  ) {}

  /**
   * Reads a page.
   *
   * @throws {McpUiInvalidError} for another address than one of a page, and if the server gives no page for it
   * @throws {McpServerUnavailableError | McpRequestFailedError}
   */
  read(uri: string, context: UiContext): Promise<UiResource> {
    const known = this.known.get(uri);
    if (known !== undefined) return known;
    // Several readers wait for it: none of them ends it.
    const reading = this.request(uri, { logger: context.logger });
    if (this.known.size >= MOST_PAGES) this.known.delete(this.known.keys().next().value as string);
    this.known.set(uri, reading);
    reading.catch(() => {
      if (this.known.get(uri) === reading) this.known.delete(uri);
    });
    return reading;
  }

  /** Forgets all pages: what the server has said ends with the connection. */
  clear(): void {
    this.known.clear();
  }

  private async request(uri: string, context: UiContext): Promise<UiResource> {
    if (!isUiUri(uri)) throw new McpUiInvalidError(this.server, uri, 'the address does not begin with ui://');
    const { contents } = await this.link.request({ method: 'resources/read', params: { uri } }, context);
    const [content] = (Array.isArray(contents) ? contents : []).filter(isObject).filter(isPage);
    if (content === undefined)
      throw new McpUiInvalidError(this.server, uri, 'it gave no text/html;profile=mcp-app for it');
    const html = htmlOf(content);
    if (html === undefined || html === '')
      throw new McpUiInvalidError(this.server, uri, 'the page has no content');
    if (Buffer.byteLength(html) > MOST_BYTES)
      throw new McpUiInvalidError(this.server, uri, `the page has more than ${String(MOST_BYTES)} bytes`);
    return { uri, html, ...readMeta(content['_meta']) };
  }
}

function isPage({ mimeType }: Readonly<Record<string, unknown>>): boolean {
  return typeof mimeType === 'string' && PAGE_TYPE.test(mimeType);
}

function htmlOf({ text, blob }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof text === 'string') return text;
  return typeof blob === 'string' ? Buffer.from(blob, 'base64').toString('utf8') : undefined;
}

/** What of a page's `_meta.ui` is understood; an origin that a policy cannot name is left out. */
function readMeta(meta: unknown): Pick<UiResource, 'csp' | 'permissions' | 'prefersBorder'> {
  const ui = fieldsOf(fieldsOf(meta)['ui']);
  const asked = fieldsOf(ui['permissions']);
  const { prefersBorder } = ui;
  return {
    csp: readCsp(fieldsOf(ui['csp'])),
    permissions: PERMISSIONS.filter((name) => isObject(asked[name])),
    prefersBorder: typeof prefersBorder === 'boolean' ? prefersBorder : undefined,
  };
}

function readCsp({
  connectDomains,
  resourceDomains,
  frameDomains,
}: Readonly<Record<string, unknown>>): UiCsp {
  return {
    connectDomains: originsIn(connectDomains),
    resourceDomains: originsIn(resourceDomains),
    frameDomains: originsIn(frameDomains),
  };
}

function originsIn(listed: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return texts
    .filter((one) => typeof one === 'string' && ORIGIN.test(one))
    .slice(0, MOST_DOMAINS) as string[];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
