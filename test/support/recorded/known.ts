/**
 * What a reader of a recorded data directory of the trust service must know to read it: keys, and ids that no
 * list has.
 */
export interface Known {
  /** An API key that reads everything of each operator, by the operator's id. */
  operators: Record<string, string>;
  /** The API key that reads everything about each agent, by the agent's commitment. */
  agents: Record<string, string>;
  serviceToken: string;
  /** Further API keys, by what is special about each. */
  keys: Record<string, string>;
  /** The ids of AGORA proposals. */
  proposals: string[];
  /** The ids of clusters. */
  clusters: string[];
  /** A credential that was revoked. */
  revokedCredential: Record<string, unknown> | null;
  /** A receipt with its proof and the list of keys, as they were saved before the log was restarted. */
  saved: { receipt: Record<string, unknown>; proof: string; keys: string } | null;
}
