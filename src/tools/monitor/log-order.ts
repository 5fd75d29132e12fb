import { LOG_NAMES, type LogName } from '../../proof/log/log-names.ts';

/** All logs. The key log comes first: it has the keys that signed the other logs and their entries. */
export const KEYS_FIRST: readonly LogName[] = ['keys', ...LOG_NAMES.filter((name) => name !== 'keys')];
