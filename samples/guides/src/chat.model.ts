import {
  type Content,
  type FunctionCall,
  joinText,
  Model,
  type ModelRequest,
  type ModelResponse,
} from 'adorn';

/** A model behind an API in the format of OpenAI's chat completions. */
export class ChatModel extends Model {
  constructor(
    readonly name: string,
    private readonly server: { readonly baseUrl: string; readonly apiKey: string },
  ) {
    super();
  }

  /** Called once when a runner is created. */
  override ready(): void {
    if (this.server.apiKey === '') throw new Error(`The model ${this.name} needs an API key.`);
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const response = await this.send(request);
    if (!request.stream) {
      const { choices } = (await response.json()) as { choices: [{ message: Message }] };
      yield toResponse(choices[0].message);
      return;
    }
    const whole: Message = { role: 'assistant', content: '' };
    for await (const piece of piecesOf(response)) {
      if (piece.content) yield { ...textOf(piece.content), partial: true };
      addPiece(whole, piece);
    }
    yield toResponse(whole);
  }

  private async send(request: ModelRequest): Promise<Response> {
    const { stream, signal } = request;
    const body = { model: this.name, messages: messagesOf(request), tools: toolsOf(request), stream };
    const response = await fetch(`${this.server.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.server.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    if (response.ok) return response;
    throw new Error(`${this.name} answered ${String(response.status)}: ${await response.text()}`);
  }
}

/** A message in the format of the API; in a stream, a piece of one. */
interface Message {
  role: string;
  content?: string | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

interface ToolCall {
  index?: number;
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

function messagesOf({ config, contents }: ModelRequest): Message[] {
  const { systemInstruction } = config;
  const system = typeof systemInstruction === 'string' ? systemInstruction : '';
  return [{ role: 'system', content: system }, ...contents.flatMap(toMessages)];
}

/** A response to a call is a message of its own in this format. */
function toMessages(content: Content): Message[] {
  const parts = content.parts ?? [];
  const calls = parts.flatMap(({ functionCall }) => (functionCall ? [toToolCall(functionCall)] : []));
  const responses = parts.flatMap(({ functionResponse: given }) =>
    given ? [{ role: 'tool', tool_call_id: idOf(given), content: JSON.stringify(given.response) }] : [],
  );
  if (responses.length > 0) return responses;
  const role = content.role === 'model' ? 'assistant' : 'user';
  return [{ role, content: joinText(content), ...(calls.length > 0 && { tool_calls: calls }) }];
}

function toToolCall(call: FunctionCall): ToolCall {
  const named = { name: call.name ?? '', arguments: JSON.stringify(call.args ?? {}) };
  return { id: idOf(call), type: 'function', function: named };
}

/** Calls of models without ids, such as Gemini, are known by their names. */
function idOf({ id, name = '' }: { readonly id?: string; readonly name?: string }): string {
  return id ?? name;
}

function toolsOf({ config }: ModelRequest): object[] | undefined {
  const declared = (config.tools ?? []).flatMap((tool) =>
    'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [],
  );
  if (declared.length === 0) return undefined;
  return declared.map(({ name, description, parametersJsonSchema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
}

function toResponse({ content, tool_calls: calls = [] }: Message): ModelResponse {
  const text = content ? [{ text: content }] : [];
  try {
    const parts = calls.map(({ id, function: { name, arguments: args } }) => ({
      functionCall: { id, name, args: JSON.parse(args) as Record<string, unknown> },
    }));
    return { content: { role: 'model', parts: [...text, ...parts] }, finishReason: 'STOP' };
  } catch {
    return { errorCode: 'MALFORMED_RESPONSE', errorMessage: 'The arguments of a call are not JSON.' };
  }
}

function textOf(text: string): ModelResponse {
  return { content: { role: 'model', parts: [{ text }] } };
}

/** The pieces of a stream of server-sent events. */
async function* piecesOf(response: Response): AsyncGenerator<Partial<Message>, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const data = line.replace(/^data: ?/, '').trim();
      if (data === line.trim() || data === '[DONE]') continue;
      yield (JSON.parse(data) as { choices: [{ delta: Partial<Message> }] }).choices[0].delta;
    }
  }
}

/** The pieces of one call have one index; its arguments come in several of them. */
function addPiece(whole: Message, { content, tool_calls: calls = [] }: Partial<Message>): void {
  whole.content = `${whole.content ?? ''}${content ?? ''}`;
  const known = (whole.tool_calls ??= []);
  for (const { index = known.length, ...call } of calls) {
    const begun = known[index];
    if (begun === undefined) known[index] = call;
    else begun.function.arguments += call.function.arguments;
  }
}
