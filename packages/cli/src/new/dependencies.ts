import { setProperty } from './edit-json.js';
import { ownVersion } from './template.js';

/** Dependencies by the name of their section. */
export type Dependencies = Readonly<
  Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
>;

/** Gives the packages of Adorn in a template's package.json the version of this command. */
export function pinVersions(manifest: string): string {
  return manifest.replaceAll(/("(?:adorn|@adorn\/[\w-]+)": )"\*"/g, `$1"${ownVersion()}"`);
}

/** The required dependencies that a project lacks in all sections of its package.json. */
export function missingDependencies(wanted: Dependencies, present: Partial<Dependencies>): Dependencies {
  const names = new Set(Object.keys({ ...present.dependencies, ...present.devDependencies }));
  const lacking = (section: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(section).filter(([name]) => !names.has(name)));
  return { dependencies: lacking(wanted.dependencies), devDependencies: lacking(wanted.devDependencies) };
}

/** Adds dependencies to the text of a package.json. */
export function addDependencies(manifest: string, missing: Dependencies): string {
  let text = manifest;
  for (const section of ['dependencies', 'devDependencies'] as const) {
    for (const [name, version] of Object.entries(missing[section])) {
      text = setProperty(text, [section, name], version);
    }
  }
  return text;
}
