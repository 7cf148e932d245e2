const BLOCK = 512;

/** A file of a tar archive. */
export interface TarFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** An archive of regular files, in the format ustar. Names have at most 100 bytes. */
export function toTar(files: readonly TarFile[]): Buffer {
  const pieces: Buffer[] = [];
  for (const { name, data } of files) {
    pieces.push(header(name, data.byteLength), Buffer.from(data));
    const rest = data.byteLength % BLOCK;
    if (rest > 0) pieces.push(Buffer.alloc(BLOCK - rest));
  }
  return Buffer.concat([...pieces, Buffer.alloc(2 * BLOCK)]);
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100);
  block.write('0000644\0', 100);
  block.write('0177776\0', 108);
  block.write('0177776\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** The regular files of an archive that nobody vouches for. Links, folders and devices are left out. Stops at its first fault. */
export function fromTar(archive: Buffer): TarFile[] {
  const files: TarFile[] = [];
  let longName: string | undefined;
  for (let offset = 0; offset + BLOCK <= archive.length;) {
    const block = archive.subarray(offset, offset + BLOCK);
    const name = longName ?? text(block, 0, 100);
    const size = Number.parseInt(text(block, 124, 12).trim() || '0', 8);
    const kind = String.fromCharCode(block[156] ?? 0);
    offset += BLOCK;
    if (block.every((byte) => byte === 0) || !Number.isSafeInteger(size) || size < 0) break;
    if (offset + size > archive.length) break;
    const data = archive.subarray(offset, offset + size);
    offset += Math.ceil(size / BLOCK) * BLOCK;
    // GNU tar writes a name of more than 100 bytes as a file of its own.
    longName = kind === 'L' ? text(data, 0, size) : undefined;
    if (kind === '0' || kind === '\0') files.push({ name: name.replace(/^\.\//, ''), data });
  }
  return files;
}

function text(block: Buffer, start: number, length: number): string {
  const piece = block.subarray(start, start + length);
  const end = piece.indexOf(0);
  return piece.toString('utf8', 0, end === -1 ? piece.length : end);
}
