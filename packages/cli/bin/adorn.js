#!/usr/bin/env node
import { readFileSync } from 'node:fs';

import { main } from '../dist/index.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
await main(process.argv, { version, bin: import.meta.url });
