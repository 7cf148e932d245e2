import type { Output } from '../terminal/palette.js';
import type { Parameters, ValuesOf } from './parameter.js';

/** What a command is given besides its arguments and options. */
export interface CommandContext {
  /** The version of the command. */
  readonly version: string;
  /** The URL of the file that was started. */
  readonly bin: string;
  /** Where results are written. */
  readonly output: Output;
  /** Where progress is shown. */
  readonly errors: Output;
  /** Called by a command that leaves something running, such as a server: the process does not end with the command. */
  readonly goesOn?: () => void;
}

/**
 * A command: its help, its parameters and what it does. Parsing, help, completion, the page of the documentation and the
 * answers to misspelt names all come from here.
 */
export interface CommandDeclaration {
  readonly kind: 'command';
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly arguments: Parameters;
  readonly options: Parameters;
  /** Paragraphs below the options. Lines that begin with spaces are not wrapped. */
  readonly notes?: string;
  /** Command lines, each with a comment if it needs one. */
  readonly examples: readonly string[];
  /** What exit codes mean here, beside those of every command. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** Options that other kits have for the same, without dashes, with what to write here. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  readonly run: (values: never, context: CommandContext) => Promise<void> | void;
}

/** A command that has commands of its own, such as `adorn sessions`. */
export interface GroupDeclaration {
  readonly kind: 'group';
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandDeclaration[];
  /** The name of the command that runs if none is named. */
  readonly byDefault?: string;
}

export type Declaration = CommandDeclaration | GroupDeclaration;

// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- a command may have no arguments, or no options
type None = Record<never, never>;

/** Declares a command, whose `run` gets the values of its arguments and options by their names. */
export function defineCommand<
  const Arguments extends Parameters = None,
  const Options extends Parameters = None,
>(
  declared: Omit<CommandDeclaration, 'kind' | 'arguments' | 'options' | 'run'> & {
    readonly arguments?: Arguments;
    readonly options?: Options;
    readonly run: (
      values: ValuesOf<Arguments> & ValuesOf<Options>,
      context: CommandContext,
    ) => Promise<void> | void;
  },
): CommandDeclaration {
  return { arguments: {}, options: {}, ...declared, kind: 'command' };
}

/** Declares a command that has commands of its own. */
export function defineGroup(declared: Omit<GroupDeclaration, 'kind'>): GroupDeclaration {
  return { ...declared, kind: 'group' };
}

/** The commands of declarations with their whole names, such as `sessions list`. */
export function leavesOf(
  declarations: readonly Declaration[],
): { readonly path: string; readonly command: CommandDeclaration }[] {
  return declarations.flatMap((declared) =>
    declared.kind === 'command'
      ? [{ path: declared.name, command: declared }]
      : declared.commands.map((command) => ({ path: `${declared.name} ${command.name}`, command })),
  );
}
