import { silentNameServer } from './name-server.ts';

/** For `bun --preload`: no name resolves by DNS in this process. */
await silentNameServer();
