import type { ApiCall } from '../demo/api-client.ts';

/** The members of a ready file with which a trigger acts. */
export interface TriggerKeys {
  /** Sends a request to the service. */
  ask: ApiCall;
  /** An API key of the first operator, or of the first partner. */
  apiKey: string;
  /** The service token of a trust service. */
  serviceToken: string | null;
}

/** How an event is made to happen. */
export interface Trigger {
  /** What happens, as a predicate of the command: "enrolls an agent". */
  summary: string;
  /**
   * Makes the event happen, by requests.
   * @returns the names of what it made. @throws RequestRefused
   */
  run(keys: TriggerKeys): Promise<Readonly<Record<string, string>>>;
}

/** The triggers of a service, by the names of its events. */
export interface Triggers {
  events: Readonly<Record<string, Trigger>>;
  /** Returns whether a webhook of the key's owner gets an event. @throws RequestRefused */
  isSubscribed(keys: TriggerKeys, event: string): Promise<boolean>;
}
