import type { AuditTrail, ReviewItem } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Panel } from '../parts/panel.ts';
import { say } from '../words/operators.ts';
import { momentOf } from '../words.ts';
import { tellDecision } from './decided.ts';

/** The requests of one client that wait for an operator's decision. */
export class ClientRequests extends Panel {
  static override properties = { items: { attribute: false }, reason: {} };
  declare items: ReviewItem[];
  /** The reason of a rejection, which owners see. */
  declare reason: string;

  override render() {
    const [{ clientId, clientName, homePage }] = this.items as [ReviewItem];
    return html`<article class="card" aria-label=${clientName}>
      <h3><a href=${`${BASE}/review/clients/${clientId}`}>${clientName}</a> <span class="state">${say('aClient')}</span></h3>
      ${homePage === '' ? nothing : html`<p class="muted">${say('homePageAt', { url: homePage })}</p>`}
      <ul class="rows">${this.items.map((item) => this.#renderItem(item))}</ul>
      ${this.renderFailed('decide')}
    </article>`;
  }

  #renderItem(item: ReviewItem): TemplateResult {
    const { kind, value, createdAt, proof } = item;
    return html`<li>
      <p><strong>${say(`requested_${kind}`)}</strong> <code class="long">${value}</code><br />
        <span class="muted">${requestOf(momentOf(createdAt), proof)}</span></p>
      <p class="row">
        <button type="button" aria-disabled=${this.busy} @click=${() => this.approve(item)}>${say('approve')} <span class="visually-hidden">${value}</span><kbd aria-hidden="true">y</kbd></button>
        <button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.reject(item)}>${say('reject')} <span class="visually-hidden">${value}</span><kbd aria-hidden="true">n</kbd></button>
      </p>
    </li>`;
  }

  approve(item = this.items[0]!): Promise<void> {
    return this.#decide(item, say('wasApproved', { value: item.value }), () =>
      ask('approve', { path: { requestId: item.id } }),
    );
  }

  reject(item = this.items[0]!): Promise<void> {
    const { reason } = this;
    return this.#decide(item, say('wasRejected', { value: item.value }), () => {
      if (reason === '') throw new ApiError('validation', say('reasonFirst'));
      return ask('reject', { path: { requestId: item.id }, body: { reason } });
    });
  }

  #decide(item: ReviewItem, done: string, send: () => ReturnType<typeof ask<'review'>>): Promise<void> {
    return this.act('decide', async () => {
      const { clientId } = item;
      const { items, said } = await send().then(
        (queue) => ({ ...queue, said: done }),
        async (error: unknown) => {
          if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
          return { ...(await ask('review')), said: await whoWasFirst(item) };
        },
      );
      tellDecision(this, {
        kind: 'client',
        clientId,
        items: items.filter((own) => own.clientId === clientId),
        done: said,
      });
      return '';
    });
  }
}

function requestOf(date: string, proof: ReviewItem['proof']): string {
  if (proof === null) return say('requestedAt', { date });
  return proof.proven ? say('requestedVerified', { date }) : say('requestedUnverified', { date, reason: proof.reason });
}

/** Returns a text about the outcome of a request that no longer waits. */
async function whoWasFirst({ clientId, value }: ReviewItem): Promise<string> {
  const { entries } = await ask('audit', { query: { client: clientId } });
  const isAboutIt = ({ subject, action }: AuditTrail['entries'][number]) =>
    (subject === value || subject.startsWith(`${value}: `)) && !action.endsWith(' request');
  const entry = entries.find(isAboutIt);
  if (entry === undefined) return say('noLongerWaits', { value });
  return say('otherWasFirst', { actor: entry.actor, action: entry.action, subject: entry.subject });
}

customElements.define('client-requests', ClientRequests);
