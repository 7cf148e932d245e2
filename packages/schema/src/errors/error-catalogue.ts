/* eslint-disable max-lines -- one list, which a reader searches by code */
import type { AdornErrorCode } from './error-codes.js';

/** What `packages/docs/errors.md` says of a code, in Markdown. A message of an error says it of the case at hand. */
export interface ErrorEntry {
  readonly happened: string;
  readonly cure: string;
}

type Section = Readonly<Partial<Record<AdornErrorCode, ErrorEntry>>>;

const WIRING_AGENTS = {
  AGENT_CONFIG_INVALID: {
    happened:
      'An option of an agent does not exist, is missing, has the wrong type, has no effect, or contradicts another option.',
    cure: 'Correct the option that the message names.',
  },
  AGENT_NAME_INVALID: {
    happened: "An agent's name is not an identifier, or is reserved, such as `user`.",
    cure: 'Set a `name` of letters, digits, `_` and `-` that starts with a letter or `_`.',
  },
  AGENT_NAME_TAKEN: {
    happened: 'Two agent classes of a tree have the same name, so a transfer would be ambiguous.',
    cure: 'Rename one of them with `name`.',
  },
  NOT_A_SUB_AGENT: {
    happened: 'An agent invokes an agent that is not one of its sub-agents.',
    cure: 'List it under `subAgents`.',
  },
  AGENT_STOPPED: {
    happened:
      'The events of `context.invoke` were read without being yielded, and more was asked of an agent that waits.',
    cure: 'Yield each event: `yield* context.invoke(…)`.',
  },
  ONCE_INVALID: {
    happened: '`context.once` got no key, or its function returned what JSON cannot hold.',
    cure: 'Return plain JSON.',
  },
  NOT_AN_AGENT: {
    happened:
      'A value that is not an agent class is used as an agent; or a class extends `LlmAgent` and has neither `@agent` nor a member of its own.',
    cure: 'Extend an agent class, or list the class under `tools`; put `@agent` before the class.',
  },
  SUB_AGENT_TWICE: {
    happened: 'One agent lists the same sub-agent more than once.',
    cure: 'Remove one of the entries, or make a subclass with a name of its own.',
  },
  INSTRUCTION_KEY_MISSING: {
    happened: 'An instruction has a placeholder `{key}` that the state does not contain.',
    cure: 'Pass a session key in `stateDelta`, write a shared key (`user:`, `app:`) by `updateSession` or from a tool, write `{key?}` where it may be absent, or use a function, which is never scanned.',
  },
  MODEL_MISSING: {
    happened:
      'An agent has no model, and neither have its parents or the runner; or an agent with `model: null` got a message.',
    cure: 'Set `model` in `@agent` or pass it to `createRunner`.',
  },
  MODEL_NOT_FOUND: {
    happened: "No provider knows the model's name.",
    cure: "Check the name; bind a `Model`, or install the provider's package.",
  },
  PROVIDER_TOOL_UNSUPPORTED: {
    happened:
      'An agent has a built-in tool, such as `googleSearch()`, that the provider of its model does not run.',
    cure: 'Give the agent a model that the message names, or remove the tool: [built-in tools](built-in-tools.md#tools-that-gemini-runs).',
  },
  PROVIDER_TOOL_NOT_COMBINABLE: {
    happened:
      "An agent has tools that its model's provider runs, and functions, and the model does not take both.",
    cure: 'Use a model that combines them, or move the former to an agent of their own: [built-in tools](built-in-tools.md#together-with-functions).',
  },
  CREDENTIAL_EXCHANGER_MISSING: {
    happened:
      'A tool has an `oauth2` or `openIdConnect` scheme, or a service account, and nothing is bound that obtains its credential.',
    cure: 'Pass `modules: [oauth()]` of `@adorn/oauth`, or bind a `CredentialExchanger`.',
  },
  OAUTH_ENDPOINT_INSECURE: {
    happened: 'A URL of an authorization server is neither https nor http on this machine.',
    cure: 'Use its https address.',
  },
  MCP_CONFIG_INVALID: {
    happened: 'An option of `mcpToolset` or `serveMcp` does not exist or has a value that cannot be used.',
    cure: 'Correct the option that the message names.',
  },
  NOT_A_CONTAINER: {
    happened: 'The `container` option is not a container of inversify 8.',
    cure: 'Pass a `Container` made by inversify 8, or by the `Container` that `adorn` exports.',
  },
  CORE_COPIES_INCOMPATIBLE: {
    happened:
      'A service, tool, agent or plugin was built with another version of `@adorn/core` than the runner, and the two are not compatible. The message names both versions and files.',
    cure: 'Install one version for both: `npm ls @adorn/core` shows which packages ask for which.',
  },
  CODE_EXECUTOR_UNAVAILABLE: {
    happened:
      'A sandbox cannot run code on this machine, because what would isolate the code is missing. The message names it.',
    cure: 'Do what the message says, such as installing `bubblewrap`, or take another executor.',
  },
  SANDBOX_OPTION_INVALID: {
    happened:
      'An option of an executor of `@adorn/sandbox` does not exist or has a value that cannot be used.',
    cure: 'Correct the option that the message names.',
  },
  SANDBOX_FAILED: {
    happened:
      'A sandbox has failed, and not the code in it: its worker or its process has ended. `runCode` repeats the execution.',
    cure: 'Read the cause.',
  },
  COMPACTION_CONFIG_INVALID: {
    happened:
      'The `compaction` options of `createRunner` are not valid: an option does not exist, a number is not an integer, one of two related options is missing, or there is no model, or no module, to summarise with.',
    cure: 'Correct the option that the message names.',
  },
  SERVICE_AMBIGUOUS: {
    happened:
      'A service is bound more than once: twice in one module, or by two modules unless it is a backend.',
    cure: 'Bind it once, or `rebind` it in the later module.',
  },
  SERVICE_CIRCULAR: {
    happened: 'Services depend on each other in a cycle; the message shows it.',
    cure: 'Move what two of them need into a third service, or pass one to a method of the other.',
  },
  SERVICE_FAILED: {
    happened:
      'The container refused a binding or failed to construct a service; the message quotes its error.',
    cure: 'Correct the binding or the service.',
  },
  SERVICE_NOT_BOUND: {
    happened:
      'A class or a tool needs a service that is not bound and cannot be constructed: a name, or an abstract class. The message names the path to it.',
    cure: "Bind it in one of the runner's `modules`, or list the class that provides it. The command line takes `export const modules` of the file of the agent.",
  },
} satisfies Section;

