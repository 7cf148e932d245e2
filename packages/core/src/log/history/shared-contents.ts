import type { Content } from '../../content/genai-types.js';
import { frozenJson } from '../../json/json-value.js';

/**
 * The contents of a history, shared by all requests made from it. The list grows in place. While it is lent, and to
 * replace a content, the history continues with a copy. So the contents that a view covers never change. Each content is
 * frozen deeply, because callbacks and models get it.
 */
export class SharedContents {
  private list: Content[] = [];
  /** Contents of the history; the list is longer while a lent view has contents of its own at its end. */
  private size = 0;
  private loans = 0;

  get length(): number {
    return this.size;
  }

  at(index: number): Content | undefined {
    return index < this.size ? this.list[index] : undefined;
  }

  slice(start: number, end = this.size): Content[] {
    return this.list.slice(start, Math.min(end, this.size));
  }

  /** The contents as they are now. */
  view(): ContentsView {
    return new ContentsView(this, this.list, this.size);
  }

  /** @returns the index of the content */
  push(content: Content): number {
    if (this.loans > 0) this.continueWith(this.slice(0));
    this.list.push(frozenJson(content));
    return this.size++;
  }

  replace(index: number, content: Content): void {
    this.continueWith(this.slice(0).with(index, frozenJson(content)));
  }

  clear(): void {
    this.continueWith([]);
  }

  /** Appends a view's own contents to the list until `takeBack`. False if the list cannot be lent like this. */
  lend(list: Content[], length: number, own: readonly Content[]): boolean {
    if (list.length !== length || (own.length > 0 && (this.loans > 0 || list !== this.list))) return false;
    for (const content of own) list.push(content);
    if (list === this.list) this.loans++;
    return true;
  }

  takeBack(list: Content[], own: readonly Content[]): void {
    for (const _content of own) list.pop();
    if (list === this.list) this.loans--;
  }

  private continueWith(list: Content[]): void {
    this.list = list;
    this.size = list.length;
    this.loans = 0;
  }
}

/** Up to this length a copy costs less than a microsecond, so a model gets a list of its own. */
export const ALWAYS_COPIED = 1_000;

/** The contents of a history at one moment, followed by contents that one request adds. It never changes otherwise. */
export class ContentsView {
  private readonly own: Content[] = [];
  private loan: 'none' | 'open' | 'ended' = 'none';

  constructor(
    private readonly shared: SharedContents,
    private readonly list: Content[],
    private readonly length: number,
  ) {}

  append(content: Content): void {
    this.own.push(frozenJson(content));
  }

  copy(): Content[] {
    const copy = this.list.slice(0, this.length);
    for (const content of this.own) copy.push(content);
    return copy;
  }

  /**
   * The shared list itself, unchanged until `release`. Undefined after that, or if the history is short or the list is
   * in use: read a copy then.
   */
  lend(): readonly Content[] | undefined {
    const mayBeLent = this.loan === 'none' && this.length > ALWAYS_COPIED;
    if (mayBeLent && this.shared.lend(this.list, this.length, this.own)) this.loan = 'open';
    return this.loan === 'open' ? this.list : undefined;
  }

  release(): void {
    if (this.loan === 'open') this.shared.takeBack(this.list, this.own);
    this.loan = 'ended';
  }
}
