import { render, type TemplateResult } from 'lit-html';

/** On a server, there is no HTMLElement, and no element is ever created. */
const HtmlElement = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * An element that renders into a shadow root. It first renders when it is in a page, and then once for all changes of a
 * task. With LitElement instead, the picker's file would be a seventh larger.
 */
export abstract class RenderedElement extends HtmlElement {
  readonly renderRoot: ShadowRoot = this.attachShadow({ mode: 'open' });
  /** A promise that resolves when the latest changes are rendered. */
  updateComplete: Promise<void> = Promise.resolve();
  #isPending = false;
  readonly #changed = new Set<string>();
  #connect = () => {};
  readonly #isConnected = new Promise<void>((resolve) => {
    this.#connect = resolve;
  });

  /** @param properties names of the properties that are rendered */
  constructor(styles: () => CSSStyleSheet, properties: readonly string[]) {
    super();
    this.renderRoot.adoptedStyleSheets = [styles()];
    for (const name of properties) {
      // A page can set properties before the element is defined.
      let value: unknown = Object.getOwnPropertyDescriptor(this, name)?.value;
      const get = () => value;
      const set = (to: unknown) => {
        if (to === value) return;
        value = to;
        this.#changed.add(name);
        this.requestUpdate();
      };
      Object.defineProperty(this, name, { get, set, configurable: true, enumerable: true });
      this.#changed.add(name);
    }
    this.requestUpdate();
  }

  connectedCallback(): void {
    this.#connect();
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    (this as Record<string, unknown>)[name] = value ?? undefined;
  }

  requestUpdate(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    this.updateComplete = this.#update();
  }

  async #update(): Promise<void> {
    try {
      await this.#isConnected;
      const changed = new Set(this.#changed);
      this.#changed.clear();
      await this.prepare(changed);
      this.willRender();
      render(this.render(), this.renderRoot);
    } finally {
      this.#isPending = false;
    }
    this.updated();
    if (this.#changed.size > 0) this.requestUpdate();
  }

  /** Prepares the changes, before they are rendered. @param changed names of the properties that have changed */
  protected abstract prepare(changed: ReadonlySet<string>): Promise<void>;
  protected abstract willRender(): void;
  protected abstract render(): TemplateResult;
  protected abstract updated(): void;
}
