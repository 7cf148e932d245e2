/** What takes a key. */
const OF_MAP = new Set(['get', 'set', 'has', 'delete', 'add']);

/** Names of variables, properties and functions that hold or make a key. */
const KEY = /^(?:key|address|executionId|lock|keyOf|addressOf|\w+(?:Key|Address))$/;

/** Parts that a program itself has written hold no separator by accident: numbers and constants. */
const OWN = new Set(['Literal', 'TSAsExpression']);

/**
 * A key of two or more parts is made by `composedKey`. A template or a `join` runs parts into one another that hold the
 * separator: `a/b` + `c` is `a` + `b/c`.
 */
export const composedKeys = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      joined:
        'A key is made of several parts that may run into one another. ' +
        'Write composedKey(one, other) of @adorn/core/backend, or, if they cannot, say why in a comment that disables this line.',
    },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    const isText = (node) => {
      // `String(number)` is as long as its digits.
      if (node.type === 'CallExpression' && node.callee.name === 'String') return isText(node.arguments[0]);
      const type =
        checker.getBaseConstraintOfType(services.getTypeAtLocation(node)) ?? services.getTypeAtLocation(node);
      return (type.isUnion() ? type.types : [type]).some(
        (one) => (one.flags & TEXT) !== 0 && !one.isStringLiteral(),
      );
    };
    const isCollection = (node) => {
      const name = services.getTypeAtLocation(node).getSymbol()?.name ?? '';
      return /^(?:Readonly)?(?:Weak)?(?:Map|Set)$|^LRUCache$/.test(name);
    };
    const isJoined = (node) => {
      if (node.type === 'TemplateLiteral')
        return node.expressions.filter((part) => !OWN.has(part.type) && isText(part)).length > 1;
      if (node.type === 'ConditionalExpression') return isJoined(node.consequent) || isJoined(node.alternate);
      return (
        node.type === 'CallExpression' &&
        node.callee.type === 'MemberExpression' &&
        node.callee.property.name === 'join' &&
        node.callee.object.type === 'ArrayExpression' &&
        node.callee.object.elements.length > 1
      );
    };
    const check = (node) => {
      if (node && isJoined(node)) context.report({ node, messageId: 'joined' });
    };
    return {
      CallExpression({ callee, arguments: [key] }) {
        if (callee.type !== 'MemberExpression' || !OF_MAP.has(callee.property.name ?? '')) return;
        if (isCollection(callee.object)) check(key);
      },
      VariableDeclarator({ id, init }) {
        if (KEY.test(id.name ?? '')) check(init);
      },
      Property({ key, value }) {
        if (KEY.test(key.name ?? '')) check(value);
      },
      ReturnStatement({ argument, parent }) {
        const owner = parent.type === 'BlockStatement' ? parent.parent : parent;
        const name = owner.id?.name ?? owner.parent?.key?.name ?? '';
        if (KEY.test(name)) check(argument);
      },
    };
  },
};

/** `ts.TypeFlags.String | StringLiteral`: text of which the program does not know what it is. */
const TEXT = 4 | 128;
