import { html, LitElement } from 'lit';

/** The whole dashboard: one element, which shows a page by the address. */
class Dashboard extends LitElement {
  override render() {
    return html`<main><h1>Dashboard</h1></main>`;
  }
}

customElements.define('zoetrope-dashboard', Dashboard);
