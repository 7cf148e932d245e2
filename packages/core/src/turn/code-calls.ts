import type { Content, Part } from '../events/genai-types.js';
import type { Event } from '../events/event.js';
import { frozenJson } from '@adorn/schema';
import { newCallId } from '../runtime/ids.js';
import type { CodeOutcome } from '../code-execution/code-executor.js';
import type { CodeTool, ToolTable } from '../tools/tool-table.js';
import type { TurnModelRequest } from './model-request.js';

/**
 * The content of an answer without calls, in which a call follows each piece of code that a tool can run: an
 * `executableCode` part without a result, or the first fenced block of the text. So code passes the gates, pauses, and is
 * recovered after a crash like any call. Part and call have the same id; models are shown the call only.
 */
export function withCodeCalls(
  content: Content,
  { tools, config }: Pick<TurnModelRequest, 'tools' | 'config'>,
): Content {
  const { codeTools } = tools;
  const { parts = [] } = content;
  if (codeTools.length === 0 || parts.some(({ functionCall }) => functionCall !== undefined)) return content;
  const written = withBlockAsCode(parts, codeTools);
  // Code that the provider runs may arrive without its result, if the answer was cut.
  const isOfProvider = written === parts && config.tools?.some((tool) => 'codeExecution' in tool) === true;
  const called = isOfProvider
    ? parts
    : written.flatMap((part, index) => withCall(part, written[index + 1], tools));
  return called.length === parts.length && written === parts ? content : { ...content, parts: called };
}

function withCall(part: Part, next: Part | undefined, { codeTools }: ToolTable): Part[] {
  const { executableCode } = part;
  if (!executableCode || next?.codeExecutionResult) return [part];
  const { code = '', language = '' } = executableCode;
  const found = findTool(language, codeTools);
  if (!found) return [part];
  const id = newCallId();
  const args = found.tool.languages.length > 1 ? { code, language: found.language } : { code };
  const functionCall = { id, name: found.tool.name, args: frozenJson(args) };
  return [{ ...part, executableCode: { ...executableCode, id } }, { functionCall }];
}

/** A language in Gemini's words, or in those of a fence, with the tool that runs it. */
function findTool(
  written: string,
  tools: readonly CodeTool[],
): { readonly tool: CodeTool; readonly language: string } | undefined {
  const [first] = tools;
  const word = written.toLowerCase();
  if (first && ANY_LANGUAGE.has(word)) return { tool: first, language: first.languages[0] ?? '' };
  const language = LANGUAGES[word] ?? word;
  const tool = tools.find(({ languages }) => languages.includes(language));
  return tool && { tool, language };
}

/** Words that name no language: Gemini's value, and the fence that Gemini writes. */
const ANY_LANGUAGE: ReadonlySet<string> = new Set(['', 'language_unspecified', 'tool_code']);

const LANGUAGES: Readonly<Record<string, string | undefined>> = {
  js: 'javascript',
  py: 'python',
  python3: 'python',
  sh: 'bash',
  shell: 'bash',
};

/** A fenced block with a language, on lines of its own. */
const BLOCK = /^```([\w-]+)[ \t]*\r?\n([\s\S]*?)\r?\n?^```[ \t]*$/m;

/** The parts up to the first fenced block of a tool with `blocks`, which becomes an `executableCode` part. */
function withBlockAsCode(parts: readonly Part[], tools: readonly CodeTool[]): readonly Part[] {
  const takers = tools.filter(({ blocks }) => blocks);
  if (takers.length === 0 || parts.some(({ executableCode }) => executableCode !== undefined)) return parts;
  for (const [index, part] of parts.entries()) {
    if (part.thought === true || part.text === undefined) continue;
    const [block, tag = '', code = ''] = BLOCK.exec(part.text) ?? [];
    const found = block === undefined ? undefined : findTool(tag, takers);
    if (block === undefined || !found) continue;
    const before = part.text.slice(0, part.text.indexOf(block));
    const text = before.trim() === '' ? [] : [{ ...part, text: before }];
    const executableCode = { code, language: found.language } as unknown as Part['executableCode'];
    return [...parts.slice(0, index), ...text, { executableCode }];
  }
  return parts;
}

/** The response with a `codeExecutionResult` part for each call that runs code of the answers in `origins`. */
export function withCodeResults(response: Event, origins: readonly Event[]): Event {
  const ids = codeIdsIn(origins);
  const { content } = response;
  if (ids.size === 0 || !content) return response;
  const results = (content.parts ?? []).flatMap(({ functionResponse }): Part[] => {
    const { id, response: given = {}, willContinue } = functionResponse ?? {};
    if (id === undefined || !ids.has(id) || willContinue === true) return [];
    return [
      { codeExecutionResult: { id, ...codeResultIn(given) } as unknown as Part['codeExecutionResult'] },
    ];
  });
  if (results.length === 0) return response;
  return response.with({ content: { ...content, parts: [...(content.parts ?? []), ...results] } });
}

const NO_IDS: ReadonlySet<string> = new Set();

function codeIdsIn(origins: readonly Event[]): ReadonlySet<string> {
  let ids: Set<string> | undefined;
  for (const { content } of origins)
    for (const { executableCode } of content?.parts ?? [])
      if (executableCode?.id !== undefined) (ids ??= new Set()).add(executableCode.id);
  return ids ?? NO_IDS;
}

/** The outcome and the output of a response, as the result of an `executableCode` part. */
function codeResultIn(response: Readonly<Record<string, unknown>>): {
  readonly outcome: CodeOutcome;
  readonly output: string;
} {
  const { outcome, output, error } = response;
  if (typeof output === 'string' && typeof outcome === 'string')
    return { outcome: outcome as CodeOutcome, output };
  return { outcome: 'OUTCOME_FAILED', output: typeof error === 'string' ? error : JSON.stringify(response) };
}
