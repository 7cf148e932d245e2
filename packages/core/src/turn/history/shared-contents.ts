import type { Content } from '../../content/genai-types.js';

/**
 * A list of contents that requests read without a copy. It grows in place while no request reads it. With a reader,
 * and to replace a content, a copy is changed instead: a list that was given out only ever gains contents at its end,
 * and none while it is on loan.
 */
export class SharedContents {
  private list: Content[] = [];
  private readers = 0;

  get current(): readonly Content[] {
    return this.list;
  }

  /** Gives out the list, unchanged until `giveBack`. */
  borrow(): readonly Content[] {
    this.readers++;
    return this.list;
  }

  giveBack(list: readonly Content[]): void {
    if (list === this.list) this.readers--;
  }

  /** @returns the index of the content */
  push(content: Content): number {
    if (this.readers > 0) this.replaceList([...this.list]);
    return this.list.push(content) - 1;
  }

  replace(index: number, content: Content): void {
    this.replaceList(this.list.with(index, content));
  }

  clear(): void {
    this.replaceList([]);
  }

  private replaceList(list: Content[]): void {
    this.list = list;
    this.readers = 0;
  }
}
