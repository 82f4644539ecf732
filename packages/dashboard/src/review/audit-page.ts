import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import './audit-section.ts';
import { BASE } from '../navigation.ts';

/** The audit log of all clients. */
class AuditPage extends Panel {
  override render() {
    return html`<p><a href="${BASE}/review">Back to review</a></p>
      <h1>Audit log</h1>
      <audit-section .clientId=${''}></audit-section>`;
  }
}

customElements.define('audit-page', AuditPage);
