/**
 * Every public name of Adorn that has changed: `adorn migrate code` rewrites programs by this table. A name that a version
 * has published and the next one lacks needs a row, which `npm run surface` checks.
 *
 * Entries are what programs import, such as `adorn/backend`. The names of 0.1.0 are those of programs that were written
 * before it was published.
 */
export type Rename =
  /** The names are exported by another entry. */
  | (Since & { readonly kind: 'moved'; readonly to: string; readonly names: readonly string[] })
  /** By the old name the new one, which may be a member of an export: `workflow.loop`. */
  | (Since & { readonly kind: 'renamed'; readonly names: Readonly<Record<string, string>> })
  /** By name, what to write instead: a noun phrase or a program. */
  | (Since & { readonly kind: 'removed'; readonly names: Readonly<Record<string, string>> })
  /** By the old name of a member or an option the new one. */
  | (Since & MemberOf & { readonly kind: 'member renamed' })
  /** By the name of a member or an option, what to write instead. */
  | (Since & MemberOf & { readonly kind: 'member removed' });

interface Since {
  /** The version that has the new names. */
  readonly since: string;
  /** The entries that exported the old names. */
  readonly from: readonly string[];
}

interface MemberOf {
  /** The name of the type, as it is exported now. */
  readonly of: string;
  readonly names: Readonly<Record<string, string>>;
}

const APPLICATION = ['adorn', '@adorn/core'];
const COMPILER = ['adorn', '@adorn/core', '@adorn/core/compiler'];
const BACKEND = [...APPLICATION, 'adorn/backend', '@adorn/core/backend'];

/** Types that are inferred, and what only implementations of services, stores and models need. */
const FOR_BACKENDS = namesIn(`
  AdornErrorCode AgentCallbacks AgentFailure AgentNode AgentOptions AgentResults AgentToolOptions
  AgentToolSource AiSdkTool AiSdkToolSet Answerer AnswerOptions AnyMethod ApiKeyScheme AppCredential
  AppendOptions applyKey ApproveOptions Arguments ArgumentsOf ArtifactDownload ArtifactUpload Asked
  assertName assertScope assertSessionKey AuthScheme Awaitable BackgroundOptions BareFunction
  BaseAgentCallbacks BearerCredential Budget CacheOptions CacheScope CallableTool CallInput
  CallInvalidError checkArtifact checkArtifactStream checkName checkScope checkSessionKey
  ClassReference ConcurrencyOptions Confirmation ConfirmationDecision ConfirmationPredicate
  ConfirmationRequest Consent ConsentAnswer ContentFault ContextTooLongError ConversationAddress
  CredentialAnswer CredentialExchangeError CredentialExchanger CredentialRefresher
  CredentialResolver CredentialScope CustomCredential CustomScheme DefinedAgentClass
  DefinedAgentOptions effectiveEvents EmbeddingPurpose ERROR_CODES EVENT_LOG EventActions
  EventCompaction EventFields eventFromJson EventLog EventsCompactionConfig ExchangeContext
  ExplainInput Explanation ExplicitSchema findState ForkInput FoundCredential FunctionDeclaration
  FunctionResponse FunctionToolFields GetSessionOptions guardedCredential GuardrailOptions
  GuardrailsPluginOptions GuardrailTrippedError HttpScheme InboxChange InboxFilter InboxPage
  InboxQuery InboxRequest InjectionToken inMemoryServices InputRequest Instruction
  InstructionProvider InstructionValue IntervalCompaction InvocationServices InvokeAllOptions
  InvokeOptions JsonType keyOf LangChainTool lastingDelta lastingEvent LimitScope ListedRun
  ListingOptions ListSessionsOptions LlmAgentNode LlmSettings LogFacts logOf MAX_NAME_BYTES
  MemoryEntry MemoryScope MethodDescriptor MethodFor ModelConfigInvalidError ModelRoute NamedScope
  NoStandardDecorator NotSupportedError OAuth2Credential OAuth2Scheme OAuthClientCredential
  OAuthFlow OAuthFlows OnContentFault OpenIdConnectScheme OutputInvalidError OutputOf ownState Page
  ParamOptions PendingRequestData PluginHost PredicateArguments ProviderToolKind RateLimit
  readContent ReadonlyState RecoveredRun RecoverOptions Reply RequestedActions RequestedAuthConfig
  RequestNotPendingError ResultOptions ResultScheduling ResumeInput RetryOptions RewindInput
  RunCallbacks RunEnd RunInput RunOpening RunQuery RunRecord RunStatus SchemaMethod ScopedState
  scopeOf ScopeValues SearchMemoryOptions ServiceAccountCredential ServiceToken SessionConflictError
  SessionExistsError SessionNotFoundError SessionRecord SessionSummary SessionTakenOverError
  ShownConsent ShownCredential StandardDecoratorCall StandardSchema StateDelta StateScope
  StateUpdate StoredScope SubAgent SummarizeOptions SystemClock TokenCompaction ToolboxOptions
  ToolConfirmation ToolDecorator ToolEffect ToolFilter ToolFunction ToolOptions ToolPausedError
  ToolsInput ToolSource ToolTraits TransferPolicy Tripwire TypedToolFields TypedToolOptions
  UnknownArguments withOwnState WorkflowAgent
`);

