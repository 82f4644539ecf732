import type { Client, Invoice, OrderState, Site } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, ask } from '../api.ts';
import { BASE, go } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { rich, say } from '../words/owners.ts';
import { countdown } from '../words.ts';

const POLL_MS = 2_000;
const TICK_MS = 1_000;
/** Time for which an invoice can be paid, for the progress bar. */
const OPEN_MS = 15 * 60_000;
/** Anchor of the client's page that says that the payment has arrived. */
export const PAID = '#paid';

/** The states of an invoice in which its client cannot have been approved. */
const WAITING: ReadonlySet<OrderState> = new Set(['open', 'expired', 'unchecked']);
/** The states of an invoice whose payment does not count yet. */
const DOUBTS = ['unproven', 'disproven'] as const;
type Doubt = (typeof DOUBTS)[number];
/** A client's registration fee: its invoice and whether it is paid. */
class PayPage extends Panel {
  static override properties = { site: { attribute: false }, clientId: {} };
  declare site: Site;
  declare clientId: string;
  readonly #loaded = new Loaded(this, () => this.#load());
  /** Number of milliseconds by which the service's clock is ahead of the browser's clock. */
  #ahead = 0;
  /** Whether the last request to the service for the invoice failed. */
  #isSilent = false;
  /** Whether this page has already requested an invoice by itself. */
  #isRequested = false;
  #timers: number[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timers = [
      window.setInterval(() => void this.#poll(), POLL_MS),
      window.setInterval(() => this.requestUpdate(), TICK_MS),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const timer of this.#timers) window.clearInterval(timer);
  }

  /** Gets the first invoice without a click: people open this page to pay. Each later invoice replaces an expired one. */
  protected override updated(): void {
    const { client, invoice } = this.#loaded.value ?? {};
    if (this.#isRequested || client?.state !== 'unpaid' || invoice !== null || this.site.fee.sats === 0) return;
    this.#isRequested = true;
    void this.#create();
  }

  override render() {
    return html`<h1>${say('payTitle')}</h1>
      ${this.#loaded.render(({ client, invoice }) => this.#renderOf(client, invoice))} ${this.renderDone()}`;
  }

  #renderOf(client: Client, invoice: Invoice | null): TemplateResult {
    const { id, name, state } = client;
    const address = `${BASE}/clients/${id}`;
    if (state !== 'unpaid') {
      return html`<div class="card" role="status">
        <p>${rich('nothingLeft', { name: html`<strong>${name}</strong>` })}</p>
        <p><a class="button" href=${address}>${say('toClient')}</a></p>
      </div>`;
    }
    const sats = invoice?.sats ?? this.site.fee.sats;
    if (sats === 0) {
      return html`<div class="card">
        <p>${rich('noFeeNow', { name: html`<strong>${name}</strong>` })}</p>
        ${this.#renderOperator()}
      </div>`;
    }
    return html`<div class="card pay">
        <p class="amount">${rich('amountFor', { n: sats, name })}</p>
        ${this.renderFailed('invoice')}
        ${invoice === null ? this.#renderMissing() : this.#renderInvoice(invoice)}
        <p class="muted">${rich('payOnce')}</p>
        <p><a href=${address}>${isDoubtful(invoice?.state) ? say('backToClient') : say('payLater')}</a></p>
      </div>`;
  }

  #renderMissing(): TemplateResult {
    const isComing = this.busy || !this.#isRequested;
    return isComing ? html`<p role="status">${say('gettingInvoice')}</p>` : this.#renderButton(say('getInvoice'));
  }

  #renderInvoice(invoice: Invoice): TemplateResult {
    const { state, bolt11, qr } = invoice;
    const left = invoice.expiresAt - Date.now() - this.#ahead;
    if (isDoubtful(state)) return this.#renderDoubt(state);
    if (state !== 'open' || left <= 0) {
      return html`<p role="status">${say(state === 'unchecked' || state === 'refused' ? `unpaid_${state}` : 'unpaid_expired')}</p>
        ${state === 'open' || state === 'expired' ? nothing : this.#renderOperator()}
        ${this.#renderButton(say('getNewInvoice'))}`;
    }
    const link = `lightning:${bolt11}`;
    return html`<a href=${link} aria-label=${say('openWalletHere')}>
        <img class="qr" alt=${say('invoiceCode')} src=${`data:image/svg+xml,${encodeURIComponent(qr)}`} />
      </a>
      <p class="row"><a class="button" href=${link}>${say('openWallet')}</a> <copy-button .text=${bolt11} .label=${say('theInvoice')}></copy-button></p>
      <progress max=${OPEN_MS} value=${Math.min(left, OPEN_MS)} aria-label=${say('timeLeft')}></progress>
      <p>${rich('expiresIn', { time: html`<span role="timer">${countdown(left)}</span>` })}</p>
      <p role="status">${this.#isSilent ? say('payingSilent') : say('waitingPayment')}</p>
      <details>
        <summary>${say('showInvoice')}</summary>
        <p><label class="above" for="bolt11">${say('invoice')}</label><input id="bolt11" readonly .value=${bolt11} /></p>
      </details>`;
  }

  /** The operator must decide. Until then, the user must not pay again. */
  #renderDoubt(state: Doubt): TemplateResult {
    return html`<p role="status">${say(`doubt_${state}`)}</p>
      <p>${rich('doNotPayAgain')}</p>
      ${this.#renderOperator()}`;
  }

  #renderOperator(): TemplateResult {
    const { name, url } = this.site.operator;
    return html`<p>${rich('askOperator', { operator: html`<a href=${url}>${name}</a>` })}</p>`;
  }

  #renderButton(name: string): TemplateResult {
    return html`<p><button type="button" aria-disabled=${this.busy} @click=${this.#create}>${name}</button></p>`;
  }

  #create(): Promise<void> {
    return this.act('invoice', async () => {
      const invoice = await ask('createInvoice', { path: { clientId: this.clientId } });
      this.#take(this.#loaded.value!.client, invoice);
      return '';
    });
  }

  async #load(): Promise<{ client: Client; invoice: Invoice | null }> {
    const path = { clientId: this.clientId };
    const client = await ask('client', { path });
    const invoice = client.state === 'unpaid' ? await ask('invoice', { path }).catch(none) : null;
    if (invoice !== null) this.#ahead = invoice.serverTime - Date.now();
    return { client, invoice };
  }

  /** Polls the invoice, even after the invoice expires, because a late payment still counts. */
  async #poll(): Promise<void> {
    const shown = this.#loaded.value;
    if (!shown?.invoice || shown.client.state !== 'unpaid' || this.busy) return;
    try {
      const path = { clientId: this.clientId };
      const invoice = await ask('invoice', { path });
      this.#isSilent = false;
      const client = WAITING.has(invoice.state) ? shown.client : await ask('client', { path });
      // The user may have requested a new invoice in the meantime.
      if (this.#loaded.value !== shown) return;
      if (invoice.state === 'paid' || invoice.state === 'surplus') go(`/clients/${client.id}${PAID}`);
      else this.#take(client, invoice);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#isSilent = true;
      this.requestUpdate();
    }
  }

  #take(client: Client, invoice: Invoice): void {
    this.#ahead = invoice.serverTime - Date.now();
    this.#loaded.set({ client, invoice });
  }
}

function isDoubtful(state: OrderState | undefined): state is Doubt {
  return (DOUBTS as readonly unknown[]).includes(state);
}

function none(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}

customElements.define('pay-page', PayPage);
