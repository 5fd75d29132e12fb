import { isThisMachine } from './addresses.ts';

/**
 * Connects to this machine directly, even if `HTTP_PROXY` names a proxy: what is sent here over http, such as
 * a key, would reach another machine in plain text.
 *
 * The runtime reads these variables with each request, in capitals or not.
 */
export function connectDirectly({ hostname }: URL): void {
  if (!isThisMachine(hostname)) return;
  for (const variable of ['NO_PROXY', 'no_proxy']) {
    const hosts = (process.env[variable] ?? '').split(',').filter((host) => host !== '');
    if (!hosts.includes(hostname)) process.env[variable] = [...hosts, hostname].join(',');
  }
}
