import type { AuthConfig, JsonSchema, Model, ToolContext } from '@adorn/core';
import type { ApproverRule, Awaitable, ListingOptions, ToolEffect, ToolTraits } from '@adorn/core/backend';

/** A server that is started as a child process and talks over its standard input and output. */
export interface StdioServer {
  /** The executable. It is started directly, never through a shell. */
  readonly command: string;
  /** Arguments of the executable, one string each. */
  readonly args?: readonly string[];
  /** Environment variables, in addition to those that are always passed, such as `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory. Default: that of this process. */
  readonly cwd?: string;
}

/**
 * A server that is reached over streamable HTTP, or over server-sent events if it supports only the revision of 2024.
 */
export interface HttpServer {
  /** The endpoint, such as `https://mcp.example.com/mcp`. Redirects are not followed. */
  readonly url: string | URL;
  /** Sent with each request. Headers that hold secrets need https, or a server on this machine. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The credential of the user, sent as a bearer token. Each user gets a connection of their own. */
  readonly auth?: AuthConfig;
}

/**
 * The calls that a person must approve: all, none, those of the listed tools (by the server's names), or those for
 * which a function returns true.
 */
export type McpConfirm =
  boolean | readonly string[] | ((tool: string, args: Readonly<Record<string, unknown>>) => boolean);

/** An answer to a question of a server: values by the names of its schema, or null to decline. */
export type McpAnswer = Record<string, string | number | boolean | string[]> | null;

/**
 * Answers a question of a server at once, such as at a terminal; undefined to have the run pause for it. The message says which server
 * asks.
 */
export type McpAnswerer = (
  question: { readonly message: string; readonly schema: JsonSchema },
  context: ToolContext,
) => Awaitable<McpAnswer | undefined>;

/** What the tools of a server may do, and how they are offered. */
export interface McpToolOptions {
  /** The server in messages. Default: its command with arguments, or its URL, without what may be a secret. */
  readonly name?: string;
  /** The tools to offer, by their names on the server. Default: all. */
  readonly only?: readonly string[];
  /** The tools not to offer, among those of `only`, by their names on the server. Default: none. */
  readonly except?: readonly string[];
  /** Put before the names of all tools: with `files`, `read_file` is offered as `files_read_file`. Default: none. */
  readonly prefix?: string;
  /** The calls that a person must approve. Default: those of destructive tools. */
  readonly confirm?: McpConfirm;
  /**
   * Who may answer: the confirmations of calls, and what the server asks. As the option `approvers` of a tool: `requester`, `others`,
   * somebody with a role. What a server says of the approvers of its own tools does not reach the people here. If others are named,
   * each call asks unless `confirm` is set. Default: the requester, and whom the application names by `by` in the same process.
   */
  readonly approvers?: ApproverRule;
  /**
   * What tools do, by their names on the server, where its hints are missing or wrong. Default: the hints; a tool that they
   * call neither read-only nor not destructive is destructive.
   */
  readonly effects?: Readonly<Record<string, ToolEffect>>;
  /** Time limit of a call in milliseconds. Default: 30,000 over stdio, 60,000 over HTTP. */
  readonly timeout?: number;
  /** Digests of approved definitions by the server's names, as `toolset.definitionDigests()` returned them. Default: those first listed. */
  readonly definitions?: Readonly<Record<string, string>>;
  /**
   * True if the server may ask the user questions during a call, or ask them to open a URL: the run pauses, and the
   * call continues with the answer. A function answers questions while the call waits; if it returns undefined, the
   * run pauses. Default: false.
   */
  readonly elicitation?: boolean | McpAnswerer;
  /** True if the server may ask the agent's model during a call; or the model that it may ask. Default: false. */
  readonly sampling?: boolean | Model;
  /** Folders that the server is told it may work in, as `file:` URLs. It is not held to them. Default: it is told of none. */
  readonly roots?: readonly string[];
  /**
   * Whether pages of the server are shown beside calls of its tools (MCP Apps). If so, the server is told, and its pages may call its
   * tools, those for pages alone as well. Default: true.
   */
  readonly ui?: boolean;
  /** The largest message of the server in bytes. Default: 10,485,760. */
  readonly maxMessageBytes?: number;
  /** How the tools are listed. Default: not required, within 30 seconds. */
  readonly listing?: ListingOptions;
  /** Whether results count as written by others: `sensitive` tools then need an approval. Default: true. */
  readonly untrusted?: ToolTraits['untrusted'];
  /** Whether results hold values that must not leave: see the option `confidential` of a tool. Default: false. */
  readonly confidential?: ToolTraits['confidential'];
  /**
   * Whether calls hand their arguments to others: see the option `outside` of a tool. Default: the hint `openWorldHint`, and
   * true for a tool without it, as the protocol says.
   */
  readonly outside?: ToolTraits['outside'];
  /** The largest result sent to the model, in bytes of JSON. Default: 65,536. */
  readonly maxResultBytes?: number;
}

export type StdioToolsetOptions = StdioServer & McpToolOptions;
export type HttpToolsetOptions = HttpServer & McpToolOptions;
