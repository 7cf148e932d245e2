import { isObject } from '@adorn/schema';

/** The result of a call, as pages read it: that of `tools/call` in MCP. */
export interface UiResult {
  /** The result as text, never empty. */
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  /** What a tool returned that gives structured content. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** True if the call failed or was refused: `content` says why. */
  readonly isError?: true;
}

/**
 * The response to a call, as the page of its server reads it. What the server sent besides what models read, such as its `_meta`, is
 * not in it; pictures and sound are the names of artifacts.
 */
export function uiResultOf(response: Readonly<Record<string, unknown>>): UiResult {
  const { error, result, content, structuredContent, note: _note, ...others } = response;
  if (typeof error === 'string') return { content: [textBlock(error)], isError: true };
  const isAlone = Object.keys(others).length === 0;
  const structured = isObject(structuredContent) ? { structuredContent } : undefined;
  if (isAlone && Array.isArray(content)) return { content: content.map(blockOf), ...structured };
  if (!isAlone || result === undefined)
    return { content: [textBlock(response)], structuredContent: response };
  return { content: [textBlock(result)], ...(isObject(result) ? { structuredContent: result } : structured) };
}

/** A text as it is; anything else as text. */
function blockOf(block: unknown): UiResult['content'][number] {
  const { type, text } = isObject(block) ? block : {};
  return type === 'text' && typeof text === 'string' ? textBlock(text) : textBlock(block);
}

function textBlock(value: unknown): UiResult['content'][number] {
  return { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value ?? null) };
}
