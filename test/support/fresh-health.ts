import type { App } from '../../src/platform/http/app.ts';
import type { HealthMonitor } from '../../src/platform/monitoring/health.ts';

/**
 * An application that refreshes its health before each health request, as the scheduler of a real process
 * does all the time.
 */
export function withFreshHealth(health: HealthMonitor, fetch: App['fetch']) {
  return async (request: Request, peer?: string): Promise<Response> => {
    if (/\/health$/.test(new URL(request.url).pathname)) await health.refresh();
    return fetch(request, peer);
  };
}
