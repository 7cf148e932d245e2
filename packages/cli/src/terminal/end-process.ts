/** Ends the process with its exit code, after what was written to its outputs has been passed on. */
export async function endProcess(): Promise<never> {
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit();
}

/** Resolves also if the reader of the output has left. */
function flushed(output: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    output.write('', () => {
      resolve();
    });
  });
}
