import { build } from 'esbuild';

/** Bundles a program for the browser, with what it imports. @returns the text of one module */
export async function bundleProgram(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff': 'dataurl', '.woff2': 'dataurl', '.ttf': 'dataurl' },
    logLevel: 'silent',
    outdir: 'out',
  });
  return outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
}
