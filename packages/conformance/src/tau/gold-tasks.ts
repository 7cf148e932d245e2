import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RetailDatabase } from './retail/retail-database.js';

/** One call of a task, and the exact text that the original tool answered with. */
export interface GoldStep {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output: string;
}

/** A task's calls in order, and the sha256 of the whole database after the last of them. */
export interface GoldTask {
  readonly id: string;
  readonly instruction: string;
  readonly steps: readonly GoldStep[];
  readonly db_sha256: string;
}

/** A tool as it was published. */
export interface PublishedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required: readonly string[];
  };
}

export interface Benchmark {
  readonly tools: readonly PublishedTool[];
  readonly tasks: readonly GoldTask[];
}

export interface RetailBenchmark extends Benchmark {
  /** The start database: each task begins with a copy of it. */
  readonly database: RetailDatabase;
}

/** Reads the benchmark from the folder that holds the fixtures. */
export function readRetailBenchmark(fixtures: string): RetailBenchmark {
  const database = readFileSync(join(fixtures, 'tau', 'retail', 'db.json'), 'utf8');
  return { ...readBenchmark(fixtures, 'retail'), database: RetailDatabase.read(database) };
}

/** Reads what both benchmarks have. */
export function readBenchmark(fixtures: string, name: 'airline' | 'retail'): Benchmark {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(join(fixtures, 'tau', name, file), 'utf8')) as unknown;
  const published = read('tools.json') as { readonly function: PublishedTool }[];
  return { tools: published.map((tool) => tool.function), tasks: read('gold.json') as GoldTask[] };
}
