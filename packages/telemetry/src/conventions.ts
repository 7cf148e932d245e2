/**
 * The names of OpenTelemetry's GenAI semantic conventions, version 1.41. They are in development there, so the package with
 * the stable names does not have them.
 */
export const OPERATION = 'gen_ai.operation.name';
export const PROVIDER = 'gen_ai.provider.name';
export const CONVERSATION_ID = 'gen_ai.conversation.id';
export const AGENT_NAME = 'gen_ai.agent.name';
export const AGENT_DESCRIPTION = 'gen_ai.agent.description';
export const REQUEST_MODEL = 'gen_ai.request.model';
export const REQUEST_MAX_TOKENS = 'gen_ai.request.max_tokens';
export const REQUEST_TEMPERATURE = 'gen_ai.request.temperature';
export const REQUEST_TOP_P = 'gen_ai.request.top_p';
export const REQUEST_TOP_K = 'gen_ai.request.top_k';
export const REQUEST_FREQUENCY_PENALTY = 'gen_ai.request.frequency_penalty';
export const REQUEST_PRESENCE_PENALTY = 'gen_ai.request.presence_penalty';
export const REQUEST_SEED = 'gen_ai.request.seed';
export const REQUEST_STOP_SEQUENCES = 'gen_ai.request.stop_sequences';
export const REQUEST_CHOICE_COUNT = 'gen_ai.request.choice.count';
export const REQUEST_STREAM = 'gen_ai.request.stream';
export const OUTPUT_TYPE = 'gen_ai.output.type';
export const RESPONSE_ID = 'gen_ai.response.id';
export const RESPONSE_MODEL = 'gen_ai.response.model';
export const RESPONSE_FINISH_REASONS = 'gen_ai.response.finish_reasons';
export const RESPONSE_TIME_TO_FIRST_CHUNK = 'gen_ai.response.time_to_first_chunk';
export const USAGE_INPUT_TOKENS = 'gen_ai.usage.input_tokens';
export const USAGE_OUTPUT_TOKENS = 'gen_ai.usage.output_tokens';
export const USAGE_CACHE_READ = 'gen_ai.usage.cache_read.input_tokens';
export const USAGE_REASONING = 'gen_ai.usage.reasoning.output_tokens';
export const TOKEN_TYPE = 'gen_ai.token.type';
export const TOOL_NAME = 'gen_ai.tool.name';
export const TOOL_DESCRIPTION = 'gen_ai.tool.description';
export const TOOL_CALL_ID = 'gen_ai.tool.call.id';
export const TOOL_TYPE = 'gen_ai.tool.type';
export const TOOL_ARGUMENTS = 'gen_ai.tool.call.arguments';
export const TOOL_RESULT = 'gen_ai.tool.call.result';
export const SYSTEM_INSTRUCTIONS = 'gen_ai.system_instructions';
export const INPUT_MESSAGES = 'gen_ai.input.messages';
export const OUTPUT_MESSAGES = 'gen_ai.output.messages';
export const ERROR_TYPE = 'error.type';

/** What a model call, or all model calls of a run, cost in US dollars. */
export const COST = 'adorn.cost.usd';
export const INVOCATION_ID = 'adorn.invocation.id';
/** The place of an agent's run in the tree. */
export const AGENT_PATH = 'adorn.agent.path';
/** True for a run of an agent that continues after a pause or a crash. */
export const RESUMED = 'adorn.agent.resumed';
/** How an operation ended: `completed`, `failed`, `refused`, `paused` or `cancelled`. */
export const STATUS = 'adorn.status';
/** The sizes of the arguments and of the response, in bytes of JSON. */
export const ARGUMENTS_SIZE = 'adorn.tool.arguments.size';
export const RESPONSE_SIZE = 'adorn.tool.response.size';
/** How often the tool was tried. */
export const ATTEMPTS = 'adorn.tool.attempts';
/** The events of a tool's span, and their attributes. */
export const GATE_EVENT = 'adorn.tool.gate';
export const GATE = 'adorn.gate.name';
export const VERDICT = 'adorn.gate.verdict';
export const RETRY_EVENT = 'adorn.tool.retry';
export const RETRY_DELAY = 'adorn.retry.delay';
