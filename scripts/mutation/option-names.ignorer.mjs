// A plugin of Stryker's: it leaves out mutants that change nothing. The values of an object that lists the names of
// options are never read, only its keys.

const REASON = 'the value of an option name is never read';

const optionNames = {
  /** @param path of a node, as Babel gives it */
  shouldIgnore(path) {
    if (!path.isBooleanLiteral() || !path.parentPath?.isObjectProperty()) return undefined;
    const call = path.findParent((one) => one.isCallExpression());
    return call?.get('callee').isIdentifier({ name: 'optionNames' }) ? REASON : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'option-names', value: optionNames }];
