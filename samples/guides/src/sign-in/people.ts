import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/** Somebody who may sign in. */
interface Person {
  readonly roles: readonly string[];
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Who may sign in, and with which roles. In an application they are rows of its database. */
export class People {
  private readonly people = new Map<string, Person>();
  /** Is compared for a name that there is not, which so takes as long as one that there is. */
  private readonly nobody: Person = { roles: [], salt: randomBytes(16), hash: randomBytes(32) };

  async add(name: string, password: string, roles: readonly string[] = []): Promise<void> {
    const salt = randomBytes(16);
    this.people.set(name, { roles, salt, hash: await derive(password, salt, 32) });
  }

  async hasPassword(name: string, password: string): Promise<boolean> {
    const { salt, hash } = this.people.get(name) ?? this.nobody;
    return timingSafeEqual(await derive(password, salt, 32), hash) && this.people.has(name);
  }

  /** A person with the roles of now; undefined for nobody, and for who may not sign in any more. */
  find(name: string | undefined): { readonly id: string; readonly roles: readonly string[] } | undefined {
    const person = this.people.get(name ?? '');
    return name === undefined || person === undefined ? undefined : { id: name, roles: person.roles };
  }

  setRoles(name: string, roles: readonly string[]): void {
    const person = this.people.get(name);
    if (person !== undefined) this.people.set(name, { ...person, roles });
  }

  remove(name: string): void {
    this.people.delete(name);
  }
}
