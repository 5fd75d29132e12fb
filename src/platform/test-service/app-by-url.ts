import type { GrowingApp } from '../http/documented-app.ts';

/**
 * Returns the applications of a service by the URL in their documents, each made once: the data of a seed is
 * sent to the application that is served then.
 */
export function appByUrl(make: (serverUrl: string) => GrowingApp): (serverUrl: string) => GrowingApp {
  const made = new Map<string, GrowingApp>();
  return (serverUrl) => {
    const app = made.get(serverUrl) ?? make(serverUrl);
    made.set(serverUrl, app);
    return app;
  };
}
