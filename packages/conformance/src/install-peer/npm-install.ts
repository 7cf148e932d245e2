import { spawn } from 'node:child_process';

const INSTALL = [
  'install',
  '--no-package-lock',
  '--ignore-scripts',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--fetch-retries=1',
  '--loglevel=error',
];

/** Runs `npm install` in a folder. Rejects with npm's own last words where it fails. */
export function npmInstall(folder: string, flags: readonly string[] = []): Promise<void> {
  return new Promise((resolve, reject) => {
    const npm = startNpm(folder, [...INSTALL, ...flags]);
    let words = '';
    npm.stderr.on('data', (data: Buffer) => (words += data.toString()));
    npm.on('error', (error) => {
      reject(new Error(`npm could not be started: ${error.message}.`));
    });
    npm.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm install ended with ${String(code)}: ${complaint(words)}`));
    });
  });
}

/** npm hands its scripts the path of its own entry; `npm` itself is a .cmd file on Windows. */
function startNpm(folder: string, args: readonly string[]) {
  const entry = process.env['npm_execpath'];
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  return entry === undefined
    ? spawn('npm', args, { cwd: folder, stdio: [...stdio], shell: process.platform === 'win32' })
    : spawn(process.execPath, [entry, ...args], { cwd: folder, stdio: [...stdio] });
}

function complaint(words: string): string {
  const faults = words.split('\n').filter((line) => /error/i.test(line) && !/complete log/i.test(line));
  return (faults.length > 0 ? faults.slice(0, 3).join(' · ') : words.trim()).slice(0, 300);
}