const DECLARING_TOOLS = {
  NOT_A_TOOL: {
    happened:
      'An entry of `tools` is neither a class with `@tool` methods, nor a function with a name, a tool or a toolset; or `defineTool` was given a class, or a function without a name.',
    cure: 'Mark the methods with `@tool`, give the function a name, or remove the entry.',
  },
  TOOL_MISPLACED: {
    happened:
      '`@tool` stands where it cannot work: a static, private, protected or accessor member. Or `@inject` stands before a parameter of a method that is no tool.',
    cure: 'Move it to a public method of the instance; put `@tool` before the method.',
  },
  EXPERIMENTAL_DECORATORS_MISSING: {
    happened:
      'A decorator stands in a file that was compiled without `experimentalDecorators`: there is no tsconfig, it lacks the option, or its `include` does not cover the file.',
    cure: 'Set `"experimentalDecorators": true` in the `compilerOptions` of `tsconfig.json`, which tsc, tsx, esbuild and Vite read, and let `include` cover the file; with swc, `legacyDecorator`.',
  },
  TOOL_NAME_INVALID: {
    happened: "A tool's name has characters that models refuse, or is too long.",
    cure: 'Give a `name` of letters, digits and underscores.',
  },
  TOOL_NAME_TAKEN: {
    happened: 'Two tools of one agent have the same name.',
    cure: "Give one of them another `name`, or the tools of a toolset a prefix: `withPrefix(toolset, 'files')`.",
  },
  TOOLSET_INVALID: {
    happened:
      'The `listing` of a toolset has an unknown option or value, `withPrefix` or `withFilter` was given something else than it takes, `listTools` returned something else than tools, or `@toolbox` decorates a class without tools or has an unknown option.',
    cure: 'See the message; return an array of `Tool` objects from `listTools`.',
  },
  TYPE_NOT_REPRESENTABLE: {
    happened:
      'The type of a parameter or of a result has no JSON form, such as a function, a symbol or a `Map`.',
    cure: 'Take or return a type that JSON can hold, inject the value, or describe it under `parameters`.',
  },
  UNDO_INVALID: {
    happened:
      '`@undo` names no `@tool` method of its class, or one without an effect; its method is a tool itself, takes more than the result and the context, or an option does not exist.',
    cure: 'Do what the message says. See [undo](undo.md).',
  },
  DERIVATION_FAILED: {
    happened:
      'The compiler could not derive schemas: the project does not compile, or its configuration was not found.',
    cure: 'Run `adorn build` and fix the errors that it reports.',
  },
  SCHEMA_INVALID: {
    happened:
      "A schema that was written by hand is not JSON Schema, a tag of a doc comment cannot be followed, or a library's schema has parts that JSON has no form for.",
    cure: 'Correct it at the place the message names; take a text, and make the value in a transform.',
  },
  SCHEMA_MISSING: {
    happened: 'A tool has no schema: it was not built, and here nothing may be derived.',
    cure: 'Run `adorn build` after compiling, bundle with the [plugin](running-typescript.md#bundlers), or write `parameters`.',
  },
  SCHEMA_STALE: {
    happened:
      'The schema of a tool does not fit its method: it lacks the method, has other parameters than the code that runs, or names other parameters as injected.',
    cure: 'Compile the sources again, then run `adorn build` again; import `inject` from `adorn`.',
  },
  SCHEDULE_INVALID: {
    happened:
      '`@schedule` stands on something that is no method, its pattern never comes or cannot be read, its time zone does not exist, two schedules have the same name, or a service of `startSchedules` has none.',
    cure: 'Correct what the message names.',
  },
  SCHEDULE_NOT_FOUND: {
    happened:
      'No schedule of the agents, or of the `services` that were passed, has the name that `runOccurrence` was given.',
    cure: 'Pass one of the names in the message, or the class of its method in `services`: [schedules](schedules.md#testing-a-schedule).',
  },
  SCHEDULED_RUN_INVALID: {
    happened:
      'The method of a schedule returned something that begins no run. The occurrence is given up, with an error in the log.',
    cure: 'Return `{ userId, message }`, or nothing if the method has done the work itself: [schedules](schedules.md).',
  },
  SIGNAL_NOT_AWAITED: {
    happened: 'A signal was sent to a conversation in which nothing waits for it. Nothing was stored.',
    cure: 'Send it again later, or begin a run with a message: [schedules](schedules.md#waiting-inside-a-tool).',
  },
  SKILL_INVALID: {
    happened:
      'A folder is no skill: its `SKILL.md` is missing, or its front matter is not as the format asks, or it is too large, or a link in it leads outside.',
    cure: 'Correct what the message names.',
  },
  SKILL_OPTION_INVALID: {
    happened:
      'An option of `skills` does not exist or has an invalid value, a folder holds no skill, two skills have the same name, or a `skills.lock.json` is damaged.',
    cure: 'Correct what the message names.',
  },
  TOOL_SEARCH_OPTION_INVALID: {
    happened:
      'An option of `searchable` does not exist or has an invalid value, or its list of sources is empty.',
    cure: 'Correct what the message names.',
  },
  WORKSPACE_OPTION_INVALID: {
    happened:
      'An option of `workspace`, `folderFiles` or `artifactFiles` does not exist or has an invalid value, or there is no folder with that name.',
    cure: 'Correct what the message names.',
  },
  FILE_PATH_INVALID: {
    happened:
      'A path leads out of a workspace, is absolute, leads over a link, or has characters that no path may have; or it names something that is ignored.',
    cure: 'Pass a path from the root of the workspace, such as `src/main.ts`.',
  },
  FILE_CONFLICT: {
    happened:
      'Somebody has created, changed or deleted a file of a workspace since it was read, or its name differs from that of another file only by its case. Nothing was written.',
    cure: 'Read the file again, and write what follows from it.',
  },
  FILE_UNAVAILABLE: {
    happened:
      'A file of a workspace is too large, is a folder or no regular file, or cannot be read or written.',
    cure: 'The message says why. `maxFileBytes` of the store allows larger files.',
  },
} satisfies Section;

