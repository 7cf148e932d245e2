/** True for the name of a file in the working folder: not empty, and nothing that could name a folder. */
export function isFileName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}
