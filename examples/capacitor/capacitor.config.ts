import type { CapacitorConfig } from '@capacitor/cli';

const config: CapacitorConfig = {
  appId: 'com.example.gifs',
  appName: 'A note with GIFs',
  webDir: 'dist',
  plugins: {
    // src/gifs.ts calls this plugin explicitly. Everywhere else, the app keeps the WebView's own `fetch`.
    CapacitorHttp: { enabled: false },
  },
};

export default config;
