import { wordsOf } from '../../docs/words-of.js';
import type { Callable } from '../../extract/callable.js';
import { ts } from '../../typescript.js';
import type { FoundTool } from '../tools/found-tool.js';
import type { Rule } from './rule.js';

export const unknownParam: Rule = {
  name: 'unknown-param',
  severity: 'warning',
  about: 'a @param that names no parameter, so that nobody reads it',
  ofTool(tool) {
    const { callable, origin, node } = tool;
    if (callable === undefined) return [];
    const written = [...wordsOf([callable.node]).params.keys()];
    const known = namesOf(callable, tool);
    return written
      .filter((path) => !isKnown(path, written, known))
      .map((path) => ({
        node,
        message: `The doc comment of ${origin} describes a parameter "${path}", and there is none.`,
        cure: cureFor(known),
      }));
  },
};

/** The names that a doc comment may speak of, and whether one parameter holds all the arguments. */
interface KnownNames {
  readonly names: ReadonlySet<string>;
  readonly isWhole: boolean;
}

function namesOf({ node, takesWhole = false }: Callable, { parameters }: FoundTool): KnownNames {
  const isWhole = takesWhole || node.parameters.some(({ name }) => !ts.isIdentifier(name));
  const own = node.parameters.map(({ name }) => name.getText());
  return { names: new Set([...own, ...parameters.map(({ name }) => name)]), isWhole };
}

/** An object that is taken apart has no name: `@param options`, `@param options.city` and `@param city` all speak of it. */
function isKnown(path: string, written: readonly string[], { names, isWhole }: KnownNames): boolean {
  const [first = '', second] = path.split(/[.[\]]+/).filter((step) => step !== '');
  if (names.has(first)) return true;
  if (!isWhole) return false;
  return second === undefined ? written.some((one) => one.startsWith(`${first}.`)) : names.has(second);
}

function cureFor({ names }: KnownNames): string {
  const said = [...names].filter((name) => /^[\w$]+$/.test(name));
  return said.length === 0
    ? 'The tool has no parameters: remove the tag.'
    : `Correct the name: the parameters are ${said.join(', ')}.`;
}
