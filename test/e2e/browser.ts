import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { parts } from '../support/parts.ts';

/** A host name that resolves to this machine. */
export const ELSEWHERE = 'client.example';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // With this flag, letters look the same on every machine.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Maximum time of a step, such as loading a page. The library's default of half a minute fails on a busy machine. */
const STEP_MS = 120_000;

/** @param names host names that resolve to this machine */
export async function launchBrowser(names = ELSEWHERE): Promise<Browser> {
  const args = [...FLAGS, `--host-resolver-rules=MAP ${names} 127.0.0.1`];
  const browser = await chromium.launch({ executablePath: parts.chromium!, args });
  // Contexts have no common default.
  const openContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await openContext(options);
    context.setDefaultTimeout(STEP_MS);
    return context;
  };
  return browser;
}

/** Closes all windows. */
export async function closeWindows(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await closeContext(context);
}

/** Closes the windows of a context. Requests that their routes are still answering end without an error. */
export async function closeContext(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}
