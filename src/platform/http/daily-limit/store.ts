import { sqlOf } from '../../store/sql.ts';
import { provisionKey as keyTable, provision } from './table.ts';

const sql = sqlOf({ provision, provisionKey: keyTable });

/** Returns the key of the hashes; null before the first. */
export const provisionKey = sql.value(keyTable.key)`WHERE one = 1`;

/** Stores the key of the hashes. */
export const putProvisionKey = sql.insert(keyTable, { fixed: { one: 1 } });

/** Stores a provision unless its address had `limit` since a time. @returns 1 if it was stored, else 0 */
export const insertProvision = sql.run`INSERT INTO provision (address_hash, created_at)
  SELECT ${'addressHash'}, ${'createdAt'} WHERE (SELECT count(*) FROM (SELECT 1 FROM provision
    WHERE address_hash = ${'addressHash'} AND created_at > ${'since:createdAt'} AND created_at <= ${'createdAt'}
    LIMIT ${'limit'})) < ${'limit'}`;

/** Returns when the oldest provision of an address since a time was; null for none. */
export const oldestProvision = sql.value(provision.createdAt)`
  WHERE address_hash = ${'addressHash'} AND created_at > ${'since:createdAt'} ORDER BY created_at LIMIT 1`;

/** Deletes up to `limit` provisions until a time. @returns how many */
export const deleteProvisions = sql.run`DELETE FROM provision WHERE provision_seq IN (
  SELECT provision_seq FROM provision WHERE created_at <= ${'until:createdAt'} LIMIT ${'limit'})`;
