import { FunctionTool, type Tool, type ToolContext, ToolError } from '@adorn/core';
import { type Arguments, isObject } from '@adorn/core/backend';

import { shownPath } from '../errors.js';
import { type FilesOfCall, told } from '../files-of-call.js';
import { bytesIn } from '../stores/artifact.store.js';
import { versionOf } from '../stores/workspace-store.js';
import { beforeName } from './before-name.js';
import type { ChangeResult } from './change.tool.js';

/** The undone call, and what it returned. */
interface UndoArguments {
  readonly of: { readonly event: string; readonly call: string };
  readonly result: ChangeResult;
}

/** The undo of a tool that changes a file: the file is again what it was, if it is still what the tool made of it. */
export function undoChangeTool(undone: string, filesOf: FilesOfCall): Tool {
  return new UndoChangeTool(undone, filesOf);
}

class UndoChangeTool extends FunctionTool {
  constructor(undone: string, filesOf: FilesOfCall) {
    super({
      name: `undo_${undone}`,
      description: `Undoes a call of "${undone}".`,
      effect: 'write',
      parameters: {
        type: 'object',
        properties: { of: { type: 'object' }, result: {} },
        required: ['of', 'result'],
      },
      once: { key: () => undefined, scope: 'session' },
      reconcile: (args, context) => told(() => settle(args, context, filesOf)),
      run: (args, context) => told(() => restore(args, context, filesOf)),
    });
  }

  /** The call that it undoes is the effect. */
  override async onceKeyOf({ of }: Arguments): Promise<unknown> {
    return isObject(of) ? { event: of['event'], call: of['call'] } : undefined;
  }
}

async function restore(args: Arguments, context: ToolContext, filesOf: FilesOfCall): Promise<object> {
  const { of, result } = args as unknown as UndoArguments;
  const { path, version, created } = result;
  const files = filesOf(context);
  const current = await files.read(path);
  if (current?.version !== version)
    throw new ToolError(`The file ${shownPath(path)} has changed since, so it was left alone.`);
  if (created === true) {
    if (current) await files.delete(path, current.version);
    return { path, deleted: true };
  }
  const before = await keptContent(of, context);
  if (!before) throw new ToolError(`What ${shownPath(path)} was is not kept any more.`);
  return { path, version: await files.write(path, before, { replaces: version }) };
}

/** The result of an interrupted undo that took effect. */
async function settle(
  args: Arguments,
  context: ToolContext,
  filesOf: FilesOfCall,
): Promise<object | undefined> {
  const { of, result } = args as unknown as UndoArguments;
  const { path, created } = result;
  const current = await filesOf(context).read(path);
  if (created === true) return current ? undefined : { path, deleted: true };
  const before = await keptContent(of, context);
  const isRestored = current && before && current.version === versionOf(before);
  return isRestored ? { path, version: current.version } : undefined;
}

async function keptContent(
  { event, call }: UndoArguments['of'],
  context: ToolContext,
): Promise<Uint8Array | undefined> {
  const part = await context.loadArtifact(beforeName({ functionCallEventId: event, functionCallId: call }));
  return part && bytesIn(part);
}
