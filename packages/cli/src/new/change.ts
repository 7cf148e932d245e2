/** What `adorn new` does with one file. `keep`: the file exists and stays as it is. */
export type Change =
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'keep'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly text: string;
      readonly before: string;
      /** What is added, for the list of files. */
      readonly added: string;
    };
