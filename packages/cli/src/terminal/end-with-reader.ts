/**
 * Ends the process with the exit code 0 when the reader of its output has left, as `| head` does.
 *
 * @param before is called and awaited first
 */
export function endWithReader(output: NodeJS.WriteStream, before: () => Promise<void>): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    // A chat has a listener of its own: it ends its turn first.
    if (output.listenerCount('error') > 1) return;
    void before().finally(() => process.exit(0));
  });
}