const CALLING_TOOLS = {
  TOOL_NOT_FOUND: {
    happened: 'The model called a tool that the agent does not offer.',
    cure: 'Usually nothing: the model receives the names of the tools. If it recurs, name them in the instruction.',
  },
  TOOL_CALL_CUT: {
    happened: 'The output limit of the model cut off the arguments of a call, which did not run.',
    cure: 'The model is told so, and may write less. Raise `maxOutputTokens` in `generateContentConfig` if it recurs.',
  },
  TOOL_CALL_LIMIT: {
    happened: 'An answer has more calls than `maxCallsPerAnswer`; this one did not run.',
    cure: 'Usually nothing: the model is told so. Raise the limit if its answers need more calls.',
  },
  TOOL_NOT_CALLABLE: {
    happened: 'The model called a tool that is part of its requests, such as `google_search`.',
    cure: 'Usually nothing: the model is told so.',
  },
  TOOL_ARGUMENTS_INVALID: {
    happened:
      "The arguments do not fit the tool's schema, or the class or library that checks them refuses them.",
    cure: 'Usually nothing: the model receives the problems. If it recurs, describe the parameter better.',
  },
  TOOL_BUSY: {
    happened: 'As many calls of the tool run and wait as its `concurrency` allows.',
    cure: 'The model may try again. Raise `calls` or `maxQueue` if it recurs: [policies](policies.md).',
  },
  TOOL_CONFIG_INVALID: {
    happened:
      'An option of a tool does not exist, has a value that cannot be used, such as a negative `timeout`, or contradicts another, such as `cache` of a tool that writes.',
    cure: 'Correct the option that the message names.',
  },
  TOOL_DECISION_INVALID: {
    happened:
      'A `Deny` or a `RequireConfirmation` was made with something that is not a string, or a `ConfirmationProvider` returned something that is not a decision. The call did not run.',
    cure: 'Pass or return what the message names.',
  },
  TOOL_FAILED: {
    happened: 'The tool threw.',
    cure: "See the warning in the log. Throw a `ToolError` where the model should read the message; without a `cause`, it is logged as information only. Of any other error, the model reads that the outcome is unknown, unless the tool has `effect: 'read'`.",
  },
  TOOL_PAUSED: {
    happened:
      'A tool waits for the answer to `context.requestConfirmation` or `requestInput`. It is thrown inside the tool to end its run.',
    cure: 'Do not catch it, or throw it again: the tool runs again from its start once the answer is there.',
  },
  TOOL_RATE_LIMITED: {
    happened: 'As many calls of the tool have started as its `rateLimit` allows.',
    cure: 'The model reads when to try again. Raise `calls`, or set `maxWaitMs` to have calls wait: [policies](policies.md).',
  },
  TOOL_NOT_SEARCHED: {
    happened:
      'The model called a tool of `searchable` that it has not found, so that it guessed the arguments.',
    cure: 'The model is told to search for it first.',
  },
  TOOLBOX_CLOSED: {
    happened:
      'The model called a tool of a class with `@toolbox({ unfold: true })` before it opened the box; the message names the function that opens it.',
    cure: 'Nothing: the model opens the box, and calls again. If it does not, describe the box better.',
  },
  TOOL_TIMEOUT: {
    happened:
      'The tool ran longer than its `timeout`, or a check before the run (validation, `confirm`, the credential store) or a callback around it (`beforeTool`, `afterTool`, `onToolError`) longer than its `checkTimeout`; the call was answered for and left behind.',
    cure: 'Raise `timeout`, mark the tool `longRunning`, and pass its `AbortSignal` on.',
  },
  RESULT_NOT_JSON: {
    happened:
      'The tool returned what JSON cannot hold, such as a `Map`, an `Error`, `Headers`, an object without fields, a cycle or a function; or bytes or a bigint are put in the state.',
    cure: "Return plain data, throw errors or return their messages; save bytes with `context.saveArtifact` and pass the artifact's name.",
  },
  RESULT_TOO_LARGE: {
    happened:
      'The tool returned more than 64 MiB of JSON or 524,288 values (more if `maxResultBytes` is more), such as an object that contains the same object many times.',
    cure: 'Return less, or save the data as an artifact and return its name.',
  },
  CREDENTIAL_EXCHANGE_FAILED: {
    happened:
      'The credential of the tool could not be obtained or refreshed: the authorization server refused, the user did not consent, or the server could not be reached.',
    cure: 'Read the message; check the client and its scopes at the server. The next call tries again.',
  },
  CREDENTIAL_REJECTED: {
    happened: 'The service refused the credential, and a new one as well.',
    cure: 'Check what the credential may do. A tool throws `CredentialRejectedError` on a 401, before it has changed anything.',
  },
  AUTH_CONFIG_INVALID: {
    happened:
      'The `AuthConfig` that a tool used has an unknown scheme, no key, or a part missing. No credential was looked up.',
    cure: 'Correct the part that the message names.',
  },
  LIBRARY_MISSING: {
    happened:
      'A parameter has a class type, and class-transformer, or class-validator for a class with its decorators, cannot be imported from `@adorn/core`. `adorn` installs both.',
    cure: 'Install the library that the message names, or make the parameter an interface.',
  },
  LIVE_NOT_SUPPORTED: {
    happened:
      'A live model cannot do what a session or an agent asks of it, or an agent of a live session would run beside others. The message lists everything; no connection was opened.',
    cure: 'Change these settings, or use another model; list agents that work side by side as tools.',
  },
  LIVE_SESSIONS_MISSING: {
    happened:
      '`runner.live` was called, and the runner was created by `createRunner` of `@adorn/core`, without live sessions.',
    cure: 'Create the runner with `createRunner` of `adorn`, or pass the module `liveSessions` of `@adorn/live`.',
  },
  LIVE_MODEL_MISSING: {
    happened:
      '`runner.live` has no model for spoken conversations: neither its own option, nor that of the agent.',
    cure: 'Pass `model` to `runner.live`, or give the agent a model that has one.',
  },
  EFFECT_NOT_OPEN: {
    happened:
      '`runner.settleEffect` was called for an effect that does not wait for it: it was settled before, its call runs, or nothing says who may settle it. Nothing has changed.',
    cure: 'Call `runner.unknownEffects` again, or run `adorn effects`. See [once](once.md#an-unknown-outcome).',
  },
  EFFECT_UNKNOWN: {
    happened:
      'A call for the same effect (`once`) has not told how it ended, and the tool has no `reconcile`. This call has done nothing.',
    cure: 'Look whether the effect took place, and say so with `runner.settleEffect` or `adorn effects`. Give the tool a `reconcile`, so that it can tell.',
  },
  ONCE_KEY_INVALID: {
    happened:
      '`once` of a tool returned a key in which a value is missing, or that is no JSON. Nothing has run.',
    cure: 'Return a text, a number or an object of them, or undefined if the call may have its effect again.',
  },
  CALL_NOT_SETTLED: {
    happened: 'A call passed every gate, and no gate ran it.',
    cure: 'This is a bug of Adorn, or of an added gate: the last gate must run the tool.',
  },
} satisfies Section;

