import type { Client, PendingRequest } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { type Asking, ask } from '../api.ts';
import { Panel } from '../parts/panel.ts';
import { dateOf } from '../words.ts';

/** Name of the event that brings a client as it is now. */
export const CLIENT_CHANGED = 'client-changed';

/** Routes that answer with the client as it is afterwards. */
type Change =
  | 'changeClient'
  | 'acceptTerms'
  | 'addOrigin'
  | 'removeOrigin'
  | 'revokeKey'
  | 'addUserAgent'
  | 'removeUserAgent'
  | 'inviteOwner'
  | 'proveAgain'
  | 'withdrawRequest';

/** A part of a client's page. */
export abstract class ClientSection extends Panel {
  static override properties = { client: { attribute: false } };
  declare client: Client;

  /** Asks for a change and shows what came of it. */
  protected change(route: Change, asking: Asking, done: string): Promise<void> {
    return this.act(route, async () => {
      const path = { clientId: this.client.id, ...asking.path };
      this.changed(await ask(route, { ...asking, path }));
      return done;
    });
  }

  protected changed(client: Client): void {
    this.dispatchEvent(new CustomEvent(CLIENT_CHANGED, { detail: client, bubbles: true }));
  }

  /** What waits for somebody's consent, of one kind. */
  protected renderRequests(kind: PendingRequest['kind']): TemplateResult | typeof nothing {
    const requests = this.client.requests.filter((request) => request.kind === kind);
    if (requests.length === 0) return nothing;
    return html`<ul class="rows">${requests.map((request) => this.#renderRequest(request))}</ul>
      ${this.renderFailed('withdrawRequest')} ${this.renderFailed('proveAgain')}`;
  }

  /** What was refused lately, of one kind. */
  protected renderRejections(kind: PendingRequest['kind']): TemplateResult[] {
    const rejections = this.client.rejections.filter((rejection) => rejection.kind === kind);
    return rejections.map(
      ({ value, reason, at }) =>
        html`<p class="note"><code>${value}</code> was refused on ${dateOf(at)}: ${reason}</p>`,
    );
  }

  #renderRequest({ id, kind, value, createdAt, proof }: PendingRequest): TemplateResult {
    const path = { requestId: id };
    return html`<li class="row">
      <span class="grow">
        <code class="long">${value}</code> <span class="state">${kind === 'owner' ? 'invited' : 'waits for review'}</span><br />
        <span class="muted">asked on ${dateOf(createdAt)}${
          proof && !proof.proven ? html`. Not approved by itself: ${proof.reason}` : nothing
        }</span>
      </span>
      ${
        kind === 'origin'
          ? html`<button type="button" class="plain" aria-label=${`Ask again for the proof of ${value}`} aria-disabled=${this.busy}
              @click=${() => this.change('proveAgain', { path }, 'Asked its domain again.')}>Ask again</button>`
          : nothing
      }
      <button type="button" class="plain" aria-label=${`Withdraw ${value}`} aria-disabled=${this.busy}
        @click=${() => this.change('withdrawRequest', { path }, `${value} was withdrawn.`)}>Withdraw</button>
    </li>`;
  }
}
