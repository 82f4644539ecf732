import type { Client, PendingRequest, Site } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { type Asking, ask } from '../api.ts';
import { Panel } from '../parts/panel.ts';
import { rich, say } from '../words/owners.ts';
import { dateOf, shortened } from '../words.ts';

/** Event that carries the updated client. */
export const CLIENT_CHANGED = 'client-changed';

/** Routes that respond with the updated client. */
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

/** A section of a client's page. */
export abstract class ClientSection extends Panel {
  static override properties = { client: { attribute: false }, site: { attribute: false } };
  declare client: Client;
  declare site: Site;

  /** Sends a change and reports the result. */
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

  /**
   * Renders a text about who approves origins or user agents. If the service has no operators in the dashboard, the
   * text links to the operator's website.
   */
  protected renderReviewer(of: 'Others' | 'Each'): unknown {
    const { reviewed, operator } = this.site;
    if (reviewed) return say(`operatorReviews${of}`);
    return rich(`askFor${of}`, { operator: html`<a href=${operator.url}>${operator.name}</a>` });
  }

  /** Renders the requests of one kind that are waiting for approval. */
  protected renderRequests(kind: PendingRequest['kind']): TemplateResult | typeof nothing {
    const requests = this.client.requests.filter((request) => request.kind === kind);
    if (requests.length === 0) return nothing;
    return html`<ul class="rows">${requests.map((request) => this.#renderRequest(request))}</ul>
      ${this.renderFailed('withdrawRequest')} ${this.renderFailed('proveAgain')}`;
  }

  /** Renders the recently rejected requests of one kind. */
  protected renderRejections(kind: PendingRequest['kind']): TemplateResult[] {
    const rejections = this.client.rejections.filter((rejection) => rejection.kind === kind);
    return rejections.map(
      ({ value, reason, at }) =>
        html`<p class="note">${rich('rejectedOn', { value: html`<code>${value}</code>`, date: dateOf(at), reason })}</p>`,
    );
  }

  #renderRequest({ id, kind, value, createdAt, proof }: PendingRequest): TemplateResult {
    const path = { requestId: id };
    return html`<li class="row">
      <span class="grow">
        <code class="long" title=${value}>${kind === 'owner' ? shortened(value) : value}</code> <span class="state">${say(kind === 'owner' ? 'invitedState' : 'waitingReview')}</span>
        <span class="told">${
          proof && !proof.proven
            ? say('notAutomatic', { date: dateOf(createdAt), reason: proof.reason })
            : say('requestedOn', { date: dateOf(createdAt) })
        }</span>
      </span>
      ${
        kind === 'origin'
          ? html`<button type="button" class="plain" aria-label=${say('actOnTitle', { act: say('verifyAgain'), thing: value })} aria-disabled=${this.busy}
              @click=${() => this.change('proveAgain', { path }, say('checkedAgain'))}>${say('verifyAgain')}</button>`
          : nothing
      }
      <button type="button" class="plain" aria-label=${say('actOn', { act: say('withdraw'), thing: value })} aria-disabled=${this.busy}
        @click=${() => this.change('withdrawRequest', { path }, say('withdrawn', { value }))}>${say('withdraw')}</button>
    </li>`;
  }
}