const RUNNING = {
  INVOCATION_ACCEPTED: {
    happened:
      'A submission has an `invocationId` that was accepted before with other contents. Nothing was stored.',
    cure: 'Leave `invocationId` out, or repeat the same submission.',
  },
  INVOCATION_REPEATED: {
    happened:
      "The session has the invocation of a message already, and the run has `whenRepeated: 'refuse'`. Nothing was stored.",
    cure: 'Read its events from the session, or leave `invocationId` out for a new message.',
  },
  INVOCATION_ACTIVE: {
    happened:
      "A run was begun under an id that is in use; or in a session in which another run, of this process or of another one, is active, with `whileActive: 'refuse'`; or by a tool of that very run.",
    cure: "Leave `invocationId` out; wait until `runner.isActive` returns false, or set `whileActive: 'queue'`; give a nested run a session of its own.",
  },
  NODE_TOO_OLD: {
    happened:
      'A library needs a later Node.js than the one that runs: pg-boss 12 and the SDK of Restate need 22.12.',
    cure: 'Start the server and the workers with the version that the message names.',
  },
  RESTATE_REQUEST_FAILED: {
    happened:
      'Restate refused a request of the queue, or could not be reached. What was accepted is in the inbox.',
    cure: 'Start Restate at the address of the message; let it reach the workers at `workers`.',
  },
  RESTATE_WORKER_OPEN: {
    happened:
      'A worker of `RestateQueue` would answer whoever reaches it from another machine. Nothing was opened.',
    cure: 'Pass `identityKeys`, or listen at `127.0.0.1`.',
  },
  NOTHING_TO_EXPLAIN: {
    happened:
      '`runner.explain`: the message reaches no model, because a callback answers it, a credential is missing, or open calls come first.',
    cure: 'See the message; explain in another session, or answer what is pending.',
  },
  RUN_INTERRUPTED: {
    happened: 'A reader followed a run of another process, which died, or gave the run up.',
    cure: '`serve` and `adornHandler` recover it by themselves; elsewhere call `runner.recover`, or `runner.resume`. Look at what the run has done before the message is sent again.',
  },
  NOTHING_TO_RESUME: {
    happened:
      '`runner.resume`: the last run of the session has ended, waits for an answer, or is not the run that was named.',
    cure: 'Send a message with `runner.run`, or answer what `runner.pending` lists.',
  },
  GUARDRAIL_TRIPPED: {
    happened:
      "A [guardrail](guardrails.md) refused a message, an answer, a call or a result. It is the code of the run's last event, whose `adorn:tripwire` says which one and why.",
    cure: 'Show the reason, or let the user say it in another way.',
  },
  FORK_POINT_NOT_FOUND: {
    happened:
      'The conversation to copy has no event with the id, and no invocation with it; or it has no events at all. Nothing was copied.',
    cure: 'Pass the `id` or the `invocationId` of one of its events, or leave `at` out.',
  },
  EVENT_NOT_FOUND: {
    happened:
      'The session has no event of an agent with the id about which `runner.feedback` was given. Nothing was stored.',
    cure: 'Pass the `id` of an answer as the run yielded it: not of a message of the user, and not of a piece of a streamed answer.',
  },
  FEEDBACK_INVALID: {
    happened:
      '[Feedback](evals.md#feedback) has a score that is no number from 0 to 1, a label or a comment that is too long, or says not exactly once about what it is. Nothing was stored.',
    cure: 'Pass a `score` from 0 to 1, or `null` to take it back, and either `eventId` or `invocationId`.',
  },
  FEEDBACK_LIMIT_REACHED: {
    happened:
      'A principal has changed its feedback on an event twenty times. Nothing was stored; the last one counts.',
    cure: 'Do not send feedback again that has not changed.',
  },
  INVOCATION_NOT_FOUND: {
    happened: 'The session to rewind, or about which feedback was given, has no event of that invocation.',
    cure: 'Pass the `invocationId` of one of its events.',
  },
  MESSAGE_INVALID: {
    happened: 'The message given to `run` is empty, or has a part that no user may send.',
    cure: 'Pass a text, or content with at least one part.',
  },
  EVENT_INVALID: {
    happened: 'An event that was read or appended does not have the shape of one.',
    cure: 'Write events through the runner; check what else writes to the store.',
  },
  SESSION_EXISTS: {
    happened: 'A session with that id exists already.',
    cure: 'Use another id, or load the existing session.',
  },
  SESSION_NOT_FOUND: {
    happened: 'No session has that application, user and id, also where a file of it was to be saved.',
    cure: 'Create it first, or check the three names.',
  },
  PLUGIN_INVALID: {
    happened:
      "What was passed or bound as a plugin is a class, not an object, has no name, or has a method whose name is a slip of a callback's; or an option of a plugin that Adorn provides cannot be used.",
    cure: 'Pass an instance of a class that extends `Plugin`; correct the option that the message names.',
  },
  PLUGIN_NAME_TAKEN: {
    happened: 'Two plugins of a runner have the same name.',
    cure: 'Bind or pass each plugin once, and give each a name of its own.',
  },
  PROFILE_INVALID: {
    happened:
      'An application changed what is remembered of a user, and a field does not exist, does not fit its schema, or makes the profile too long. Nothing was changed.',
    cure: 'Correct the fields that the message names; `null` removes one.',
  },
  POLICIES_MISSING: {
    happened:
      'A tool sets `cache`, `retry`, `rateLimit` or `concurrency`, and its runner was created by `createRunner` of `@adorn/core`, without policies.',
    cure: 'Create the runner with `createRunner` of `adorn`, or pass the module `toolPolicies` of `@adorn/policies`.',
  },
  APPROVER_NOT_ALLOWED: {
    happened:
      'Somebody answered a request, or changed its arguments, or approved later calls, who may not by `approvers` of the tool. Nothing was stored; the request stays pending. HTTP: 403, or 404 for whom nothing of the session is told.',
    cure: 'Pass who answers as `by`, or let `authenticate` return `{ id, roles }`: [approval by somebody else](approval-by-somebody-else.md).',
  },
  REQUESTERS_MIXED: {
    happened:
      'A message held an answer and something else, such as a text, and who sent it did not begin the run that it continues, or had other roles then; or it answered runs of different requesters. Nothing was stored; the requests stay pending. HTTP: 403.',
    cure: 'Send the answer alone, and the words as a message of their own.',
  },
  APPROVERS_INVALID: {
    happened:
      'The function `approvers` of a tool returned no rule, such as an `of` without a value. The call did not run.',
    cure: "Return `'requester'`, `'others'` or `{ role, of, count }`.",
  },
  PRINCIPAL_INVALID: {
    happened:
      '`by`, `authenticate` or `for` gave something that says of nobody who they are. Nothing was stored.',
    cure: 'Pass an id, or `{ id, roles, tenant, attributes, actsFor }`.',
  },
  ANSWER_INVALID: {
    happened: 'The answer is not of the requested kind. The request stays pending.',
    cure: 'Send `confirmed` as a boolean, or the credential of the scheme, or use the method that the message names.',
  },
  MAILBOX_FULL: {
    happened: '100 messages of `runner.send` wait to be read in the session. The message was not stored.',
    cure: 'Send it again when some have been read; tell whoever sends that much.',
  },
  ANSWER_REFUSED: {
    happened:
      'Another process has the live session of the request, and did not take the answer; `reason` is the code of the error there. The request stays pending.',
    cure: 'Read `runner.pending` again, and answer there what its message names.',
  },
  CONSENT_STATE_INVALID: {
    happened:
      'The answer to a consent has another `state` than the pending request: it belongs to another request, or was forged. The request stays pending; nothing was exchanged.',
    cure: 'Open the `authUri` of the pending request, and answer with the address that the browser came back to.',
  },
  REQUEST_CHANGED: {
    happened:
      'A field of the answered request is not that of the pending one, such as its `args`. Nothing was run; the request stays pending.',
    cure: 'Pass the request of `runner.pending` unchanged. To approve other arguments: `runner.approve(request, { args })`.',
  },
  AGENT_TREE_CHANGED: {
    happened:
      'An answer is for a call of an agent that is not in the tree any more. Nothing was run; the request stays pending. As the code of an event: see [below](#what-an-event-says).',
    cure: 'Deploy the code that made the call, or reject the request.',
  },
  REQUEST_NOT_PENDING: {
    happened: 'The request is not pending: it was answered before, or never existed.',
    cure: 'Read `runner.pending` again and answer the listed requests.',
  },
  REQUEST_OF_OTHER_AGENT: {
    happened:
      'A live session is open, and the answered request is of an agent that has not spoken in it. Nothing was stored; the request stays pending.',
    cure: 'Close the live session, then answer with `runner.approve`, `runner.reject` or `runner.supply`.',
  },
  CALL_AMBIGUOUS: {
    happened:
      'Two open calls of the session have the id of the answered one, as in a log that another kit wrote. Nothing was run; the request stays pending.',
    cure: 'Undo the turn with `runner.rewind`, or continue in another session.',
  },
  CALL_INVALID: {
    happened:
      '`runner.call`: the arguments are no JSON object, or `agent` names no agent that has tools. Nothing was stored.',
    cure: 'Pass an object, and one of the agents that the error names.',
  },
  UI_CALL_REFUSED: {
    happened:
      'A page of an MCP server (MCP Apps) called a tool of another server, one that pages may not call, or called too often. Nothing was stored.',
    cure: 'Nothing: the page asked for what it may not have. The error names the tools that it may call.',
  },
  UI_INVALID: {
    happened:
      'An MCP server gave something else than a page of MCP Apps for a `ui://` address, or one that is too large.',
    cure: 'Have the server give HTML with the type `text/html;profile=mcp-app`, of at most 5 MiB.',
  },
  UI_NOT_FOUND: {
    happened: '`uiOfCall`: the conversation has no such call, its tool has no page, or the tool is gone.',
    cure: 'Pass the id of a call for whose result `uiIn` gives a page.',
  },
  CALL_REFUSED: {
    happened:
      'In the last event of a run of `runner.call`: a person, a callback or a policy refused the call.',
    cure: 'Read the response in the event: it has the reason, if one was given.',
  },
  CONTEXT_CLOSED: {
    happened:
      'A tool or a callback wrote to the state, saved an artifact, set an action or asked a person or a model by a context whose call, callback or run is over. Nothing was written.',
    cure: 'Await all work before returning. What outlives the run is written by `runner.sessions.updateSession` and `runner.artifacts.save`.',
  },
  CONTEXT_TOO_LONG: {
    happened:
      "A provider refused a request because the conversation exceeds the context of the model. It is the `errorCode` of the event that ends the run, and what `Model.generate` throws; the message has the provider's words. Runners of `adorn` shorten the conversation and ask again first, so this is the end of what cannot be shortened, such as one message that alone is too long.",
    cure: 'Shorten the message or what tools return, or use a model with a larger context: [long conversations](long-conversations.md).',
  },
  ACTIONS_UNAVAILABLE: {
    happened:
      'A callback of an agent or a model set `context.actions`. It has no call whose response could steer the run.',
    cure: 'Set them in a tool or in `beforeTool`, `afterTool`, `onToolError`.',
  },
  CALLBACK_FAILED: {
    happened:
      'A callback of an agent or a model threw, or returned something that is no answer. The turn of its agent ends with an event of this code. From a callback of a plugin around the run (`onUserMessage`, `beforeRun`, `onEvent`, `afterRun`), the run rejects with it; from `onRegister`, `createRunner` does.',
    cure: 'See `cause` in the log, and fix the callback.',
  },
  CANCELLED: {
    happened:
      'The invocation was cancelled, by `runner.cancel` or by its signal, while something still waited for it.',
    cure: 'Nothing; the caller asked for it. Where the message says that the store has not answered, read the session when it does.',
  },
  RUN_CONFIG_INVALID: {
    happened:
      'An option of `createRunner`, of a run or of another method of a runner does not exist, or its value does not fit it.',
    cure: 'Use the name or value that the message suggests; a limit is a number of at least 0, or `Infinity` for none.',
  },
  RUN_FAILED: {
    happened:
      'A run ended without an answer, with the event that the error carries. `runner.ask`, `run.text` and `run.output` throw it; `await run` has it as `error`.',
    cure: "Read the event's `errorCode` (below).",
  },
  RUN_PAUSED: {
    happened:
      'A run waits for the answer of a person. `runner.ask`, `run.text` and `run.output` throw it; `await run` has the status `paused` and no `error`.',
    cure: 'Approve, reject or supply what the error, or `runner.pending`, lists.',
  },
  OUTPUT_INVALID: {
    happened:
      'The answer of an agent with an `outputSchema` is not JSON, or does not fit the schema. `run.text` gives it as it is.',
    cure: 'Ask again; make the schema simpler, or describe its fields.',
  },
  RUNNER_CLOSED: {
    happened: 'The runner was used after `close`.',
    cure: 'Create another runner, or close it later.',
  },
  MCP_REQUEST_FAILED: {
    happened:
      'An MCP server refused a request, failed at it, or will never answer it: its stream ended, it has exited, or its answer is no message of the protocol.',
    cure: 'Do what the message says; read the log of the server.',
  },
  MCP_SERVER_UNAVAILABLE: {
    happened:
      'An MCP server could not be started, reached or initialised. The message names the server, how its program ended with its last lines, or the HTTP status. The next attempt waits, twice as long each time, up to 30 seconds.',
    cure: 'Do what the message says.',
  },
  A2A_CONFIG_INVALID: {
    happened:
      'An option of `serveA2a`, `a2aHandler` or `remoteAgent` does not exist or cannot be used, or others could call an agent unasked.',
    cure: 'Do what the message says.',
  },
  A2A_PEER_FAILED: {
    happened:
      'A remote agent could not be reached, does not answer as the protocol says, names an address in its card that was not allowed, or ended the task without an answer.',
    cure: 'Read the message; look at the card and the log of the peer.',
  },
  A2A_OUTCOME_UNKNOWN: {
    happened:
      'A message to a remote agent was sent, and its answer was lost: the peer neither recognises messages that are sent again nor lists the task.',
    cure: 'Ask the peer what it did, or send a new message.',
  },
  TOOLSET_FAILED: {
    happened:
      "A toolset did not list its tools: `listTools` threw, did not answer within `listing.timeout`, or listed tools that cannot be used. The run goes on without its tools, and an event says so in `customMetadata['adorn:toolsetFailed']`; if the toolset is `required`, the run ends with an event of this code. An answer to a call of such a toolset is refused with it, and its request stays pending.",
    cure: "Read the cause in the message. Throw less: answer a server's outage with the last known list.",
  },
  MODEL_CONFIG_INVALID: {
    happened: 'A model was given options, or a list of models, that it cannot use.',
    cure: 'Correct what the message names.',
  },
  OPTION_INVALID: {
    happened:
      'A function or class was given an option that does not exist, lacks one that it needs, or got a value that it cannot use.',
    cure: 'Correct the option that the message names: it says which one was probably meant.',
  },
  MODEL_FAILED: {
    happened: "The model's provider refused the request; trying again would not help.",
    cure: "Read the provider's words in the message: a key, a quota, a model's name.",
  },
  MODEL_UNAVAILABLE: {
    happened:
      "The model's provider could not be reached, or asked to try again later; or there is no key for it, which createRunner says; or the environment of an application in production chooses no model.",
    cure: 'Check key, network and base URL; the message says which of them it was.',
  },
} satisfies Section;

