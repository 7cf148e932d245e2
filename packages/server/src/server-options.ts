import type { AgentClass, CreateRunnerOptions, Logger, Model, Runner } from '@adorn/core';
import type { Awaitable, SenderInput, SweepOptions } from '@adorn/core/backend';
import type { EvalStore } from '@adorn/eval';

/** An application to serve: an agent class, or a runner. */
export type AppSource = AgentClass<unknown> | Runner<unknown>;

/** Who sent a request: `{ id, roles, tenant, attributes, actsFor }`, or `{ userId }`; one of `id` and `userId` is there. */
export interface Principal extends SenderInput {
  /** The channel of answers, in the log. Default: `http`. */
  readonly channel?: string;
  /** True to see the inside of the application (graphs, traces, exact requests) and to call its tools. Default: false. */
  readonly isDeveloper?: boolean;
}

/** Tells who sent a request: see the option `authenticate` of {@link HandlerOptions}. */
export type Authenticate = NonNullable<HandlerOptions['authenticate']>;

/** Limits for each user, and for all users of the server together. */
export interface ServerLimits {
  /** The largest body of a request, and frame of a live conversation, in bytes. Default: 10,485,760. */
  readonly bodyBytes?: number;
  /** The most values (texts, numbers, keys, objects, lists) in the JSON of a body. Default: 100,000. */
  readonly bodyValues?: number;
  /** Bytes of bodies that are read at once for a user. Default: 33,554,432, and at least `bodyBytes`. */
  readonly userBodyBytes?: number;
  /** Bytes of bodies that are read at once for all users. Default: 134,217,728, and at least `userBodyBytes`. */
  readonly serverBodyBytes?: number;
  /** Streams of a user at once: runs that are read or waited for, and live conversations. Default: 32. */
  readonly streams?: number;
  /** Streams of all users at once. Default: 1,000, and at least `streams`. */
  readonly serverStreams?: number;
  /** Bytes of live conversations of a user that their models have not taken yet. Default: 8,388,608. */
  readonly speechBytes?: number;
  /** Bytes of live conversations of all users that their models have not taken yet. Default: 67,108,864, and at least `speechBytes`. */
  readonly serverSpeechBytes?: number;
  /** How many sessions of an application a user may have. Default: 10,000. */
  readonly sessions?: number;
  /** Milliseconds after which a client that takes nothing of what waits for it is disconnected. Default: 30,000. */
  readonly stalledMs?: number;
}

/** Evaluations that developers make on the page of adk-web. */
export interface EvalOptions {
  /** Where eval sets and results are kept, such as `new FolderEvalStore('evals')` of `@adorn/eval`. */
  readonly store: EvalStore;
  /** The model of metrics that judge, and of simulated users. Default: such metrics are refused, and such cases are errors. */
  readonly judge?: Model;
}

/** Where changes of the open requests of the applications are told. */
export interface InboxWebhookOptions {
  /** The address, which gets a POST for each change: `http:` or `https:`. */
  readonly url: string;
  /** The secret that signs the requests, as Standard Webhooks write it: `whsec_` and base64 of 24 bytes or more. */
  readonly secret: string;
}

/** What a server gives an endpoint. */
export interface EndpointHost {
  readonly runner: Runner<unknown>;
  readonly logger: Logger;
}

/** A path that is answered by POST, and whose requests say by their signatures who sent them. */
export interface ServedEndpoint {
  /** Below `basePath`, such as `/hooks/stripe`. */
  readonly path: string;
  /** The application that it is for. Default: the only one of the server. */
  readonly app?: string | undefined;
  /** Answers a request, whose body is as it came. */
  receive(
    request: { readonly headers: Headers; readonly body: Uint8Array },
    host: EndpointHost,
  ): Promise<Response>;
  /** Called when the server starts. The function that it returns is called when the server closes. */
  open?(host: EndpointHost): () => Promise<void>;
}

/** A profile that agents keep of users, such as what `workingMemory` of `@adorn/memory` returns. */
export interface ServedProfile {
  /** Names it in paths. */
  readonly profileName: string;
  /** The profile of one user of an application. */
  of(
    runner: Runner<unknown>,
    userId: string,
  ): {
    /** The fields that are filled. */
    read(): Promise<object>;
    /** Changes fields, as far as they are valid; `null` removes one. Returns the profile from then on. */
    correct(change: Record<string, unknown>): Promise<object>;
    /** Deletes all fields. */
    delete(): Promise<unknown>;
  };
}

