import { ts } from '../../typescript.js';

/** The location of a property in a JSON file, or the file if the property is missing. */
export function propertyInJson(path: string, name: string): ts.Node {
  const file = ts.createSourceFile(
    path,
    ts.sys.readFile(path) ?? '',
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JSON,
  );
  const [statement] = file.statements;
  if (statement === undefined || !ts.isExpressionStatement(statement)) return file;
  const { expression } = statement;
  if (!ts.isObjectLiteralExpression(expression)) return file;
  return expression.properties.find((property) => isNamed(property, name)) ?? file;
}

function isNamed({ name }: ts.ObjectLiteralElementLike, text: string): boolean {
  return name !== undefined && ts.isStringLiteral(name) && name.text === text;
}
