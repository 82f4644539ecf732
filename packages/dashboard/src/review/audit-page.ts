import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import './audit-section.ts';

/** All that was done with clients, by whomever. */
class AuditPage extends Panel {
  override render() {
    return html`<p><a href="/dashboard/review">Back to the review</a></p>
      <h1>What was done</h1>
      <audit-section .clientId=${''}></audit-section>`;
  }
}

customElements.define('audit-page', AuditPage);