export const RENAMES: readonly Rename[] = [
  { kind: 'moved', since: '0.1.0', from: ['adorn'], to: 'adorn/backend', names: FOR_BACKENDS },
  { kind: 'moved', since: '0.1.0', from: ['@adorn/core'], to: '@adorn/core/backend', names: FOR_BACKENDS },
  {
    kind: 'moved',
    since: '0.1.0',
    from: APPLICATION,
    to: '@adorn/core/compiler',
    names: namesIn(`
      BytesName DERIVED DerivedClass DerivedFunction DerivedParameter DerivedTool isToolName
      overrideOptions toolNameOf withParamOptions
    `),
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: ['@adorn/core'],
    to: '@adorn/plugins',
    names: namesIn(`
      ContextFilterPlugin GlobalInstructionPlugin LoggingPlugin personalData RedactionPlugin
      ReflectAndRetryPlugin SaveFilesAsArtifactsPlugin SecurityPolicyPlugin
    `),
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: [...APPLICATION, '@adorn/core/backend'],
    to: '@adorn/plugins',
    names: namesIn(`
      ContextFilterOptions LogDetail LoggingOptions PersonalDataKind PersonalDataOptions
      RedactionOptions ReflectAndRetryOptions SecurityDecision SecurityPolicyOptions SecurityRule
    `),
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: ['@adorn/core'],
    to: '@adorn/compaction',
    names: ['LlmEventSummarizer'],
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: [...APPLICATION, '@adorn/core/backend'],
    to: '@adorn/compaction',
    names: ['LlmEventSummarizerOptions'],
  },
  { kind: 'moved', since: '0.1.0', from: ['@adorn/core'], to: '@adorn/sandbox/tools', names: ['runCode'] },
  {
    kind: 'moved',
    since: '0.1.0',
    from: [...APPLICATION, '@adorn/core/backend'],
    to: '@adorn/sandbox/tools',
    names: ['codeMode', 'CodeModeOptions', 'RunCodeOptions'],
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: ['adorn'],
    to: '@adorn/gemini',
    names: ['GeminiEmbedderOptions', 'GeminiOptions', 'GeminiRetryOptions'],
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: ['@adorn/gemini'],
    to: '@adorn/core/dialects',
    names: ['toGeminiSchema'],
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: ['@adorn/cli'],
    to: 'adorn/main',
    names: ['chooseModel', 'ModelChoice', 'reportFailure', 'ReportOptions'],
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: ['@adorn/pg-boss'],
    to: '@adorn/fleet',
    names: namesIn(`
      Fleet FleetOptions FollowedEvent FollowInput Inbox InboxEntry InProcessQueue
      InvocationAcceptedError InvocationAddress InvocationHandler InvocationQueue NodeTooOldError
      openFleet Signals startWorker Submission Worker WorkerOptions
    `),
  },
  {
    kind: 'renamed',
    since: '0.1.0',
    from: APPLICATION,
    names: {
      AddressedRequest: 'PendingRequest',
      Ask: 'RequireConfirmation',
      SchemaToolOptions: 'TypedToolOptions',
      TurnOptions: 'LlmSettings',
      standingEvents: 'effectiveEvents',
      fallback: 'workflow.fallback',
      loop: 'workflow.loop',
      map: 'workflow.map',
      parallel: 'workflow.parallel',
      race: 'workflow.race',
      route: 'workflow.route',
      sequence: 'workflow.sequence',
      LastOutput: 'workflow.LastOutput',
      LoopOptions: 'workflow.LoopOptions',
      MapOptions: 'workflow.MapOptions',
      Outputs: 'workflow.Outputs',
      ParallelOptions: 'workflow.ParallelOptions',
      RouteCase: 'workflow.RouteCase',
      WorkflowOptions: 'workflow.WorkflowOptions',
    },
  },
  {
    kind: 'renamed',
    since: '0.1.0',
    from: ['adorn/backend', '@adorn/core/backend'],
    names: { lastingDelta: 'persistedDelta', lastingEvent: 'persistedEvent' },
  },
  {
    kind: 'renamed',
    since: '0.1.0',
    from: ['@adorn/core/backend'],
    names: {
      isAnswerTool: 'isOutputTool',
      readStructuredAnswer: 'readStructuredOutput',
      StructuredAnswer: 'StructuredOutput',
    },
  },
  {
    kind: 'moved',
    since: '0.1.0',
    from: APPLICATION,
    to: '@adorn/core/compiler',
    names: namesIn(`
      ChoiceRevival ClassRevival LeafRevival ListRevival ObjectRevival Revival RevivalBranch
    `),
  },
  {
    kind: 'renamed',
    since: '0.1.0',
    from: ['@adorn/core/compiler'],
    names: {
      ChoiceRevival: 'ChoiceHydration',
      ClassRevival: 'ClassHydration',
      LeafRevival: 'LeafHydration',
      ListRevival: 'ListHydration',
      ObjectRevival: 'ObjectHydration',
      Revival: 'Hydration',
      RevivalBranch: 'HydrationBranch',
    },
  },
  {
    kind: 'renamed',
    since: '0.1.0',
    from: ['@adorn/channels'],
    names: {
      ChannelPress: 'ChannelAnswer',
      ChannelReply: 'ChannelResponse',
      PostedMessage: 'MessageReference',
    },
  },
  {
    kind: 'renamed',
    since: '0.1.0',
    from: ['@adorn/eval'],
    names: { EvalMetricInvalidError: 'EvalConfigInvalidError', JudgedResponseOptions: 'JudgeOptions' },
  },
  {
    kind: 'removed',
    since: '0.1.0',
    from: APPLICATION,
    names: {
      LongRunningFunctionTool: 'new FunctionTool({ longRunning: true, … })',
      PlainToolOptions: 'ToolOptions of adorn/backend',
      PreloadMemoryOptions: 'the tool preloadMemory, which has no options',
      PreloadMemoryTool: 'preloadMemory in the tools of an agent',
      SchemaToolDecorator: 'ToolDecorator of adorn/backend',
      FoundSession: 'RunRecord of adorn/backend, as listRuns of a session service gives it',
      LastEventQuery: 'RunQuery of adorn/backend, for listRuns of a session service',
      withBackground: 'withOptions(tool, { background })',
      withCache: 'withOptions(tool, { cache })',
      withConfirmation: 'withOptions(tool, { confirm })',
      withLongRunning: 'withOptions(tool, { longRunning })',
      withRetry: 'withOptions(tool, { retry })',
      withTimeout: 'withOptions(tool, { timeout })',
    },
  },
  {
    kind: 'removed',
    since: '0.1.0',
    from: ['adorn'],
    names: { AiSdkPackageMissingError: "error.code === 'MODEL_UNAVAILABLE'" },
  },
  {
    kind: 'removed',
    since: '0.1.0',
    from: BACKEND,
    names: { requireContent: 'readContent of adorn/backend' },
  },
  {
    kind: 'removed',
    since: '0.1.0',
    from: COMPILER,
    names: {
      warmDerivations:
        'the Jest preset or the Vitest setup of @adorn/compiler, which derives before the tests',
    },
  },
  {
    kind: 'removed',
    since: '0.1.0',
    from: ['@adorn/guards'],
    names: { TextGuardOptions: 'the type of the second parameter: Parameters<typeof topics>[1]' },
  },
  {
    kind: 'removed',
    since: '0.1.0',
    from: ['@adorn/ai-sdk'],
    names: { ProviderExecutedTool: 'the provider tools of the AI SDK, as its packages type them' },
  },
  {
    kind: 'member renamed',
    since: '0.1.0',
    from: ['@adorn/channels'],
    of: 'ChannelPerson',
    names: { team: 'organization' },
  },
  {
    kind: 'member removed',
    since: '0.1.0',
    from: ['@adorn/fleet'],
    of: 'WorkerOptions',
    names: {
      sweepInterval: 'sweepAfter, the milliseconds that an invocation is due before it is looked for',
    },
  },
];

function namesIn(list: string): string[] {
  return list.trim().split(/\s+/);
}
