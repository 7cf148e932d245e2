import { loadFunctionRecord } from '../schema/derived-records.js';
import type { FunctionRecord } from '../schema/function-record.js';
import type { ExplicitSchema } from '../schema/standard/standard-schema.js';
import { type CallableOptions, type CallableShape, CallableTool } from './callable.tool.js';
import {
  derivedShape,
  derivedSource,
  type PlainParameter,
  hydrationParts,
  type ToolOverrides,
} from './derived-shape.js';
import { explicitShape } from './explicit-shape.js';
import type { ToolFunction } from './tool-of-function.js';
import { resolveParameterClasses } from './hydration/parameter-classes.js';

/** The options of a tool made by `defineTool`. */
export interface DefinedToolOptions extends CallableOptions {
  readonly parameters?: ExplicitSchema | undefined;
}

/** The constructor's parameters of a `DefinedTool`. */
export interface DefinedToolFields {
  readonly work: ToolFunction;
  readonly options: DefinedToolOptions;
  readonly record: FunctionRecord;
}

/** A function as a tool. Its schema is derived from the source unless `parameters` is set. */
export class DefinedTool extends CallableTool {
  /** The record to derive before the tool is ready; undefined if `parameters` is set. */
  readonly record: FunctionRecord | undefined;
  private readonly work: ToolFunction;

  constructor({ work, options, record }: DefinedToolFields) {
    const { name, description = '', parameters } = options;
    const isWritten = parameters !== undefined;
    super(
      options,
      isWritten
        ? explicitShape({ name, description, origin: record.name }, parameters)
        : () => functionShape(options, record),
    );
    this.work = work;
    this.record = isWritten ? undefined : record;
  }

  override get origin(): string {
    return this.work.name === '' ? 'defineTool' : this.work.name;
  }

  protected call(values: unknown[]): unknown {
    return this.work(...(values as never[]));
  }
}

async function functionShape(options: ToolOverrides, record: FunctionRecord): Promise<CallableShape> {
  const derived = await loadFunctionRecord(record);
  const parts = hydrationParts(derived, resolveParameterClasses(record.name, derived));
  const sources = derived.parameters.map((one) => derivedSource(one as PlainParameter, parts));
  return derivedShape(options, derived, sources);
}
