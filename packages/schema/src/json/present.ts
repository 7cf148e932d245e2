/** Members of which those that may be undefined are optional. */
export type Present<Members> = {
  [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key];
} & {
  [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined>;
};

/**
 * The members that have a value, as JSON would keep them: `present({ id, hint })` has no `hint` if that is undefined.
 * For objects that are stored, compared or shown.
 */
export function present<const Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<Members>;
}
