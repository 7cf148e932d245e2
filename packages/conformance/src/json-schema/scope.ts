import { isObject } from '../bfcl/json-object.js';
import type { TestFile, TestGroup } from './test-group.js';

/** Why a file, or what is in a folder, is not looked at. */
const FILES: readonly (readonly [path: string, reason: string])[] = [
  ['refRemote.json', 'references that leave the document are refused, with the reason'],
  ['optional/cross-draft.json', 'references that leave the document are refused, with the reason'],
  ['vocabulary.json', 'meta-schemas of one’s own are refused, with the reason'],
  ['optional/format-assertion.json', 'meta-schemas of one’s own are refused, with the reason'],
  ['format.json', 'a format is asserted here, and the suite takes it for a remark'],
  ['optional/format/', 'what exactly a format allows is left to ajv-formats'],
  ['optional/float-overflow.json', 'numbers are doubles, and so are their quotients'],
  ['optional/unknownKeyword.json', 'an $id counts wherever it stands, and the same one twice is refused'],
];

interface Rule {
  readonly reason: string;
  readonly applies: (schema: unknown) => boolean;
}

/** Why a schema is not looked at, for all of a draft. */
const SCHEMAS: Readonly<Record<string, readonly Rule[]>> = {
  draft7: [
    { reason: 'what stands beside a $ref is heeded, as in later drafts', applies: hasRulesBesideReference },
  ],
  'draft2020-12': [
    {
      reason: 'a part with an $id that is itself a pointer into itself is refused',
      applies: isReferenceIntoItself,
    },
  ],
};

/** The reason why a file is not looked at; undefined where it is. */
export function fileOutOfScope({ path }: TestFile): string | undefined {
  return FILES.find(([each]) => (each.endsWith('/') ? path.startsWith(each) : path === each))?.[1];
}

/** The reason why a group is not looked at; undefined where it is. */
export function groupOutOfScope(draft: string, { schema }: TestGroup): string | undefined {
  return SCHEMAS[draft]?.find(({ applies }) => isAnywhere(schema, applies))?.reason;
}

/** Whether a value names a property that is taken out of all arguments, so that it cannot arrive as it was. */
export function namesPrototype(data: unknown): boolean {
  return isAnywhere(data, (value) => isObject(value) && Object.hasOwn(value, '__proto__'));
}

function hasRulesBesideReference(schema: unknown): boolean {
  return isObject(schema) && typeof schema['$ref'] === 'string' && ('maxItems' in schema || '$id' in schema);
}

function isReferenceIntoItself(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { $id, $ref } = schema;
  return typeof $id === 'string' && typeof $ref === 'string' && $ref.startsWith('#/');
}

function isAnywhere(value: unknown, applies: (part: unknown) => boolean): boolean {
  if (applies(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => isAnywhere(part, applies));
}
