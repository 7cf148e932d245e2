/** One event of a stream. */
export interface StreamEvent {
  /** The name of the event; empty for none. */
  readonly name: string;
  /** Its lines of data, joined. */
  readonly data: string;
}

/** The longest event, in UTF-16 units: pictures come within events. */
const LONGEST_EVENT = 256 * 1024 * 1024;

/**
 * Reads the events of a stream as WHATWG defines them: lines end with CR, LF or both, an event may have several lines of
 * data, a name, an id and comments. Also reads what Google and servers of its API send besides: an error that stands as
 * bare JSON where an event begins, and a last event without a blank line after it.
 */
export class EventStreamReader {
  private readonly decoder = new TextDecoder();
  /** The pieces of a line that has not ended. */
  private line: string[] = [];
  private size = 0;
  private endedWithReturn = false;
  private name = '';
  private data: string[] = [];
  private isBare = false;
  private events: StreamEvent[] = [];
  private first: string | undefined;

  /** @param longest the longest event, in UTF-16 units. Default: 256 Mi. */
  constructor(private readonly longest = LONGEST_EVENT) {}

  /** The first line, if it belongs to no event: the body is not a stream of events. */
  get strayLine(): string | undefined {
    return this.first;
  }

  /** The events that end in these bytes. @throws {RangeError} for an event that is too long */
  read(bytes: Uint8Array): StreamEvent[] {
    this.addText(this.decoder.decode(bytes, { stream: true }));
    return this.take();
  }

  /** The last event, if no blank line followed it. */
  end(): StreamEvent[] {
    this.addText(this.decoder.decode());
    if (this.line.length > 0) this.endLine('');
    this.endEvent();
    return this.take();
  }

  private take(): StreamEvent[] {
    return this.events.splice(0);
  }

  private addText(text: string): void {
    if (text === '') return;
    const given = this.endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.endedWithReturn = text.endsWith('\r');
    const pieces = given.split(/\r\n|\n|\r/);
    const last = pieces.pop() ?? '';
    for (const piece of pieces) this.endLine(piece);
    this.addToLine(last);
  }

  private addToLine(piece: string): void {
    if (piece === '') return;
    this.line.push(piece);
    this.size += piece.length;
    if (this.size > this.longest) throw new RangeError('An event of the stream is too long.');
  }

  private endLine(piece: string): void {
    this.addToLine(piece);
    const line = this.line.join('');
    this.line = [];
    if (line === '') this.endEvent();
    else this.readLine(line);
  }

  private readLine(line: string): void {
    if (this.isBare || (this.data.length === 0 && line.startsWith('{'))) {
      this.isBare = true;
      this.data.push(line);
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.name = value;
    else if (!IGNORED.has(field)) this.first ??= line;
  }

  private endEvent(): void {
    if (this.data.length > 0) this.events.push({ name: this.name, data: this.data.join('\n') });
    this.name = '';
    this.data = [];
    this.isBare = false;
    this.size = 0;
  }
}

/** A comment has no name of a field. */
const IGNORED: ReadonlySet<string> = new Set(['', 'id', 'retry']);
