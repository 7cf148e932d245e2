import type { Logger } from '../runtime/logger.js';

/** Who may call a tool: models, or the pages of its server (MCP Apps). */
export type UiVisibility = 'model' | 'app';

/** What a server says of the page of its tool, and of who may call the tool (MCP Apps, `_meta.ui`). */
export interface ToolUi {
  /** The server of the tool: one object for all its tools. A page calls tools of its own server alone. */
  readonly server: object;
  /** The name by which pages of the server call the tool. */
  readonly name: string;
  /** The page that shows calls of the tool, such as `ui://weather/view.html`; undefined for a tool without one. */
  readonly resourceUri: string | undefined;
  /** No model is offered a tool without `model`; no page calls a tool without `app`. */
  readonly visibility: readonly UiVisibility[];

  /**
   * Reads a page of the server.
   *
   * @throws {AdornError} if the server cannot be asked, refuses, or gives something else than a page
   */
  readResource(uri: string, context: UiContext): Promise<UiResource>;
}

/** How a page is read. */
export interface UiContext {
  /** Is told when the server is connected to. */
  readonly logger: Logger;
}

/** A page of a server (MCP Apps). It is written by others: show it in a sandbox of its own origin, with its policy. */
export interface UiResource {
  /** Such as `ui://weather/view.html`. */
  readonly uri: string;
  /** At most 5 MiB, of others. */
  readonly html: string;
  /** The origins that the page may use. Without any, it reaches nothing. */
  readonly csp: UiCsp;
  /** What of the browser the page asks for. A host may refuse. */
  readonly permissions: readonly UiPermission[];
  /** Whether the page wants a border; undefined if it does not say. */
  readonly prefersBorder: boolean | undefined;
}

/** Origins by what a page does with them, such as `https://api.example.com` or `https://*.example.com`. */
export interface UiCsp {
  /** For requests. */
  readonly connectDomains: readonly string[];
  /** For scripts, styles, pictures, fonts and media. */
  readonly resourceDomains: readonly string[];
  /** For frames within the page. */
  readonly frameDomains: readonly string[];
}

/** What of the browser a page may ask for. */
export type UiPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** False for a tool that its server has for its pages alone: no model is offered it. */
export function isOffered({ ui }: { readonly ui: ToolUi | undefined }): boolean {
  return ui?.visibility.includes('model') ?? true;
}