/** The options of `adornHandler`, and of an endpoint in a framework. */
export interface HandlerOptions {
  /**
   * Tells who sent a request: a user id or a principal; undefined refuses the request, and so does a principal that cannot be
   * used, such as one whose roles are no list, with an error in the log. It is the only source of user ids, roles and tenants: a path or body that names another user is answered with 404, unless it answers a request that the principal
   * may answer by `approvers` of the tool.
   *
   * @param connection what the framework knows of the request, such as Express's `request`, whose type the function names:
   * `(_request, { user }: express.Request) => user?.id`. Undefined in a fetch handler
   */
  authenticate?(request: Request, connection: unknown): Awaitable<Principal | string | undefined>;
  /**
   * A secret of the developer, who may act as any user. Sent as `Authorization: Bearer`, as a cookie, or once as `?token=`.
   * For development, without `authenticate`. Default of `serve`: a new one at each start.
   */
  readonly token?: string;
  /**
   * The path of the application's own sign-in page, such as `/login`. A browser that opens a page, and of which `authenticate` names
   * nobody, is sent there with the path that it wanted as `?next=`, which `pathAfterSignIn` reads. All other requests get 401, with
   * the path as `signIn` in their JSON. Needs `authenticate`. Default: none, all get 401.
   */
  readonly signIn?: string;
  /**
   * The page at `basePath`: true for the studio, a folder with an `index.html`, or false for none. It is shown to whom `authenticate`
   * names. Default: none, and of `serve` the studio, if it is built.
   */
  readonly page?: string | boolean;
  /** The path under which all routes are. Default: `/`. */
  readonly basePath?: string;
  /** Names that a request may be addressed to, without ports; `any` if a proxy checks them. Default: those of this machine. */
  readonly allowedHosts?: readonly string[] | 'any';
  /** Origins of other web pages that may call, such as `https://app.example.com`. Default: none but the server's own. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: ServerLimits;
  /**
   * Milliseconds that a run goes on after its reader has left, until the reader comes back; `never` cancels it at no time.
   * On the paths of adk-web a run is cancelled at once. Default: 30,000.
   */
  readonly reconnectGrace?: number | 'never';
  /**
   * How the server recovers runs whose processes died, at once and every five seconds; false: the application calls
   * `runner.recover` itself. Of several servers with one store, one recovers each run. Default: as `runner.recover`.
   */
  readonly recover?: SweepOptions | false;
  /** Tells an address of each request that begins or ceases to wait, in all conversations. Default: none is told. */
  readonly inboxWebhook?: InboxWebhookOptions;
  /**
   * Paths with checks of their own: what `trigger` and `slack` of `@adorn/channels` return. `authenticate` is not asked for them.
   * Default: none.
   */
  readonly endpoints?: readonly ServedEndpoint[];
  /** Milliseconds after which a silent stream gets a comment. Default: 15,000. */
  readonly heartbeatMs?: number;
  /** Evaluations for developers. Default: none; their paths are answered with 404. */
  readonly evals?: EvalOptions;
  /** Profiles that users may see, correct and delete: what `workingMemory` of `@adorn/memory` returns. Default: none. */
  readonly profiles?: readonly ServedProfile[];
  /** The options of the runners of agent classes. */
  readonly runner?: Omit<CreateRunnerOptions, 'appName'>;
  /** Default: the console's errors and warnings, on the standard error. */
  readonly logger?: Logger;
}

/** What `serve` knows of the place of an application for peers: options of `a2aHandler` of `@adorn/a2a`. */
export interface PeerPlace {
  /** The address of the agent, such as `http://127.0.0.1:8000/a2a/desk`. */
  readonly url: string;
  /** Who sent a request, by the server's own `authenticate` or token, with roles and tenant; undefined for nobody. */
  readonly authenticate: (request: Request) => Promise<SenderInput | undefined>;
  /** The server checks the names itself. */
  readonly allowedHosts: 'any';
  readonly logger: Logger;
}

/** Requests of peers to one application. */
export interface PeerHandler {
  (request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Makes the handler of an application, such as `(runner, place) => a2aHandler(runner, { ...place, authenticate })`. */
export type PeerHandlerFactory = (runner: Runner<unknown>, place: PeerPlace) => Awaitable<PeerHandler>;

/** The options of `serve`. */
export interface ServeOptions extends HandlerOptions {
  /** Default: 8000; 0 for a free one. */
  readonly port?: number;
  /** The address to listen at. Default: `127.0.0.1`. Any other than this machine's needs `authenticate`. */
  readonly host?: string;
  /** Serves the token's holders, or everybody, on a host that others can reach. A warning is logged. Default: false. */
  readonly dangerouslyAllowUnauthenticatedRemote?: boolean;
  /**
   * Serves each application to peers, over A2A at `/a2a/{app}`: true for whom the server knows, by `@adorn/a2a`, or a
   * function that makes the handlers, with credentials of their own. Default: false.
   */
  readonly a2a?: boolean | PeerHandlerFactory;
  /** The built page of adk-web, which is then at `/dev-ui/` and opened from `/`: `dist/browser` of `@google/adk-devtools`. */
  readonly adkPage?: string | undefined;
}
