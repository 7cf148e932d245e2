import {
  type AuthConfig,
  type AuthCredential,
  type Content,
  CredentialRejectedError,
  type Logger,
  type Part,
  type ReadonlyContext,
  type Tool,
  Toolset,
  type ToolsetContext,
} from '@adorn/core';
import {
  composedKey,
  describeThrown,
  present,
  suggestName,
  type ListingOptions,
  type UiResource,
} from '@adorn/core/backend';

import { McpConfigInvalidError } from '../errors.js';
import { noteScopes } from '../oauth/wanted-scopes.js';
import { checkToolsetOptions, secretsOf } from './check-options.js';
import { isRefusal } from './credential-refusal.js';
import { openHttp } from './http-transport.js';
import { openStdio } from './stdio-transport.js';
import { serverName } from './server-name.js';
import { McpServerLink } from './mcp-server-link.js';
import { type DefinitionChange, McpTool } from './mcp.tool.js';
import type { HttpToolsetOptions, StdioToolsetOptions } from './mcp-toolset-options.js';
import {
  type McpPrompt,
  type McpResource,
  promptContents,
  readPrompts,
  readResources,
  resourceParts,
} from './server-content.js';
import { answerQuestions, questionCapabilities } from './server-questions.js';
import { type ReadDefinitions, readDefinitions, type ToolDefinition } from './tool-definition.js';
import { UI_CAPABILITY, UiResources } from './ui/ui-resources.js';

const STDIO_TIMEOUT_MS = 30_000;
const HTTP_TIMEOUT_MS = 60_000;
const DEFAULT_MESSAGE_BYTES = 10_485_760;

/**
 * The tools of an MCP server as a toolset. The server is started, or connected to, when its tools are first listed, and
 * agents that list the same toolset share the connection; it ends when a runner that has the toolset is closed.
 *
 * @throws {McpConfigInvalidError} if an option does not exist or has a value that cannot be used
 * @example
 * mcpToolset({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'], only: ['read_text_file'] })
 * mcpToolset({ url: 'https://mcp.example.com/mcp', auth: { scheme: { type: 'http', scheme: 'bearer' }, key: 'example' } })
 */
export function mcpToolset(options: StdioToolsetOptions | HttpToolsetOptions): McpToolset {
  checkToolsetOptions(options);
  return new McpToolset(options);
}

/** What one server offers to one group of users: everybody, or one user where the server gets a credential. */
interface ServerView {
  readonly link: McpServerLink;
  readonly pages: UiResources;
  /** The tools made so far, so that a definition that is listed again keeps its object. */
  readonly made: Map<string, McpTool>;
  credential: AuthCredential | undefined;
  listed: Promise<readonly Tool[]> | undefined;
  /** The invocations that have asked for that list, or an earlier one. */
  readonly askedIn: Set<string>;
  /** The last list that was read, for the time while the server cannot be asked. */
  last: readonly Tool[] | undefined;
}

/** Whose connection is used, and what is logged where. Contexts of tools, toolsets and callbacks have this form. */
export type McpContext = Pick<ReadonlyContext, 'appName' | 'userId' | 'logger' | 'signal'> & {
  readonly credential?: AuthCredential | undefined;
};

/** How many users may be connected at once. The one who was idle for longest is disconnected. */
const MOST_VIEWS = 256;
/** How many invocations are remembered that have asked for a list. */
const MOST_INVOCATIONS = 1_000;
/** How long a server is waited for whose last list is known, in milliseconds. */
const RELIST_MS = 5_000;

/** The tools of one MCP server. Made by `mcpToolset`. */
export class McpToolset extends Toolset {
  declare readonly auth?: AuthConfig;
  declare readonly listing?: ListingOptions;
  private readonly views = new Map<string, ServerView>();
  /** Digests of the approved definitions of the server, by its names: those of its first listing, whoever asked for it. */
  private readonly approved: Map<string, string>;
  /** True once definitions are approved: a name that is new is then a change. */
  private isApproved: boolean;
  private isListed = false;
  /** The server in messages. */
  private readonly server: string;

  /** @internal */
  constructor(private readonly options: StdioToolsetOptions | HttpToolsetOptions) {
    super();
    const { auth, listing } = options as HttpToolsetOptions;
    Object.assign(this, { auth, listing });
    this.approved = new Map(Object.entries(options.definitions ?? {}));
    this.isApproved = options.definitions !== undefined;
    this.server = serverName(options);
  }

