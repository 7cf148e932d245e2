/** How a listener is put on something foreign, by the name of the method; the event is the first argument. */
const METHODS = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener']);

/** How a property is named that holds a listener: `onmessage`, `onclose`; `once` and `only` are words. */
const PROPERTY = /^on(?!ce$|ly$)[a-z]+$/;

/** Listeners that cannot throw: they do nothing, or settle a promise. */
const HARMLESS = /^(?:ignore|noop|resolve|reject|resolved|rejected)$/;

/**
 * A listener on an event emitter or target has no caller, so what it throws ends the process. It is a call of `guard` of a
 * `Boundary`, the `fail` of one, or does nothing. Signals are this process's own, and are left out.
 */
export const guardedListeners = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      open:
        'A listener on "{{event}}" stands outside a boundary: what it throws ends the process. ' +
        'Write boundary.guard(listener), with a Boundary of @adorn/core/backend that ends this one conversation, execution or request.',
    },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const definitionOf = (identifier) => {
      for (let scope = context.sourceCode.getScope(identifier); scope; scope = scope.upper) {
        const variable = scope.set.get(identifier.name);
        if (variable !== undefined) return variable.defs[0];
      }
      return undefined;
    };
    /** A constant that holds a guarded listener; or, in an object, a parameter: who made the listener has guarded it. */
    const isKnown = (listener, isProperty) => {
      if (listener.type !== 'Identifier') return false;
      const definition = definitionOf(listener);
      if (definition?.type === 'Parameter') return isProperty;
      const made = definition?.type === 'Variable' ? definition.node.init : undefined;
      return made?.type === 'CallExpression' && isInside(made);
    };
    const report = (node, event, listener, isProperty = false) => {
      if (isInside(listener) || isKnown(listener, isProperty)) return;
      context.report({ node: listener, messageId: 'open', data: { event } });
    };
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' && callee.type !== 'Identifier') return;
        const name = callee.type === 'Identifier' ? callee.name : callee.property.name;
        const [event, listener] = node.arguments;
        if (!METHODS.has(name) || event === undefined || listener === undefined) return;
        if (callee.type === 'MemberExpression' && !isForeign(services.getTypeAtLocation(callee.object)))
          return;
        report(node, event.value ?? 'an event', listener);
      },
      AssignmentExpression({ left, right }) {
        if (left.type !== 'MemberExpression' || !PROPERTY.test(left.property.name ?? '')) return;
        report(left, left.property.name, right);
      },
      Property({ key, value, parent }) {
        if (parent.type !== 'ObjectExpression' || !PROPERTY.test(key.name ?? '')) return;
        report(key, key.name, value, true);
      },
    };
  },
};

/** An event emitter of Node.js (a socket, a worker, a child process, a stream) or an event target that is no signal. */
function isForeign(type) {
  const types = type.isUnion() ? type.types : [type];
  return types.some((one) => {
    const has = (name) => one.getProperty(name) !== undefined;
    return has('removeListener') || has('emit') || (has('dispatchEvent') && !has('aborted'));
  });
}

function isInside(listener) {
  switch (listener.type) {
    case 'Identifier':
      return HARMLESS.test(listener.name) || listener.name === 'undefined';
    case 'MemberExpression':
      return listener.property.name === 'fail' || PROPERTY.test(listener.property.name ?? '');
    case 'CallExpression':
      return listener.callee.type === 'MemberExpression' && listener.callee.property.name === 'guard';
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return doesNothing(listener.body);
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return isInside(listener.expression);
    default:
      return listener.type === 'Literal';
  }
}

function doesNothing(body) {
  if (body.type === 'BlockStatement') return body.body.length === 0;
  return body.type === 'Identifier' && body.name === 'undefined';
}