const HTTP_AND_API_DOCUMENTS = {
  HTTP_ADDRESS_BLOCKED: {
    happened:
      'A URL, a redirect or the address of a host is not public, or has a scheme other than http and https. Nothing was sent to it.',
    cure: "List a host that is meant to be private: `privateHosts: ['localhost:8080']`.",
  },
  HTTP_REQUEST_FAILED: {
    happened:
      "A server could not be reached, was too slow, sent too much, or redirected too often. The error's `reason` says which.",
    cure: 'Check the address; raise the limit that the message names.',
  },
  HTTP_OPTION_INVALID: {
    happened: 'An option of `guardedFetch` does not exist or has an invalid value.',
    cure: 'Correct the option that the message names.',
  },
  OPENAPI_DOCUMENT_INVALID: {
    happened:
      'An OpenAPI document cannot be read: it is not there, not JSON or YAML, too large, of another version, or its URL redirects to another origin.',
    cure: 'Do what the message says: correct the line that it names, or pass `baseUrl` or `maxDocumentBytes`.',
  },
  OPENAPI_OPERATION_UNSUPPORTED: {
    happened:
      'An operation of the document cannot be a tool. The others are; `toolset.skipped` lists the errors.',
    cure: 'Correct the document, or leave the operation out with `except`.',
  },
  OPENAPI_OPTION_INVALID: {
    happened: 'An option of `openApiToolset` does not exist or has an invalid value.',
    cure: 'Correct the option that the message names.',
  },
} satisfies Section;

