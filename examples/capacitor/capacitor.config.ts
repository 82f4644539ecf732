import type { CapacitorConfig } from '@capacitor/cli';

const config: CapacitorConfig = {
  appId: 'com.example.gifs',
  appName: 'A note with GIFs',
  webDir: 'dist',
  plugins: {
    // src/gifs.ts calls it by name; `fetch` of the rest of the app stays the WebView's.
    CapacitorHttp: { enabled: false },
  },
};

export default config;
