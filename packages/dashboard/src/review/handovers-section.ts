import type { Handover, HandoverList } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { HANDED_OVER } from '../queue/decided.ts';
import { rich, say } from '../words/operators.ts';
import { momentOf, shortened } from '../words.ts';

const DONE = { approveHandover: 'handedOver', rejectHandover: 'staysOwned' } as const;

/** Most services never have such a request, so an empty list is not shown. */
const NONE = html``;

/** Requests of people to take over a client whose owners have lost their keys. */
class HandoversSection extends Panel {
  readonly #list = new Loaded(this, () => ask('handovers'));

  override render() {
    return html`${this.renderDone()} ${this.#list.render((list) => (list.handovers.length === 0 ? NONE : this.#renderList(list)))}`;
  }

  #renderList({ handovers }: HandoverList): TemplateResult {
    return html`<section aria-labelledby="handovers">
      <h2 id="handovers">${say('handOverTitle')}</h2>
      <p>${say('handOverIntro')}</p>
      <ul class="rows">${handovers.map((handover) => this.#renderHandover(handover))}</ul>
    </section>`;
  }

  #renderHandover({ id, clientId, clientName, origin, npub, owners, createdAt }: Handover): TemplateResult {
    return html`<li class="card">
      <p>${rich('handOverTo', {
        client: html`<a href=${`${BASE}/review/clients/${clientId}`}>${clientName}</a>`,
        person: html`<code title=${npub}>${shortened(npub)}</code>`,
      })} <copy-button .text=${npub} .label=${shortened(npub)}></copy-button></p>
      <p class="muted">${rich('handOverFacts', {
        date: momentOf(createdAt),
        origin: html`<span class="long">${origin}</span>`,
        owners: owners.map((owner) => html`<code title=${owner}>${shortened(owner)}</code> `),
      })}</p>
      <form class="inline" @submit=${(event: SubmitEvent) => this.#decide(event, id, clientName)}>
        <label for=${`handover-${id}`}>${say('reasonShown')}</label>
        <input id=${`handover-${id}`} name="reason" required maxlength="500" />
        <button type="submit" value="approveHandover" class="danger" aria-label=${say('actOn', { act: say('handOver'), thing: clientName })} aria-disabled=${this.busy}>${say('handOver')}</button>
        <button type="submit" value="rejectHandover" class="plain" aria-label=${say('rejectFor', { name: clientName })} aria-disabled=${this.busy}>${say('reject')}</button>
      </form>
      ${this.renderFailed(id)}
    </li>`;
  }

  #decide(event: SubmitEvent, handoverId: string, clientName: string): Promise<void> {
    const { reason } = fieldsOf(event);
    const route = (event.submitter as HTMLButtonElement).value as keyof typeof DONE;
    return this.act(handoverId, async () => {
      this.#list.set(await ask(route, { path: { handoverId }, body: { reason: reason! } }));
      this.dispatchEvent(new Event(HANDED_OVER, { bubbles: true }));
      return say(DONE[route], { name: clientName });
    });
  }
}

customElements.define('handovers-section', HandoversSection);
