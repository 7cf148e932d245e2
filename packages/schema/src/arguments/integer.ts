/**
 * A whole number, as the type of a parameter or a field of a tool: declared as `integer`, and a call with another number is
 * refused before the tool runs. Any `number` can be assigned to it.
 *
 * @example
 * refund(order: string, cents: Integer) { … }
 */
export type Integer = number | (number & { readonly 'adorn:integer'?: never });
