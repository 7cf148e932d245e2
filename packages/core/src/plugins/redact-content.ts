import type { Content, Part } from '../content/genai-types.js';

/** Gives a text without what must not be stored. */
export type Redactor = (text: string) => string;

/**
 * A content with redacted texts; the same object if nothing changed. Function calls and files stay as they are.
 *
 * @param place in a `message` of a user, function responses are answers to requests, and stay as they are
 */
export function redactContent(
  content: Content,
  redact: Redactor,
  place: 'message' | 'event' | 'request',
): Content {
  const { parts } = content;
  if (parts === undefined) return content;
  const safe = mapped(parts, (part) => redactPart(part, redact, place === 'message'));
  return safe === parts ? content : { ...content, parts: safe };
}

function redactPart(part: Part, redact: Redactor, keepsResponses: boolean): Part {
  const { text, functionResponse, codeExecutionResult, executableCode } = part;
  const changes: Part = {};
  if (text !== undefined) changes.text = redact(text);
  if (functionResponse?.response !== undefined && !keepsResponses) {
    changes.functionResponse = withField(
      functionResponse,
      'response',
      redactJson(functionResponse.response, redact),
    );
  }
  if (codeExecutionResult?.output !== undefined) {
    changes.codeExecutionResult = withField(
      codeExecutionResult,
      'output',
      redact(codeExecutionResult.output),
    );
  }
  if (executableCode?.code !== undefined) {
    changes.executableCode = withField(executableCode, 'code', redact(executableCode.code));
  }
  const isSame = Object.entries(changes).every(([name, value]) => part[name as keyof Part] === value);
  return isSame ? part : { ...part, ...changes };
}

function withField<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  value: Owner[Name],
): Owner {
  return owner[name] === value ? owner : { ...owner, [name]: value };
}

/** A JSON value with redacted texts; the same object if nothing changed. Keys stay as they are. */
export function redactJson<Value>(value: Value, redact: Redactor): Value {
  if (typeof value === 'string') return redact(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return mapped(value as unknown[], (element) => redactJson(element, redact)) as Value;
  const fields = Object.entries(value) as [string, unknown][];
  const safe = mapped(fields, (field) => redactField(field, redact));
  return safe === fields ? value : (Object.fromEntries(safe) as Value);
}

function redactField(field: [string, unknown], redact: Redactor): [string, unknown] {
  const value = redactJson(field[1], redact);
  return value === field[1] ? field : [field[0], value];
}

/** The same array if no element changed. */
function mapped<Element>(elements: Element[], change: (element: Element) => Element): Element[] {
  let copy: Element[] | undefined;
  for (const [index, element] of elements.entries()) {
    const safe = change(element);
    if (safe !== element) (copy ??= [...elements])[index] = safe;
  }
  return copy ?? elements;
}
