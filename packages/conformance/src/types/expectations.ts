/** Cases whose expected schema is a whim of its generator, which a tool's declaration need not share. */
export const QUIRKS: Readonly<Record<string, readonly string[]>> = {
  'typescript-json-schema': [
    'type-alias-schema-override',
    'object-numeric-index-as-property',
    'typeof-keyword',
    'type-default-number-as-integer',
    'type-aliases-tuple',
  ],
  'ts-json-schema-generator': [
    'object-required',
    'literal-object-type',
    'literal-index-type',
    'type-typeof-object-property',
    'type-typeof-function',
    'type-mapped-union-union',
    'type-mapped-number',
    'type-intersection-additional-props',
    'type-conditional-jsdoc',
    'type-mapped-annotated-string',
    'string-template-expression-literals',
    'class-single',
  ],
};

/** Cases whose expected schema allows values that no method of the type returns: a number for a bigint. */
export const RESULT_QUIRKS: readonly string[] = ['type-primitives'];

/** Cases of which no schema may be made, whatever the generator expects. */
export const ERRORS: readonly string[] = [
  'type-typeof-class',
  'structure-extra-props-symbol',
  'type-mapped-symbol',
  'type-keyof-tuple',
  'array-function-generics',
  'undefined-alias',
  'type-alias-undefined',
  'type-date-annotation',
];

/** The rules by which a type may be refused, as the compiler words them. */
export const RULES: readonly string[] = [
  'it is a function.',
  'it is a class itself, and JSON has none.',
  'JSON has no form for it.',
  'JSON has no symbols.',
  'its name is a symbol, and JSON has none.',
  'no JSON value has it.',
  'no type is written.',
  'TypeScript cannot find it.',
];

/** The rules by which a tag may be refused. */
export const TAG_RULES: readonly string[] = ['and a Date is sent as "date" or "date-time"'];
