/** The payers that share a turn, such as all free operators. */
export interface Sharing {
  name: string;
  /** The number of these that are kept. */
  payers: number;
  /** The bytes in the bodies of their requests that were not read yet. */
  bytes: number;
}

/** The requests of a payer that wait or are under way. */
export interface Account {
  id: string;
  sharing: Sharing;
  /** All requests without a response. */
  open: number;
  waiting: number;
  /** The most that were open at a time, less with each request since. */
  peak: number;
  /** The bytes in the bodies of its requests that were not read yet. */
  bytes: number;
  /** Those between their turn and their response, without those that wait for their body. */
  inFlight: number;
}
