import { FunctionTool, type JsonSchema, type Tool, type ToolContext, ToolError } from '@adorn/core';
import type { Arguments, ToolEffect } from '@adorn/core/backend';

import { shownPath } from '../errors.js';
import { type FilesOfCall, told } from '../files-of-call.js';
import type { WorkspaceOptions } from '../options.js';
import { checkedPath } from '../paths/file-path.js';
import { bytesIn, partOf } from '../stores/artifact.store.js';
import { type StoredFile, versionOf } from '../stores/workspace-store.js';
import { beforeName } from './before-name.js';
import { type PlannedChange, shownChange, wasShown } from './file-change.js';
import { undoChangeTool } from './undo-change.tool.js';

/** How one tool changes a file. */
export interface ChangeKind {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** The schema of the arguments; `path` is one of them. */
  readonly parameters: JsonSchema;
  /** True if the arguments are of a change that makes a new file. */
  readonly creates: (args: Arguments) => boolean;
  /** True if the change takes a whole file away, so that `confirm: 'destructive'` asks. */
  readonly isDestructive: (before: StoredFile | undefined) => boolean;
  /** @throws {ToolError} if the change is not one of this file */
  readonly check: (args: Arguments, before: StoredFile | undefined) => void;
  /**
   * What the file becomes; undefined if it is deleted.
   *
   * @throws {ToolError} if the change does not fit the content
   */
  readonly after: (args: Arguments, before: Uint8Array | undefined) => Uint8Array | undefined;
}

/** What a change answers. */
export interface ChangeResult {
  readonly path: string;
  /** What the file was changed to; absent if it was deleted. */
  readonly version?: string;
  /** True if there was no file before. */
  readonly created?: true;
  readonly deleted?: true;
}

/**
 * A tool that changes one file, as a whole in one step. Before it does, what the file was becomes an artifact: by it an undo restores
 * the file, and a call whose process died is recognised as done or not done.
 */
export function changeTool(
  kind: ChangeKind,
  filesOf: FilesOfCall,
  { confirm = 'destructive', approvers }: WorkspaceOptions,
): Tool {
  return new ChangeTool(kind, filesOf, { confirm, approvers });
}

class ChangeTool extends FunctionTool {
  private readonly undoing: Tool;

  constructor(
    private readonly kind: ChangeKind,
    private readonly filesOf: FilesOfCall,
    private readonly options: Pick<WorkspaceOptions, 'confirm' | 'approvers'>,
  ) {
    const { name, description, effect, parameters } = kind;
    const { confirm, approvers } = options;
    super({
      name,
      description,
      effect,
      parameters,
      confirm: confirm === false ? false : (args, context) => this.asked(args, context),
      ...(approvers !== undefined && { approvers }),
      // A yes for the conversation holds for the file that was shown.
      remember: ({ path }) => String(path),
      reconcile: (args, context) => told(() => this.settle(args, context)),
      run: (args, context) => told(() => this.change(args, context)),
    });
    this.undoing = undoChangeTool(name, filesOf);
  }

  override get undo(): Tool {
    return this.undoing;
  }

  /** A change that does not fit is not asked about: the tool refuses it, and does not run it if it fits by then. */
  private async asked(args: Arguments, context: ToolContext): Promise<boolean | string> {
    try {
      return await this.questionOf(await told(() => this.plan(args, context)), context);
    } catch (error) {
      if (error instanceof ToolError) return false;
      throw error;
    }
  }

  private async questionOf(change: PlannedChange, context: ToolContext): Promise<false | string> {
    const { confirm } = this.options;
    if (confirm === false) return false;
    if (confirm === 'destructive' && !this.kind.isDestructive(change.before)) return false;
    const shown = shownChange(change);
    const decided: unknown = typeof confirm === 'function' ? await confirm(shown, context) : true;
    if (decided === false) return false;
    return typeof decided === 'string' && decided !== '' ? `${decided}\n${shown.diff}` : shown.diff;
  }

  private async plan(args: Arguments, context: ToolContext): Promise<PlannedChange> {
    const asked = checkedPath(String(args['path']));
    const before = await this.filesOf(context).read(asked);
    this.kind.check(args, before);
    const after = this.kind.after(args, before?.data);
    return { tool: this.name, path: before?.path ?? asked, before, after };
  }

  private async change(args: Arguments, context: ToolContext): Promise<ChangeResult> {
    const change = await this.plan(args, context);
    await this.requireShown(change, context);
    const { path, before, after } = change;
    const files = this.filesOf(context);
    if (before) await context.saveArtifact(beforeName(context), partOf(path, before.data));
    if (after) await files.write(path, after, { replaces: before?.version });
    else if (before) await files.delete(path, before.version);
    return resultOf(change);
  }

  /** @throws {ToolError} if a person had to see the change, and has seen none or another one */
  private async requireShown(change: PlannedChange, context: ToolContext): Promise<void> {
    const { confirmation } = context;
    const isCovered = confirmation
      ? wasShown(change, confirmation.hint)
      : (await this.questionOf(change, context)) === false;
    if (isCovered) return;
    throw new ToolError(
      `The file ${shownPath(change.path)} has changed since the question about it. Nothing was written. Read it, and call ${this.name} again.`,
    );
  }

  /** What an interrupted call has come to: its result if it changed the file, undefined if it did not. */
  private async settle(args: Arguments, context: ToolContext): Promise<ChangeResult | undefined> {
    const asked = checkedPath(String(args['path']));
    const current = await this.filesOf(context).read(asked);
    const path = current?.path ?? asked;
    const kept = await context.loadArtifact(beforeName(context));
    const data = kept && bytesIn(kept);
    // Nothing was kept: there was no file, or the call had not begun to change it.
    if (!data) {
      if (!current || !this.kind.creates(args)) return undefined;
      const after = this.kind.after(args, undefined);
      return isSame(current.data, after) ? resultOf({ path, before: undefined, after }) : undefined;
    }
    const before = { path, data, version: versionOf(data) };
    const after = this.kind.after(args, data);
    if (isSame(current?.data, after)) return resultOf({ path, before, after });
    if (isSame(current?.data, data)) return undefined;
    throw new ToolError(`The file ${shownPath(path)} has changed since. Read it to see what was done.`, {
      mayHaveTakenEffect: true,
    });
  }
}

function resultOf({ path, before, after }: Pick<PlannedChange, 'path' | 'before' | 'after'>): ChangeResult {
  if (!after) return { path, deleted: true };
  const version = versionOf(after);
  return before ? { path, version } : { path, version, created: true };
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other;
}
