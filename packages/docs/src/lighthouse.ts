import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { installPeer } from '@adorn/conformance/install-peer/install-peer';

import { DOCUMENTS, LIGHTHOUSE_WORKSHOP } from './folders.js';

/** What is used here of Lighthouse, which is no dependency of this package. */
export interface Lighthouse {
  /** Looks at a page as it is. */
  snapshot(page: Page, options: object): Promise<{ readonly lhr: LighthouseResult } | undefined>;
}

export interface LighthouseResult {
  readonly categories: Readonly<Record<string, LighthouseCategory>>;
  readonly audits: Readonly<Record<string, LighthouseAudit>>;
}

interface LighthouseCategory {
  /** From 0 to 1; null if the page could not be looked at. */
  readonly score: number | null;
  /** What each rule counts; nothing for one that is tried out. */
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
}

export interface LighthouseAudit {
  readonly title: string;
  /** From 0 to 1; null for what does not apply to the page. */
  readonly score: number | null;
  readonly details?: { readonly items?: readonly LighthouseItem[] };
}

interface LighthouseItem {
  readonly node?: { readonly selector?: string; readonly explanation?: string };
}

/** What is used here of Puppeteer, which Lighthouse brings along. */
export interface Puppeteer {
  launch(options: object): Promise<Browser>;
}

export interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMediaFeatures(features: readonly { readonly name: string; readonly value: string }[]): Promise<void>;
  goto(url: string, options: object): Promise<unknown>;
  waitForSelector(selector: string): Promise<{ click(): Promise<void>; type(text: string): Promise<void> }>;
  close(): Promise<void>;
}

/** Installs Lighthouse at the first time. */
export async function loadLighthouse(): Promise<{ lighthouse: Lighthouse; puppeteer: Puppeteer }> {
  await installPeer(basename(LIGHTHOUSE_WORKSHOP), {
    sources: DOCUMENTS,
    installed: dirname(LIGHTHOUSE_WORKSHOP),
  });
  const installed = createRequire(`${LIGHTHOUSE_WORKSHOP}/package.json`).resolve('lighthouse');
  const puppeteer = createRequire(installed)('puppeteer-core') as Puppeteer;
  return { lighthouse: (await import(pathToFileURL(installed).href)) as Lighthouse, puppeteer };
}