  /**
   * The tools that the server lists. They are asked for at each new connection and session, when the server says that they
   * have changed, and once in each invocation while it cannot say so. While it cannot be asked, the last list is used.
   *
   * @throws {McpServerUnavailableError} if the server cannot be started or reached, and never could
   * @throws {McpRequestFailedError} if it refuses to list its tools, and always has
   * @throws {McpConfigInvalidError} if `effects` names a tool that the server does not have
   */
  async listTools(context: ToolsetContext): Promise<readonly Tool[]> {
    const view = this.viewOf(context);
    view.credential = context.credential;
    if (!view.link.tellsChanges && isFirstOf(context.invocationId, view.askedIn)) view.listed = undefined;
    if (view.listed === undefined && view.last !== undefined && view.link.isResting) return view.last;
    const listing = (view.listed ??= this.read(view, context));
    try {
      return (view.last = await listing);
    } catch (error) {
      if (view.listed === listing) view.listed = undefined;
      // A credential that is refused now is asked for by the next call.
      if (view.last === undefined) throw this.rejected(error);
      const facts = { server: this.server, error: describeThrown(error).message };
      context.logger.warn('an MCP server cannot list its tools; its last list is used', facts);
      return view.last;
    }
  }

  /**
   * The resources that the server lists, and its templates of resources.
   *
   * @param context of the user, such as that of a tool or of a callback
   * @throws {McpServerUnavailableError}
   * @throws {McpRequestFailedError}
   */
  async listResources(context: McpContext): Promise<McpResource[]> {
    const link = this.linkFor(context);
    const resources = await link.listAll('resources/list', 'resources', context);
    const templates = await link
      .listAll('resources/templates/list', 'resourceTemplates', context)
      .catch(noTemplates);
    return [...readResources(resources, false), ...readResources(templates, true)];
  }

  /**
   * The content of a resource: text, and data inline. It is written by others.
   *
   * @throws {McpServerUnavailableError}
   * @throws {McpRequestFailedError}
   */
  async readResource(uri: string, context: McpContext): Promise<Part[]> {
    const result = await this.linkFor(context).request(
      { method: 'resources/read', params: { uri } },
      context,
    );
    return resourceParts(result);
  }

  /**
   * A page of the server (MCP Apps): its HTML, the origins that it may use and what of the browser it asks for. It is written by
   * others. It is read once for each connection. For the page of a call that is in a log, see `uiOfCall`.
   *
   * @param uri such as `ui://weather/view.html`
   * @throws {McpUiInvalidError} if it is no page, or has more than 5 MiB
   * @throws {McpServerUnavailableError}
   * @throws {McpRequestFailedError}
   */
  async readUi(uri: string, context: McpContext): Promise<UiResource> {
    this.linkFor(context);
    return this.viewOf(context).pages.read(uri, context);
  }

  /**
   * The prompts that the server lists.
   *
   * @throws {McpServerUnavailableError}
   * @throws {McpRequestFailedError}
   */
  async listPrompts(context: McpContext): Promise<McpPrompt[]> {
    return readPrompts(await this.linkFor(context).listAll('prompts/list', 'prompts', context));
  }

