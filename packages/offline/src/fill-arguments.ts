import { FINDERS, type Finder, type Finding } from './find-value.js';
import { assemble, type OfferedTool, type Parameter, parametersOf } from './offered-tool.js';
import { SaidText } from './said-text.js';
import { takeObject } from './stated-value.js';
import { wordsOf } from './words.js';

/** The user's texts, newest last. */
export interface Said {
  /** The request, and the replies to what was asked about it. */
  readonly request: readonly string[];
  /** What was said before it: ids and addresses are recalled from there. */
  readonly earlier: readonly string[];
}

export interface FilledArguments {
  readonly args: Record<string, unknown>;
  /** Required arguments that are missing. */
  readonly missing: readonly Parameter[];
  /** How many values could be recognised by their shape in the request itself. */
  readonly certain: number;
}

/** Fills a tool's arguments from the conversation. */
export function fillArguments(tool: OfferedTool, said: Said): FilledArguments {
  const parameters = parametersOf(tool.parameters);
  const found = new Map<string, unknown>();
  const toolWords = new Set(wordsOf(tool.name));
  const certainOnes = FINDERS.filter(({ isCertain }) => isCertain);
  let certain = 0;
  for (const request of said.request) {
    const text = new SaidText(request);
    const finding = { object: takeObject(text), text, toolWords };
    certain += fill(parameters, found, finding, certainOnes);
    fill(parameters, found, finding, FINDERS);
  }
  const required = parameters.filter((parameter) => parameter.required);
  for (const earlier of [...said.earlier].reverse()) {
    fill(required, found, { text: new SaidText(earlier), toolWords }, certainOnes);
  }
  return {
    args: assemble(tool.parameters, (path) => found.get(path.join('.'))) ?? {},
    missing: required.filter(({ path }) => !found.has(path.join('.'))),
    certain,
  };
}

/** Lets each finder look for each parameter that has no value yet; tells how many it found. */
function fill(
  parameters: readonly Parameter[],
  found: Map<string, unknown>,
  finding: Finding,
  finders: readonly Finder[],
): number {
  const before = found.size;
  for (const { find } of finders) {
    for (const parameter of parameters) {
      const key = parameter.path.join('.');
      const value = found.has(key) ? undefined : find(parameter, finding);
      if (value !== undefined) found.set(key, value);
    }
  }
  return found.size - before;
}
