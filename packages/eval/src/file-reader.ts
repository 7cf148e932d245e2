import type { Content, FunctionCall, Part } from '@adorn/core';
import { readContent, suggestName } from '@adorn/core/backend';

import { camelKeys, snakeCase } from './camel-keys.js';
import { EvalSetInvalidError } from './errors.js';
import { EVAL_KEYS, type EvalObject } from './eval-keys.js';

/** The fields of an object of a file, in camel case. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads the values of an eval file. A value of another type, and a key that does not exist, is refused with its place. */
export class FileReader {
  /** True once a key in snake case was read: messages then name keys so. */
  private isSnakeCase = false;

  /** @param source what is named in errors */
  constructor(protected readonly source: string) {}

  /** An object with its keys in camel case. Every key is one of {@link EVAL_KEYS}, or its value is null. */
  protected object(value: unknown, place: string, what: EvalObject): Fields {
    const given = this.record(value, place);
    const fields = camelKeys(given);
    this.isSnakeCase ||= Object.keys(given).some((key) => key.includes('_'));
    for (const key of Object.keys(given)) {
      const [name = key] = Object.keys(camelKeys({ [key]: true }));
      if (name !== key && Object.hasOwn(given, name)) throw this.fault(place, `it has ${key} and ${name}`);
      if (isGiven(given[key])) this.checkKey(name, key, place, what);
    }
    return fields;
  }

  private checkKey(name: string, key: string, place: string, what: EvalObject): void {
    const known: ReadonlySet<string> = EVAL_KEYS[what];
    if (known.has(name)) return;
    const cure = suggestName(name, known).slice(0, -1);
    throw this.fault(place, `there is no key ${key}. ${this.isSnakeCase ? snakeCase(cure) : cure}`);
  }

  /** The first of the fields that is given, as a text. */
  protected text(fields: Fields, names: readonly string[], place: string): string | undefined {
    for (const name of names) {
      const value = fields[name];
      if (!isGiven(value)) continue;
      if (typeof value !== 'string')
        throw this.fault(`${place}.${name}`, `it is ${JSON.stringify(value)}, and no text`);
      return value;
    }
    return undefined;
  }

  /** The texts that are given. */
  protected texts<Name extends string>(
    fields: Fields,
    place: string,
    names: readonly Name[],
  ): Partial<Record<Name, string>> {
    const found: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const text = this.text(fields, [name], place);
      if (text !== undefined) found[name] = text;
    }
    return found;
  }

  /** A field that is read if it is given. */
  protected given<Name extends string, Value>(
    fields: Fields,
    place: string,
    name: Name,
    read: (value: unknown, place: string) => Value,
  ): Partial<Record<Name, Value>> {
    if (!isGiven(fields[name])) return {};
    return { [name]: read(fields[name], `${place}.${name}`) } as Record<Name, Value>;
  }

  protected time(fields: Fields, place: string): { readonly creationTimestamp?: number } {
    return this.given(fields, place, 'creationTimestamp', (value, at) => {
      if (typeof value !== 'number') throw this.fault(at, `it is ${JSON.stringify(value)}, and no number`);
      return value;
    });
  }

  protected list(value: unknown, place: string): readonly unknown[] {
    if (!Array.isArray(value)) throw this.fault(place, 'it is no list');
    return value as readonly unknown[];
  }

  /** The items of a list, each read with its place. */
  protected items<Item>(value: unknown, place: string, read: (item: unknown, place: string) => Item): Item[] {
    return this.list(value, place).map((item, index) => read(item, `${place}[${String(index)}]`));
  }

  protected record(value: unknown, place: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.fault(place, 'it is no object');
    return value as Fields;
  }

  /** A content, also a text; undefined if it says nothing. */
  protected content(json: unknown, place: string): Content | undefined {
    if (!isGiven(json)) return undefined;
    if (typeof json === 'string') return json === '' ? undefined : { parts: [{ text: json }] };
    const fields = this.object(json, place, 'content');
    const parts = isGiven(fields['parts']) ? this.parts(fields['parts'], `${place}.parts`) : [];
    return parts.length === 0 ? undefined : { ...this.texts(fields, place, ['role']), parts };
  }

  /** Parts as ADK writes them: in snake case, with a null for each field that a part does not have. */
  protected parts(value: unknown, place: string): Part[] {
    return this.items(value, place, (one, at) => {
      const part = this.object(one, at, 'part');
      const inner = Object.entries(part).map(([name, field]): [string, unknown] => {
        if (name === 'functionCall' && isGiven(field)) return [name, this.toolUse(field, `${at}.${name}`)];
        if (name === 'functionResponse' && isGiven(field))
          return [name, this.object(field, `${at}.${name}`, 'functionResponse')];
        return [name, isRecord(field) ? camelKeys(field) : field];
      });
      return Object.fromEntries(inner);
    }).flatMap((part, index) => this.clean({ parts: [part] }, `${place}[${String(index)}]`).parts ?? []);
  }

  /** A call of a tool, without what a page added to it. */
  protected toolUse(json: unknown, place: string): FunctionCall {
    const fields = this.object(json, place, 'toolUse');
    if (this.text(fields, ['name'], place) === undefined) throw this.fault(`${place}.name`, 'it is missing');
    const own = Object.entries(fields).filter(([name]) => EVAL_KEYS.functionCall.has(name));
    const [part] = this.clean({ parts: [{ functionCall: Object.fromEntries(own) }] }, place).parts ?? [];
    return part?.functionCall ?? {};
  }

  private clean(content: unknown, place: string): Content {
    const read = readContent(content, ({ field, wanted, found }) => {
      throw this.fault(place, `its ${field} is ${found}, and not ${wanted}`);
    });
    return read ?? {};
  }

  protected fault(place: string, fault: string): EvalSetInvalidError {
    const { isSnakeCase } = this;
    const path = place.replace(/^\./, '');
    return new EvalSetInvalidError(this.source, isSnakeCase ? snakeCase(path) : path, fault, {}, isSnakeCase);
  }
}

/** False for null, which ADK writes for what is absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
