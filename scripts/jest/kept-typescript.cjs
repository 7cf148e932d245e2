// TypeScript and its schema generator, with the declarations of the platform and of packages parsed once.
const generator = require('typescript-json-schema');

const { ts } = generator;

/** By path, and by whatever changes how a file is read. */
const parsed = new Map();

function createCompilerHost(options, ...rest) {
  const host = ts.createCompilerHost(options, ...rest);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, settings, ...more) => {
    if (!isInstalled(name)) return read(name, settings, ...more);
    const key = JSON.stringify([name, settings, switchesOf(options)]);
    if (!parsed.has(key)) parsed.set(key, read(name, settings, ...more));
    return parsed.get(key);
  };
  return host;
}

/** Whether a file is one of this repository's packages, and none that a test has written. */
function isInstalled(name) {
  return (
    name.startsWith(process.cwd().replace(/[\\/]\.work[\\/].*/, '')) && /[\\/]node_modules[\\/]/.test(name)
  );
}

/** The options that are no paths. */
function switchesOf(options) {
  return Object.entries(options).filter(
    ([, value]) => typeof value === 'number' || typeof value === 'boolean',
  );
}

module.exports = { ...generator, ts: { ...ts, createCompilerHost } };