const SERVING_OVER_HTTP = {
  CHANNEL_FAILED: {
    happened: 'The API of a channel, such as that of Slack, has refused a message, or did not answer.',
    cure: 'The message has what it answered: check the token and its scopes. A limit of the platform passes by itself.',
  },
  DELIVERY_REFUSED: {
    happened:
      'A request of a webhook or a channel is not signed by who should have sent it (401), is too old, or cannot be read (400). Nothing was stored.',
    cure: 'Check the secret at both ends, the clock of the server, and that nothing in front of it rewrites bodies.',
  },
  SERVER_OPTION_INVALID: {
    happened:
      'An option of `serve` or `adornHandler` does not exist or has an invalid value, or nothing says who may call; or the port is in use.',
    cure: 'Correct the option that the message names.',
  },
  REQUEST_INVALID: {
    happened:
      'The body or a parameter of a request is missing, has the wrong type, is no JSON or is too large; `field` names it. Nothing was stored.',
    cure: 'Correct the field that the message names.',
  },
  ACCESS_REFUSED: {
    happened:
      'A request has no valid credential (401), or is addressed to a host or comes from a page that is not allowed (403).',
    cure: 'Sign in, or send the token; list the host in `allowedHosts`, or the page in `allowedOrigins`.',
  },
  NOT_FOUND: {
    happened: 'There is nothing at that address, or it belongs to another user.',
    cure: 'Check the address.',
  },
  LIMIT_REACHED: {
    happened:
      'A user (429), or all users together (503), hold too many streams, or too many bytes of bodies that are being read or of speech that waits for a model; or the user has too many sessions. Nothing was begun.',
    cure: 'Close or delete some, or raise the option of [`limits`](server.md#limits) that the message names.',
  },
} satisfies Section;

