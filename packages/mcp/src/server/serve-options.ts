import type { IncomingMessage } from 'node:http';

import type { CreateRunnerOptions, Logger } from '@adorn/core';
import type { Awaitable, SenderInput } from '@adorn/core/backend';

/** A resource that a served server offers. */
export interface ServedResource {
  /** Its URI; with placeholders such as `orders://{id}` it is a template, and each stands for one path segment. */
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** The content for a URI: text, or bytes. `variables` are the values of the placeholders. */
  readonly read: (uri: string, variables: Readonly<Record<string, string>>) => Awaitable<string | Uint8Array>;
}

/** A message of a prompt. Its content is a block of the protocol, such as an image; a string is a text block. */
export interface ServedPromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | Readonly<Record<string, unknown>>;
}

/** A prompt that a served server offers. */
export interface ServedPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments?: readonly ServedPromptArgument[];
  /** The messages; a string is one message of the user. */
  readonly messages: (
    args: Readonly<Record<string, string>>,
  ) => Awaitable<string | readonly ServedPromptMessage[]>;
}

export interface ServedPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  /** Values that begin with what was typed. Default: none. */
  readonly complete?: (typed: string) => Awaitable<readonly string[]>;
}

/** Who may send requests to an endpoint over streamable HTTP, and its limits. */
export interface ServeEndpointOptions {
  /**
   * Who sent a request: a user id, or a principal `{ id, roles, tenant, attributes, actsFor }`, which `approvers` of the tools are
   * held against; undefined refuses it. Default: everybody who reaches the server is one user.
   */
  readonly authenticate?: (request: IncomingMessage) => Awaitable<SenderInput | string | undefined>;
  /**
   * Allowed values of the `Host` header. Default: the names of this machine, and `host`. Names of other machines
   * require `authenticate`.
   */
  readonly allowedHosts?: readonly string[];
  /** Host names of web pages that may call the server (the `Origin` header). Default: the names of this machine. */
  readonly allowedOrigins?: readonly string[];
  /**
   * How many sessions may be open at once. At the limit a new client ends the longest idle session of the user who has the
   * most; if each has a call under way, the client is refused. Default: 1,000.
   */
  readonly maxSessions?: number;
  /**
   * How many sessions one user may have. At the limit a new client of the user ends the longest idle one of them. Default: a
   * tenth of `maxSessions`, at least 10, with `authenticate`; without it all clients are one user, and only `maxSessions` counts.
   */
  readonly maxSessionsPerUser?: number;
  /** Milliseconds after which a session without a connected client or a call under way is ended. Default: 1,800,000. */
  readonly sessionIdleMs?: number;
  /** The largest request in bytes. Default: 4,194,304. */
  readonly maxRequestBytes?: number;
}

/** An endpoint, and the address on which a separate server listens for it. */
export interface ServeHttpOptions extends ServeEndpointOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** The address to listen at. Default: `127.0.0.1`. Any other than this machine's needs `authenticate`. */
  readonly host?: string;
  /** Default: `/mcp`. */
  readonly path?: string;
}

/** The options of `serveMcp`. */
export interface ServeMcpOptions {
  /** The server's name for clients. Default: `adorn`. */
  readonly name?: string;
  /** Default: `0.1.0`. */
  readonly version?: string;
  /** How and when to use the server, for the model of the client. Default: none. */
  readonly instructions?: string;
  /** True to serve over the standard input and output of this process. */
  readonly stdio?: boolean;
  /** Listen for clients over streamable HTTP. */
  readonly http?: ServeHttpOptions;
  /** The endpoint that `handle()` serves where another HTTP server listens. Default: `http`, else everything at its default. */
  readonly endpoint?: ServeEndpointOptions;
  /** The user whose state, memory and credentials calls use without authentication. Default: `user`. */
  readonly userId?: string;
  /**
   * What happens to a call that a person has to approve or to answer: the client asks its user (`elicit`), or it is
   * refused. A client that cannot ask is always refused. Default: `elicit`.
   */
  readonly confirm?: 'elicit' | 'refuse';
  /**
   * Milliseconds that the client's user has for an answer. A toolset of Adorn makes a call again with an approval that comes later.
   * Default: 300,000.
   */
  readonly answerTimeout?: number;
  /**
   * Signs where a call of a client without a session waits (2026-07-28), so that it can go on in any process that has the
   * same key and store. At least 32 bytes; a string counts as UTF-8. Default: a random key of this process, with a warning
   * if a state is made while the store outlives the process.
   */
  readonly stateKey?: string | Uint8Array;
  readonly resources?: readonly ServedResource[];
  readonly prompts?: readonly ServedPrompt[];
  /** How the runner that executes the calls is created, such as its modules and plugins. */
  readonly runner?: Omit<CreateRunnerOptions, 'appName'>;
  /** Default: the console's errors and warnings, on the standard error. */
  readonly logger?: Logger;
}
