import type { ToolLabel } from '@adorn/core/compiler';
import type { Loss } from '@adorn/core/dialects';

/** An error keeps a tool or an agent from working; a warning makes it work worse; a note is only to be known. */
export type Severity = 'error' | 'warning' | 'note';

/** A finding of a check. */
export interface Diagnostic {
  /** The rule's name, the same from release to release. */
  readonly rule: string;
  readonly severity: Severity;
  /** The absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The finding, in a sentence. */
  readonly message: string;
  /** The cure, in a sentence; empty if the message contains it. */
  readonly cure: string;
  /** The code of the error that deriving the schema, or `createRunner`, would throw. */
  readonly code?: string;
  /** The dialect, and the parts of the schema that it cannot express. */
  readonly dialect?: string;
  readonly losses?: readonly Loss[];
}

/** The cost of one tool's declaration in every request. */
export interface ToolSize {
  /** As the model calls it. */
  readonly name: string;
  /** As people know it: `Orders.find`. */
  readonly origin: string;
  readonly file: string;
  readonly line: number;
  /** Estimated. */
  readonly tokens: number;
  /** `untrusted`, `confidential`, `outside`, `sensitive`, as far as its options say so or hide it. */
  readonly labels: readonly ToolLabel[];
}

/** The total cost of the declarations of one agent's tools. */
export interface AgentSize {
  /** The agent's class. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly tools: number;
  readonly tokens: number;
  /** True if it has tools that cannot be read from its source. */
  readonly hasMore: boolean;
}

/** The cost of one skill: its name and description in every request, its instructions once it is opened. */
export interface SkillSize {
  readonly name: string;
  /** Where the source names its folder. */
  readonly file: string;
  readonly line: number;
  /** Estimated. */
  readonly tokens: number;
  readonly tokensOpened: number;
}

/** The result of a project's check. */
export interface CheckReport {
  /** By file and line. */
  readonly diagnostics: readonly Diagnostic[];
  /** The tsconfigs that the project refers to, which were not looked at. */
  readonly unchecked: readonly string[];
  /** The number of findings that are silenced with a reason. */
  readonly silenced: number;
  /** The largest first. */
  readonly tools: readonly ToolSize[];
  /** The largest first. */
  readonly agents: readonly AgentSize[];
  /** The largest first; empty without a reader of skills. */
  readonly skills: readonly SkillSize[];
}
