/** What Adorn's users have in every tsconfig; a project says the rest. */
export function tsconfig(compilerOptions = {}, more = {}) {
  return {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023'],
      module: 'NodeNext',
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      sourceMap: true,
      rootDir: 'src',
      outDir: 'build',
      ...compilerOptions,
    },
    include: ['src'],
    ...more,
  };
}
