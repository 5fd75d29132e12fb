/** How a service of this machine is reached that listens at no address: over a Unix socket. */
export interface ServiceSocket {
  /** The path of the socket. */
  readonly path: string;
  /**
   * Is called when a connection failed.
   * @returns true if the service can be reached again, so that the request is worth another attempt at once
   */
  restore(): Promise<boolean>;
}