const TESTING = {
  SCRIPT_EXHAUSTED: {
    happened: 'A `ScriptedModel` received more requests than its script has steps.',
    cure: 'Add the step, or find out why the agent asked again.',
  },
  TEST_RUNNER_MISSING: {
    happened:
      'A contract suite was defined without a global `describe` and `it`, or `@adorn/testing/jest` was imported without a global `expect`.',
    cure: 'Run the file with a test runner, and pass its functions to `useTestRunner`, or `runMatchers` to its `expect.extend`.',
  },
  RUN_SUBJECT_INVALID: {
    happened:
      'A matcher of `runMatchers` was given what is no result of a run, no session and no list of events.',
    cure: 'Await the run: `expect(await runner.run({ … }))`.',
  },
  SCRIPT_LEFT_OVER: {
    happened: 'The test ended before a `ScriptedModel` had played all its steps.',
    cure: 'Remove the step, or find out why the agent stopped early.',
  },
  NETWORK_BLOCKED: {
    happened: 'A run of a `testRunner` would have connected to a host that the test does not allow.',
    cure: 'Override the service that connects, or name the host: `testRunner(Agent, { network: [host] })`.',
  },
  STEP_NOT_REACHED: {
    happened:
      'A run of `runner.step`, or a live session that a test reads, did not come to what the test waits for.',
    cure: 'The message shows the conversation: ask for what the run does, or find out why it ended.',
  },
  CASSETTE_MISS: {
    happened:
      'A model of `recorded`, a live model of `recordedLive` or a `recordedFetch` was asked, or told, what its cassette has no answer for.',
    cure: 'Read the difference. Record what is new with `ADORN_RECORD=record`, or everything anew with `ADORN_RECORD=refresh`.',
  },
  CASSETTE_LEFT_OVER: {
    happened: 'The test ended before all that a cassette holds was asked for.',
    cure: 'Find out why the run ended earlier, or record anew with `ADORN_RECORD=refresh`.',
  },
  SESSION_NOT_RECORDABLE: {
    happened: 'A stored conversation took another course when `recordSession` held it again.',
    cure: 'Record it with the agents that held it, or hold it anew with `recorded(model, file)`.',
  },
  CASSETTE_NOT_REPLAYABLE: {
    happened:
      'The requests of a cassette do not tell `replayCassette`, or `adorn replay`, what the user has said.',
    cure: 'Make the cassette of a stored conversation with `adorn record`, or run the test that recorded it.',
  },
  CASSETTE_INVALID: {
    happened:
      'A file is not a cassette, or one of another kind: of a model, of a live model, or of a `fetch`.',
    cure: 'Restore it from version control, or delete it and record again.',
  },
  RECORDING_OPTION_INVALID: {
    happened:
      'An argument of `recorded`, `recordedLive` or `recordedFetch`, or the variable `ADORN_RECORD`, has a value that cannot be used.',
    cure: 'Correct what the message names.',
  },
  EVAL_SET_INVALID: {
    happened:
      'An eval set cannot be read: the file is missing, no JSON, or has not the shape of one; or its id cannot be the name of a file.',
    cure: 'Correct what stands at the place that the message names.',
  },
  EVAL_CONFIG_INVALID: {
    happened:
      'A metric or an option of an evaluation is unknown, or has a value that cannot be used. Nothing was evaluated.',
    cure: 'Use what the message lists; a metric of your own is an object with `name`, `threshold` and `score`.',
  },
  EVALS_FAILED: {
    happened:
      '`report.assertPassed()`: cases have not passed, or could not be played. The message has what was expected and what was found.',
    cure: 'Correct the agent, or the expectations.',
  },
} satisfies Section;

