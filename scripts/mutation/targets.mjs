/**
 * What can be mutated, by name: the folders or the files of the sources, the specs that hold their promises, and one mutant out of
 * how many is tried where nothing else is asked for.
 *
 * @type {Record<string, { folders?: string[], files?: string[], specs: string[], every: number }>}
 */
export const TARGETS = {
  core: {
    folders: ['packages/schema/src'],
    specs: ['packages/schema/src/**/*.spec.ts', 'packages/core/src/tools/option-values.spec.ts'],
    every: 1,
  },
  gates: {
    // Who may answer is decided in approvals, and asked by the gates.
    folders: ['gates', 'auth', 'approvals'].map((name) => `packages/core/src/${name}`),
    specs: [
      'packages/core/src/{gates,auth,approvals,tools/policies}/**/*.spec.ts',
      // What a gate does over a pause, and what its event says.
      'packages/core/src/runner/specs/{approvals,trust}/*.spec.ts',
      'packages/core/src/runner/{specs/agents/agent-tool,specs/agents/called-agent,specs/runs/budget,specs/runs/resume,begin/call-input}.spec.ts',
      'packages/live/src/session/live.{calls,questions}.spec.ts',
      'packages/core/src/agents/workflow/loop.spec.ts',
      'packages/core/src/turn/{turn-loop,toolset-auth,background-calls}.spec.ts',
      'packages/plugins/src/security-policy.plugin.spec.ts',
      // What observers of calls are told.
      'packages/telemetry/src/*.spec.ts',
      // They run for seconds; what they hold is held by other specs one by one.
      '!**/{one-response-per-call.spec,*.properties.spec}.ts',
    ],
    every: 1,
  },
  policies: {
    folders: ['packages/core/src/tools/policies', 'packages/policies/src'],
    specs: ['packages/{core/src/tools/policies,policies/src}/**/*.spec.ts', '!**/*.properties.spec.ts'],
    every: 1,
  },
  runner: {
    folders: ['runner', 'agents/tree'].map((name) => `packages/core/src/${name}`),
    specs: [
      'packages/core/src/{runner,agents,run,app,gates/callbacks}/**/*.spec.ts',
      // The first compiles with the whole workspace, which is not there while mutants are tried; properties run for seconds.
      '!**/{wrapped-functions.spec,*.properties.spec,specs/runs/replay.spec}.ts',
      'packages/core/src/gates/approvals.spec.ts',
      // What an agent offers, and what observers of runs are told.
      'packages/core/src/turn/{provider-tools,toolset-auth}.spec.ts',
      'packages/telemetry/src/*.spec.ts',
      'packages/core/src/tools/toolsets/toolbox.spec.ts',
      // What a live session offers to a microphone.
      'packages/live/src/*.spec.ts',
      'packages/live/src/{session,turns}/*.spec.ts',
    ],
    every: 1,
  },
  requests: {
    files: [
      'runner/{recover/interrupted-run,answers/read-answers}.ts',
      'log/{pending-index,pending-call-index}.ts',
      'tools/tool-requests.ts',
    ].map((name) => `packages/core/src/${name}`),
    // The properties over random logs take longer than all others together.
    specs: [
      'packages/core/src/log/{pending-index,effective-events}.spec.ts',
      'packages/core/src/runner/{answers,specs/approvals}/*.spec.ts',
      'packages/core/src/runner/{specs/agents/agent-tool,specs/runs/{resume,equal-call-ids},recover/*,begin/session-fence}.spec.ts',
      // Who may answer, and what several people have answered.
      'packages/core/src/approvals/*.spec.ts',
      'packages/core/src/gates/{approvals,request-event,tool-approvers}.spec.ts',
      'packages/core/src/turn/{call-batch,toolset-auth}.spec.ts',
      '!**/*.properties.spec.ts',
    ],
    every: 1,
  },
  record: {
    files: [
      'events/run-record',
      'stores/sessions/run-of-log',
      'log/invocation-chains',
      'runner/begin/session-fence',
      'runner/recover/recover',
    ].map((name) => `packages/core/src/${name}.ts`),
    specs: [
      'packages/core/src/stores/sessions/{run-of-log,in-memory-session.service}.spec.ts',
      'packages/core/src/log/invocation-chains.spec.ts',
      'packages/core/src/runner/{recover/*,begin/session-fence,begin/run-queue,specs/runs/resume,specs/approvals/partial-approval}.spec.ts',
      'packages/core/src/runner/specs/agents/{agent-tool,called-agent}.spec.ts',
    ],
    every: 1,
  },
  turn: {
    folders: ['packages/core/src/turn'],
    specs: [
      'packages/core/src/{turn,log,runner,gates/callbacks,agents,compaction,tools/toolsets,run/live}/**/*.spec.ts',
      'packages/live/src/**/*.spec.ts',
      // Two compile with the whole workspace, which is not there while mutants are tried; properties run for seconds.
      '!**/{wrapped-functions.spec,prompt-cache.spec,*.properties.spec,specs/runs/replay.spec}.ts',
      'packages/core/src/gates/approvals.spec.ts',
      'packages/telemetry/src/*.spec.ts',
    ],
    every: 1,
  },
  events: {
    folders: ['events', 'log'].map((name) => `packages/core/src/${name}`),
    specs: [
      'packages/core/src/{events,log,runner,turn,compaction,stores/sessions,agents,gates/callbacks}/**/*.spec.ts',
      'packages/core/src/run/invocation-context.spec.ts',
      // Two compile with the whole workspace, which is not there while mutants are tried; properties run for seconds.
      '!**/{wrapped-functions.spec,prompt-cache.spec,*.properties.spec,specs/runs/replay.spec}.ts',
    ],
    every: 1,
  },
  extractor: {
    folders: ['extract', 'schema', 'docs'].map((name) => `packages/compiler/src/${name}`),
    // Those that hold schemas to random values and types take longer than all others together.
    specs: ['packages/compiler/src/{extract,schema,docs}/**/*.spec.ts', '!**/agreement.spec.ts'],
    every: 6,
  },
  a2a: {
    folders: ['packages/a2a/src'],
    // A peer that hangs is waited for.
    specs: ['packages/a2a/src/**/*.spec.ts', '!**/hostile-peer.spec.ts'],
    every: 6,
  },
  // To be run alone: a mutant may let a fork bomb of the specs go, until its time is over.
  sandbox: {
    folders: ['quick-js', 'processes', 'tools'].map((name) => `packages/sandbox/src/${name}`),
    files: [
      'packages/sandbox/src/{file-name,kept-states,media-type,options,output}.ts',
      'packages/core/src/code-execution/*.ts',
      'packages/core/src/turn/code-calls.ts',
    ],
    specs: [
      'packages/sandbox/src/**/*.spec.ts',
      'packages/core/src/turn/code-calls.spec.ts',
      // They start processes for seconds.
      '!**/{pyodide.executor,quick-js/code-mode.toolsets}.spec.ts',
    ],
    every: 4,
  },
  live: {
    folders: ['core/src/run/live', 'core/src/runner/live', 'live/src'].map((name) => `packages/${name}`),
    specs: [
      'packages/core/src/{models/live,run/live}/live*.spec.ts',
      'packages/live/src/**/*.spec.ts',
      '!**/*.properties.spec.ts',
    ],
    every: 6,
  },
};
