import type { SessionService } from '@adorn/core';
import { isObject, kindOf } from '@adorn/core/backend';

import { ProfileInvalidError } from './errors.js';
import type { ProfileValues } from './profile-fields.js';
import type { WorkingMemory } from './working-memory.tool.js';

/** A change of a profile: the fields that it names; `null` removes one. */
export type ProfileChange<Profile extends object> = {
  readonly [Field in keyof Profile]?: Profile[Field] | null;
};

/** The profile of one user, as an application has it: no conversation is needed. */
export class UserProfile<Profile extends object = object> {
  /** @internal */
  constructor(
    private readonly memory: WorkingMemory<Profile>,
    private readonly sessions: SessionService,
    private readonly user: { readonly appName: string; readonly userId: string },
  ) {}

  /**
   * The fields that are filled, as JSON; empty if nothing is remembered.
   *
   * @throws {NotSupportedError} if the session service has no `getUserState`
   */
  async read(): Promise<Partial<Profile>> {
    await this.memory.ready();
    const state = new Map(Object.entries(await this.sessions.getUserState(this.user)));
    return this.memory.read({ get: (key: string) => state.get(key) as never });
  }

  /**
   * Changes the fields that are named, by the rules that hold for the model.
   *
   * @param change JSON: a date is a text
   * @returns the profile from now on
   * @throws {ProfileInvalidError} if a value does not fit, or the profile would be too long; nothing was changed
   * @throws {NotSupportedError} if the session service has no `updateUserState`
   */
  async correct(change: ProfileChange<Profile>): Promise<Partial<Profile>> {
    const given = this.jsonOf(change);
    const checked = await this.memory.check(given, await this.read());
    if (checked.kind === 'invalid') throw new ProfileInvalidError(this.memory.profileName, checked.problems);
    await this.sessions.updateUserState(this.user, this.memory.writesOf(checked.values));
    return this.read();
  }

  /** A date becomes its text, and fields that are undefined are left out. */
  private jsonOf(change: unknown): ProfileValues {
    if (isObject(change) && !Array.isArray(change))
      return JSON.parse(JSON.stringify(change)) as ProfileValues;
    throw new ProfileInvalidError(this.memory.profileName, [
      `the change is ${kindOf(change)}, and no object of fields`,
    ]);
  }

  /**
   * Deletes the profile, also fields that the class does not have any more.
   *
   * @returns how many fields there were
   */
  async delete(): Promise<number> {
    const state = await this.sessions.getUserState(this.user);
    const keys = Object.keys(state).filter((key) => key.startsWith(this.memory.keyOf('')));
    await this.sessions.updateUserState(this.user, Object.fromEntries(keys.map((key) => [key, null])));
    return keys.length;
  }
}