  /**
   * The messages of a prompt with these arguments, such as for `runner.run({ message })`. They are written by others.
   *
   * @throws {McpServerUnavailableError}
   * @throws {McpRequestFailedError}
   */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    context: McpContext,
  ): Promise<Content[]> {
    const params = { name, arguments: { ...args } };
    return promptContents(await this.linkFor(context).request({ method: 'prompts/get', params }, context));
  }

  /** Digests of the definitions that count as approved, by the server's names, for `definitions` of a later process. */
  definitionDigests(): Record<string, string> {
    return Object.assign(Object.create(null), Object.fromEntries(this.approved)) as Record<string, string>;
  }

  /** Disconnects from the server, and ends it if it was started. A later listing connects again. */
  override async close(): Promise<void> {
    const views = [...this.views.values()];
    this.views.clear();
    for (const { pages } of views) pages.clear();
    await Promise.all(views.map(({ link }) => link.close()));
  }

  private linkFor(context: McpContext): McpServerLink {
    const view = this.viewOf(context);
    if (context.credential !== undefined) view.credential = context.credential;
    return view.link;
  }

  private viewOf({ appName, userId }: McpContext): ServerView {
    const key = this.auth === undefined ? '' : composedKey(appName, userId);
    const known = this.views.get(key);
    const view = known ?? this.newView();
    // The order of the map is the order of use.
    this.views.delete(key);
    this.views.set(key, view);
    const [idle, idleView] = this.views.entries().next().value ?? [];
    if (this.views.size > MOST_VIEWS && idle !== undefined) {
      this.views.delete(idle);
      void idleView?.link.close();
    }
    return view;
  }

  private newView(): ServerView {
    const { options } = this;
    const maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MESSAGE_BYTES;
    const link = new McpServerLink({
      server: this.server,
      hasCredential: this.auth !== undefined,
      open: (logger) =>
        'command' in options
          ? openStdio(options, { logger, maxMessageBytes, server: this.server })
          : openHttp(options, { maxMessageBytes, credential: () => view.credential }),
      asking: { elicitation: options.elicitation, approvers: options.approvers },
      capabilities: {
        ...questionCapabilities(options),
        ...(options.ui !== false && { extensions: UI_CAPABILITY }),
      },
      prepare: (client, calls) => {
        answerQuestions(client, calls, { ...options, server: this.server });
      },
      toolsChanged: (logger) => {
        view.listed = undefined;
        view.pages.clear();
        try {
          this.changed();
        } catch (error) {
          logger.error('a listener for changed tools has failed', { server: this.server, error });
        }
      },
    });
    const view: ServerView = {
      ...{ link, pages: new UiResources(link, this.server) },
      ...{ made: new Map<string, McpTool>(), askedIn: new Set<string>() },
      ...{ credential: undefined, listed: undefined, last: undefined },
    };
    return view;
  }

  private async read(view: ServerView, { logger, signal }: ToolsetContext): Promise<readonly Tool[]> {
    const limit =
      view.last === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(RELIST_MS)]);
    const listed = await view.link.listTools({ logger, signal: limit });
    const read = await readDefinitions(listed, this.options);
    const { definitions, faults } = read;
    for (const fault of faults) logger.warn(`MCP server ${this.server}: ${fault}`);
    if (!this.isListed) this.judgeEffects(read, logger);
    this.isListed = true;
    if (!this.isApproved)
      for (const { serverName, digest } of definitions) this.approved.set(serverName, digest);
    this.isApproved = true;
    const tools = definitions.map((definition) => this.toolOf(view, definition));
    for (const [key, tool] of view.made) if (!tools.includes(tool)) view.made.delete(key);
    return tools;
  }

  /** Refuses `effects` of tools that do not exist, and tells which tools are taken for destructive. */
  private judgeEffects({ names, assumed }: ReadDefinitions, logger: Logger): void {
    for (const name of Object.keys(this.options.effects ?? {}))
      if (!names.has(name)) {
        const fault = `effects names "${name}", and the MCP server ${this.server} has no such tool`;
        throw new McpConfigInvalidError('mcpToolset', fault, suggestName(name, names));
      }
    if (assumed.length === 0) return;
    const said =
      'an MCP server does not say what these tools do: they count as destructive. Pass effects for them.';
    logger.warn(said, { server: this.server, tools: assumed });
  }

  private toolOf(view: ServerView, definition: ToolDefinition): McpTool {
    const { link, made, pages } = view;
    const { name, digest } = definition;
    const change = this.changeOf(definition);
    const { resourceUri = '', visibility } = definition.ui;
    const key = composedKey(name, digest, change ?? '', resourceUri, visibility.join());
    const known = made.get(key);
    if (known !== undefined) return known;
    const {
      confidential = false,
      approvers,
      confirm,
      untrusted = true,
      maxResultBytes,
      timeout,
      ui = true,
    } = this.options;
    const toolset = ui ? this : undefined;
    const { outside = definition.isOpenWorld !== false } = this.options;
    const tool = new McpTool(definition, {
      ...{ link, server: this.server, toolset, pages, confirm, change, secrets: secretsOf(this.options) },
      ...(this.auth !== undefined && {
        useCredential: (credential: AuthCredential | undefined) => {
          view.credential = credential;
        },
      }),
      traits: {
        timeout: timeout ?? ('command' in this.options ? STDIO_TIMEOUT_MS : HTTP_TIMEOUT_MS),
        ...{ untrusted, confidential, outside },
        ...present({ approvers, maxResultBytes }),
        ...(this.auth !== undefined && { auth: this.auth }),
      },
    });
    made.set(key, tool);
    return tool;
  }

  private changeOf({ serverName, digest }: ToolDefinition): DefinitionChange | undefined {
    const approved = this.approved.get(serverName);
    if (approved === undefined) return 'added';
    return approved === digest ? undefined : 'changed';
  }

  private rejected(error: unknown): unknown {
    if (this.auth === undefined || !isRefusal(error)) return error;
    noteScopes(this.auth.key, (error as { readonly requiredScope?: string }).requiredScope);
    return new CredentialRejectedError(`The MCP server ${this.server} refused the credential.`);
  }
}

/** True if the invocation has not asked before. */
function isFirstOf(invocationId: string, askedIn: Set<string>): boolean {
  if (askedIn.has(invocationId)) return false;
  if (askedIn.size >= MOST_INVOCATIONS) askedIn.clear();
  askedIn.add(invocationId);
  return true;
}

/** A server may have resources and no templates. */
function noTemplates(): unknown[] {
  return [];
}
