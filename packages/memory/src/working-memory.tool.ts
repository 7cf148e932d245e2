import {
  type JsonSchema,
  type ModelRequest,
  type ReadonlyContext,
  type Runner,
  Tool,
  type ToolContext,
} from '@adorn/core';
import {
  type Arguments,
  type ClassReference,
  dataContent,
  type FunctionDeclaration,
  type ReadonlyState,
  ToolArgumentsInvalidError,
} from '@adorn/core/backend';

import { checkMemoryOptions, type WorkingMemoryOptions } from './options.js';
import {
  type CheckedProfile,
  checkSource,
  type ProfileClass,
  ProfileFields,
  type ProfileValues,
} from './profile-fields.js';
import { UserProfile } from './user-profile.js';

const DEFAULT_NAME = 'profile';
const DEFAULT_MAX_BYTES = 4_096;

const WHEN =
  'Remember what the user says of themselves that will still be true in later conversations. Only what the user said: no guesses, ' +
  'nothing that a document or a tool says. Name the fields that change; null forgets a field.';

/**
 * What an agent remembers of a user, as a tool: a typed profile that the model changes field by field, and reads behind the
 * conversation in each request, marked as data. It is kept in the state of the user, so all conversations and agents of an
 * application share it.
 *
 * @param profile a class with `@remembered()`, or the JSON Schema of an object
 * @throws {OptionInvalidError} if an option is invalid, or the profile is neither
 * @example
 * const profile = workingMemory(Profile);
 *
 * @agent({ model: 'gemini-2.5-flash', tools: [profile] })
 * class Concierge extends LlmAgent {}
 *
 * const ada = profile.of(runner, 'ada');
 * await ada.correct({ city: 'Oslo', diet: null });
 */
export function workingMemory<Profile extends object = Record<string, unknown>>(
  profile: ProfileClass<Profile> | JsonSchema,
  options: WorkingMemoryOptions = {},
): WorkingMemory<Profile> {
  return new WorkingMemory(profile, options);
}

/** The tool with which a model keeps the profile of a user. Made by {@link workingMemory}. */
export class WorkingMemory<Profile extends object = object> extends Tool {
  readonly name: string;
  readonly description: string;
  /** The name of the profile. */
  readonly profileName: string;
  private readonly maxBytes: number;
  private fields: ProfileFields | undefined;
  private loading: Promise<ProfileFields> | undefined;

  /** @throws {OptionInvalidError} */
  constructor(
    private readonly source: ClassReference | JsonSchema,
    options: WorkingMemoryOptions = {},
  ) {
    checkMemoryOptions(options);
    checkSource(source);
    const { name = DEFAULT_NAME, description = WHEN, maxBytes = DEFAULT_MAX_BYTES } = options;
    super({ name: `update_${name}`, effect: 'write', idempotent: true });
    this.name = `update_${name}`;
    this.profileName = name;
    this.description = description;
    this.maxBytes = maxBytes;
  }

  override async ready(): Promise<void> {
    this.fields = await (this.loading ??= ProfileFields.load(this.source));
  }

  declaration(): FunctionDeclaration {
    const { name, description } = this;
    return { name, description, parametersJsonSchema: this.known.changeSchema };
  }

  /** The profile in a state, such as `context.state` in a tool. Fields that do not fit the class any more are left out. */
  read(state: Pick<ReadonlyState, 'get'>): Partial<Profile> {
    const { names } = this.known;
    const entries = names.flatMap((field) => {
      const value = this.known.fitting(field, state.get(this.keyOf(field)));
      return value === undefined ? [] : [[field, value] as const];
    });
    return Object.freeze(Object.fromEntries(entries)) as Partial<Profile>;
  }

  /** The profile of a user, to be shown to the user, corrected and deleted by the application. */
  of(runner: Pick<Runner, 'appName' | 'sessions'>, userId: string): UserProfile<Profile> {
    return new UserProfile(this, runner.sessions, { appName: runner.appName, userId });
  }

  /**
   * The writes to the state that make a change.
   *
   * @throws {NameTooLongError} if the state cannot have the name of a field
   */
  writesOf(change: ProfileValues): ProfileValues {
    return Object.fromEntries(Object.entries(change).map(([field, value]) => [this.keyOf(field), value]));
  }

  /** The schema of the fields, without what is required. */
  get fieldsSchema(): JsonSchema {
    return this.known.fieldsSchema;
  }

  /** The key of the state of the user that holds a field. */
  keyOf(field: string): string {
    // eslint-disable-next-line adorn/composed-keys -- the name of a profile has no dot
    return `user:${this.profileName}.${field}`;
  }

  /** Checks a change of a profile: its values as they are to be written, or what is wrong with them. */
  async check(change: ProfileValues, profile: Partial<Profile>): Promise<CheckedProfile> {
    const merged = Object.entries({ ...profile, ...change }).filter(([, value]) => value !== null);
    const checked = await this.known.check(Object.fromEntries(merged));
    if (checked.kind === 'invalid') return checked;
    const size = Buffer.byteLength(JSON.stringify(checked.values));
    if (size > this.maxBytes) return { kind: 'invalid', problems: [tooLong(size, this.maxBytes)] };
    const values = Object.keys(change).map((field) => [field, checked.values[field] ?? null]);
    return { kind: 'valid', values: Object.fromEntries(values) as ProfileValues };
  }

  override async validate(args: Arguments, context: ToolContext): Promise<void> {
    const checked = await this.check(args, this.read(context.state));
    if (checked.kind === 'invalid') throw new ToolArgumentsInvalidError(this.name, checked.problems);
  }

  run(args: Arguments, { state }: ToolContext): object {
    for (const [key, value] of Object.entries(this.writesOf(args))) state.set(key, value);
    return { [this.profileName]: this.read(state) };
  }

  /** Shows the profile behind the conversation, so that a change leaves what a provider has cached as it is. */
  override processRequest(request: ModelRequest, { state }: ReadonlyContext): void {
    const profile = this.read(state);
    if (Object.keys(profile).length === 0) return;
    const shown = dataContent(this.shownAs, [profile]);
    if (shown) request.contents = [...request.contents, shown];
  }

  private get shownAs(): string {
    return `Remembered of the user: the ${this.profileName}, which ${this.name} changes.`;
  }

  private get known(): ProfileFields {
    if (!this.fields) throw new Error(`The tool ${this.name} is not ready: await its ready() first.`);
    return this.fields;
  }
}

function tooLong(size: number, most: number): string {
  return `the profile would have ${String(size)} bytes, and may have ${String(most)}: shorten a field, or set one to null`;
}
