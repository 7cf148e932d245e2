// Types and JavaScript by `tsc -b` (into build/, declarations into dist/), one bundle per published entry, the
// schemas of the samples' tools, the page of the server, and the documents of `adorn`. `--specs` also checks the types of the specs;
// `--for <folder>` builds what one project needs, and checks no types. What has not changed is left alone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { reconcileOutputs } from './bundle/outputs.mjs';
import { forgetBuild, rememberBuild } from './setup/build-stamp.mjs';
import { listProjectsBehind, listWorkspaces, readJson, ROOT } from './setup/workspace.mjs';

const SPECS = 'packages/tsconfig.specs.json';

process.chdir(ROOT);
const target = argumentOf('--for');
if (target !== undefined) await buildFor(target);
else await build(process.argv.includes('--specs') ? 'specs' : 'sources');

async function build(kind) {
  forgetBuild();
  const workspaces = listWorkspaces();
  for (const { folder } of workspaces) reconcileOutputs(folder);
  compile(projectsOf(kind, workspaces));
  const published = workspaces.filter((workspace) => workspace.published);
  await bundle(published);
  const withNewSchemas = await writeSchemas();
  await bundle(published.filter(({ folder }) => withNewSchemas.includes(folder)));
  await buildPage();
  const { writeDocuments } = await import('./bundle/documents.mjs');
  await writeDocuments(published);
  rememberBuild(kind);
}

/** Builds a project and those that it refers to. Their types are not checked: the whole build does that later. */
async function buildFor(folder) {
  forgetBuild();
  const folders = listProjectsBehind(folder);
  const workspaces = listWorkspaces().filter((one) => folders.includes(one.folder));
  console.error(`  1 of 3: JavaScript and declarations of ${String(folders.length)} projects`);
  for (const { folder: one } of workspaces) reconcileOutputs(one);
  compile(['--noCheck', folder]);
  console.error('  2 of 3: packages');
  await bundle(workspaces.filter(({ published }) => published));
  console.error('  3 of 3: schemas of the tools, and the studio');
  await writeSchemas([folder]);
  await buildPage();
  rememberBuild(folder);
}

function argumentOf(option) {
  const at = process.argv.indexOf(option);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function writeSchemas(folders) {
  const schemas = await import('./bundle/schemas.mjs');
  return schemas.writeSchemas(folders);
}

async function buildPage() {
  const page = await import('./bundle/page.mjs');
  await page.buildPage();
}

/** The projects of the root's tsconfig.json; one that is missing there would be built and checked by nobody. */
function projectsOf(kind, workspaces) {
  const projects = readJson('tsconfig.json').references.map(({ path }) => path);
  const forgotten = workspaces.find(
    ({ folder }) => existsSync(`${folder}/tsconfig.json`) && !projects.includes(folder),
  );
  if (forgotten !== undefined)
    fail(`tsconfig.json does not refer to ${forgotten.folder}: add it to "references".`);
  return kind === 'specs' ? projects : projects.filter((path) => path !== SPECS);
}

/** @param projects paths, and options of tsc */
function compile(projects) {
  const pretty = process.stderr.isTTY ? ['--pretty'] : [];
  const tsc = ['node_modules/typescript/bin/tsc', '-b', ...pretty, ...projects];
  const { status, error } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

async function bundle(packages) {
  const { bundlePackage } = await import('./bundle/bundle.mjs');
  const results = await Promise.allSettled(packages.map(bundlePackage));
  const failures = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0) fail(failures.map(({ message }) => message).join('\n'));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
