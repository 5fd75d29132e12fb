import type { Store } from '../../platform/store/store.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { commonErrors } from '../http/errors.ts';
import { logContentOf } from './contents.ts';
import type { TrustLog } from './lifecycle/open.ts';
import { tileAt } from './tree/tiles.ts';

/**
 * Returns a tile of a log's tree, or a bundle of its entries (C2SP tlog-tiles), up to the newest checkpoint.
 * @param rest the path after `tile/`, such as `0/x001/067` or `entries/000.p/12`
 * @throws ApiError not_found
 */
export async function logTile({ store, log }: { store: Store; log: TrustLog }, name: LogName, rest: string) {
  const { open, contents, publisher, damage } = log;
  const { tree_size } = publisher.latest(name).response;
  const path = `tile/${rest.replaceAll('%2F', '/')}`;
  const tile = await damage.tracked(tileAt(store, open[name], logContentOf(contents, name), tree_size, path));
  if (tile === null) throw commonErrors.not_found();
  return tile;
}
