import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';

/** A name server on loopback that this process uses from now on. */
export interface NameServer {
  /** The number of queries that it received. */
  asked(): number;
  /** Stops it and restores the name servers of the process. */
  stop(): void;
}

/**
 * Starts a name server that never responds, except for the IPv4 address of names that begin with `v4.`:
 * 192.0.2.7.
 */
export async function silentNameServer(): Promise<NameServer> {
  let asked = 0;
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    asked += 1;
    const question = query.subarray(12);
    const end = question.indexOf(0) + 5;
    const isFor4 = question.subarray(1, 3).toString() === 'v4' && question.readUInt16BE(end - 4) === 1;
    if (!isFor4) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 6);
    header.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    socket.send(Buffer.concat([header, question.subarray(0, end), record]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  socket.unref();
  const former = getServers();
  setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked: () => asked,
    stop() {
      setServers(former);
      socket.close();
    },
  };
}
