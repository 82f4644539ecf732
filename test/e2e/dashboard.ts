import { type EventTemplate, finalizeEvent } from 'nostr-tools/pure';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type FakeService, startFakeService } from '../../packages/dashboard/testing/fake-service.ts';

/** Timeout for steps that are slow on a busy machine. */
export const SOON = { timeout: 480_000 };

/** A browser window with its own dashboard. */
export class Window {
  readonly service: FakeService;
  readonly context: BrowserContext;
  readonly page: Page;

  private constructor(service: FakeService, context: BrowserContext, page: Page) {
    this.service = service;
    this.context = context;
    this.page = page;
  }

  static async open(browser: Browser, options: BrowserContextOptions & { relays?: string[] } = {}): Promise<Window> {
    const { relays = [], ...rest } = options;
    const service = await startFakeService(relays);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...rest });
    return new Window(service, context, await context.newPage());
  }

  async go(path = '/'): Promise<void> {
    await this.page.goto(`${this.service.url}/dashboard${path}`);
  }

  install(...[secretKey, sign]: Signing): Promise<void> {
    return installSigner(this.context, secretKey, sign);
  }

  async signIn(secretKey: Uint8Array): Promise<void> {
    await this.install(secretKey);
    await this.go();
    await this.page.getByRole('button', { name: 'Sign in with extension' }).click();
    await this.page.getByRole('heading', { name: 'Your clients', exact: true }).waitFor();
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.service.stop();
  }
}

type Signing = [secretKey: Uint8Array, sign?: (template: EventTemplate) => unknown];

/** Gives pages a NIP-07 extension. The extension signs in the test's process, so pages never see the key. */
export async function installSigner(context: BrowserContext, ...[secretKey, sign]: Signing): Promise<void> {
  const signHere = sign ?? ((template: EventTemplate) => finalizeEvent(template, secretKey));
  await context.exposeFunction('signHere', (template: EventTemplate) => signHere(template));
  await context.addInitScript(() => {
    const { signHere: ask } = window as unknown as { signHere: (template: unknown) => Promise<unknown> };
    Object.defineProperty(window, 'nostr', {
      value: Object.freeze({ signEvent: (template: unknown) => ask(template) }),
    });
  });
}
