import type { JsonSchema } from '@adorn/core';
import { asSchema, elementsOf, SchemaDocument } from '@adorn/core/backend';

import { commentText } from '../../docs/doc-comment.js';
import { wordsOf } from '../../docs/words-of.js';
import type { Callable } from '../../extract/callable.js';
import { ts } from '../../typescript.js';
import type { FoundTool } from '../tools/found-tool.js';
import type { Finding, Rule } from './rule.js';

export const undocumentedTool: Rule = {
  name: 'undocumented-tool',
  severity: 'warning',
  about: 'a tool without a description, so that a model has only its name to go by',
  ofTool({ origin, node, declaration }) {
    if (!declaration || declaration.description.trim() !== '') return [];
    const message = `${origin} has no description.`;
    return [{ node, message, cure: 'Write a doc comment that says when to use it.' }];
  },
};

export const undocumentedParameter: Rule = {
  name: 'undocumented-parameter',
  severity: 'warning',
  about: 'a parameter without a description, neither of its own nor of its type',
  ofTool({ origin, declaration, parameters }) {
    const document = new SchemaDocument(declaration?.parametersJsonSchema ?? {});
    return parameters
      .filter(({ schema }) => !isDescribed(schema, document))
      .map(({ name, node }) => ({
        node,
        message: `Parameter "${name}" of ${origin} has no description.`,
        cure: `Write "@param ${name} …" in the doc comment, or a doc comment on its type.`,
      }));
  },
};

/** True if a description is given to the parameter, its type, an alternative or the elements of a list. */
function isDescribed(schema: JsonSchema, document: SchemaDocument): boolean {
  const schemas = new Set(document.inPlace(schema));
  for (const one of schemas) {
    if (typeof one['description'] === 'string' && one['description'].trim() !== '') return true;
    const elements = asSchema(elementsOf(one).rest);
    if (elements) for (const inner of document.inPlace(elements)) schemas.add(inner);
  }
  return false;
}

export const unknownParam: Rule = {
  name: 'unknown-param',
  severity: 'warning',
  about: 'a @param that names no parameter, so that nobody reads it',
  ofTool(tool) {
    const { callable, origin, node } = tool;
    if (!callable) return [];
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

/** The names that a doc comment may describe, and whether one parameter holds all the arguments. */
interface KnownNames {
  readonly names: ReadonlySet<string>;
  readonly isWhole: boolean;
}

function namesOf({ node, takesWhole = false }: Callable, { parameters }: FoundTool): KnownNames {
  const isWhole = takesWhole || node.parameters.some(({ name }) => !ts.isIdentifier(name));
  const own = node.parameters.map(({ name }) => name.getText());
  return { names: new Set([...own, ...parameters.map(({ name }) => name)]), isWhole };
}

/** A destructured object has no name: `@param options`, `@param options.city` and `@param city` all describe it. */
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

export const unreadComment: Rule = {
  name: 'unread-comment',
  severity: 'warning',
  about: 'a comment before a tool that is not told to the model: a block comment, or a second doc comment',
  ofTool({ origin, callable }) {
    const node = callable?.node;
    return node ? findingsOf(node, origin) : [];
  },
};

function findingsOf(node: ts.SignatureDeclaration, origin: string): Finding[] {
  const { text } = node.getSourceFile();
  const comments = commentsBefore(node, text);
  const docs = comments.filter(({ pos }) => isDoc(text, pos));
  if (docs.length > 1) {
    const message = `${origin} has ${String(docs.length)} doc comments, and only one of them is read.`;
    return [{ node, message, cure: 'Make them one.' }];
  }
  if (commentText(node) !== undefined || !comments.some(({ pos }) => text.startsWith('/*', pos))) return [];
  const message = `The comment before ${origin} begins with "/*", so it is no doc comment and the model is not told it.`;
  return [{ node, message, cure: 'Begin it with "/**".' }];
}

/** The comments directly before a declaration, without an empty line, before or after its decorators. */
function commentsBefore(node: ts.SignatureDeclaration, text: string): readonly ts.CommentRange[] {
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  return [node.pos, ...decorators.map(({ end }) => end)].flatMap((position) => {
    const found = ts.getLeadingCommentRanges(text, position) ?? [];
    const last = found.findLastIndex(({ end }) => /^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(end)));
    return found.slice(last + 1);
  });
}

function isDoc(text: string, position: number): boolean {
  return text.startsWith('/**', position) && !text.startsWith('/**/', position);
}
