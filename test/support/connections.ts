/** Connections that write what they are given, and count what comes back. */
export interface Connections {
  /** The responses so far, by status. */
  statuses(): Record<string, number>;
  /** All that was received by one of them. */
  textOf(connection: number): string;
  /** The number of connections that the server closed. */
  closed(): number;
  end(): void;
}

/**
 * Opens connections to a server, which all send the same text once, and send nothing more.
 * @param reads false for connections that never read what the server sends
 */
export async function openConnections(
  url: string,
  count: number,
  text: string,
  { reads = true }: { reads?: boolean } = {},
): Promise<Connections> {
  const { hostname, port } = new URL(url);
  const received: Buffer[][] = Array.from({ length: count }, () => []);
  let closed = 0;
  const textOf = (connection: number): string => Buffer.concat(received[connection] ?? []).toString('latin1');
  const open = (connection: number) =>
    Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open(socket) {
          if (!reads) socket.pause();
          let rest = Buffer.from(text, 'latin1');
          rest = rest.subarray(socket.write(rest));
          if (rest.length > 0) throw new Error('the text is longer than a socket takes at once');
        },
        data: (_socket, bytes) => void received[connection]?.push(bytes),
        close: () => void closed++,
      },
    });
  const sockets: Awaited<ReturnType<typeof open>>[] = [];
  for (let connection = 0; connection < count; connection++) sockets.push(await open(connection));
  return {
    statuses() {
      const counts: Record<string, number> = {};
      for (let connection = 0; connection < count; connection++)
        for (const [, status = ''] of textOf(connection).matchAll(/^HTTP\/1\.1 (\d{3})/gm))
          counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    },
    textOf,
    closed: () => closed,
    end() {
      for (const socket of sockets) socket.terminate();
    },
  };
}
