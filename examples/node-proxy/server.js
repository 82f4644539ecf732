import { createProxy } from './proxy.js';

const { ZOETROPE_URL = 'http://127.0.0.1:8080', ZOETROPE_KEY, PORT = '3000' } = process.env;
if (!ZOETROPE_KEY) {
  console.error('ZOETROPE_KEY is not set: create an API key in the dashboard of the service');
  process.exit(1);
}

const proxy = createProxy({ url: ZOETROPE_URL, apiKey: ZOETROPE_KEY });
// Listens only on this machine: your app's server is here, and it knows which users are allowed to use GIFs.
proxy.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${proxy.address().port}`));