const STORES = {
  STORAGE_URL_INVALID: {
    happened: 'The URL of a database names no SQLite file and no PostgreSQL server.',
    cure: 'Give a path or `file:app.db`, or `postgres://user@host/database`.',
  },
  STORAGE_OPTION_INVALID: {
    happened:
      'The `timeout`, the `poolSize` or the `maxWaitingRuns` of a database is not an integer, or out of range.',
    cure: 'Correct the option that the message names, or omit it.',
  },
  STORAGE_UNAVAILABLE: {
    happened:
      'The database could not be reached or opened, or was busy for too long. Each write in progress was applied completely or not at all.',
    cure: 'Check that it exists and can be opened. The next call tries again.',
  },
  SERVER_BUSY: {
    happened:
      'More than `maxWaitingRuns` runs wait for a PostgreSQL connection before they begin, or as many invocations wait for workers as `maxWaiting` or `maxWaitingPerUser` of `openFleet` allows. Nothing was stored; active runs are not affected.',
    cure: 'Try again later (`error.retryAfter` seconds where it is set), raise `poolSize`, or start more workers.',
  },
  STORAGE_CLOSED: {
    happened: 'The database was closed, by its runner or by `database.close()`. Nothing was read or written.',
    cure: 'Close a runner after its last call, or create a new one.',
  },
  STORAGE_FULL: {
    happened: 'No space is left. Nothing was written; stored data is intact.',
    cure: 'Free some space. The next call tries again.',
  },
  STORAGE_NOT_A_DATABASE: {
    happened: 'The file is not a SQLite database, or is damaged. It was not changed.',
    cure: 'Use another file, or restore a backup.',
  },
  STORAGE_ROW_DAMAGED: {
    happened: 'A row of the database holds no JSON where it should; the message names the table and the row.',
    cure: 'Restore the row from a backup, or delete its session. Other sessions are not affected.',
  },
  STORAGE_NEWER: {
    happened: 'The database was migrated by a later version of Adorn. Nothing was changed.',
    cure: 'Update `@adorn/storage`, or name another database.',
  },
  STORAGE_OUTDATED: {
    happened: 'The database has pending migrations, and `migrate: false` prevents them.',
    cure: 'Run `adorn migrate`, or remove the option.',
  },
  SESSION_CONFLICT: {
    happened: 'An append expected another sequence number. Nothing was appended.',
    cure: 'Reload the session, and append again if the event is still valid.',
  },
  SESSION_TAKEN_OVER: {
    happened: 'Another run has taken the session. Nothing was appended.',
    cure: 'Stop the run: the other writer continues it. Where a process may stand still for longer than 5 seconds, raise `takeOverAfter`.',
  },
  NOT_SUPPORTED: {
    happened: 'The backend does not implement an optional method, such as renaming a session.',
    cure: 'Override the method, or bind a backend that supports it.',
  },
  SESSION_FILE_INVALID: {
    happened: 'An exported session cannot be read; the message names the line. Nothing was imported.',
    cure: 'Pass a complete file of `exportSession`.',
  },
  CONTENT_INVALID: {
    happened:
      "A content that is to be kept, such as a memory's, has a value of the wrong kind, one that JSON cannot hold, or one nested deeper than 200 levels. Nothing was written.",
    cure: 'Pass a content of JSON values.',
  },
  NAME_INVALID: {
    happened:
      'A name (application, user, session, invocation, artifact, key of a credential, id of an event or request) is not a string, or is empty. Names are never converted: to a database, the numbers 105 and 205 may be one name. Nothing was read or written.',
    cure: 'Pass a string, such as `String(user.id)`.',
  },
  STATE_DELTA_REFUSED: {
    happened:
      'The `stateDelta` of `runner.run` writes `app:` or `user:` keys or a reserved key, or is not an object. Nothing was stored.',
    cure: 'Write shared keys from a tool or a callback, or by `runner.sessions.updateSession`.',
  },
  NAME_TOO_LONG: {
    happened:
      'An application, a user, a session, an artifact, a key of a credential or of a state has a name of more than 512 bytes. Nothing was written.',
    cure: 'Give a shorter one, such as a hash of it.',
  },
  EVENT_TOO_LARGE: {
    happened: 'An event, or a write to the state, is larger than the store takes. Nothing was appended.',
    cure: 'Keep large data as an artifact, or raise the limit.',
  },
  EVIDENCE_KEY_INVALID: {
    happened: 'A key for [evidence](evidence.md) is no Ed25519 key, or the wrong half of one.',
    cure: "Pass a key of `generateKeyPairSync('ed25519')`, as PEM or as a `KeyObject`: the private half to export, the public one to verify.",
  },
  CREDENTIAL_UNREADABLE: {
    happened: 'A stored credential was encrypted with a key that is not available, or was changed.',
    cure: 'Add the key to the old keys, or delete the credential and ask the user again.',
  },
  ENCRYPTION_KEY_INVALID: {
    happened: 'The key for credentials is missing, or is not 32 bytes of base64.',
    cure: 'Make one by `openssl rand -base64 32`.',
  },
  ARTIFACT_INVALID: {
    happened: 'An artifact has no content, or no MIME type, or a name that is empty. Nothing was saved.',
    cure: 'Give `inlineData` with `mimeType` and base64 `data`, or a text.',
  },
  ARTIFACT_VERSION_TAKEN: {
    happened:
      'The version of an artifact that was to be saved under its number is there already, or does not follow the newest one. Nothing was saved.',
    cure: 'Load the newest version, and save one that follows it.',
  },
  ARTIFACT_DAMAGED: {
    happened:
      'The bytes of an artifact are missing, are not those that were saved, or are behind a symbolic link.',
    cure: 'Restore the content store from a backup, or save the artifact again.',
  },
} satisfies Section;

/** The sections of the page by their headings. */
export const ERROR_SECTIONS: Readonly<Record<string, Section>> = {
  'Wiring agents': WIRING_AGENTS,
  'Declaring tools': DECLARING_TOOLS,
  'Calling tools': CALLING_TOOLS,
  Running: RUNNING,
  'HTTP and API documents': HTTP_AND_API_DOCUMENTS,
  'Serving over HTTP': SERVING_OVER_HTTP,
  Testing: TESTING,
  Stores: STORES,
};

/**
 * Every code with what happened and what to do. A code without an entry does not compile. Nothing loads this file at run time:
 * `node scripts/checks/docs.mjs --update` writes the tables of the page from it.
 */
export const ERROR_CATALOGUE: Readonly<Record<AdornErrorCode, ErrorEntry>> = {
  ...WIRING_AGENTS,
  ...DECLARING_TOOLS,
  ...CALLING_TOOLS,
  ...RUNNING,
  ...HTTP_AND_API_DOCUMENTS,
  ...SERVING_OVER_HTTP,
  ...TESTING,
  ...STORES,
};
