#!/usr/bin/env node
// Nothing of the package is imported before the check: older versions of Node fail to load it, with an error of their own.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isSupported = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 20;
if (!isSupported) {
  console.error(
    `adorn needs Node 20.19 or later, or 22.12 or later, and this is Node ${process.versions.node}. Install a newer one: https://nodejs.org`,
  );
  process.exit(1);
}

const { readFileSync } = await import('node:fs');
const { main } = await import('../dist/index.js');

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
await main(process.argv, { version, bin: import.meta.url, endsProcess: true });
