#!/usr/bin/env node
import { readFileSync } from 'node:fs';

import { createAdorn } from '../dist/index.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
await createAdorn(process.argv.slice(2), { version, bin: import.meta.url });
