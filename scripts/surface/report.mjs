// A report of API Extractor, completed with what only the program knows: a member whose base is documented needs no
// comment of its own, and a destructured parameter gets the name of its type instead of `input`.
import ts from 'typescript';

const MARK = '(undocumented)';

/** The report with inherited comments and named parameters. `exports` are the symbols of the entry. */
export function completedReport(text, exports, checker) {
  const edits = [];
  const file = parsed(text);
  for (const { node, declaration } of describedNodes(file, exports, checker)) {
    if (isDocumented(declaration, checker)) edits.push(...withoutMark(node, text));
    edits.push(...namedParameters(node, declaration));
  }
  const latestFirst = edits.sort((one, other) => other.start - one.start);
  return latestFirst.reduce(
    (kept, { start, end, text }) => kept.slice(0, start) + text + kept.slice(end),
    text,
  );
}

/** What the report still marks as undocumented, as `Type.member`. */
export function undocumentedNames(text) {
  const file = parsed(text);
  return nodesOf(file)
    .filter((node) => commentsOf(node, text).includes(MARK))
    .map((node) => pathOf(node, file));
}

/** The TypeScript of the report's fence, in its place: all other lines are blank. */
function parsed(text) {
  const start = text.indexOf('```ts') + '```ts'.length;
  const end = text.lastIndexOf('```');
  const source = text.slice(0, start).replaceAll(/[^\n]/g, ' ') + text.slice(start, end);
  return ts.createSourceFile('report.d.ts', source, ts.ScriptTarget.Latest, true);
}

/** Declarations of the report, with the declarations in the program that they were made of. */
function* describedNodes(file, exports, checker) {
  const symbols = new Map(exports.map((symbol) => [symbol.name, aliased(symbol, checker)]));
  for (const { name, propertyName } of renamedExports(file)) symbols.set(propertyName, symbols.get(name));
  for (const statement of file.statements) {
    const declarations = (symbols.get(statement.name?.text)?.declarations ?? []).filter(
      ({ kind }) => kind === statement.kind,
    );
    const overloads = file.statements.filter((other) => signatureOf(other) === signatureOf(statement));
    const declaration = declarations[declarations.length > 1 ? overloads.indexOf(statement) : 0];
    if (declaration === undefined) continue;
    yield { node: statement, declaration };
    yield* describedMembers(
      statement,
      declarations.flatMap(({ members }) => members ?? []),
    );
  }
}

/** Overloads are paired in their order, which is the same on both sides. */
function* describedMembers({ members = [] }, candidates) {
  const taken = new Map();
  for (const node of members) {
    const signature = signatureOf(node);
    const place = taken.get(signature) ?? 0;
    taken.set(signature, place + 1);
    const declaration = candidates.filter((candidate) => signatureOf(candidate) === signature)[place];
    if (declaration !== undefined) yield { node, declaration };
  }
}

function signatureOf(node) {
  const isStatic = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static) !== 0;
  return `${String(node.kind)} ${String(isStatic)} ${node.name?.getText() ?? ''}`;
}

function renamedExports(file) {
  return file.statements
    .filter(
      (statement) => ts.isExportDeclaration(statement) && statement.exportClause?.elements !== undefined,
    )
    .flatMap(({ exportClause }) => exportClause.elements)
    .filter(({ propertyName }) => propertyName !== undefined)
    .map(({ name, propertyName }) => ({ name: name.text, propertyName: propertyName.text }));
}

function aliased(symbol, checker) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** By a comment of its own, or by one of the base class or an interface: TypeScript looks there, too. */
function isDocumented(declaration, checker) {
  const described =
    ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration)
      ? checker.getSignatureFromDeclaration(declaration)
      : declaration.symbol;
  return described.getDocumentationComment(checker).length > 0;
}

function withoutMark(node, text) {
  const [range] = rangesOf(node, text).filter(({ pos, end }) => text.slice(pos, end) === `// ${MARK}`);
  if (range === undefined) return [];
  const start = text.lastIndexOf('\n', range.pos) + 1;
  return [{ start, end: text.indexOf('\n', range.pos) + 1, text: '' }];
}

function namedParameters({ parameters = [] }, declaration) {
  return parameters.flatMap((parameter, place) => {
    if (!ts.isObjectBindingPattern(declaration.parameters[place].name)) return [];
    return [
      { start: parameter.name.getStart(), end: parameter.name.getEnd(), text: nameOfType(parameter.type) },
    ];
  });
}

/** The last word of the type: `options` of `SummarizeOptions`, `key` of `Omit<SessionKey, 'sessionId'>`. */
function nameOfType(type) {
  const whole = /^(?:Omit|Partial|Pick|Readonly)</.test(type.getText()) ? type.typeArguments[0] : type;
  const words = /^\w+/.exec(whole.getText())?.[0].match(/[A-Z][a-z]*/g) ?? ['Input'];
  return words.at(-1).toLowerCase();
}

function nodesOf(node) {
  const children = [];
  ts.forEachChild(node, (child) => {
    children.push(child, ...nodesOf(child));
  });
  return children.filter(
    (child) => ts.isStatement(child) || ts.isTypeElement(child) || ts.isClassElement(child),
  );
}

function commentsOf(node, text) {
  return rangesOf(node, text)
    .map(({ pos, end }) => text.slice(pos, end))
    .join('\n');
}

function rangesOf(node, text) {
  return ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
}

function pathOf(node, file) {
  const names = [];
  for (let place = node; place !== file; place = place.parent) names.unshift(...ownName(place));
  return names.join('.');
}

/** A statement such as `export const X: Y` has its name in its declaration. */
function ownName(node) {
  const { name } = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
  return name === undefined ? [] : [name.getText()];
}
