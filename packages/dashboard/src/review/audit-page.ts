import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import './audit-section.ts';
import './moves-section.ts';
import { say } from '../words/operators.ts';

/** What operators and owners did: to GIFs, and to clients and relays. */
class AuditPage extends Panel {
  override render() {
    return html`<h1>${say('activity')}</h1>
      <moves-section></moves-section>
      <h2>${say('clientsAndSources')}</h2>
      <audit-section .clientId=${''}></audit-section>`;
  }
}

customElements.define('audit-page', AuditPage);
