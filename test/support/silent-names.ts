import { silentNameServer } from './name-server.ts';

/** For `bun --preload`: no name that DNS would have to resolve ever does, in this process. */
await silentNameServer();
