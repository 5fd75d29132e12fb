import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import {
  DefaultAgentCardResolver as OldCardResolver,
  ClientFactory as OldClientFactory,
  JsonRpcTransportFactory as OldTransportFactory,
} from 'a2a-sdk-0.3/client';

/** Returns fetch with an API key, as a client of the SDK is given it. */
export function keyedFetch(apiKey: string | null, fetch = globalThis.fetch): typeof globalThis.fetch {
  const send = (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers);
    if (apiKey !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${apiKey}`);
    return fetch(input, { ...init, headers });
  };
  return Object.assign(send, { preconnect: fetch.preconnect });
}

/** Returns a client of the newest SDK (A2A 1.0) for the agent card of a server. */
export function clientOfV1(url: string, apiKey: string | null) {
  const fetchImpl = keyedFetch(apiKey);
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  );
  return factory.createFromUrl(url);
}

/** Returns a client of the SDK for A2A 0.3. @param path of the card; undefined for the SDK's own */
export function clientOfV03(url: string, apiKey: string | null, path?: string) {
  const fetchImpl = keyedFetch(apiKey);
  const factory = new OldClientFactory({
    transports: [new OldTransportFactory({ fetchImpl })],
    cardResolver: new OldCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(url, path);
}
